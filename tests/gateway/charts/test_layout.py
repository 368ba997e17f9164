"""From a table to plots: periods by our own labels, gaps that say so, exact words, no misleading picture."""

import os
import time
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.charts.layout import MOST_BARS, OFF_SCALE, plots_of
from gateway.charts.plot import Plot, Undrawn
from gateway.ground.derived.show import HIDDEN, NO_DATA
from metric_layer.calendar import Calendar
from metric_layer.definitions import CalendarRules, Display
from metric_layer.resolved import OutputColumn
from policies.mask import MASK
from traces.records import Table, Value

CALENDAR = Calendar(rules=CalendarRules(fiscal_start_month=2))
MONTH = OutputColumn(name="month", kind="time", type="date", label="Month", grain="month")
REGION = OutputColumn(name="region", kind="dimension", type="string", label="Region")
SEGMENT = OutputColumn(name="segment", kind="dimension", type="string", label="Segment")
BRAND = OutputColumn(name="brand", kind="dimension", type="string", label="Brand")
SALES = OutputColumn(
    name="net.sales",
    kind="metric",
    type="decimal",
    label="Net sales",
    unit="USD",
    display=Display(style="currency"),
)
COUNT = OutputColumn(
    name="orders", kind="metric", type="integer", label="Orders", display=Display(style="integer", decimals=0)
)


def table(*columns: OutputColumn, rows: tuple[tuple[Value, ...], ...], truncated: bool = False) -> Table:
    return Table(columns=columns, rows=rows, truncated=truncated)


def plot(drawn: tuple[Plot, ...] | Undrawn) -> Plot:
    assert not isinstance(drawn, Undrawn), drawn.reason
    return drawn[0]


def july_to(last: int) -> tuple[tuple[Value, ...], ...]:
    return tuple((date(2026, month, 1), Decimal(month)) for month in range(7, last + 1))


