"""What may not be asked is said with a code, a place and near names; the rest is resolved in full."""

from collections.abc import Iterator, Mapping
from datetime import date

import duckdb
import pytest

from metric_layer.layer import Layer
from metric_layer.load import load_text
from metric_layer.resolve import resolve
from metric_layer.resolved import ResolvedPlan
from metric_layer.visible import Visible
from tests.metric_layer.trap_shop import (
    CLOCKS,
    DEFINITIONS,
    TODAY,
    issues_of,
    plan_of,
    resolved_of,
    rows_of,
    trap_layer,
    trap_tables,
)

MORE = """
  - {name: drafted, version: 1, owner: sales, description: d, type: count, dataset: orders, status: draft,
     time_field: order_date}
  - {name: old, version: 1, owner: sales, description: d, type: count, dataset: orders, status: deprecated}
  - {name: ended, version: 1, owner: sales, description: d, type: count, dataset: orders,
     effective_to: 2026-01-01}
  - {name: coming, version: 1, owner: sales, description: d, type: count, dataset: orders,
     effective_from: 2027-01-01}
  - {name: narrow, version: 1, owner: sales, description: d, type: count, dataset: orders,
     dimensions: [status],
     grains: [month, year], time_field: order_date}
  - {name: on_narrow, version: 1, owner: sales, description: d, type: derived, expression: narrow * 2}
  - {name: timeless, version: 1, owner: sales, description: d, type: count, dataset: customers}
  - {name: big_count, version: 1, owner: web, description: d, type: count, dataset: clicks,
     time_field: clicked_at}
"""
CLICKS = """
  - {name: clicks, relation: clicks, large: true, time_column: clicked_at, max_window_days: 31,
     columns: [{name: clicked_at, type: timestamp}, {name: seen_on, type: date}]}
"""
CLICK_TIMES = """
  - {name: clicked_at, dataset: clicks, column: clicked_at}
  - {name: seen_on, dataset: clicks, column: seen_on}
"""
JULY = {"from": "2026-07-01", "to": "2026-07-31"}


@pytest.fixture(scope="module")
def layer() -> Layer:
    text = DEFINITIONS.replace("datasets:\n", "datasets:\n" + CLICKS, 1)
    return load_text(CLOCKS + text.replace("dimensions:\n", "dimensions:\n" + CLICK_TIMES, 1) + MORE)


@pytest.fixture(scope="module")
def tables() -> Iterator[duckdb.DuckDBPyConnection]:
    connection = trap_tables()
    yield connection
    connection.close()


