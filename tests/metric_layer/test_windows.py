"""Windows, zones, fill and comparisons: days are those of one zone, and what cannot be counted is refused."""

from datetime import date, datetime, timedelta

import pytest

from metric_layer.layer import Layer
from metric_layer.windows import repeated_hours
from tests.metric_layer.ledger import LEDGER, answered, ledger, output, refused, resolving

JULY = {"from": "2026-07-01", "to": "2026-07-31"}
TABLE = """calendar:
  time_zone: Europe/Berlin
  fiscal_years:
    - year: 2026
      starts: [2025-12-28, 2026-01-25, 2026-02-22, 2026-03-29, 2026-04-26, 2026-05-24, 2026-06-28,
        2026-07-26, 2026-08-23, 2026-09-27, 2026-10-25, 2026-11-22]
      end: 2027-01-02
"""


@pytest.fixture(scope="module")
def layer() -> Layer:
    return ledger()


@pytest.fixture(scope="module")
def retail() -> Layer:
    head = "calendar: {fiscal_start_month: 2, time_zone: Europe/Berlin}\n"
    return ledger(text=LEDGER.replace(head, TABLE, 1))


@pytest.mark.parametrize(
    ("plan", "found"),
    [
        ({"time": {**JULY, "zone": "america/denver"}}, [("unknown_zone", "/time/zone")]),
        ({"time": {**JULY, "zone": "localtime"}}, [("unknown_zone", "/time/zone")]),
        ({"time": {**JULY, "fill": "zero"}}, [("fill_without_grain", "/time/fill")]),
        ({"compare": {"kind": "previous_year"}}, [("missing_window", "/compare")]),
        ({"time": JULY, "compare": {"kind": "custom"}}, [("missing_window", "/compare")]),
        (
            {"time": JULY, "compare": {"kind": "custom", "from": "2026-06-30", "to": "2026-06-01"}},
            [("window_reversed", "/compare")],
        ),
        (
            {"time": JULY, "compare": {"kind": "previous_year", "from": "2025-07-01"}},
            [("compare_window", "/compare")],
        ),
        ({"time": {**JULY, "grain": "hour"}}, [("grain_too_fine", "/time/grain")]),
        (
            {"time": {"from": "2020-01-01", "to": "2026-07-31", "grain": "day", "fill": "zero"}},
            [("too_many_periods", "/time")],
        ),
        (
            {"time": {"from": "1000-01-01", "to": "1000-12-31"}, "metrics": ["fees_ages_ago"]},
            [("out_of_range", "/time")],
        ),
    ],
)
def test_a_window_that_cannot_be_counted_is_refused(
    plan: dict[str, object], found: list[tuple[str, str]]
) -> None:
    extra = (
        "  - {name: fees_ages_ago, version: 1, owner: o, description: d, type: period_over_period,\n"
        "     metric: fees, offset: {count: 1000, unit: year}}\n"
    )
    assert refused(ledger(extra), **{"metrics": ["fees"], **plan}) == found


def test_everything_wrong_with_a_window_comes_at_once(layer: Layer) -> None:
    asked = {
        "metrics": ["fees"],
        "time": {"from": "2026-07-31", "to": "2026-07-01", "zone": "Berlin", "fill": "zero"},
        "compare": {"kind": "custom"},
    }
    assert refused(layer, **asked) == [
        ("window_reversed", "/time"),
        ("unknown_zone", "/time/zone"),
        ("fill_without_grain", "/time/fill"),
        ("missing_window", "/compare"),
    ]


def test_a_zone_written_wrongly_is_answered_with_the_right_one(layer: Layer) -> None:
    found = resolving(layer, metrics=["fees"], time={**JULY, "zone": "berlin"})
    assert isinstance(found, tuple) and found[0].candidates == ("Europe/Berlin",)


