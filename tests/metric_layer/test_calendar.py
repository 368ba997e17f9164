"""Buckets partition the days, labels read back, and SQL buckets as Python does."""

from datetime import date, datetime, timedelta
from functools import partial
from itertools import pairwise

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metric_layer.calendar import Calendar, OutsideCalendar
from metric_layer.compile.bucket import bucket_of
from metric_layer.compile.zone import Clock
from metric_layer.definitions import GRAINS, CalendarRules, ColumnType, FiscalYear
from metric_layer.expression import column_of
from metric_layer.plan import Grain
from metric_layer.resolved import PathColumn

DAYS = st.dates(date(1990, 1, 1), date(2090, 12, 31))
CALENDARS = st.builds(
    Calendar,
    st.builds(
        CalendarRules,
        fiscal_start_month=st.integers(1, 12),
        fiscal_named_by=st.sampled_from(["start", "end"]),
        week_start=st.sampled_from(["monday", "sunday", "saturday"]),
    ),
)
SHOP = Calendar(CalendarRules(fiscal_start_month=2))


@given(calendar=CALENDARS, day=DAYS, grain=st.sampled_from(GRAINS))
def test_a_day_lies_in_its_bucket_and_buckets_touch(calendar: Calendar, day: date, grain: Grain) -> None:
    first, end = calendar.bounds(day, grain)
    assert first <= day < end
    assert calendar.bucket(end - timedelta(days=1), grain) == first
    assert calendar.bucket(end, grain) == end


@given(calendar=CALENDARS, day=DAYS, grain=st.sampled_from(GRAINS))
def test_a_label_names_its_bucket(calendar: Calendar, day: date, grain: Grain) -> None:
    named = calendar.period(calendar.label(day, grain))
    if grain == "week" and calendar.rules.week_start != "monday":
        assert named == calendar.bounds(calendar.bucket(day, grain), "day")
    else:
        assert named == calendar.bounds(day, grain)


@pytest.mark.parametrize(
    ("grain", "label", "first", "end"),
    [
        ("fiscal_year", "FY2026", date(2025, 2, 1), date(2026, 2, 1)),
        ("fiscal_quarter", "FY2026-Q4", date(2025, 11, 1), date(2026, 2, 1)),
        ("quarter", "2026-Q1", date(2026, 1, 1), date(2026, 4, 1)),
        ("week", "2026-W05", date(2026, 1, 26), date(2026, 2, 2)),
    ],
)
def test_the_last_day_of_january_closes_a_fiscal_year_that_starts_in_february(
    grain: Grain, label: str, first: date, end: date
) -> None:
    assert SHOP.label(date(2026, 1, 31), grain) == label
    assert SHOP.bounds(date(2026, 1, 31), grain) == (first, end)


def test_a_year_named_by_its_start_differs_by_one() -> None:
    by_start = Calendar(CalendarRules(fiscal_start_month=2, fiscal_named_by="start"))
    assert by_start.label(date(2026, 1, 31), "fiscal_year") == "FY2025"
    assert by_start.period("FY2025-Q4") == SHOP.period("FY2026-Q4")


def test_week_53_exists_only_in_long_years() -> None:
    assert SHOP.period("2026-W53") == (date(2026, 12, 28), date(2027, 1, 4))
    assert SHOP.period("2027-W53") is None


@pytest.mark.parametrize(
    "text", ["", "2026-13", "2026-02-30", "2026-Q5", "FY2026-07", "last month", "0000", "9999-W53"]
)
def test_other_text_is_no_period(text: str) -> None:
    assert SHOP.period(text) is None


@given(calendar=CALENDARS, day=DAYS, days=st.integers(1, 400), grain=st.sampled_from(GRAINS[1:]))
def test_the_buckets_of_a_window_cover_it_without_gaps(
    calendar: Calendar, day: date, days: int, grain: Grain
) -> None:
    end = day + timedelta(days=days)
    firsts = list(calendar.buckets(day, end, grain))
    assert firsts[0] <= day
    assert all(calendar.end(one, grain) == two for one, two in pairwise(firsts))
    assert firsts[-1] < end <= calendar.end(firsts[-1], grain)