@pytest.fixture
def new_york(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    yield
    monkeypatch.delenv("TZ")
    os.environ.pop("TZ", None)
    time.tzset()


@pytest.mark.usefixtures("new_york")
def test_months_keep_their_names_where_the_clock_is_behind_utc() -> None:
    assert plot(plots_of(table(MONTH, SALES, rows=july_to(9)), CALENDAR)).places == (
        "2026-07",
        "2026-08",
        "2026-09",
    )


def test_a_time_column_makes_a_line_and_anything_else_makes_bars() -> None:
    assert plot(plots_of(table(MONTH, SALES, rows=july_to(9)), CALENDAR)).kind == "line"
    bars = table(REGION, SALES, rows=(("EMEA", Decimal(1)), ("AMER", Decimal(2))))
    assert plot(plots_of(bars, CALENDAR)).kind == "bar"


def test_fiscal_quarters_are_called_what_the_calendar_calls_them() -> None:
    quarter = MONTH.model_copy(update={"name": "quarter", "grain": "fiscal_quarter"})
    rows = ((date(2026, 5, 1), Decimal(1)), (date(2026, 8, 1), Decimal(2)))
    assert plot(plots_of(table(quarter, SALES, rows=rows), CALENDAR)).places == ("FY2027-Q2", "FY2027-Q3")


def test_a_month_without_a_row_is_a_gap_and_not_a_straight_line() -> None:
    rows = ((date(2026, 9, 1), Decimal(9)), (date(2026, 7, 1), Decimal(7)))
    found = plot(plots_of(table(MONTH, SALES, rows=rows), CALENDAR))
    assert [(p.place, p.value, p.gap) for p in found.points] == [
        ("2026-07", 7.0, ""), ("2026-08", None, NO_DATA), ("2026-09", 9.0, ""),
    ]  # fmt: skip


def test_timestamps_at_midnight_are_the_periods_they_begin() -> None:
    rows = ((datetime(2026, 7, 1), Decimal(7)), (datetime(2026, 9, 1), Decimal(9)))
    found = plot(plots_of(table(MONTH, SALES, rows=rows), CALENDAR))
    assert [p.value for p in found.points] == [7.0, None, 9.0]


def test_null_is_said_to_be_no_data_and_never_stands_at_zero() -> None:
    found = plot(plots_of(table(REGION, SALES, rows=(("EMEA", None), ("AMER", Decimal(2)))), CALENDAR))
    missing = next(p for p in found.points if p.place == "EMEA")
    assert missing.value is None
    assert missing.said == "EMEA: no data"
    assert missing.gap == NO_DATA


def test_a_gap_in_one_series_names_the_series_once() -> None:
    rows = tuple(
        (date(2026, month, 1), region, None if (month, region) == (8, "EMEA") else Decimal(month))
        for month in (7, 8) for region in ("EMEA", "AMER")
    )  # fmt: skip
    found = plot(plots_of(table(MONTH, REGION, SALES, rows=rows), CALENDAR))
    assert [p.gap for p in found.points if p.gap] == ["no data: EMEA"]
    assert found.series == ("EMEA", "AMER")


def test_a_missing_date_stands_apart_and_is_not_joined_to_the_line() -> None:
    rows = (*july_to(8), (None, Decimal(5)))
    found = plot(plots_of(table(MONTH, SALES, rows=rows), CALENDAR))
    assert [(p.place, p.joined) for p in found.points][-1] == ("(none)", False)


@pytest.mark.parametrize("value", [2**53 + 1, -(2**64) - 1, 10**27 + 7])
def test_large_integers_are_said_to_the_last_digit(value: int) -> None:
    found = plot(plots_of(table(REGION, COUNT, rows=(("EMEA", value), ("AMER", 1))), CALENDAR))
    assert found.points[0].said == f"EMEA: {value:,}"


@pytest.mark.parametrize(
    ("value", "gap"),
    [
        (10**400, OFF_SCALE),
        (float("inf"), OFF_SCALE),
        (float("nan"), OFF_SCALE),
        (Decimal("NaN"), OFF_SCALE),
        (MASK, HIDDEN),
    ],
)
def test_what_has_no_place_on_the_axis_says_why(value: Value, gap: str) -> None:
    found = plot(plots_of(table(REGION, COUNT, rows=(("EMEA", value), ("AMER", 1))), CALENDAR))
    assert (found.points[0].value, found.points[0].gap) == (None, gap)


def test_null_and_the_text_that_looks_like_it_are_two_places() -> None:
    found = plot(plots_of(table(REGION, COUNT, rows=((None, 1), ("(none)", 2))), CALENDAR))
    assert found.places == ("(none)", "(none) (2)")
    assert [p.value for p in found.points] == [1.0, 2.0]


def test_a_second_dimension_becomes_panels_of_bars_and_lines_of_many_series() -> None:
    bars = table(REGION, SEGMENT, COUNT, rows=(("EMEA", "a", 1), ("AMER", "b", 2)))
    assert plot(plots_of(bars, CALENDAR)).panels == ("a", "b")
    many = tuple((date(2026, 7 + month, 1), f"r{i}", i) for month in (0, 1) for i in range(8))
    lines = plot(plots_of(table(MONTH, REGION, COUNT, rows=many), CALENDAR))
    assert (len(lines.panels), lines.series) == (8, ())


def test_every_metric_has_a_plot_of_its_own_scale() -> None:
    found = plots_of(
        table(REGION, SALES, COUNT, rows=(("EMEA", Decimal(1), 2), ("AMER", Decimal(3), 4))), CALENDAR
    )
    assert not isinstance(found, Undrawn)
    assert [each.value_title for each in found] == ["Net sales (USD)", "Orders"]


TWO: tuple[tuple[Value, ...], ...] = (("EMEA", 1), ("AMER", 2))


@pytest.mark.parametrize(
    "undrawable",
    [
        table(REGION, COUNT, rows=()),
        table(REGION, COUNT, rows=(("EMEA", None), ("AMER", None))),
        table(REGION, COUNT, rows=TWO[:1]),
        table(COUNT, rows=((1,),)),
        table(REGION, rows=(("EMEA",), ("AMER",))),
        table(REGION, COUNT, rows=TWO, truncated=True),
        table(REGION, SEGMENT, BRAND, COUNT, rows=(("a", "b", "c", 1), ("a", "b", "d", 2))),
        table(REGION, COUNT, rows=tuple((f"r{i}", i) for i in range(MOST_BARS + 1))),
        table(MONTH, COUNT, rows=((date(1, 1, 1), 1), (date(9000, 1, 1), 2))),
    ],
    ids=[
        "no rows",
        "nulls",
        "one row",
        "one figure",
        "no metric",
        "cut",
        "three keys",
        "crowded",
        "millennia",
    ],
)
def test_a_result_that_no_picture_would_help_gets_the_reason_instead(undrawable: Table) -> None:
    found = plots_of(undrawable, CALENDAR)
    assert isinstance(found, Undrawn)
    assert found.reason.endswith(".")


@given(
    st.dictionaries(
        st.tuples(st.sampled_from(range(1, 13)), st.sampled_from(("EMEA", "AMER", None))),
        st.one_of(st.none(), st.integers(-(10**20), 10**20)),
        min_size=2,
    )
)
def test_every_cell_is_one_point_and_every_other_point_is_a_gap(
    cells: dict[tuple[int, str | None], int | None],
) -> None:
    rows = tuple((date(2026, month, 1), region, value) for (month, region), value in cells.items())
    found = plots_of(table(MONTH, REGION, COUNT, rows=rows), CALENDAR)
    if isinstance(found, Undrawn):
        assert not any(value is not None for value in cells.values())
        return
    said = [point.said for point in found[0].points]
    assert len(said) == len(set(said)) == len(found[0].places) * len(found[0].series)
    for (month, region), value in cells.items():
        words = NO_DATA if value is None else f"{value:,}"
        assert f"2026-{month:02d}, {region or '(none)'}: {words}" in said
    assert sum(point.value is not None for point in found[0].points) == sum(
        v is not None for v in cells.values()
    )