def test_days_are_those_of_the_plans_zone_else_of_the_layers(layer: Layer) -> None:
    asked = {"metrics": ["visit_count"], "time": {**JULY, "zone": "America/Denver", "grain": "day"}}
    found = answered(layer, **asked)
    assert found.zone == "America/Denver" and found.notes == ("Days are those of America/Denver.",)
    assert answered(layer, metrics=["visit_count"], time=JULY).zone == "Europe/Berlin"


def test_a_date_is_not_moved_by_a_zone_and_the_answer_says_so(layer: Layer) -> None:
    found = answered(layer, metrics=["fees"], time={**JULY, "zone": "America/Denver"})
    assert "paid_on is a date: the zone America/Denver does not move it." in found.notes


def test_a_timestamp_keeps_the_zone_it_was_written_in(layer: Layer) -> None:
    zones = {
        name: answered(layer, metrics=[name], time=JULY).leaves[0].time
        for name in ("visit_count", "local_visits")
    }
    assert [each.time_zone if each else None for each in zones.values()] == ["", "America/New_York"]


@pytest.mark.parametrize(
    ("op", "values", "wanted"),
    [
        ("ge", ["2026-07-05"], ("ge", datetime(2026, 7, 5))),
        ("le", ["2026-07-05"], ("lt", datetime(2026, 7, 6))),
        ("gt", ["2026-07-05T10:00:00"], ("gt", datetime(2026, 7, 5, 10))),
        ("eq", ["2026-07-05T10:00:00Z"], ("eq", datetime(2026, 7, 5, 19))),
        ("eq", ["2026-07-05T10:00:00+02:00"], ("eq", datetime(2026, 7, 5, 17))),
    ],
)
def test_a_time_in_a_filter_is_one_of_the_plans_zone(
    layer: Layer, op: str, values: list[str], wanted: tuple[str, datetime]
) -> None:
    filters = [{"field": "visited_at", "op": op, "values": values}]
    found = answered(layer, metrics=["visit_count"], time={**JULY, "zone": "Asia/Tokyo"}, filters=filters)
    (asked,) = found.leaves[0].filters
    assert (asked.op, asked.values[0]) == wanted


def test_a_definitions_own_times_are_those_of_the_layers_zone() -> None:
    extra = (
        "  - {name: since_july, version: 1, owner: o, description: d, type: filtered, metric: visit_count,\n"
        "     filters: [{field: visited_at, op: ge, values: ['2026-07-01']}]}\n"
    )
    found = answered(ledger(extra), metrics=["since_july"], time={**JULY, "zone": "America/New_York"})
    assert found.leaves[0].filters[0].values == (datetime(2026, 6, 30, 18),)


@pytest.mark.parametrize("text", ["2026-13-01", "2026-07-01T25:00:00", "0001-01-01", "9999-12-31", "soon"])
def test_a_time_that_is_none_is_refused(layer: Layer, text: str) -> None:
    filters = [{"field": "visited_at", "op": "le", "values": [text]}]
    assert refused(layer, metrics=["visit_count"], filters=filters) == [("wrong_type", "/filters/0/values")]


def test_hours_are_timestamps_and_the_repeated_one_is_said(layer: Layer) -> None:
    time = {"from": "2026-11-01", "to": "2026-11-01", "zone": "America/New_York", "grain": "hour"}
    found = answered(layer, metrics=["visit_count"], time=time)
    assert output(found, "hour").type == "timestamp"
    assert (
        "The clock of America/New_York shows 2026-11-01 01:00 twice; both hours are one row." in found.notes
    )


@pytest.mark.parametrize(
    ("day", "zone", "hours"),
    [
        ("2026-03-29", "Europe/Berlin", 23),
        ("2026-10-25", "Europe/Berlin", 24),
        ("2026-10-04", "Australia/Lord_Howe", 24),
        ("2026-07-01", "UTC", 24),
    ],
)
def test_empty_hours_are_those_the_clock_shows(layer: Layer, day: str, zone: str, hours: int) -> None:
    time = {"from": day, "to": day, "zone": zone, "grain": "hour", "fill": "empty"}
    spine = answered(layer, metrics=["visit_count"], time=time).spine
    assert len(spine) == len(set(spine)) == hours