PLANS: dict[str, tuple[dict[str, object], str, str]] = {
    "an unknown metric": ({"metrics": ["gros"]}, "unknown_metric", "/metrics/0"),
    "an unknown dimension": (
        {"metrics": ["gross"], "dimensions": ["stauts"]},
        "unknown_dimension",
        "/dimensions/0",
    ),
    "a metric among the dimensions": (
        {"metrics": ["gross"], "dimensions": ["units"]},
        "unknown_dimension",
        "/dimensions/0",
    ),
    "a clock among the dimensions": (
        {"metrics": ["gross"], "dimensions": ["event_time"]},
        "unknown_dimension",
        "/dimensions/0",
    ),
    "an unknown filter field": (
        {"metrics": ["gross"], "filters": [{"field": "x", "op": "is_null"}]},
        "unknown_dimension",
        "/filters/0/field",
    ),
    "a filter value of another type": (
        {"metrics": ["gross"], "filters": [{"field": "status", "op": "in", "values": ["a", 1]}]},
        "wrong_type",
        "/filters/0/values",
    ),
    "a filter without values": (
        {"metrics": ["gross"], "filters": [{"field": "status", "op": "in"}]},
        "wrong_values",
        "/filters/0/values",
    ),
    "between the wrong way round": (
        {"metrics": ["gross"], "filters": [{"field": "quantity", "op": "between", "values": [3, 1]}]},
        "wrong_values",
        "/filters/0/values",
    ),
    "a metric filter on a metric not asked": (
        {"metrics": ["gross"], "filters": [{"metric": "units", "op": "gt", "values": [1]}]},
        "metric_not_asked",
        "/filters/0/metric",
    ),
    "a metric filter with text": (
        {"metrics": ["gross"], "filters": [{"metric": "gross", "op": "gt", "values": ["x"]}]},
        "wrong_type",
        "/filters/0/values",
    ),
    "a reversed window": (
        {"metrics": ["gross"], "time": {"from": "2026-08-01", "to": "2026-07-01"}},
        "window_reversed",
        "/time",
    ),
    "a window past the calendar": (
        {"metrics": ["gross"], "time": {"from": "2026-08-01", "to": "9999-12-31"}},
        "out_of_range",
        "/time",
    ),
    "an unknown time field": (
        {"metrics": ["gross"], "time": {**JULY, "field": "ordr_date"}},
        "unknown_dimension",
        "/time/field",
    ),
    "a time field that is no time": (
        {"metrics": ["gross"], "time": {**JULY, "field": "status"}},
        "wrong_type",
        "/time/field",
    ),
    "a time field out of reach": (
        {"metrics": ["tickets"], "time": {**JULY, "field": "order_date"}},
        "many_to_many",
        "/time/field",
    ),
    "a metric without a time field": (
        {"metrics": ["timeless"], "time": JULY},
        "no_time_field",
        "/time/field",
    ),
    "a draft": ({"metrics": ["drafted"]}, "draft_definition", "/metrics/0"),
    "a definition that has ended": ({"metrics": ["ended"]}, "not_effective", "/metrics/0"),
    "a definition that has not begun": ({"metrics": ["coming"]}, "not_effective", "/metrics/0"),
    "a dimension the definition does not allow": (
        {"metrics": ["narrow"], "dimensions": ["buyer_region"]},
        "dimension_not_allowed",
        "/dimensions/0",
    ),
    "a filter the definition does not allow": (
        {"metrics": ["narrow"], "filters": [{"field": "buyer_region", "op": "eq", "values": ["north"]}]},
        "dimension_not_allowed",
        "/filters/0/field",
    ),
    "a grain the definition does not allow": (
        {"metrics": ["narrow"], "time": {**JULY, "grain": "day"}},
        "grain_not_allowed",
        "/time/grain",
    ),
    "a large dataset without a window": ({"metrics": ["big_count"]}, "missing_window", "/time"),
    "a large dataset with a window on another column": (
        {"metrics": ["big_count"], "time": {**JULY, "field": "seen_on"}},
        "missing_window",
        "/time",
    ),
    "no declared way": ({"metrics": ["gross"], "dimensions": ["seen_on"]}, "unreachable", "/dimensions/0"),
    "a metric asked twice": ({"metrics": ["gross", "gross"]}, "repeated_name", "/metrics/1"),
    "an order by a column that is not there": (
        {"metrics": ["gross"], "order": {"by": "units"}},
        "unknown_order",
        "/order/by",
    ),
}


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_that_cannot_be_answered_says_why_and_where(name: str, layer: Layer) -> None:
    raw, code, path = PLANS[name]
    found = issues_of(raw, layer)
    assert [(issue.code, issue.path) for issue in found] == [(code, path)]
    assert found[0].message.endswith(".")


def test_all_wrong_names_of_a_plan_come_at_once(layer: Layer) -> None:
    raw: dict[str, object] = {
        "metrics": ["gros", "drafted"],
        "dimensions": ["stauts"],
        "filters": [{"field": "nope", "op": "is_null"}],
        "time": {"from": "2026-08-01", "to": "2026-07-01"},
    }
    assert [issue.path for issue in issues_of(raw, layer)] == [
        "/metrics/0",
        "/metrics/1",
        "/dimensions/0",
        "/filters/0/field",
        "/time",
    ]


def test_wrong_names_do_not_hide_what_else_is_wrong(layer: Layer) -> None:
    raw: dict[str, object] = {
        "metrics": ["shipping", "gros"],
        "dimensions": ["category", "stauts"],
        "filters": [
            {"field": "nope", "op": "is_null"},
            {"field": "status", "op": "eq", "values": [1]},
        ],
        "time": {**JULY, "field": "ordr_date"},
    }
    assert [(issue.code, issue.path) for issue in issues_of(raw, layer)] == [
        ("unknown_metric", "/metrics/1"),
        ("unknown_dimension", "/dimensions/1"),
        ("unknown_dimension", "/filters/0/field"),
        ("unknown_dimension", "/time/field"),
        ("fan_out_group", "/dimensions/0"),
        ("wrong_type", "/filters/1/values"),
    ]