def clock_of(kind: ColumnType) -> Clock:
    column = PathColumn("t", "at", kind, (), "UTC" if kind == "timestamp" else "")
    return Clock(partial(column_of, "at", "t"), column, "UTC", "duckdb")


@settings(max_examples=60, deadline=None)
@given(
    calendar=CALENDARS,
    moment=st.datetimes(datetime(1990, 1, 1), datetime(2090, 12, 31)),
    grain=st.sampled_from(GRAINS[1:]),
)
def test_sql_puts_a_date_and_a_timestamp_into_the_bucket_python_does(
    calendar: Calendar, moment: datetime, grain: Grain
) -> None:
    kinds: tuple[ColumnType, ...] = ("date", "timestamp")
    by_date, by_time = (
        bucket_of(clock_of(kind), grain, None, calendar, "duckdb").sql("duckdb") for kind in kinds
    )
    with duckdb.connect() as tables:
        got = tables.execute(
            f"SELECT (SELECT {by_date} FROM (SELECT ? AS at) t), (SELECT {by_time} FROM (SELECT ? AS at) t)",
            [moment.date(), moment],
        ).fetchone()
    assert got == (calendar.bucket(moment.date(), grain),) * 2


def test_the_window_of_a_timestamp_is_half_open_in_its_own_type() -> None:
    bounds = clock_of("timestamp").within(date(2026, 7, 1), date(2026, 8, 1))
    assert [bound.sql("duckdb") for bound in bounds] == [
        """"t"."at" >= CAST('2026-07-01 00:00:00' AS TIMESTAMP)""",
        """"t"."at" < CAST('2026-08-01 00:00:00' AS TIMESTAMP)""",
    ]


def four_four_five(number: int, start: date, weeks: int) -> FiscalYear:
    lengths = [4, 4, 5] * 4
    lengths[11] += weeks - 52
    starts = [start]
    for length in lengths[:-1]:
        starts.append(starts[-1] + timedelta(weeks=length))
    return FiscalYear(year=number, starts=tuple(starts), end=start + timedelta(weeks=weeks, days=-1))


# 2026 has 53 weeks: it ends on 2 January 2027.
RETAIL = Calendar(
    CalendarRules(
        fiscal_years=(
            four_four_five(2025, date(2024, 12, 29), 52),
            four_four_five(2026, date(2025, 12, 28), 53),
            four_four_five(2027, date(2027, 1, 3), 52),
        )
    )
)
INSIDE = st.dates(date(2024, 12, 29), date(2028, 1, 1))


@pytest.mark.parametrize(
    ("grain", "label", "first", "end"),
    [
        ("fiscal_month", "FY2026-P12", date(2026, 11, 22), date(2027, 1, 3)),
        ("fiscal_quarter", "FY2026-Q4", date(2026, 9, 27), date(2027, 1, 3)),
        ("fiscal_year", "FY2026", date(2025, 12, 28), date(2027, 1, 3)),
        ("month", "2027-01", date(2027, 1, 1), date(2027, 2, 1)),
    ],
)
def test_the_table_decides_what_a_fiscal_period_is_and_nothing_else(
    grain: Grain, label: str, first: date, end: date
) -> None:
    assert RETAIL.label(date(2027, 1, 2), grain) == label
    assert RETAIL.bounds(date(2027, 1, 2), grain) == (first, end)


@given(day=INSIDE, grain=st.sampled_from(GRAINS))
def test_periods_of_a_table_touch_and_their_labels_read_back(day: date, grain: Grain) -> None:
    first, end = RETAIL.bounds(day, grain)
    assert first <= day < end
    assert RETAIL.bucket(end - timedelta(days=1), grain) == first
    assert RETAIL.period(RETAIL.label(day, grain)) == (first, end)


@pytest.mark.parametrize("day", [date(2024, 12, 28), date(2028, 1, 2)])
def test_a_day_outside_the_table_has_no_fiscal_period(day: date) -> None:
    with pytest.raises(OutsideCalendar):
        RETAIL.bucket(day, "fiscal_month")
    assert RETAIL.period("FY2028") is None and RETAIL.period("FY2026-P13") is None
