"""What holds for every pair of tables, whatever is in them."""

from datetime import date, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.columnar import ColumnarSides
from evals.output import OutputScore, score_output
from evals.plain import PlainSides
from evals.sides import Pair, Sides
from evals.tables import ResultTable
from tests.evals.samples import rows_of, shuffled, table, tables, typed_pairs

FIGURES = ("columns", "cells", "exact", "matched_cells", "row_method", "rows_without_key")


def figures(score: OutputScore) -> dict[str, Any]:
    return {name: getattr(score, name) for name in FIGURES}


def halves(score: OutputScore) -> list[float | None]:
    return [
        score.columns.precision,
        score.columns.recall,
        score.cells.precision,
        score.cells.recall,
    ]


@settings(max_examples=150)
@given(gold=tables(), candidate=tables(), data=st.data())
def test_the_order_of_rows_and_columns_never_moves_a_figure(
    gold: ResultTable, candidate: ResultTable, data: st.DataObject
) -> None:
    sides = [
        shuffled(
            side,
            data.draw(st.permutations(range(side.row_count))),
            data.draw(st.permutations(range(side.width))),
        )
        for side in (gold, candidate)
    ]
    assert figures(score_output(*sides)) == figures(score_output(gold, candidate))


@settings(max_examples=200)
@given(gold=tables(), candidate=tables())
def test_every_figure_is_a_share_or_undefined(gold: ResultTable, candidate: ResultTable) -> None:
    score = score_output(gold, candidate)
    assert all(half is None or 0.0 <= half <= 1.0 for half in halves(score))
    assert (score.columns.precision is None) == (candidate.row_count == 0)
    assert (score.columns.recall is None) == (gold.row_count == 0)
    if not score.edges:
        assert halves(score)[2:] == [None, None]


@settings(max_examples=200)
@given(gold=tables(), candidate=tables())
def test_cells_never_match_more_than_the_shorter_side_holds(
    gold: ResultTable, candidate: ResultTable
) -> None:
    score = score_output(gold, candidate)
    assert score.matched_cells <= len(score.edges) * min(gold.row_count, candidate.row_count)
    assert len(score.edges) <= min(gold.width, candidate.width)
    if score.cells.precision and score.cells.recall:
        ratio = score.cells.precision / score.cells.recall
        assert ratio == pytest.approx(gold.row_count / candidate.row_count)


@settings(max_examples=200)
@given(gold=tables())
def test_the_same_table_is_perfect_wherever_it_is_defined(gold: ResultTable) -> None:
    score = score_output(gold, gold)
    assert score.exact and score.exact_positional
    assert set(halves(score)) == ({1.0} if gold.row_count else {None})


@settings(max_examples=200)
@given(gold=tables(), candidate=tables())
def test_perfect_and_exact_are_the_same_without_origins(gold: ResultTable, candidate: ResultTable) -> None:
    score = score_output(gold, candidate)
    if not score.is_undefined():
        assert score.is_perfect() == score.exact


@settings(max_examples=150)
@given(pair=typed_pairs(), decimals=st.sampled_from([None, 0, 1, 2]))
def test_the_columnar_path_says_what_the_plain_one_says(
    pair: tuple[ResultTable, ResultTable], decimals: int | None
) -> None:
    gold, candidate = pair
    plain, columnar = (make(gold, candidate, decimals) for make in (PlainSides, ColumnarSides))
    pairs = tuple(Pair(g, c) for g in range(gold.width) for c in range(candidate.width))
    assert [asked(plain, p) for p in pairs] == [asked(columnar, p) for p in pairs]
    whole = tuple(Pair(i, i) for i in range(min(gold.width, candidate.width)))
    if gold.row_count and candidate.row_count:
        for width in range(1, len(whole) + 1):
            assert plain.key(whole[:width]) == columnar.key(whole[:width])
            assert plain.match_by_key(whole, whole[:width]) == columnar.match_by_key(whole, whole[:width])
        assert plain.match_whole_rows(whole) == columnar.match_whole_rows(whole)
        if gold.shape == candidate.shape:
            assert plain.exact(gold.width) == columnar.exact(gold.width)


