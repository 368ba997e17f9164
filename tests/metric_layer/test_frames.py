"""Which days an earlier or a running figure reads: periods are shifted, not days, and none counts twice."""

from collections.abc import Iterator
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metric_layer.calendar import Calendar, OutsideCalendar
from metric_layer.definitions import GRAINS, CalendarRules, FiscalYear, Span
from metric_layer.frames import FrameFault, Frames, Reading
from metric_layer.plan import MetricPlan
from metric_layer.resolved import Bucket, Frame

PLAIN = Calendar(CalendarRules())
MONTH_BACK = Reading(offset=Span(count=1, unit="month"))
YEAR_BACK = Reading(offset=Span(count=1, unit="year"))
QUARTER_BACK = Reading(offset=Span(count=1, unit="quarter"))
FISCAL_YEAR_BACK = Reading(offset=Span(count=1, unit="fiscal_year"))
WEEK_BACK = Reading(offset=Span(count=1, unit="week"))
COMPARED = Reading(compared=True)
DAY = timedelta(days=1)


def weeks_of_year(number: int, start: date, weeks: int) -> FiscalYear:
    starts = [start + timedelta(weeks=each) for each in (0, 4, 8, 13, 17, 21, 26, 30, 34, 39, 43, 47)]
    return FiscalYear(year=number, starts=tuple(starts), end=start + timedelta(weeks=weeks) - DAY)


RETAIL = Calendar(
    CalendarRules(
        week_start="sunday",
        fiscal_years=(
            weeks_of_year(2025, date(2024, 12, 29), 52),
            weeks_of_year(2026, date(2025, 12, 28), 53),
            weeks_of_year(2027, date(2027, 1, 3), 52),
        ),
    )
)


def frames_of(
    window: str,
    grain: str | None = None,
    compare: dict[str, object] | None = None,
    calendar: Calendar = PLAIN,
) -> Frames:
    start, last = (date.fromisoformat(day) for day in window.split(" to "))
    plan: dict[str, object] = {
        "metrics": ["m"],
        "time": {"from": start, "to": last, "grain": grain},
        "compare": compare,
    }
    return Frames(MetricPlan.model_validate(plan), calendar)


def days(text: str) -> tuple[date, date]:
    start, last = (date.fromisoformat(day) for day in text.split(" to "))
    return start, last + DAY


def span(frame: Frame | None) -> tuple[date | None, date]:
    assert frame is not None
    return frame.start, frame.end


@pytest.mark.parametrize(
    ("window", "reading", "earlier"),
    [
        ("2026-04-01 to 2026-04-30", MONTH_BACK, "2026-03-01 to 2026-03-31"),
        ("2026-03-01 to 2026-03-31", MONTH_BACK, "2026-02-01 to 2026-02-28"),
        ("2026-03-01 to 2026-03-30", MONTH_BACK, "2026-02-01 to 2026-02-28"),
        ("2026-07-01 to 2026-07-15", MONTH_BACK, "2026-06-01 to 2026-06-15"),
        ("2028-02-01 to 2028-02-29", YEAR_BACK, "2027-02-01 to 2027-02-28"),
        ("2027-02-01 to 2027-02-28", Reading(offset=Span(count=3, unit="year")), "2024-02-01 to 2024-02-29"),
        ("2026-07-06 to 2026-07-12", Reading(offset=Span(count=2, unit="week")), "2026-06-22 to 2026-06-28"),
        (
            "2026-05-01 to 2026-07-31",
            Reading(offset=Span(count=1, unit="quarter")),
            "2026-02-01 to 2026-04-30",
        ),
        (
            "2026-02-01 to 2026-04-30",
            Reading(offset=Span(count=1, unit="fiscal_year")),
            "2025-02-01 to 2025-04-30",
        ),
    ],
)
def test_an_offset_moves_the_window_by_periods(window: str, reading: Reading, earlier: str) -> None:
    assert span(frames_of(window).of(reading)) == days(earlier)


@pytest.mark.parametrize(
    ("window", "kind", "earlier"),
    [
        ("2026-07-01 to 2026-07-31", "previous_period", "2026-06-01 to 2026-06-30"),
        ("2026-07-01 to 2026-09-30", "previous_period", "2026-04-01 to 2026-06-30"),
        ("2026-01-01 to 2026-12-31", "previous_period", "2025-01-01 to 2025-12-31"),
        ("2026-07-01 to 2026-07-15", "previous_period", "2026-06-16 to 2026-06-30"),
        ("2026-07-06 to 2026-07-12", "previous_period", "2026-06-29 to 2026-07-05"),
        ("2026-07-01 to 2026-07-15", "previous_year", "2025-07-01 to 2025-07-15"),
        ("2028-02-29 to 2028-02-29", "previous_year", "2027-02-28 to 2027-02-28"),
    ],
)
def test_a_comparison_computes_its_window(window: str, kind: str, earlier: str) -> None:
    assert span(frames_of(window, compare={"kind": kind}).of(COMPARED)) == days(earlier)


