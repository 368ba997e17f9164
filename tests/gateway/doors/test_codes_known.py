"""Whatever the product can print as a code, `cellbound explain` knows, with its meaning."""

import ast
import re
from collections.abc import Iterable
from typing import get_args

import pytest

from docs.harvest import ISSUES, harvest, trees
from evals.answers import Fault
from evals.gold import GoldCode
from evals.report import count_ceilings
from evals.scores import Ceilings
from evals.words import CEILINGS, FAULTS
from gateway.doors.explaining import Explained, explain, known_codes
from gateway.doors.meanings import DRAFTS_SAY, OUTCOMES_SAY, SQL_SAYS
from gateway.doors.status import DRAFTS, OUTCOMES, REFUSALS, SPENT, SQL_VERDICTS
from gateway.holds.faults import NotDecidable
from gateway.intake.outcome import AbstainReason, AskReason
from gateway.reviews.refusals import CONFLICTS
from traces.grounding import SpanCode

MET = (
    "vague_time",
    "missing_metric",
    "future_window",
    "approval_used",
    "no_file",
    "missing_time",
    "ambiguous_metric",
    "ambiguous_value",
    "ambiguous_date",
    "invalid_date",
    "missing_dimension",
    "incompatible_dimension",
    "unsupported",
    "out_of_data_range",
    "own_question",
    "hold_expired",
    "hold_stale",
    "not_decided",
    "nearby_question",
    "model_plan",
    "blocked_wrongly",
    "no_gold_plan",
    "candidate_missing",
    "gold_unstable",
    "perfect_but_not_exact",
    "type_assumed",
    "unknown_prompt",
)
"""Codes of every way in which one is said: by a method, a helper, a table, a class, an eval report."""
NO_ISSUE = frozenset(("Piece", "Meaning"))
"""Records with a `code` that is no issue's: a word's in intake."""


def silent(codes: Iterable[str]) -> list[str]:
    return sorted({code for code in codes if code} - set(known_codes()))


def written_codes() -> set[str]:
    """Return every plain code that stands at a `code=` of the source, whoever is called."""
    given = (
        (node.func, word.value)
        for tree in trees().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        for word in node.keywords
        if word.arg == "code"
    )
    values = (value for called, value in given if ast.unparse(called).rpartition(".")[2] not in NO_ISSUE)
    plain = (each for value in values for each in (value, *_branches(value)))
    return {each.value for each in plain if isinstance(each, ast.Constant) and isinstance(each.value, str)}


def _branches(value: ast.expr) -> tuple[ast.expr, ...]:
    return (value.body, value.orelse) if isinstance(value, ast.IfExp) else ()


@pytest.mark.parametrize("code", MET)
def test_a_code_that_somebody_met_is_explained(code: str) -> None:
    found = explain(code)
    assert isinstance(found, Explained)
    assert all(says.strip() for meaning in found.meanings for says in meaning.says)


def test_every_code_that_the_source_writes_is_known() -> None:
    codes = written_codes()
    assert len(codes) > 100
    assert not silent(codes)


NOT_DECIDED: list[type[NotDecidable]] = [NotDecidable, *NotDecidable.__subclasses__()]
HOLDS = [kind.code for kind in NOT_DECIDED]


@pytest.mark.parametrize(
    "codes",
    [
        get_args(AskReason),
        get_args(AbstainReason),
        get_args(SpanCode),
        get_args(GoldCode),
        get_args(Fault),
        REFUSALS,
        SPENT,
        CONFLICTS,
        HOLDS,
    ],
    ids=["ask", "abstain", "span", "gold", "fault", "refusals", "spent", "conflicts", "holds"],
)
def test_every_code_of_a_vocabulary_is_known(codes: Iterable[str]) -> None:
    assert not silent(codes)


def test_every_ceiling_and_fault_of_an_eval_report_is_told_and_no_other() -> None:
    by_hand = {"stale", "not_left_out", "other_identity", "gold_unstable", "apart", "moved"}
    source = ast.unparse(next(
        node
        for node in ast.walk(trees()["evals/report.py"])
        if isinstance(node, ast.FunctionDef) and node.name == count_ceilings.__name__
    ))  # fmt: skip
    assert set(re.findall(r"(\w+)=int\(", source)) == by_hand
    assert CEILINGS.keys() == Ceilings.model_fields.keys() | by_hand
    assert FAULTS.keys() == set(get_args(Fault)) - {""}


def test_every_outcome_says_what_it_means_and_what_to_do_next() -> None:
    assert OUTCOMES_SAY.keys() == OUTCOMES.keys()
    assert DRAFTS_SAY.keys() == DRAFTS.keys()
    assert SQL_SAYS.keys() == SQL_VERDICTS.keys()
    assert all(advice.says for table in (OUTCOMES_SAY, DRAFTS_SAY, SQL_SAYS) for advice in table.values())
    done = {"passed", "allow", "skipped"}
    for table in (OUTCOMES_SAY, DRAFTS_SAY, SQL_SAYS):
        assert not [name for name, advice in table.items() if not advice.step and name not in done]


@pytest.mark.parametrize("check", ["fan_out", "budget", "full_scan", "day_budget"])
def test_a_check_says_the_next_step_of_its_own_findings(check: str) -> None:
    found = explain(check)
    assert isinstance(found, Explained)
    assert any(meaning.kind == "check" and meaning.next_steps for meaning in found.meanings)


def test_who_hands_a_code_on_says_it_in_its_own_module_and_where_it_is_imported() -> None:
    modules = {
        "house/said.py": """
class Said:
    def note(self, reason, term):
        self.found.append(Problem.model_validate({"reason": reason, "term": term}))
def refused(code, why):
    return _one(code, f"{why}.", "Ask anew.")
def _one(code, message, next_step):
    return Refusal(issues=(Issue(code=code, message=message, next_step=next_step),))
""",
        "house/desk.py": """
from house.said import refused
def go(said, late):
    said.note("by_method", "word")
    return refused("by_import" if late else "by_other", "it is too late")
TABLE = {"by_method": ("{term!r} is no word.", "Say another one.")}
""",
        "house/stranger.py": """
def _one(code, message):
    return code
_one("of_nobody", "this is no issue")
""",
    }
    said = harvest({path: ast.parse(text) for path, text in modules.items()}, ISSUES, beside=True)
    assert said == {
        "by_method": (["… is no word."], ["Say another one."]),
        "by_import": (["it is too late"], []),
        "by_other": (["it is too late"], []),
    }
