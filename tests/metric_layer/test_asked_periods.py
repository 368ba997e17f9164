"""Periods of questions: one window by the owner's rules, or the reason why there is none."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metric_layer.asked_periods import Phrase, QuestionPeriods, out_of_range
from metric_layer.asked_shift import period_before, unit_of, year_earlier
from metric_layer.asked_words import word_set
from metric_layer.asking import AskingRules, NamedPeriod
from metric_layer.calendar import Calendar
from metric_layer.definitions import CalendarRules

TODAY = date(2026, 11, 29)  # a Sunday
RULES = AskingRules.model_validate(
    {
        "data_from": date(2022, 1, 1),
        "data_to": date(2026, 11, 28),
        "named_periods": (
            {
                "name": "Lantern Days",
                "synonyms": ("lantern fair",),
                "occurrences": (
                    {"year": 2025, "from": date(2025, 2, 10), "to": date(2025, 2, 12)},
                    {"year": 2026, "from": date(2026, 2, 9), "to": date(2026, 2, 11)},
                ),
            },
        ),
    }
)
PLAIN = QuestionPeriods(
    Calendar(CalendarRules(fiscal_start_month=7, fiscal_named_by="end", week_start="sunday")), TODAY, RULES
)
FISCAL = QuestionPeriods(
    Calendar(CalendarRules(fiscal_start_month=7, fiscal_named_by="end")),
    TODAY,
    RULES.model_copy(update={"default_calendar": "fiscal"}),
)


def one(text: str, periods: QuestionPeriods = PLAIN) -> Phrase:
    (found,) = periods.find(text)
    return found


def days(phrase: Phrase) -> str:
    assert phrase.window is not None
    first, after = phrase.window
    return f"{first}..{after - timedelta(days=1)}"


@pytest.mark.parametrize(
    ("text", "plain", "fiscal"),
    [
        ("last quarter", "2026-07-01..2026-09-30", "2026-07-01..2026-09-30"),
        ("Q1", "2026-01-01..2026-03-31", "2026-07-01..2026-09-30"),
        ("fiscal Q1", "2026-07-01..2026-09-30", "2026-07-01..2026-09-30"),
        ("calendar Q1", "2026-01-01..2026-03-31", "2026-01-01..2026-03-31"),
        ("H1", "2026-01-01..2026-06-30", "2026-07-01..2026-11-29"),
        ("first half of the year", "2026-01-01..2026-06-30", "2026-07-01..2026-11-29"),
        ("last half", "2026-01-01..2026-06-30", "2026-01-01..2026-06-30"),
        ("last year", "2025-01-01..2025-12-31", "2025-07-01..2026-06-30"),
        ("this year", "2026-01-01..2026-11-29", "2026-07-01..2026-11-29"),
        ("YTD", "2026-01-01..2026-11-29", "2026-07-01..2026-11-29"),
        ("FYTD", "2026-07-01..2026-11-29", "2026-07-01..2026-11-29"),
        ("Q4 of last fiscal year", "2026-04-01..2026-06-30", "2026-04-01..2026-06-30"),
        ("last 2 years", "2024-01-01..2025-12-31", "2024-07-01..2026-06-30"),
        ("2025", "2025-01-01..2025-12-31", "2025-01-01..2025-12-31"),
        ("FY25/26", "2025-07-01..2026-06-30", "2025-07-01..2026-06-30"),
        ("H2 FY26", "2026-01-01..2026-06-30", "2026-01-01..2026-06-30"),
        ("the second quarter of FY26", "2025-10-01..2025-12-31", "2025-10-01..2025-12-31"),
        ("October last year", "2025-10-01..2025-10-31", "2025-10-01..2025-10-31"),
    ],
)
def test_bare_periods_follow_the_default_calendar_and_words_override_it(
    text: str, plain: str, fiscal: str
) -> None:
    assert days(one(text)) == plain
    assert days(one(text, FISCAL)) == fiscal


@pytest.mark.parametrize(
    ("text", "window"),
    [
        ("Lantern Days", "2026-02-09..2026-02-11"),
        ("lantern fair 2025", "2025-02-10..2025-02-12"),
        ("last year's Lantern Days", "2025-02-10..2025-02-12"),
        ("in december", "2025-12-01..2025-12-31"),
        ("since march", "2026-03-01..2026-11-29"),
        ("from 5 October onwards", "2026-10-05..2026-11-29"),
        ("since the beginning of October", "2026-10-01..2026-11-29"),
        ("from 5 to 9 October", "2026-10-05..2026-10-09"),
        ("5\u20139 October 2025", "2025-10-05..2025-10-09"),
        ("October 5 through 9, 2025", "2025-10-05..2025-10-09"),
        ("2026 to date", "2026-01-01..2026-11-29"),
        ("so far this month", "2026-11-01..2026-11-29"),
        ("last week", "2026-11-22..2026-11-28"),
        ("last thirty days", "2026-10-30..2026-11-28"),
        ("TTM", "2025-11-01..2026-10-31"),
        ("the month before last", "2026-09-01..2026-09-30"),
        ("two years ago", "2024-01-01..2024-12-31"),
        ("3 days ago", "2026-11-26..2026-11-26"),
        ("2 months ago", "2026-09-01..2026-09-30"),
        ("last completed quarter", "2026-07-01..2026-09-30"),
        ("quarter ending September 2026", "2026-07-01..2026-09-30"),
        ("the quarter ended 30 June 2026", "2026-04-01..2026-06-30"),
        ("12 months to October 2026", "2025-11-01..2026-10-31"),
        ("year to 15 May 2026", "2025-05-16..2026-05-15"),
        ("4 weeks ending 31 May 2026", "2026-05-04..2026-05-31"),
        ("first 10 days of May", "2026-05-01..2026-05-10"),
        ("last 7 days of February 2026", "2026-02-22..2026-02-28"),
        ("on Thursday", "2026-11-26..2026-11-26"),
        ("w/c 15 November", "2026-11-15..2026-11-21"),
        ("week ending 21 November", "2026-11-15..2026-11-21"),
        ("November 2025 to January", "2025-11-01..2026-01-31"),
        ("Dec to Feb", "2025-12-01..2026-02-28"),
        ("all time", "2022-01-01..2026-11-29"),
    ],
)
def test_a_period_of_a_question_is_one_window(text: str, window: str) -> None:
    assert days(one(text)) == window
    assert not one(text).fault


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("03/04/2026", "ambiguous_date"),
        ("03/04", "ambiguous_date"),
        ("last October", "ambiguous_date"),
        ("from October", "ambiguous_date"),
        ("October to December", "ambiguous_date"),
        ("week 40", "ambiguous_date"),
        ("2 weeks ago", "ambiguous_date"),
        ("on Sunday", "ambiguous_date"),
        ("31 April", "invalid_date"),
        ("29 February 2025", "invalid_date"),
        ("Q7", "invalid_date"),
        ("2026-13-01", "invalid_date"),
        ("lately", "vague_time"),
        ("the last few weeks", "vague_time"),
        ("early March", "vague_time"),
        ("the first week of March", "vague_time"),
        ("until June", "vague_time"),
        ("for the quarter", "vague_time"),
        ("next quarter", "future_window"),
        ("December 2026", "future_window"),
        ("tomorrow", "future_window"),
        ("rest of the year", "future_window"),
        ("1 November to 15 December 2026", "future_window"),
        ("2021", "out_of_data_range"),
        ("since 2020", "out_of_data_range"),
        ("last 900 weeks", "out_of_data_range"),
    ],
)
def test_a_period_that_names_no_days_says_why(text: str, fault: str) -> None:
    assert one(text).fault == fault


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("31 April", date(2026, 4, 30)),
        ("the 30th of February 2024", date(2024, 2, 29)),
        ("June 31, 2025", date(2025, 6, 30)),
        ("2026-13-01", date(2026, 12, 1)),
        ("2025-9-31", date(2025, 9, 30)),
        ("31.11.2025", date(2025, 11, 30)),
        ("11/31/2025", date(2025, 11, 30)),
        ("45 May 2025", date(2025, 5, 31)),
        ("the week of 31 April 2025", date(2025, 4, 30)),
        ("Q7", None),
        ("29 to 31 February 2025", None),
    ],
)
def test_a_day_on_no_calendar_comes_with_the_real_one_that_is_nearest(
    text: str, nearest: date | None
) -> None:
    found = one(text)
    assert (found.fault, found.nearest) == ("invalid_date", nearest)


@pytest.mark.parametrize(
    ("text", "year", "before"),
    [
        ("last month", "2025-10-01..2025-10-31", "2026-09-01..2026-09-30"),
        ("MTD", "2025-11-01..2025-11-29", "2026-10-01..2026-10-29"),
        ("Q3", "2025-07-01..2025-09-30", "2026-04-01..2026-06-30"),
        ("H1", "2025-01-01..2025-06-30", "2025-07-01..2025-12-31"),
        ("last 7 days", "2025-11-22..2025-11-28", "2026-11-15..2026-11-21"),
        ("last 3 months", "2025-08-01..2025-10-31", "2026-05-01..2026-07-31"),
        ("FY26", "2024-07-01..2025-06-30", "2024-07-01..2025-06-30"),
        ("Lantern Days", "2025-02-10..2025-02-12", "2026-02-06..2026-02-08"),
        ("March 2024", "2023-03-01..2023-03-31", "2024-02-01..2024-02-29"),
        ("5-9 October", "2025-10-05..2025-10-09", "2026-09-30..2026-10-04"),
    ],
)
def test_the_year_and_the_period_before_keep_the_shape_of_a_window(text: str, year: str, before: str) -> None:
    phrase = one(text)
    earlier, previous = year_earlier(phrase), period_before(PLAIN.calendar, phrase)
    assert earlier and previous
    assert f"{earlier[0]}..{earlier[1] - timedelta(days=1)}" == year
    assert f"{previous[0]}..{previous[1] - timedelta(days=1)}" == before


def test_a_period_that_still_runs_may_lie_behind_the_data_and_one_that_is_over_may_not() -> None:
    late = RULES.model_copy(update={"data_to": date(2026, 11, 10)})
    assert not out_of_range((date(2026, 11, 1), date(2026, 11, 30)), late, TODAY)
    assert out_of_range((date(2026, 11, 1), date(2026, 11, 16)), late, TODAY)
    assert out_of_range((date(2026, 11, 12), date(2026, 11, 30)), late, TODAY)


def test_a_named_period_needs_a_time_when_it_took_place() -> None:
    with pytest.raises(ValueError, match="occurrences"):
        NamedPeriod(name="Never", occurrences=())


def test_the_unit_of_a_window_is_found_again() -> None:
    calendar = PLAIN.calendar
    assert unit_of(calendar, (date(2026, 7, 1), date(2026, 10, 1))) == ("quarter", False)
    assert unit_of(calendar, (date(2025, 7, 1), date(2026, 7, 1))) == ("year", True)
    assert unit_of(calendar, (date(2026, 7, 2), date(2026, 10, 1))) == ("", False)


PIECES = sorted(
    word_set(
        "last this next Q1 Q3 FY26 FY H1 2025 2026 March may since from to between and 3 15 months "
        "days week of half year ago before the first fiscal calendar 31 April date so far early "
        "Lantern Days / - , 03/04 until vs Monday"
    )
)


@given(st.lists(st.sampled_from(PIECES), max_size=9).map(" ".join))
def test_every_settled_period_has_days_up_to_today_or_a_fault(text: str) -> None:
    for phrase in PLAIN.find(text):
        assert text[phrase.start : phrase.end] == phrase.text or phrase.kind == "shift"
        if phrase.window is not None and not phrase.fault:
            assert phrase.window[0] < phrase.window[1] <= TODAY + timedelta(days=1)
            running = phrase.whole is not None and phrase.whole[1] > TODAY and phrase.unit not in ("", "day")
            assert not out_of_range(phrase.window, RULES, TODAY, running=running)
        assert phrase.window is not None or phrase.fault or phrase.is_shift
