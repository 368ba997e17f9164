"""What the words of an eval report mean: each ceiling it counts and each fault it finds, in one line."""

from collections.abc import Mapping
from types import MappingProxyType

CEILINGS: Mapping[str, str] = MappingProxyType(
    {
        "gold_failed": "The gold query failed, so nothing about the output is known.",
        "candidate_failed": "The candidate's query failed.",
        "gold_unparsed": "The gold SQL could not be read, so the families over SQL are undefined.",
        "candidate_unparsed": "The candidate's SQL could not be read.",
        "candidate_missing": "The candidate brought no SQL and no table.",
        "gold_truncated": "The gold result was cut at the most rows that are fetched.",
        "candidate_truncated": "The candidate's result was cut at the most rows that are fetched.",
        "both_empty": "Both queries returned no row; that they agree says little.",
        "no_paired_columns": "No column of the candidate pairs with one of the gold: another answer or type.",
        "rows_without_key": "Rows that no key tells apart; they were compared as a multiset.",
        "shelves_over_cap": "Groups of alike rows too large to pair in full.",
        "ties_over_cap": "More equal ways to pair the columns than are tried; the first of them counts.",
        "exact_only_after_permutation": "The tables are equal once columns change places.",
        "perfect_but_not_exact": "All figures are perfect over unequal tables: a fault of the scorer.",
        "exact_but_not_perfect": "The tables are equal and a figure is below one: a fault of the scorer.",
        "stale": "The owner's number is about other data and was not compared.",
        "not_left_out": "The agent's retriever was not kept from the case's own example.",
        "other_identity": "The gold query would run as somebody else than the asker, so it was not compared.",
        "gold_unstable": "The gold query leaves its answer to chance: a cut through equal rows, or no order.",
        "apart": "Answer and gold were not read in one snapshot; the data may have changed between them.",
        "moved": "The data had changed since the answer was shown, so its query was run again.",
    }
)
"""What kept a figure from being defined or sure; counted, never corrected."""

FAULTS: Mapping[str, str] = MappingProxyType(
    {
        "wrong_answer_released": "A wrong answer passed every check.",
        "blocked_wrongly": "A check stopped a question that has an answer.",
    }
)

NOT_ASKED: Mapping[str, str] = MappingProxyType(
    {
        "not_asked": "The run had nothing to ask for this case, and judges nobody by it.",
        "no_gold_plan": "The case has no gold plan, so a run over gold plans does not ask it.",
    }
)
