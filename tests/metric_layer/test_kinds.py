"""Metrics over time, moments and events: what each kind resolves to, and what its answer has to say."""

from datetime import date
from decimal import Decimal

import pytest

from metric_layer.layer import Layer
from metric_layer.resolved import Arithmetic, Followed, Frame
from tests.metric_layer.ledger import answered, ledger, output, refused

JULY = {"from": "2026-07-01", "to": "2026-07-31"}
BY_MONTH = {**JULY, "grain": "month"}


@pytest.fixture(scope="module")
def layer() -> Layer:
    return ledger()


def test_a_balance_is_read_at_the_last_moment_of_each_period(layer: Layer) -> None:
    found = answered(layer, metrics=["balance"], dimensions=["branch"], time=BY_MONTH)
    (leaf,) = found.leaves
    assert leaf.pick is not None and leaf.time is not None
    assert (leaf.pick.pick, leaf.pick.over, leaf.pick.per) == ("last", leaf.time, ())
    assert found.notes == ("Balance is read at the last balance_date of each month.",)
    column = output(found, "balance")
    assert (column.additivity, column.non_additive, column.unit) == ("semi", ("month",), "EUR")


def test_a_balance_without_a_window_is_the_last_of_all(layer: Layer) -> None:
    found = answered(layer, metrics=["balance_each", "balance_mean"])
    assert [leaf.time for leaf in found.leaves] == [None, None]
    assert found.notes == (
        "balance_each is read at the last balance_date of all dates for each account.",
        "balance_mean is the average over every balance_date of all dates.",
    )
    assert {"account", "balance_date", "balance_account"} <= {used.name for used in found.used}


def test_a_balance_is_counted_by_no_other_time(layer: Layer) -> None:
    asked = {"metrics": ["balance"], "time": {**JULY, "field": "booked_on"}}
    assert refused(layer, **asked) == [("snapshot_clock", "/time/field")]
    shared = answered(layer, metrics=["fees", "balance"], time={**JULY, "field": "any_time"})
    assert [leaf.time.column for leaf in shared.leaves if leaf.time] == ["paid_on", "balance_date"]


def test_the_definitions_own_filters_stand_before_the_moment_is_chosen_and_others_after() -> None:
    extra = (
        "  - {name: north, version: 1, owner: o, description: d, type: sum, dataset: balances,\n"
        "     column: amount, filters: [{field: branch, op: eq, values: [north]}],\n"
        "     snapshot: {over: balance_date, pick: last}}\n"
        "  - {name: north_city, version: 1, owner: o, description: d, type: filtered, metric: north,\n"
        "     filters: [{field: city, op: eq, values: [Kiel]}]}\n"
    )
    found = answered(ledger(extra), metrics=["north_city"])
    (leaf,) = found.leaves
    assert leaf.pick is not None
    assert [each.name for each in leaf.pick.filters] == ["branch"]
    assert [each.name for each in leaf.filters] == ["city"]


def test_a_running_figure_hands_its_days_to_every_leaf_of_a_ratio(layer: Layer) -> None:
    found = answered(layer, metrics=["fee_each_28"], time=JULY)
    assert [leaf.frame for leaf in found.leaves] == [Frame(date(2026, 7, 4), date(2026, 8, 1))] * 2
    assert found.notes == ("fee_each_28 runs over 2026-07-04 to 2026-07-31.",)


def test_a_figure_since_ever_has_no_first_day(layer: Layer) -> None:
    found = answered(layer, metrics=["fees_ever"], time=BY_MONTH)
    frame = found.leaves[0].frame
    assert frame is not None and frame.start is None and frame.buckets[0].start is None
    assert answered(layer, metrics=["fees_ever"]).leaves[0].frame is None


def test_growth_is_the_difference_over_the_earlier_value(layer: Layer) -> None:
    found = answered(layer, metrics=["fees", "fees_last_month", "fees_change", "fees_growth"], time=BY_MONTH)
    now, earlier = Arithmetic("leaf", leaf="fees"), Arithmetic("leaf", leaf="fees__2")
    change = Arithmetic("sub", left=now, right=earlier)
    assert dict(found.metrics) == {
        "fees": now,
        "fees_last_month": earlier,
        "fees_change": change,
        "fees_growth": Arithmetic("div", left=change, right=earlier),
    }
    units = {column.name: column.unit for column in found.outputs}
    assert (units["fees_change"], units["fees_growth"]) == ("EUR", "")
    assert output(found, "fees_growth").additivity == "none"


def test_a_running_figure_of_a_year_ago_is_allowed(layer: Layer) -> None:
    found = answered(layer, metrics=["to_date_last_year"], time=JULY)
    assert found.leaves[0].frame == Frame(date(2025, 1, 1), date(2025, 8, 1))


@pytest.mark.parametrize("name", ["fees_28", "fees_to_date", "fees_growth"])
def test_a_figure_that_reaches_back_needs_a_window(layer: Layer, name: str) -> None:
    assert refused(layer, metrics=[name]) == [("missing_window", "/time")]


