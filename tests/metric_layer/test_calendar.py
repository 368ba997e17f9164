"""Buckets partition the days, labels read back, and SQL buckets as Python does."""

from datetime import date, datetime, timedelta
from functools import partial
from itertools import pairwise

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metric_layer.calendar import Calendar
from metric_layer.compile.bucket import bucket_of, window_of
from metric_layer.definitions import GRAINS, CalendarRules
from metric_layer.expression import column_of
from metric_layer.plan import Grain

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


@settings(max_examples=60, deadline=None)
@given(
    calendar=CALENDARS,
    moment=st.datetimes(datetime(1990, 1, 1), datetime(2090, 12, 31)),
    grain=st.sampled_from(GRAINS),
)
def test_sql_puts_a_date_and_a_timestamp_into_the_bucket_python_does(
    calendar: Calendar, moment: datetime, grain: Grain
) -> None:
    column = partial(column_of, "at", "t")
    by_date, by_time = (
        bucket_of(column, kind, grain, calendar, "duckdb").sql("duckdb") for kind in ("date", "timestamp")
    )
    with duckdb.connect() as tables:
        got = tables.execute(
            f"SELECT (SELECT {by_date} FROM (SELECT ? AS at) t), (SELECT {by_time} FROM (SELECT ? AS at) t)",
            [moment.date(), moment],
        ).fetchone()
    assert got == (calendar.bucket(moment.date(), grain),) * 2


def test_the_window_of_a_timestamp_is_half_open_in_its_own_type() -> None:
    bounds = window_of(partial(column_of, "at", "t"), "timestamp", date(2026, 7, 1), date(2026, 8, 1))
    assert [bound.sql("duckdb") for bound in bounds] == [
        """"t"."at" >= CAST('2026-07-01 00:00:00' AS TIMESTAMP)""",
        """"t"."at" < CAST('2026-08-01 00:00:00' AS TIMESTAMP)""",
    ]
