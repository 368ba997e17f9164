"""dbt manifests of both layouts become the definitions that mean the same."""

from decimal import Decimal

import pytest

from tests.metric_layer.interchange.imports import Plain, dbt, imported, metric, simple

DAY_AND_COARSER = ("day", "week", "month", "quarter", "year", "fiscal_month", "fiscal_quarter", "fiscal_year")
HEAD = {"version": 1, "owner": "unowned", "status": "draft"}


def facts(found: Plain) -> Plain:
    """What a metric says but for its head and its clock."""
    head = ("name", "version", "owner", "status", "description", "label", "time_field", "grains")
    return {key: value for key, value in found.items() if key not in head}


def own(name: str) -> str:
    return f"{{{{ Dimension('order__{name}') }}}}"


def test_a_model_becomes_a_dataset_with_its_keys_and_joins() -> None:
    found = imported("dbt", dbt())
    assert found.dataset("orders") == {
        "name": "orders",
        "relation": "shop.orders",
        "description": "One row per order.",
        "primary_key": ("order_id",),
        "columns": (
            {"name": "order_id", "type": "string", "nullable": False},
            {"name": "customer_id", "type": "string"},
            {"name": "ordered_on", "type": "timestamp"},
            {"name": "order_status", "type": "string"},
            {"name": "is_gift", "type": "string"},
            {"name": "amount", "type": "decimal"},
        ),
    }
    [edge] = found.document.relationships
    assert (edge.from_dataset, edge.from_columns) == ("orders", ("customer_id",))
    assert (edge.to_dataset, edge.to_columns, edge.cardinality) == ("customers", ("id",), "many_to_one")
    assert found.dimension("region") == {
        "name": "region",
        "dataset": "customers",
        "column": "region",
        "label": "Region",
    }


def test_a_simple_metric_keeps_its_clock_and_the_grains_its_clock_has() -> None:
    found = imported("dbt", dbt()).metric("revenue")
    assert found.items() >= HEAD.items()
    assert (found["type"], found["dataset"], found["column"]) == ("sum", "orders", "amount")
    assert (found["time_field"], found["grains"]) == ("ordered_on", DAY_AND_COARSER)


def test_a_clock_finer_than_a_day_allows_every_grain_and_a_monthly_one_no_day() -> None:
    def grains(granularity: str) -> object:
        time = {"name": "ordered_on", "type": "time", "type_params": {"time_granularity": granularity}}
        return imported("dbt", dbt(orders={"dimensions": [time]})).metric("revenue").get("grains")

    assert grains("second") is None
    assert grains("month") == ("month", "quarter", "year", "fiscal_month", "fiscal_quarter", "fiscal_year")


@pytest.mark.parametrize(
    ("measure", "becomes"),
    [
        ({"agg": "sum", "expr": "amount"}, {"type": "sum", "column": "amount"}),
        ({"agg": "sum"}, {"type": "sum", "column": "m"}),
        ({"agg": "SUM", "expr": "amount * 2"}, {"type": "sum", "expression": "amount * 2"}),
        ({"agg": "count", "expr": "1"}, {"type": "count"}),
        ({"agg": "count", "expr": "order_id"}, {"type": "count", "column": "order_id"}),
        (
            {"agg": "count_distinct", "expr": "customer_id"},
            {"type": "count_distinct", "column": "customer_id"},
        ),
        ({"agg": "average", "expr": "amount"}, {"type": "avg", "column": "amount"}),
        ({"agg": "min", "expr": "amount"}, {"type": "min", "column": "amount"}),
        ({"agg": "max", "expr": "amount"}, {"type": "max", "column": "amount"}),
        ({"agg": "median", "expr": "amount"}, {"type": "median", "column": "amount"}),
        (
            {"agg": "sum_boolean", "expr": "amount > 9"},
            {"type": "sum", "expression": "CASE WHEN amount > 9 THEN 1 WHEN NOT (amount > 9) THEN 0 END"},
        ),
        (
            {
                "agg": "percentile",
                "expr": "amount",
                "agg_params": {"percentile": 0.95, "use_discrete_percentile": True},
            },
            {"type": "percentile", "column": "amount", "percentile": Decimal("0.95")},
        ),
        (
            {"agg": "percentile", "expr": "amount", "agg_params": {"percentile": 0.5}},
            {"type": "median", "column": "amount"},
        ),
    ],
)
def test_a_measure_becomes_the_aggregate_of_the_same_figure(measure: Plain, becomes: Plain) -> None:
    found = imported("dbt", dbt(simple("m", "m"), orders={"measures": [{"name": "m", **measure}]}))
    assert found.report.ok, found.report.lines
    assert facts(found.metric("m")) == {"dataset": "orders", **becomes}