def test_a_definition_that_filters_by_rows_below_says_so() -> None:
    lamps = load_text(
        CLOCKS
        + DEFINITIONS
        + "  - {name: lamp_orders, version: 1, owner: o, description: d, type: filtered,\n"
        + "     metric: order_count, filters: [{field: product, op: eq, values: [lamp]}]}\n"
    )
    assert "at least one of its order_lines rows" in resolved_of({"metrics": ["lamp_orders"]}, lamps).notes[0]


def test_a_synonym_leads_to_its_metric(layer: Layer) -> None:
    assert issues_of({"metrics": ["turnover"]}, layer)[0].candidates == ("gross",)


def test_a_derived_metric_is_bound_by_what_its_parts_allow(layer: Layer) -> None:
    (issue,) = issues_of({"metrics": ["on_narrow"], "dimensions": ["buyer_region"]}, layer)
    assert issue.code == "dimension_not_allowed" and "narrow" in issue.message
    hidden = issues_of(
        {"metrics": ["on_narrow"], "dimensions": ["buyer_region"]},
        layer,
        visible=Visible(metrics=frozenset({"on_narrow"})),
    )[0]
    assert "narrow " not in hidden.message


def without_seen(raw: Mapping[str, object], layer: Layer, visible: Visible, name: str) -> list[str]:
    return [issue.model_dump_json().replace(name, "?") for issue in issues_of(raw, layer, visible=visible)]


@pytest.mark.parametrize(
    ("hidden", "visible"),
    [
        ("minutes", Visible(metrics=frozenset({"gross", "units"}))),
        ("minutes", Visible(datasets=frozenset({"orders", "order_lines", "customers"}))),
    ],
)
def test_a_hidden_metric_is_answered_like_one_that_does_not_exist(
    layer: Layer, hidden: str, visible: Visible
) -> None:
    known = without_seen({"metrics": [hidden]}, layer, visible, hidden)
    unknown = without_seen({"metrics": ["minutez"]}, layer, visible, "minutez")
    assert known == unknown


@pytest.mark.parametrize(
    ("hidden", "visible"),
    [
        ("severity", Visible(datasets=frozenset({"orders", "order_lines", "customers"}))),
        ("severity", Visible(hidden_columns=frozenset({"support_tickets.severity"}))),
    ],
)
def test_a_hidden_dimension_is_answered_like_one_that_does_not_exist(
    layer: Layer, hidden: str, visible: Visible
) -> None:
    known = without_seen({"metrics": ["gross"], "dimensions": [hidden]}, layer, visible, hidden)
    unknown = without_seen({"metrics": ["gross"], "dimensions": ["severitee"]}, layer, visible, "severitee")
    assert known == unknown


def test_no_message_names_what_a_caller_may_not_see(layer: Layer) -> None:
    visible = Visible(datasets=frozenset({"orders", "customers"}))
    (issue,) = issues_of({"metrics": ["order_count"], "dimensions": ["product"]}, layer, visible=visible)
    told = issue.model_dump_json()
    assert issue.code == "unknown_dimension"
    assert "order_lines" not in told and "line_product" not in told


def test_a_fan_out_names_the_nearest_plan_that_works(layer: Layer) -> None:
    (issue,) = issues_of({"metrics": ["shipping"], "dimensions": ["category"]}, layer)
    assert "buyer_region" in issue.candidates and "category" not in issue.candidates
    assert "Filter by category instead" in issue.next_step


def test_a_plan_written_for_another_engine_is_refused(layer: Layer) -> None:
    plan = plan_of({"metrics": ["gross"], "dialect": "snowflake"})
    found = resolve(plan, layer, visible=Visible(), choices={}, today=TODAY, dialect="duckdb")
    assert isinstance(found, tuple) and [issue.code for issue in found] == ["wrong_dialect"]