def test_a_month_is_held_against_the_whole_month_before_it() -> None:
    frame = frames_of("2026-04-01 to 2026-04-30", "month").of(MONTH_BACK)
    assert frame == Frame(date(2026, 3, 1), date(2026, 4, 1), shift_months=1)


def test_a_quarter_a_month_earlier_is_listed_because_no_shift_of_quarters_says_it() -> None:
    frame = frames_of("2026-04-01 to 2026-06-30", "quarter").of(MONTH_BACK)
    assert frame is not None
    assert frame.buckets == (Bucket(date(2026, 4, 1), date(2026, 3, 1), date(2026, 6, 1)),)


def test_the_31st_has_no_counterpart_in_a_month_of_30_days() -> None:
    frames = frames_of("2026-05-01 to 2026-05-31", "day")
    assert frames.of(MONTH_BACK) == Frame(date(2026, 4, 1), date(2026, 5, 1), shift_days=30)
    assert frames.unmatched == {date(2026, 5, 31)}


def test_the_leap_day_has_no_counterpart_a_year_earlier() -> None:
    frames = frames_of("2028-02-28 to 2028-03-01", "day")
    frame = frames.of(YEAR_BACK)
    assert frame is not None and frames.unmatched == {date(2028, 2, 29)}
    assert [(each.label, each.start) for each in frame.buckets] == [
        (date(2028, 2, 28), date(2027, 2, 28)),
        (date(2028, 3, 1), date(2027, 3, 1)),
    ]


def test_a_window_without_any_counterpart_reads_no_day() -> None:
    frame = frames_of("2028-02-29 to 2028-02-29", "day").of(YEAR_BACK)
    assert frame is not None and frame.start == frame.end


def test_a_partial_last_month_is_held_against_the_same_part() -> None:
    frame = frames_of("2026-06-01 to 2026-07-15", "month").of(YEAR_BACK)
    assert frame == Frame(date(2025, 6, 1), date(2025, 7, 16), shift_months=12)


def test_the_53rd_week_has_no_counterpart_and_its_period_has() -> None:
    frames = frames_of("2025-12-28 to 2027-01-02", "week", calendar=RETAIL)
    frame = frames.of(Reading(offset=Span(count=1, unit="fiscal_year")))
    assert frames.unmatched == {date(2026, 12, 27)}
    assert span(frame) == (date(2024, 12, 29), date(2025, 12, 28))
    last = frames_of("2026-11-22 to 2027-01-02", "fiscal_month", calendar=RETAIL)
    assert span(last.of(YEAR_BACK)) == (date(2025, 11, 23), date(2025, 12, 28))
    assert last.unmatched == set()


def test_an_open_fiscal_period_is_held_against_the_same_days_of_it() -> None:
    frames = frames_of("2027-01-03 to 2027-01-10", "fiscal_month", calendar=RETAIL)
    assert span(frames.of(YEAR_BACK)) == (date(2025, 12, 28), date(2026, 1, 5))


def test_before_the_table_there_is_nothing_to_compare_with() -> None:
    with pytest.raises(OutsideCalendar):
        frames_of("2025-01-05 to 2025-02-01", "fiscal_month", calendar=RETAIL).of(YEAR_BACK)


@pytest.mark.parametrize(
    ("reading", "window", "start"),
    [
        (Reading(window=Span(count=28, unit="day")), "2026-07-01 to 2026-07-31", date(2026, 7, 4)),
        (Reading(window=Span(count=3, unit="month")), "2026-07-01 to 2026-07-31", date(2026, 5, 1)),
        (Reading(window=Span(count=1, unit="month")), "2026-03-01 to 2026-03-30", date(2026, 3, 1)),
        (Reading(to_date="year"), "2026-07-01 to 2026-07-15", date(2026, 1, 1)),
        (Reading(to_date="week"), "2026-07-01 to 2026-07-15", date(2026, 7, 13)),
        (Reading(ever=True), "2026-07-01 to 2026-07-15", None),
    ],
)
def test_a_running_figure_reaches_back_from_the_last_day(
    reading: Reading, window: str, start: date | None
) -> None:
    assert span(frames_of(window).of(reading)) == (start, days(window)[1])


def test_a_running_figure_ends_with_each_bucket_and_with_the_window() -> None:
    frame = frames_of("2026-06-10 to 2026-07-15", "month").of(Reading(window=Span(count=2, unit="month")))
    assert frame == Frame(
        date(2026, 5, 1),
        date(2026, 7, 16),
        buckets=(
            Bucket(date(2026, 6, 1), date(2026, 5, 1), date(2026, 7, 1)),
            Bucket(date(2026, 7, 1), date(2026, 5, 16), date(2026, 7, 16)),
        ),
        overlapping=True,
    )