@pytest.mark.parametrize(
    "layout",
    [
        metric(
            "m",
            "simple",
            metric_aggregation_params={
                "semantic_model": "orders",
                "agg": "sum",
                "agg_time_dimension": "ordered_on",
            },
            expr="amount",
        ),
        metric(
            "m",
            "simple",
            metric_aggregation_params={"semantic_model": "orders", "agg": "sum", "expr": "amount"},
        ),
    ],
)
def test_the_newer_layout_says_the_same_as_a_measure(layout: Plain) -> None:
    measured = imported("dbt", dbt(simple("m")))
    newer = imported("dbt", dbt(layout, orders={"measures": []}))
    assert newer.report.ok
    assert newer.metric("m") == measured.metric("m")


FLAT: list[Plain] = [
    {
        "name": "m",
        "type": "simple",
        "description": "What m is.",
        "agg": "sum",
        "expr": "amount",
        "fill_nulls_with": 0,
        "filter": f"{own('is_gift')} = true",
    },
    {
        "name": "p",
        "agg": "percentile",
        "expr": "amount",
        "percentile": 0.9,
        "percentile_type": "discrete",
        "description": "A percentile.",
    },
    {
        "name": "stock",
        "agg": "sum",
        "expr": "amount",
        "description": "A stock.",
        "non_additive_dimension": {"name": "ordered_on", "window_agg": "max", "group_by": ["customer"]},
    },
]


def test_simple_metrics_inside_their_model_are_read_flat() -> None:
    found = imported("dbt", dbt(metric("x", "derived", expr="m", metrics=["m"]), orders={"metrics": FLAT}))
    assert found.report.ok, found.report.lines
    assert facts(found.metric("m")) == {
        "type": "sum",
        "dataset": "orders",
        "column": "amount",
        "null_as_zero": True,
        "filters": ({"field": "is_gift", "op": "eq", "values": (True,)},),
    }
    assert found.metric("p")["percentile"] == Decimal("0.9")
    snapshot = {"over": "ordered_on", "pick": "last", "per": ("orders_customer",)}
    assert found.metric("stock")["snapshot"] == snapshot


def test_metrics_over_several_models_are_read_flat_too() -> None:
    top: list[Plain] = [
        {"name": "double", "type": "derived", "description": "x", "expr": "m + m", "input_metrics": ["m"]},
        {
            "name": "last_week",
            "type": "cumulative",
            "description": "x",
            "input_metric": "m",
            "window": "7 days",
        },
        {
            "name": "share",
            "type": "ratio",
            "description": "x",
            "numerator": "m",
            "denominator": {"name": "p"},
        },
    ]
    found = imported("dbt", dbt(*top, orders={"measures": [], "metrics": FLAT}))
    assert found.report.ok, found.report.lines
    assert found.metric("double")["expression"] == "m + m"
    assert found.metric("last_week")["window"] == {"count": 7, "unit": "day"}
    assert found.metric("share")["denominator"] == "p"


@pytest.mark.parametrize(("choice", "pick"), [("min", "first"), ("max", "last"), (None, "first")])
def test_a_non_additive_measure_reads_one_moment_per_grouping(choice: str | None, pick: str) -> None:
    stock = {"name": "ordered_on", "window_choice": choice, "window_groupings": ["order", "order_status"]}
    measure = {"name": "m", "agg": "sum", "expr": "amount", "non_additive_dimension": stock}
    found = imported("dbt", dbt(simple("m", "m"), orders={"measures": [measure]}))
    assert found.metric("m")["snapshot"] == {
        "over": "ordered_on",
        "pick": pick,
        "per": ("orders_order", "order_status"),
    }
    assert found.dimension("orders_order")["column"] == "order_id"


