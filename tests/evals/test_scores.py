"""Every figure of every labelled case, and how the counters that test the scorer behave."""

import json
from pathlib import Path
from typing import Any

import pytest

from evals.retrieval import offered_tables, score_retrieval
from evals.scores import Side, score_sides
from evals.tables import Failure, ResultTable
from metric_layer.sql.components import Unread, Warehouse, read_components
from tests.corpora import evals as adapter
from tests.evals.samples import table

NOWHERE = Warehouse("duckdb", {})


def leaves(value: Any, path: str = "") -> dict[str, Any]:
    if not isinstance(value, dict):
        return {path: value}
    return {
        place: leaf for key, inner in value.items() for place, leaf in leaves(inner, f"{path}.{key}").items()
    }


def test_every_figure_of_every_labelled_case_is_right(corpus_folder: Path) -> None:
    text = (corpus_folder / "eval_dev.jsonl").read_text(encoding="utf-8")
    cases = [json.loads(line) for line in text.splitlines() if line.strip()]
    found = {line["id"]: line["scores"] for line in adapter.verdicts(cases)}
    for case in cases:
        wanted = {
            path: pytest.approx(leaf) if isinstance(leaf, float) else leaf
            for path, leaf in leaves(case["expected"]).items()
        }
        assert leaves(found[case["id"]]) == wanted, case["id"]


def scores_of(gold: ResultTable | Failure, candidate: ResultTable | Failure) -> Any:
    return score_sides(Side(None, gold), Side(None, candidate), NOWHERE)[0]


def test_origins_that_contradict_the_values_are_a_counted_fault() -> None:
    rows = [(1, 10), (2, 20)]
    crossed = table([row[::-1] for row in rows], origins=["t.a", "t.b"])
    found = scores_of(table(rows, origins=["t.a", "t.b"]), crossed)
    assert found.output.exact and found.output.columns.recall == 0.0
    assert found.ceilings.exact_but_not_perfect and not found.ceilings.perfect_but_not_exact


def test_nothing_against_nothing_is_counted_and_undefined() -> None:
    found = scores_of(table([], 2), table([], 1))
    assert found.ceilings.both_empty and found.output.exact
    assert not found.ceilings.exact_but_not_perfect


def test_a_missing_candidate_is_missing_and_not_failed() -> None:
    gold = Side(read_components("SELECT 1", NOWHERE), table([(1,)]))
    found = score_sides(gold, Side(Unread.MISSING, Failure("missing")), NOWHERE)[0]
    assert (found.ceilings.candidate_missing, found.ceilings.candidate_failed) == (True, False)
    assert found.output.columns.recall == 0.0 and found.output.cells.recall is None


def test_the_worked_retrieval_example_of_the_source_scores_as_printed() -> None:
    gold = read_components("SELECT * FROM orders, order_lines, customers", NOWHERE)
    found = score_retrieval(gold, ["orders", "customers", "sites", "items", "staff"], NOWHERE)
    assert found.score.recall == pytest.approx(2 / 3)
    assert (found.score.precision, found.spurious) == (0.4, 3)


def test_retrieval_that_nobody_recorded_is_undefined() -> None:
    gold = read_components("SELECT * FROM orders", NOWHERE)
    assert score_retrieval(gold, None, NOWHERE).spurious is None
    assert score_retrieval(Unread.UNPARSED, ["orders"], NOWHERE).score.recall is None
    nothing = score_retrieval(gold, [], NOWHERE)
    assert (nothing.score.precision, nothing.score.recall, nothing.spurious) == (None, 0.0, 0)


def test_a_table_that_an_example_mentions_was_not_offered() -> None:
    assert offered_tables(["CREATE TABLE a (x INT)", "SELECT * FROM b"], NOWHERE) == {"a"}