def test_a_running_figure_of_a_year_ago_ends_with_the_same_days() -> None:
    reading = Reading(to_date="year", offset=Span(count=1, unit="year"))
    frame = frames_of("2026-06-01 to 2026-07-15", "month").of(reading)
    assert frame is not None and frame.overlapping
    assert [(each.start, each.end) for each in frame.buckets] == [
        (date(2025, 1, 1), date(2025, 7, 1)),
        (date(2025, 1, 1), date(2025, 7, 16)),
    ]


def test_everything_so_far_without_a_window_is_no_frame() -> None:
    plan = MetricPlan.model_validate({"metrics": ["m"]})
    assert Frames(plan, PLAIN).of(Reading(ever=True)) is None


@pytest.mark.parametrize(
    ("window", "grain", "compare", "reading", "code"),
    [
        ("2000-01-01 to 2026-07-31", "day", None, Reading(to_date="year"), "too_many_periods"),
        ("2026-07-01 to 2026-07-31", "hour", None, Reading(to_date="year"), "grain_too_fine"),
        ("2026-01-01 to 2026-07-31", "hour", None, MONTH_BACK, "grain_too_fine"),
        (
            "2026-02-01 to 2026-02-28",
            "day",
            {"kind": "custom", "from": date(2026, 3, 1), "to": date(2026, 3, 31)},
            COMPARED,
            "unaligned_windows",
        ),
    ],
)
def test_days_that_cannot_be_told_are_refused(
    window: str, grain: str, compare: dict[str, object] | None, reading: Reading, code: str
) -> None:
    with pytest.raises(FrameFault) as caught:
        frames_of(window, grain, compare).of(reading)
    assert caught.value.code == code and caught.value.next_step


def test_a_running_offset_needs_a_window() -> None:
    with pytest.raises(FrameFault) as caught:
        Frames(MetricPlan.model_validate({"metrics": ["m"]}), PLAIN).of(MONTH_BACK)
    assert caught.value.code == "missing_window"


def test_windows_a_caller_names_are_held_against_each_other_bucket_by_bucket() -> None:
    compare = {"kind": "custom", "from": date(2025, 11, 24), "to": date(2025, 11, 30)}
    frame = frames_of("2026-11-23 to 2026-11-29", "day", compare).of(COMPARED)
    assert frame == Frame(date(2025, 11, 24), date(2025, 12, 1), shift_days=364)


