"""Rows find each other by a key, a shelf empties, and cells are counted inside the pairs."""

from evals.output import OutputScore, score_output
from tests.evals.samples import Rows, table


def scored(gold: Rows, candidate: Rows) -> OutputScore:
    return score_output(table(gold), table(candidate))


def test_a_key_of_half_the_rows_is_a_key_and_below_it_rows_are_compared_whole() -> None:
    half = scored([("p",), ("p",), ("q",), ("q",)], [("p",), ("q",), ("q",), ("q",)])
    assert (half.row_method, half.matched_cells, half.rows_without_key) == ("key", 3, 0)
    gold = [("p", 1), ("p", 1), ("p", 1), ("q", 2), ("q", 2)]
    below = scored(gold, [("p", 1), ("p", 1), ("q", 1), ("q", 2), ("q", 2)])
    assert (below.row_method, below.matched_cells, below.rows_without_key) == ("multiset", 8, 5)


def test_a_row_pays_in_parts() -> None:
    score = scored([("a", "x", 1), ("b", "y", 2)], [("a", "x", 9), ("b", "y", 2)])
    assert (len(score.edges), score.matched_cells) == (3, 5)


def test_the_key_is_the_one_the_candidate_reaches_and_not_the_one_that_only_separates() -> None:
    gold = [(f"k{row}", 1000 + row) for row in range(10)]
    candidate = [(f"k{row}", 1000 + row + (row % 2) * 5) for row in range(10)]
    score = scored(gold, candidate)
    assert [pair.gold for pair in score.key] == [0] and score.matched_cells == 10 + 5


def test_duplicates_cost_precision_and_never_collect_twice() -> None:
    score = scored([("a",), ("b",)], [("a",), ("a",), ("a",), ("b",)])
    assert (score.cells.precision, score.cells.recall) == (0.5, 1.0)


def test_nulls_meet_in_keys_and_cells() -> None:
    rows = [(None, 1), ("a", None), ("b", 2)]
    assert scored(rows, rows[::-1]).is_perfect()


def test_without_a_pair_cells_are_undefined_and_never_zero() -> None:
    score = scored([(1,)], [(2,)])
    assert (score.cells.precision, score.cells.recall, score.row_method) == (None, None, "none")


def test_fan_out_reads_as_precision_below_recall() -> None:
    gold = [("a", 1), ("b", 2)]
    score = scored(gold, gold * 5)
    assert (score.cells.precision, score.cells.recall) == (0.2, 1.0)


def test_swapped_columns_are_exact_only_in_another_order() -> None:
    score = scored([("a", 1), ("b", 2)], [(1, "a"), (2, "b")])
    assert (score.exact, score.exact_positional) == (True, False)
