"""Periods in words to days, by the calendar of the layer."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metric_layer.calendar import Calendar
from metric_layer.definitions import CalendarRules
from metric_layer.periods import PeriodParser

TODAY = date(2026, 11, 29)
PARSER = PeriodParser(None, TODAY)
FISCAL = PeriodParser(
    Calendar(CalendarRules(fiscal_start_month=4, fiscal_named_by="end", week_start="sunday")), TODAY
)


def days(text: str, parser: PeriodParser = PARSER) -> list[str]:
    return [f"{start}..{end}" for period in parser.find(text) for start, end in period.readings[:1]]


@pytest.mark.parametrize(
    ("text", "window"),
    [
        ("in Q3 2026", "2026-07-01..2026-10-01"),
        ("3Q26", "2026-07-01..2026-10-01"),
        ("2026-Q3", "2026-07-01..2026-10-01"),
        ("the third quarter of 2026", "2026-07-01..2026-10-01"),
        ("H1 2026", "2026-01-01..2026-07-01"),
        ("second half of 2026", "2026-07-01..2027-01-01"),
        ("July 2026", "2026-07-01..2026-08-01"),
        ("Jul '26", "2026-07-01..2026-08-01"),
        ("juillet 2026", "2026-07-01..2026-08-01"),
        ("2026-07", "2026-07-01..2026-08-01"),
        ("07/2026", "2026-07-01..2026-08-01"),
        ("16 November 2026", "2026-11-16..2026-11-17"),
        ("November 16th, 2026", "2026-11-16..2026-11-17"),
        ("16.11.2026", "2026-11-16..2026-11-17"),
        ("2026\u5e747\u67081\u65e5", "2026-07-01..2026-07-02"),
        ("July through September 2026", "2026-07-01..2026-10-01"),
        ("July\u2013September 2026", "2026-07-01..2026-10-01"),
        ("from June 1 to August 31, 2026", "2026-06-01..2026-09-01"),
        ("between 2024 and 2026", "2024-01-01..2027-01-01"),
        ("November 2025 to January 2026", "2025-11-01..2026-02-01"),
        ("November to January 2026", "2025-11-01..2026-02-01"),
        ("the week of 16 November 2026", "2026-11-16..2026-11-23"),
        ("week 47 of 2026", "2026-11-16..2026-11-23"),
        ("2026-W47", "2026-11-16..2026-11-23"),
        ("last quarter", "2026-07-01..2026-10-01"),
        ("this month", "2026-11-01..2026-12-01"),
        ("the last 3 months", "2026-08-01..2026-11-01"),
        ("past thirty days or the last 30 days", "2026-10-30..2026-11-29"),
        ("year to date", "2026-01-01..2026-11-30"),
        ("yesterday", "2026-11-28..2026-11-29"),
    ],
)
def test_words_name_their_days(text: str, window: str) -> None:
    assert days(text) == [window]


@pytest.mark.parametrize(
    ("text", "window"),
    [
        ("FY27", "2026-04-01..2027-04-01"),
        ("Q1 FY27", "2026-04-01..2026-07-01"),
        ("FY2027-Q1", "2026-04-01..2026-07-01"),
        ("fiscal year 2027", "2026-04-01..2027-04-01"),
        ("2026/27", "2026-04-01..2027-04-01"),
        ("last fiscal quarter", "2026-07-01..2026-10-01"),
        ("week of 18 November 2026", "2026-11-15..2026-11-22"),
    ],
)
def test_fiscal_words_follow_the_layers_calendar(text: str, window: str) -> None:
    assert days(text, FISCAL) == [window]


@pytest.mark.parametrize(
    "text",
    [
        "placed 2026 orders",
        "rose by 2026",
        "2,026 orders",
        "you may march on",
        "2026 units",
        "version 1.2.2026.4",
        "1990%",
        "$2026",
        "31 February 2026",
        "2026-13-45",
        "Q5 2026",
        "99/99/2026",
    ],
)
def test_what_is_no_period_is_left_alone(text: str) -> None:
    assert not [
        p for p in PARSER.find(text) if p.readings and text[p.start : p.end] not in ("2026", "February 2026")
    ]


def test_a_date_with_two_orders_keeps_both_readings() -> None:
    (period,) = PARSER.find("on 03/04/2026")
    assert [start for start, _ in period.readings] == [date(2026, 4, 3), date(2026, 3, 4)]


def test_a_period_without_a_year_is_bare_and_one_beside_another_is_relative() -> None:
    assert PARSER.find("in July")[0].bare
    assert PARSER.find("up on a year earlier")[0].relative
    assert PARSER.find("the same quarter of last year")[0].relative


@given(
    st.text(max_size=60)
    | st.lists(
        st.sampled_from(["Q3", "2026", "July", "to", "-", "last", "9999", "week", "FY", "31", "/", "0000"])
    ).map(" ".join)
)
def test_no_text_raises_and_every_window_runs_forwards(text: str) -> None:
    for period in PARSER.find(text):
        assert 0 <= period.start < period.end <= len(text)
        assert all(start < end for start, end in period.readings)
