"""What a reader gets of a table: the rows policy shows, and a summary that is true of all of them."""

import json
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metric_layer.resolved import OutputColumn
from policies.mask import MASK
from policies.policy import ReadingRules
from policies.reading import Shown, protect, show, tells_rows
from policies.summary import summarize
from traces.records import Table, Value

REGION = OutputColumn(name="region", kind="dimension", type="string", label="Region")
DAY = OutputColumn(name="day", kind="time", type="date", label="day", grain="day")
REVENUE = OutputColumn(name="revenue", kind="metric", type="decimal", label="Revenue")
CELLS = st.one_of(
    st.none(),
    st.integers(),
    st.decimals(allow_nan=True, allow_infinity=True, places=2),
    st.floats(),
    st.booleans(),
    st.dates(),
    st.text(max_size=8),
    st.just(MASK),
)


def table(*rows: tuple[Value, ...], columns: tuple[OutputColumn, ...] = (REGION, REVENUE)) -> Table:
    return Table.model_construct(columns=columns, rows=rows, truncated=False, limit_source="")


def numbered(height: int) -> Table:
    return table(*((f"r{at}", Decimal(at)) for at in range(height)))


def test_the_first_rows_are_shown_and_the_summary_is_of_all() -> None:
    shown = show(numbered(120), None, ReadingRules(rows=50))
    assert shown.numbers == tuple(range(50))
    assert shown.cut and shown.summary.rows == 120
    assert (shown.summary.columns[1].low, shown.summary.columns[1].high) == ("0", "119")


def test_a_sample_runs_from_the_first_row_to_the_last() -> None:
    shown = show(numbered(101), None, ReadingRules(show="sample", rows=5))
    assert shown.numbers == (0, 25, 50, 75, 100)
    assert [row[0] for row in shown.rows] == ["r0", "r25", "r50", "r75", "r100"]


def test_where_no_row_is_shown_the_summary_still_goes_and_only_a_grand_total_is_told() -> None:
    rules = ReadingRules(show="none")
    shown = show(numbered(3), None, rules)
    assert shown.rows == () and shown.summary.rows == 3
    assert not tells_rows(numbered(3), rules)
    assert tells_rows(table((Decimal(7),), columns=(REVENUE,)), rules)
    assert tells_rows(numbered(3), ReadingRules())


def test_a_masked_value_is_counted_as_hidden_and_stands_in_no_other_figure() -> None:
    protected = protect(table((MASK, Decimal(1)), (None, None), (MASK, Decimal(3))), None, 5)
    names, figures = summarize(protected.table, None).columns
    assert (names.hidden, names.nulls, names.distinct, names.low) == (2, 1, 0, "")
    assert (figures.hidden, figures.nulls, figures.distinct, figures.low, figures.high) == (0, 1, 2, "1", "3")


def test_dates_have_ends_and_text_has_none() -> None:
    days = table((date(2026, 7, 1), "x"), (date(2026, 6, 1), "y"), columns=(DAY, REGION))
    day, region = summarize(days, None).columns
    assert (day.low, day.high, day.total) == ("2026-06-01", "2026-07-01", "")
    assert (region.low, region.high) == ("", "")


@pytest.mark.parametrize("how", ["first", "sample", "none"])
@given(height=st.integers(0, 300), rows=st.integers(1, 100), room=st.integers(0, 4000))
def test_shown_rows_are_rows_of_the_result_in_its_order_within_the_room(
    how: str, height: int, rows: int, room: int
) -> None:
    rules = ReadingRules.model_validate({"show": how, "rows": rows})
    shown: Shown = show(numbered(height), None, rules).within(room)
    assert list(shown.numbers) == sorted(set(shown.numbers))
    assert len(shown.numbers) <= min(rows, height)
    assert all(0 <= at < height for at in shown.numbers)
    assert len(json.dumps(shown.rows, default=str, separators=(",", ":"))) <= max(room, 2)
    if how == "first":
        assert shown.numbers == tuple(range(len(shown.numbers)))


@given(st.lists(CELLS, max_size=30))
def test_a_summary_of_any_column_is_made_and_its_counts_add_up(values: list[Value]) -> None:
    (column,) = summarize(table(*((v,) for v in values), columns=(REVENUE,)), None).columns
    seen = len(values) - column.nulls - column.hidden
    assert column.nulls == values.count(None)
    assert 0 <= column.distinct <= seen
    assert column.total == ""