TWICE = (
    "seen_at is a local time of America/New_York, whose clock shows 2026-11-01 01:00 twice: "
    "which of the two hours a row means is not recorded, and all are counted in the same one."
)


@pytest.mark.parametrize(
    ("time", "said"),
    [
        ({"from": "2026-11-01", "to": "2026-11-01", "zone": "UTC", "grain": "hour"}, True),
        ({"from": "2026-10-31", "to": "2026-10-31", "zone": "UTC", "grain": "hour"}, False),
        # on the clock of Denver the two hours are 23:00 and 0:00, on that of Berlin both are in the morning
        ({"from": "2026-10-01", "to": "2026-10-31", "zone": "America/Denver"}, True),
        ({"from": "2026-10-01", "to": "2026-11-30", "zone": "America/Denver"}, False),
        ({"from": "2026-11-01", "to": "2026-11-30", "zone": "America/Denver", "grain": "month"}, True),
        ({"from": "2026-11-01", "to": "2026-11-30", "grain": "day"}, False),
        ({"from": "2026-11-01", "to": "2026-11-01", "zone": "America/New_York", "grain": "day"}, False),
    ],
)
def test_local_times_that_may_lie_in_two_periods_are_said(
    layer: Layer, time: dict[str, str], said: bool
) -> None:
    assert (TWICE in answered(layer, metrics=["local_visits"], time=time).notes) == said


def test_local_times_of_a_compared_period_are_said_too(layer: Layer) -> None:
    time = {"from": "2026-11-02", "to": "2026-11-02", "zone": "UTC", "grain": "hour"}
    found = answered(layer, metrics=["local_visits"], time=time, compare={"kind": "previous_period"})
    assert TWICE in found.notes


def test_a_clock_put_back_by_half_an_hour_repeats_an_hour_too() -> None:
    found = repeated_hours(date(2026, 4, 1), date(2026, 4, 30), "Australia/Lord_Howe")
    assert found == (datetime(2026, 4, 5, 1),)


def test_empty_periods_are_listed_by_their_first_day(layer: Layer) -> None:
    found = answered(
        layer,
        metrics=["fees"],
        time={"from": "2026-06-10", "to": "2026-08-02", "grain": "month", "fill": "zero"},
    )
    assert found.spine == (date(2026, 6, 1), date(2026, 7, 1), date(2026, 8, 1))
    assert "with 0 where nothing was counted" in found.notes[0]


@pytest.mark.parametrize("window", [("2025-12-27", "2026-01-31"), ("2026-12-01", "2027-01-03")])
def test_a_window_outside_the_table_of_fiscal_years_is_refused(
    retail: Layer, window: tuple[str, str]
) -> None:
    time = {"from": window[0], "to": window[1], "grain": "fiscal_month"}
    assert refused(retail, metrics=["fees"], time=time) == [("outside_calendar", "/time")]
    answered(retail, metrics=["fees"], time={**time, "grain": "month"})


def test_an_earlier_period_outside_the_table_is_refused(retail: Layer) -> None:
    time = {"from": "2026-01-25", "to": "2026-02-21", "grain": "fiscal_month"}
    asked = {"metrics": ["fees"], "time": time, "compare": {"kind": "previous_year"}}
    assert refused(retail, **asked) == [("outside_calendar", "/time")]
    before = answered(retail, **{**asked, "compare": {"kind": "previous_period"}})
    frame = before.leaves[1].frame
    assert frame is not None and (frame.start, frame.end) == (date(2025, 12, 28), date(2026, 1, 25))


@pytest.mark.parametrize("days", [0, 1, 45])
def test_a_window_includes_both_of_its_days(layer: Layer, days: int) -> None:
    last = date(2026, 7, 1) + timedelta(days=days)
    found = answered(layer, metrics=["fees"], time={"from": "2026-07-01", "to": last.isoformat()})
    assert (found.start, found.end) == (date(2026, 7, 1), last + timedelta(days=1))