def labels_of(frame: Frame, calendar: Calendar, grain: str) -> Iterator[tuple[date, date]]:
    """Yield every day a frame reads with the bucket it falls into, as a database would."""
    day = frame.start
    while day is not None and day < frame.end:
        if frame.buckets:
            yield from ((day, each.label) for each in frame.buckets if each.start <= day < each.end)  # type: ignore[operator]
        else:
            moved = calendar.bucket(day + timedelta(days=frame.shift_days), grain)  # type: ignore[arg-type]
            months = moved.year * 12 + moved.month - 1 + frame.shift_months
            yield day, date(months // 12, months % 12 + 1, 1) if frame.shift_months else moved
        day += DAY


@given(
    start=st.dates(date(2024, 1, 1), date(2028, 3, 1)),
    length=st.integers(1, 120),
    grain=st.sampled_from([grain for grain in GRAINS if grain != "hour"]),
    unit=st.sampled_from(["day", "week", "month", "quarter", "year", "fiscal_quarter"]),
    count=st.integers(1, 3),
)
def test_no_earlier_day_counts_twice_and_none_outside_the_window(
    start: date, length: int, grain: str, unit: str, count: int
) -> None:
    last = start + timedelta(days=length - 1)
    calendar = Calendar(CalendarRules(fiscal_start_month=3))
    frames = frames_of(f"{start} to {last}", grain, calendar=calendar)
    frame = frames.of(Reading(offset=Span.model_validate({"count": count, "unit": unit})))
    assert frame is not None
    found = list(labels_of(frame, calendar, grain))
    labels = set(calendar.buckets(start, last + DAY, grain))  # type: ignore[arg-type]
    assert len({day for day, _ in found}) == len(found)
    assert {label for _, label in found} <= labels
    assert {label for _, label in found} | frames.unmatched == labels
    assert all(day < last for day, _ in found)


@pytest.mark.parametrize("grain", [None, "month", "week"])
@pytest.mark.parametrize("kind", ["previous_period", "previous_year"])
def test_a_window_under_way_is_held_against_the_same_part_earlier(kind: str, grain: str | None) -> None:
    frames = frames_of("2026-01-01 to 2026-12-31", grain, {"kind": kind})
    frames.today = date(2026, 11, 30)
    found = frames.of(Reading(compared=True))
    assert found is not None
    assert found.end == date(2025, 12, 1)


@pytest.mark.parametrize("today", ["2025-12-31", "2026-12-31", "2027-03-01"])
def test_a_window_that_is_not_under_way_is_held_against_all_of_the_earlier_one(today: str) -> None:
    frames = frames_of("2026-01-01 to 2026-12-31", None, {"kind": "previous_year"})
    frames.today = date.fromisoformat(today)
    assert span(frames.of(Reading(compared=True))) == days("2025-01-01 to 2025-12-31")


def test_days_of_the_askers_own_stay_as_they_named_them() -> None:
    own: dict[str, object] = {"kind": "custom", "from": "2025-01-01", "to": "2025-12-31"}
    frames = frames_of("2026-01-01 to 2026-12-31", None, own)
    frames.today = date(2026, 11, 30)
    assert span(frames.of(Reading(compared=True))) == days("2025-01-01 to 2025-12-31")


@pytest.mark.parametrize(
    ("window", "grain", "today", "back", "calendar", "earlier"),
    [
        # a month under way, without and with periods
        ("2026-11-01 to 2026-11-30", None, "2026-11-10", MONTH_BACK, PLAIN, "2026-10-01 to 2026-10-10"),
        ("2026-01-01 to 2026-12-31", "month", "2026-11-10", MONTH_BACK, PLAIN, "2025-12-01 to 2026-10-10"),
        ("2026-01-01 to 2026-12-31", "month", "2026-11-30", MONTH_BACK, PLAIN, "2025-12-01 to 2026-10-31"),
        ("2026-01-01 to 2026-12-31", "quarter", "2026-11-10", QUARTER_BACK, PLAIN,
         "2025-10-01 to 2026-08-10"),
        # a year under way from and to a leap day
        ("2028-01-01 to 2028-12-31", None, "2028-02-29", YEAR_BACK, PLAIN, "2027-01-01 to 2027-02-28"),
        ("2029-01-01 to 2029-12-31", None, "2029-02-28", YEAR_BACK, PLAIN, "2028-01-01 to 2028-02-29"),
        ("2029-01-01 to 2029-12-31", None, "2029-02-27", YEAR_BACK, PLAIN, "2028-01-01 to 2028-02-27"),
        # a week under way
        ("2026-07-06 to 2026-07-12", "week", "2026-07-08", WEEK_BACK, PLAIN, "2026-06-29 to 2026-07-01"),
        # a period of five weeks under way, against the same days of the one a year earlier
        ("2027-02-28 to 2027-04-03", "fiscal_month", "2027-03-16", FISCAL_YEAR_BACK, RETAIL,
         "2026-02-22 to 2026-03-10"),
        ("2027-01-03 to 2028-01-01", "fiscal_quarter", "2027-01-10", FISCAL_YEAR_BACK, RETAIL,
         "2025-12-28 to 2026-01-04"),
        # what has not begun, and what is past, is held against all of it
        ("2026-11-01 to 2026-11-30", None, "2026-10-31", MONTH_BACK, PLAIN, "2026-10-01 to 2026-10-31"),
        ("2026-11-01 to 2026-11-30", None, "2026-12-01", MONTH_BACK, PLAIN, "2026-10-01 to 2026-10-31"),
    ],
)  # fmt: skip
def test_a_metric_that_goes_back_itself_takes_as_much_as_has_passed(
    window: str, grain: str | None, today: str, back: Reading, calendar: Calendar, earlier: str
) -> None:
    frames = frames_of(window, grain, calendar=calendar)
    frames.today = date.fromisoformat(today)
    assert span(frames.of(back)) == days(earlier)


def test_a_running_figure_of_a_year_ago_ends_as_far_as_this_year_has_come() -> None:
    frames = frames_of("2026-01-01 to 2026-12-31", "quarter")
    frames.today = date(2026, 5, 9)
    frame = frames.of(Reading(to_date="year", offset=Span(count=1, unit="year")))
    assert frame is not None
    assert [each.end for each in frame.buckets] == [date(2025, 4, 1), date(2025, 5, 10)]


@pytest.mark.parametrize("kind", ["previous_period", "previous_year"])
@pytest.mark.parametrize("grain", [None, "week", "month"])
def test_a_plan_and_a_metric_cut_a_window_under_way_alike(kind: str, grain: str | None) -> None:
    """The comparison of a plan and the same step back of a metric read the same days, whatever the day is."""
    own = MONTH_BACK if kind == "previous_period" else YEAR_BACK
    for today in (date(2026, 3, 1) + count * DAY for count in range(31)):
        frames = frames_of("2026-03-01 to 2026-03-31", grain, {"kind": kind})
        frames.today = today
        assert frames.of(COMPARED) == frames.of(own)
        assert frames.held_to([COMPARED]) == frames.held_to([own]) == today