@settings(max_examples=150)
@given(gold=tables(), candidate=tables(), decimals=st.sampled_from([None, 0, 1]))
def test_both_paths_agree_on_columns_that_mix_kinds(
    gold: ResultTable, candidate: ResultTable, decimals: int | None
) -> None:
    plain, columnar = (make(gold, candidate, decimals) for make in (PlainSides, ColumnarSides))
    pairs = tuple(Pair(g, c) for g in range(gold.width) for c in range(candidate.width))
    assert [asked(plain, p) for p in pairs] == [asked(columnar, p) for p in pairs]


@pytest.mark.parametrize(
    "column",
    [
        (datetime(2025, 1, 1), 0.5, 1),
        (date(2025, 1, 1), datetime(2025, 1, 1, 5)),
        (date(2025, 1, 1), 0),
        ("a", b"a"),
    ],
)
def test_what_arrow_would_take_for_another_kind_stays_what_it_is(column: tuple[Any, ...]) -> None:
    mixed, other = table([(value,) for value in column]), table([(column[0],), ("b",), (1,)])
    for pair in ((mixed, mixed), (mixed, other), (other, mixed)):
        sides = PlainSides(*pair), ColumnarSides(*pair)
        assert asked(sides[0], Pair(0, 0)) == asked(sides[1], Pair(0, 0))
    assert PlainSides(mixed, mixed).gold(0).values == len(column)


def asked(sides: Sides, pair: Pair) -> tuple[Any, ...]:
    return sides.gold(pair.gold), sides.candidate(pair.candidate), sides.overlap(pair), sides.alike(pair)


@settings(max_examples=100)
@given(gold=tables(rows=(1, 6)), data=st.data())
def test_a_row_given_twice_costs_cell_precision_only(gold: ResultTable, data: st.DataObject) -> None:
    rows = rows_of(gold)
    again = table([*rows, data.draw(st.sampled_from(rows))])
    score = score_output(gold, again)
    assert (score.columns.precision, score.columns.recall, score.cells.recall) == (1.0, 1.0, 1.0)
    assert score.cells.precision == len(rows) / (len(rows) + 1)


@settings(max_examples=100)
@given(gold=tables(rows=(1, 6)))
def test_a_column_nobody_asked_for_costs_column_precision_only(gold: ResultTable) -> None:
    wider = table([(*row, f"only here {place}") for place, row in enumerate(rows_of(gold))])
    score = score_output(gold, wider)
    assert score.columns.precision == gold.width / (gold.width + 1)
    assert (score.columns.recall, score.cells.precision, score.cells.recall) == (1.0, 1.0, 1.0)


@settings(max_examples=100)
@given(rows=st.integers(2, 8), data=st.data())
def test_one_dropped_row_costs_cell_recall_only_and_one_extra_row_cell_precision_only(
    rows: int, data: st.DataObject
) -> None:
    gold = [(f"k{row}", 100 + row) for row in range(rows)]
    at = data.draw(st.integers(0, rows - 1))
    fewer = score_output(table(gold), table(gold[:at] + gold[at + 1 :]))
    assert (fewer.cells.precision, fewer.cells.recall) == (1.0, (rows - 1) / rows)
    assert fewer.columns.precision == 1.0 and fewer.columns.recall == pytest.approx((rows - 1) / rows)
    more = score_output(table(gold), table([*gold[:at], ("new", -1), *gold[at:]]))
    assert (more.cells.precision, more.cells.recall) == (rows / (rows + 1), 1.0)
    assert more.columns.recall == 1.0 and more.columns.precision == pytest.approx(rows / (rows + 1))


@settings(max_examples=100)
@given(rows=st.integers(2, 8), data=st.data())
def test_one_changed_cell_costs_one_cell(rows: int, data: st.DataObject) -> None:
    gold = [(f"k{row}", row % 3, 100 + row) for row in range(rows)]
    at = data.draw(st.integers(0, rows - 1))
    changed = [(*row[:2], -1) if place == at else row for place, row in enumerate(gold)]
    score = score_output(table(gold), table(changed))
    assert score.matched_cells == 3 * rows - 1