def test_a_conversion_looks_for_a_later_event_on_the_keys_both_carry(layer: Layer) -> None:
    found = answered(layer, metrics=["conversion_rate"], dimensions=["country"], time=JULY)
    followed, base = found.leaves
    assert isinstance(followed.followed, Followed) and base.followed is None
    assert followed.followed.pairs == (("visitor", "person"), ("page", "page"))
    assert (followed.followed.since.column, followed.followed.time.column) == ("visited_at", "signed_at")
    assert (followed.followed.window_months, followed.followed.window_days) == (0, 7)
    assert [(each.name, each.op) for each in followed.followed.filters] == [("plan_name", "ne")]
    rate = dict(found.metrics)["conversion_rate"]
    assert rate.op == "div" and rate.left is not None and rate.left.null_as_zero
    assert {
        "signup_count",
        "paid_signups",
        "visit_count",
        "person",
        "signed_at",
        "signups",
        "signup_page",
    } <= {used.name for used in found.used}
    assert "within 7 days" in found.notes[0]


def test_converted_events_are_counted_without_end_where_no_window_is_given(layer: Layer) -> None:
    (leaf,) = answered(layer, metrics=["converted"]).leaves
    assert leaf.aggregate == "count_distinct" and leaf.followed is not None
    assert (leaf.followed.window_months, leaf.followed.window_days) == (0, 0)


def test_a_percentile_keeps_its_fraction_and_a_scaled_column_is_decimal(layer: Layer) -> None:
    found = answered(layer, metrics=["fee_p90", "fee_median", "paid"], dimensions=["currency"])
    assert [leaf.fraction for leaf in found.leaves] == [Decimal("0.9"), None, None]
    assert [leaf.type for leaf in found.leaves] == ["decimal", "decimal", "decimal"]
    assert "0.01" in layer.scalars["payments", '"cents"'].tree.sql()


@pytest.mark.parametrize(
    ("metric", "engine", "estimate"),
    [
        ("payers", "duckdb", True),
        ("payers", "postgres", False),
        ("fee_median", "bigquery", True),
        ("fee_p90", "snowflake", False),
        ("fees", "bigquery", False),
    ],
)
def test_an_estimate_is_said_where_the_engine_makes_one(
    layer: Layer, metric: str, engine: str, estimate: bool
) -> None:
    found = answered(layer, metrics=[metric], engine=engine)
    assert output(found, metric).approximate is estimate
    assert any("estimate" in note for note in found.notes) is estimate


COMPARED = {"metrics": ["fees"], "time": BY_MONTH, "compare": {"kind": "previous_year"}}


def test_a_comparison_adds_the_earlier_value_the_change_and_the_growth(layer: Layer) -> None:
    found = answered(layer, **COMPARED)
    assert [column.name for column in found.outputs] == [
        "month",
        "fees",
        "fees__previous",
        "fees__change",
        "fees__growth",
    ]
    assert found.leaves[1].frame == Frame(date(2025, 7, 1), date(2025, 8, 1), shift_months=12)
    assert found.notes == ("Compared with 2025-07-01 to 2025-07-31.",)
    growth = output(found, "fees__growth")
    assert (growth.compared, growth.unit, growth.display.style) == ("fees", "fraction", "percent")
    assert growth.description == "fees: growth against 2025-07-01 to 2025-07-31."
    assert [output(found, name).additivity for name in ("fees", "fees__previous", "fees__change")] == [
        "additive",
        "additive",
        "none",
    ]


def test_comparison_columns_order_and_filter_the_result(layer: Layer) -> None:
    found = answered(
        layer,
        **COMPARED,
        order={"by": "fees__growth", "dir": "desc"},
        filters=[{"metric": "fees__change", "op": "gt", "values": [0]}],
    )
    assert found.order[0] == ("fees__growth", True)
    assert found.having[0].metric == "fees__change"
    without = {**COMPARED, "compare": None, "order": {"by": "fees__growth"}}
    assert refused(layer, **without) == [("unknown_order", "/order/by")]


def test_a_metric_that_compares_periods_is_not_compared_once_more() -> None:
    extra = (
        "  - {name: doubled, version: 1, owner: o, description: d, type: derived,\n"
        "     expression: fees_growth * 2}\n"
    )
    asked = {"metrics": ["doubled"], "time": BY_MONTH, "compare": {"kind": "previous_period"}}
    assert refused(ledger(extra), **asked) == [("compared_twice", "/compare")]


@pytest.mark.parametrize("column", ["currency", "paid_on"])
def test_what_is_no_number_is_not_compared_as_it_has_no_change(column: str) -> None:
    layer = ledger(
        "  - {name: latest, version: 1, owner: o, description: d, type: max, dataset: payments,"
        f" column: {column}, time_field: paid_on}}\n"
    )
    asked: dict[str, object] = {
        "metrics": ["fees", "latest"],
        "time": {"from": "2026-01-01", "to": "2026-01-31"},
    }
    assert answered(layer, **asked).outputs[1].name == "latest"
    assert refused(layer, **asked, compare={"kind": "previous_year"}) == [("wrong_type", "/metrics/1")]


def test_buckets_without_anything_to_compare_with_are_named(layer: Layer) -> None:
    time = {"from": "2026-05-29", "to": "2026-05-31", "grain": "day"}
    found = answered(layer, metrics=["fees_last_month"], time=time)
    assert "No earlier period to compare with: 2026-05-31." in found.notes