def test_the_clock_can_be_chosen(layer: Layer) -> None:
    raw = {"metrics": ["order_count", "tickets"], "time": {**JULY, "grain": "month"}}
    no_clock = trap_layer(clocks="")
    assert issues_of(raw, no_clock)[0].term == "time"
    chosen = resolved_of(raw, layer, choices={"time": "event_time"})
    assert {leaf.id: leaf.time.column for leaf in chosen.leaves if leaf.time} == {
        "order_count": "order_date",
        "tickets": "opened_at",
    }


def test_a_clock_counts_each_fact_by_its_nearest_field() -> None:
    text = (CLOCKS + DEFINITIONS).replace(
        "fields: [order_date, opened_at]", "fields: [customer_since, opened_at, order_date]"
    )
    text = text.replace(
        "dimensions:\n", "dimensions:\n  - {name: customer_since, dataset: customers, column: since}\n", 1
    )
    text = text.replace(
        "{name: region, type: string}", "{name: region, type: string}\n      - {name: since, type: date}", 1
    )
    raw: dict[str, object] = {"metrics": ["tickets", "timeless"], "time": {**JULY, "field": "event_time"}}
    timeless = "  - {name: timeless, version: 1, owner: o, description: d, type: count, dataset: customers}\n"
    found = resolved_of(raw, load_text(text + timeless))
    assert [leaf.time.column for leaf in found.leaves if leaf.time] == ["opened_at", "since"]


def test_a_resolved_plan_says_what_it_returns_and_rests_on(layer: Layer) -> None:
    raw = {
        "metrics": ["net", "old"],
        "dimensions": ["buyer_region"],
        "time": {**JULY, "field": "order_date", "grain": "month"},
        "order": {"by": "net", "dir": "desc"},
    }
    found = resolved_of(raw, layer)
    assert [(output.name, output.kind, output.type) for output in found.outputs] == [
        ("month", "time", "date"),
        ("buyer_region", "dimension", "string"),
        ("net", "metric", "decimal"),
        ("old", "metric", "integer"),
    ]
    assert found.order == (("net", True), ("month", False), ("buyer_region", False))
    assert (found.start, found.end) == (date(2026, 7, 1), date(2026, 8, 1))
    assert [(used.kind, used.name, used.version) for used in found.used] == [
        ("metric", "gross", 3),
        ("metric", "net", 2),
        ("metric", "old", 1),
        ("metric", "refunds", 1),
        ("dimension", "buyer_region", 1),
        ("dimension", "order_date", 1),
        ("dataset", "customers", 1),
        ("dataset", "order_lines", 1),
        ("dataset", "orders", 1),
        ("relationship", "buyer", 1),
        ("relationship", "line_order", 1),
    ]
    assert found.notes == ("old is deprecated.",)


def test_leaves_that_are_equal_are_shared(layer: Layer) -> None:
    found = resolved_of({"metrics": ["gross", "net", "aov", "order_count"]}, layer)
    assert [leaf.id for leaf in found.leaves] == ["gross", "refunds", "order_count"]


@pytest.mark.parametrize(
    ("op", "values", "kept"),
    [
        ("ge", ["2026-07-31"], [2, 3, 4, 5, 6]),
        ("gt", ["2026-07-31"], [3, 4, 5, 6]),
        ("le", ["2026-07-31"], [1, 2]),
        ("lt", ["2026-07-31"], [1]),
        ("eq", ["2026-07-31"], [2]),
        ("between", ["2026-07-31", "2026-08-01"], [2, 3]),
        ("between", ["2026-07-31", "2026-07-31T12:00:00"], []),
        ("eq", ["2026-10-01T00:00:00"], [5]),
    ],
)
def test_a_day_compared_with_a_timestamp_means_the_whole_day(
    layer: Layer, tables: duckdb.DuckDBPyConnection, op: str, values: list[str], kept: list[int]
) -> None:
    raw = {"metrics": ["tickets"], "filters": [{"field": "opened_at", "op": op, "values": values}]}
    assert rows_of(raw, layer, tables) == [(len(kept),)]


def test_an_empty_layer_still_answers_in_issues() -> None:
    found = resolve(plan_of({"metrics": ["x"]}), load_text(""), visible=Visible(), choices={}, today=TODAY)
    assert not isinstance(found, ResolvedPlan) and found[0].code == "unknown_metric"
