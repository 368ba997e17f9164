"""What a person is shown of two tables is what the scorer counted: the same pairs, rows and cells."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from evals.output import score_output
from evals.shown import show
from evals.tables import Failure, table_from_rows

CELLS = st.sampled_from([None, 0, 1, 2, "a", "b"])
Rows = list[tuple[object, ...]]


def rows(width: int) -> st.SearchStrategy[Rows]:
    return st.lists(st.tuples(*[CELLS] * width), max_size=8)


@given(st.integers(1, 3).flatmap(rows), st.integers(1, 3).flatmap(rows))
def test_the_cells_that_are_shown_to_agree_are_those_that_were_counted(gold: Rows, other: Rows) -> None:
    tables = table_from_rows(gold, _width(gold)), table_from_rows(other, _width(other))
    output = score_output(*tables)
    shown = show(*tables, output, None, 100)
    assert shown is not None
    assert len(shown.agree) == output.matched_cells
    assert [pair.gold for pair in shown.pairs] == [edge.pair.gold for edge in output.edges]
    for row, met in enumerate(shown.gold.meets):
        assert met is None or shown.candidate.meets[met] == row
    for row, at in shown.agree:
        pair, met = shown.pairs[at], shown.gold.meets[row]
        assert met is not None and gold[row][pair.gold] == other[met][pair.candidate]


def _width(listed: Sequence[tuple[object, ...]]) -> int:
    return len(listed[0]) if listed else 1


def test_a_failure_and_a_large_table_are_not_shown() -> None:
    small, large = table_from_rows([(1,)], 1), table_from_rows([(at,) for at in range(9)], 1)
    assert show(small, large, score_output(small, large), None, 8) is None
    failed = Failure("no such table")
    assert show(failed, small, score_output(failed, small), None, 8) is None