def test_filters_of_measure_and_metric_both_hold() -> None:
    measure = {"name": "revenue", "filter": {"where_filters": [{"where_sql_template": own("is_gift")}]}}
    where = {"where_filters": [{"where_sql_template": f"{own('order_status')} <> 'void'"}]}
    found = imported("dbt", dbt(simple("m", measure, filter=where)))
    assert found.metric("m")["filters"] == (
        {"field": "is_gift", "op": "eq", "values": (True,)},
        {"field": "order_status", "op": "not_null"},
        {"field": "order_status", "op": "ne", "values": ("void",)},
    )
    assert {"name": "is_gift", "type": "boolean"} in found.dataset("orders")["columns"]  # type: ignore[operator]


def test_a_filter_on_a_ratio_goes_around_it_and_one_on_an_input_only_there() -> None:
    data = dbt(
        simple("a"),
        metric(
            "b",
            "ratio",
            where=f"{own('is_gift')}",
            numerator={"name": "a", "filter": f"{own('order_status')} = 'x'"},
            denominator="a",
        ),
    )
    found = imported("dbt", data)
    assert facts(found.metric("b")) == {
        "type": "filtered",
        "metric": "b_unfiltered",
        "filters": ({"field": "is_gift", "op": "eq", "values": (True,)},),
    }
    assert facts(found.metric("b_unfiltered")) == {
        "type": "ratio",
        "numerator": "b_numerator",
        "denominator": "a",
    }
    assert facts(found.metric("b_numerator")) == {
        "type": "filtered",
        "metric": "a",
        "filters": ({"field": "order_status", "op": "eq", "values": ("x",)},),
    }


def test_a_derived_metric_keeps_aliases_offsets_and_brackets() -> None:
    inputs = [
        {"name": "a"},
        {"name": "a", "alias": "before", "offset_window": {"count": 1, "granularity": "month"}},
    ]
    found = imported(
        "dbt",
        dbt(simple("a"), metric("g", "derived", expr="(a - before) / NULLIF(before, 0)", metrics=inputs)),
    )
    assert found.report.ok
    assert found.metric("g")["expression"] == "(a - g_before) / g_before"
    assert facts(found.metric("g_before")) == {
        "type": "period_over_period",
        "metric": "a",
        "offset": {"count": 1, "unit": "month"},
        "calculation": "value",
    }


@pytest.mark.parametrize(
    ("params", "becomes"),
    [
        ({"window": {"count": 28, "granularity": "day"}}, {"window": {"count": 28, "unit": "day"}}),
        ({"grain_to_date": "month"}, {"to_date": "month"}),
        ({"grain_to_date": "YEAR"}, {"to_date": "year"}),
        ({}, {}),
    ],
)
def test_a_cumulative_metric_keeps_its_window(params: Plain, becomes: Plain) -> None:
    inner = {"period_agg": "last", "metric": {"name": "a"}, **params}
    found = imported("dbt", dbt(simple("a"), metric("c", "cumulative", cumulative_type_params=inner)))
    assert "dbt_period_agg" not in found.codes()
    assert found.metric("c").items() >= {"type": "cumulative", "metric": "a", **becomes}.items()
    assert "grains" not in found.metric("c")


def test_a_cumulative_metric_that_shows_first_days_is_asked_by_day_only() -> None:
    found = imported("dbt", dbt(simple("a"), metric("c", "cumulative", measure="revenue", window="7 days")))
    assert found.metric("c")["metric"] == "a", "the metric over the measure is there already"
    assert found.metric("c")["grains"] == ("day",)
    assert "dbt_period_agg" in found.codes("degraded")


def test_a_conversion_counts_base_events_by_the_entity_they_share() -> None:
    visits: Plain = {
        "name": "visits",
        "node_relation": {"alias": "visits"},
        "defaults": {"agg_time_dimension": "seen_at"},
        "entities": [{"name": "customer", "type": "foreign", "expr": "visitor"}],
        "dimensions": [{"name": "seen_at", "type": "time", "type_params": {"time_granularity": "second"}}],
        "measures": [{"name": "visit_count", "agg": "count", "expr": "1"}],
    }
    params = {
        "entity": "customer",
        "calculation": "conversions",
        "window": {"count": 7, "granularity": "day"},
        "base_measure": {"name": "visit_count"},
        "conversion_measure": {"name": "order_count"},
    }
    data = dbt(
        metric("bought", "conversion", conversion_type_params=params),
        orders={"measures": [{"name": "order_count", "agg": "count", "expr": "1"}]},
        more=(visits,),
    )
    found = imported("dbt", data)
    assert found.report.ok, found.report.lines
    assert facts(found.metric("bought")) == {
        "type": "conversion",
        "base": "visit_count",
        "conversion": "order_count",
        "entity": "customer",
        "window": {"count": 7, "unit": "day"},
        "calculation": "count",
    }
    assert found.dimension("customer") == {"name": "customer", "dataset": "customers", "column": "id"}


def test_two_roles_between_two_models_get_a_dimension_each() -> None:
    entities = [
        {"name": "order", "type": "primary", "expr": "order_id"},
        {"name": "customer", "type": "foreign", "expr": "customer_id"},
        {"name": "payer", "type": "foreign", "expr": "payer_id"},
    ]
    data = dbt(simple("a", filter="{{ Dimension('payer__region') }} = 'EMEA'"), orders={"entities": entities})
    data["semantic_models"][1]["entities"].append({"name": "payer", "type": "unique", "expr": "id"})  # type: ignore[index]
    found = imported("dbt", data)
    roles = {edge.role: edge.name for edge in found.document.relationships}
    assert roles == {"": "orders_customer", "payer": "orders_payer"}
    assert found.dimension("payer_region")["via"] == ("orders_payer",)
    assert found.dimension("customer_region")["via"] == ("orders_customer",)
    assert found.metric("a")["filters"] == ({"field": "payer_region", "op": "eq", "values": ("EMEA",)},)


def test_a_path_over_two_models_leads_to_the_far_dimension() -> None:
    countries: Plain = {
        "name": "countries",
        "entities": [{"name": "country", "type": "primary"}],
        "dimensions": [{"name": "continent", "type": "categorical"}],
    }
    data = dbt(
        simple("a", filter="{{ Dimension('customer__country__continent') }} = 'Asia'"), more=(countries,)
    )
    data["semantic_models"][1]["entities"].append({"name": "country", "type": "foreign"})  # type: ignore[index]
    found = imported("dbt", data)
    assert found.metric("a")["filters"] == ({"field": "continent", "op": "eq", "values": ("Asia",)},)


def test_dimensions_of_one_name_are_told_apart_by_their_model_in_any_order() -> None:
    data = dbt()
    data["semantic_models"][1]["dimensions"].append({"name": "order_status", "type": "categorical"})  # type: ignore[index]
    turned = {**data, "semantic_models": list(reversed(data["semantic_models"]))}  # type: ignore[call-overload]
    names = {one.name for one in imported("dbt", data).document.dimensions}
    assert {"orders_order_status", "customers_order_status"} < names
    assert names == {one.name for one in imported("dbt", turned).document.dimensions}


def test_a_measure_that_makes_its_own_metric_is_one() -> None:
    measure = {"name": "tips", "agg": "sum", "expr": "tip", "create_metric": True, "description": "Tips."}
    found = imported("dbt", dbt(simple("revenue", "tips"), orders={"measures": [measure]}))
    assert found.metric("tips")["column"] == "tip"


@pytest.mark.parametrize("length", [2, 5, 300])
def test_a_circle_or_a_chain_without_end_is_refused(length: int) -> None:
    circle = [
        metric(f"m{i}", "ratio", numerator=f"m{(i + 1) % length}", denominator=f"m{(i + 1) % length}")
        for i in range(length)
    ]
    found = imported("dbt", dbt(*circle))
    assert found.document.metrics == ()
    assert set(found.codes("error")) == {"rests_on_refused"}


def test_an_owner_in_meta_is_kept_and_another_one_fills_in() -> None:
    data = dbt(simple("a", config={"meta": {"owner": "finance"}}), simple("b"))
    found = imported("dbt", data, owner="sales", certify=True)
    assert (found.metric("a")["owner"], found.metric("b")["owner"]) == ("finance", "sales")
    assert "status" not in found.metric("a"), "certified is what a definition is by default"
    assert found.report.certified == 2


def test_nothing_is_certified_without_an_owner() -> None:
    data = dbt(simple("a", config={"meta": {"owner": "finance"}}), simple("b"))
    found = imported("dbt", data, certify=True)
    assert [each.status for each in found.document.metrics] == ["certified", "draft"]
    assert imported("dbt", data, owner="sales").report.certified == 0
