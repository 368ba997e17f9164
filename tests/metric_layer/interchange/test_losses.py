"""Every row of the table of constructs: a document that holds the construct gets its line, with its place."""

import json
import re
from collections.abc import Callable, Mapping

import pytest

from metric_layer.definitions import Document
from metric_layer.interchange.constructs import CONSTRUCTS
from metric_layer.interchange.importing import Format
from metric_layer.interchange.ossie_write import ossie_document
from tests.metric_layer.interchange.imports import (
    Plain,
    aggregate,
    column,
    cube,
    dbt,
    imported,
    measure,
    metric,
    ossie,
    simple,
)
from tests.metric_layer.interchange.own import OWN


def model(**changed: object) -> Plain:
    return dbt(orders=changed)


def agg(kind: str = "sum", **more: object) -> Plain:
    return model(measures=[{"name": "revenue", "agg": kind, "expr": "amount", **more}])


def dimension(**more: object) -> Plain:
    return model(dimensions=[{"name": "ordered_on", "type": "time", "type_params": more}])


def own(change: Callable[[Plain], object], **policies: object) -> Plain:
    document: Plain = json.loads(json.dumps(ossie_document(OWN, "shop", policies), default=str))
    change(document)
    return document


def of_metric(change: Callable[[Plain], object]) -> Callable[[Plain], object]:
    return lambda document: change(document["metrics"][0])  # type: ignore[index]


def data_of(change: Callable[[Plain], object]) -> Callable[[Plain], object]:
    def changed(part: Plain) -> None:
        extension = part["custom_extensions"][0]  # type: ignore[index]
        data = json.loads(extension["data"])
        change(data)
        extension["data"] = json.dumps(data)

    return changed


EVENTS = {"entity": "customer", "base_measure": "n", "conversion_measure": "n"}
PERCENTILE = {"percentile": 0.9}
CASES: Mapping[str, tuple[Format, Plain]] = {
    "key_not_kept": ("dbt", model(colour="blue")),
    "wrong_type": ("dbt", model(measures=[{"name": "revenue", "agg": ["sum"], "expr": "amount"}])),
    "does_not_fit": (
        "dbt",
        agg(
            description="x", kind="percentile", agg_params={"percentile": 7, "use_discrete_percentile": True}
        ),
    ),
    "breaks_rule": ("dbt", agg(expr="DATE_TRUNC('month', ordered_on)")),
    "repeated": ("dbt", dbt(simple("a"), simple("a"))),
    "sql_not_read": ("dbt", dbt(simple("a", filter="{{ Dimension('order__order_status') }} LIKE 'a%'"))),
    "rests_on_refused": (
        "dbt",
        dbt(simple("a", "nothing"), metric("b", "ratio", numerator="a", denominator="a")),
    ),
    "renamed": ("dbt", dbt(simple("Revenue"))),
    "type_assumed": ("dbt", dbt()),
    "no_description": ("dbt", dbt(simple("revenue", description=None))),
    "no_owner": ("dbt", dbt()),
    "not_certified": ("ossie", own(lambda document: None)),
    "meta_not_kept": ("dbt", model(config={"meta": {"tier": 1}})),
    "no_time_field": ("ossie", ossie()),
    "dbt_natural_entity": ("dbt", model(entities=[{"name": "order", "type": "natural", "expr": "id"}])),
    "dbt_validity": ("dbt", dimension(time_granularity="day", validity_params={"is_start": True})),
    "dbt_expression_entity": (
        "dbt",
        model(entities=[{"name": "order", "type": "primary", "expr": "a || b"}]),
    ),
    "dbt_expression_dimension": (
        "dbt",
        model(
            dimensions=[{"name": "size", "type": "categorical", "expr": "CASE WHEN amount > 5 THEN 'x' END"}]
        ),
    ),
    "dbt_partition_join": (
        "dbt",
        dbt(
            orders={"dimensions": [{"name": "ordered_on", "type": "time", "is_partition": True}]},
            more=(
                {
                    "name": "parts",
                    "entities": [{"name": "customer", "type": "unique", "expr": "id"}],
                    "dimensions": [{"name": "day", "type": "time", "is_partition": True}],
                },
            ),
        ),
    ),
    "dbt_empty_model": ("dbt", dbt(more=({"name": "nothing", "node_relation": {"alias": "nothing"}},))),
    "dbt_unknown_aggregation": ("dbt", agg(kind="mode")),
    "dbt_unknown_type": ("dbt", dbt(metric("a", "guess"))),
    "dbt_unknown_measure": ("dbt", dbt(simple("a", "nothing"))),
    "dbt_unknown_metric": ("dbt", dbt(metric("a", "ratio", numerator="b", denominator="b"))),
    "dbt_unknown_model": (
        "dbt",
        dbt(metric("a", "simple", metric_aggregation_params={"semantic_model": "x", "agg": "sum"})),
    ),
    "dbt_unresolved": ("dbt", dbt(simple("a", filter="{{ Dimension('customer__planet') }} = 'x'"))),
    "dbt_percentile": ("dbt", agg(kind="percentile", agg_params=PERCENTILE)),
    "dbt_approximate_percentile": (
        "dbt",
        agg(kind="percentile", agg_params={"percentile": 0.9, "use_approximate_percentile": True}),
    ),
    "dbt_window_choice": ("dbt", agg(non_additive_dimension={"name": "ordered_on", "window_choice": "sum"})),
    "dbt_custom_granularity": ("dbt", dimension(time_granularity="martian_year")),
    "dbt_window": (
        "dbt",
        dbt(metric("a", "cumulative", measure="revenue", cumulative_type_params={"window": "3 hours"})),
    ),
    "dbt_offset_to_grain": (
        "dbt",
        dbt(
            simple("revenue"),
            metric("a", "derived", expr="revenue", metrics=[{"name": "revenue", "offset_to_grain": "month"}]),
        ),
    ),
    "dbt_fill_value": ("dbt", dbt(simple("a", {"name": "revenue", "fill_nulls_with": 7}))),
    "dbt_time_spine": ("dbt", dbt(simple("a", {"name": "revenue", "join_to_timespine": True}))),
    "dbt_period_agg": ("dbt", dbt(metric("a", "cumulative", measure="revenue"))),
    "dbt_conversion": (
        "dbt",
        dbt(
            metric("a", "conversion", conversion_type_params=EVENTS),
            orders={"measures": [{"name": "n", "agg": "count", "expr": "1"}]},
        ),
    ),
    "dbt_conversion_filter": (
        "dbt",
        dbt(
            metric(
                "a",
                "conversion",
                "{{ Dimension('order__is_gift') }}",
                conversion_type_params={"entity": "customer"},
            )
        ),
    ),
    "dbt_constant_property": (
        "dbt",
        dbt(
            metric(
                "a",
                "conversion",
                conversion_type_params={
                    "entity": "customer",
                    "base_measure": "revenue",
                    "conversion_measure": "revenue",
                    "constant_properties": [
                        {"base_property": "is_gift", "conversion_property": "order_status"}
                    ],
                },
            )
        ),
    ),
    "dbt_unused_measure": ("dbt", dbt(metric("a", "ratio", numerator="x", denominator="y"))),
    "dbt_private": ("dbt", dbt(metric("a", "simple", measure="revenue", is_private=True))),
    "dbt_default_grain": ("dbt", dbt(simple("a", time_granularity="month"))),
    "dbt_saved_query": ("dbt", dbt(saved_queries=[{"name": "q", "query_params": {"metrics": ["revenue"]}}])),
    "ossie_query": ("ossie", ossie(orders={"source": "SELECT 1 AS x"})),
    "ossie_no_fields": (
        "ossie",
        ossie(
            aggregate("n", "COUNT(customers.id)"), orders={"fields": [], "primary_key": []}, relationships=[]
        ),
    ),
    "ossie_datatype": ("ossie", ossie(fields=(column("at", "Time"),))),
    "ossie_computed_dimension": ("ossie", ossie(fields=(column("big", "", "amount > 5", dimension={}),))),
    "ossie_computed_field": (
        "ossie",
        ossie(fields=(column("twice", "", "amount * 2"), column("more", "", "twice + 1"))),
    ),
    "ossie_time_part": ("ossie", ossie(fields=(column("year", "Integer", dimension={"is_time": True}),))),
    "ossie_dialect": (
        "ossie",
        ossie({"name": "m", "expression": {"dialects": [{"dialect": "DAX", "expression": "SUM([x])"}]}}),
    ),
    "ossie_other_sql": (
        "ossie",
        ossie(
            {"name": "m", "expression": {"dialects": [{"dialect": "SNOWFLAKE", "expression": "SUM(amount)"}]}}
        ),
    ),
    "ossie_other_dialects": (
        "ossie",
        ossie(
            {
                "name": "m",
                "expression": {
                    "dialects": [
                        {"dialect": "ANSI_SQL", "expression": "SUM(amount)"},
                        {"dialect": "DAX", "expression": "SUM([x])"},
                    ]
                },
            }
        ),
    ),
    "ossie_ai_context": ("ossie", ossie(aggregate("m", "SUM(amount)", ai_context="turnover, sales"))),
    "ossie_synonyms": ("ossie", ossie(ai_context={"synonyms": ["the shop"]})),
    "ossie_extension": ("ossie", ossie(custom_extensions=[{"vendor_name": "DBT", "data": "{}"}])),
    "ossie_count_dataset": ("ossie", ossie(aggregate("m", "COUNT(*)"))),
    "ossie_unknown_column": ("ossie", ossie(aggregate("m", "SUM(planets.mass)"))),
    "ossie_several_datasets": ("ossie", ossie(aggregate("m", "SUM(orders.amount * customers.id)"))),
    "ossie_bad_extension": ("ossie", ossie(custom_extensions=[{"vendor_name": "cellbound", "data": "{"}])),
    "ossie_no_extension": ("ossie", own(of_metric(lambda part: part.pop("custom_extensions") and None))),
    "ossie_unknown_requirement": (
        "ossie",
        own(of_metric(data_of(lambda data: data.update(requires=["time_travel"])))),
    ),
    "ossie_edited": ("ossie", own(of_metric(lambda part: part.update(description="Something else.")))),
    "ossie_policies": ("ossie", own(lambda document: None, roles={"analyst": {}})),
    "cube_extends": ("cube", cube(orders={"extends": "base"})),
    "cube_query": ("cube", cube(orders={"sql_table": None, "sql": "SELECT a, b FROM t WHERE c"})),
    "cube_empty": ("cube", cube(orders={"dimensions": [], "measures": [], "joins": []})),
    "cube_data_source": ("cube", cube(orders={"data_source": "lake"})),
    "cube_segment": ("cube", cube(orders={"segments": [{"name": "done", "sql": "{CUBE}.x = 1"}]})),
    "cube_pre_aggregations": ("cube", cube(orders={"pre_aggregations": [{"name": "main"}]})),
    "cube_access_policy": ("cube", cube(orders={"access_policy": [{"role": "*"}]})),
    "cube_granularities": (
        "cube",
        cube(dimensions=({"name": "at", "sql": "at", "type": "time", "granularities": [{"name": "x"}]},)),
    ),
    "cube_dimension": (
        "cube",
        cube(dimensions=({"name": "place", "type": "geo", "latitude": {"sql": "x"}},)),
    ),
    "cube_computed_dimension": (
        "cube",
        cube(dimensions=({"name": "big", "sql": "{CUBE}.amount > 5", "type": "boolean"},)),
    ),
    "cube_not_public": (
        "cube",
        cube(dimensions=({"name": "secret", "sql": "secret", "type": "string", "public": False},)),
    ),
    "cube_private": ("cube", cube(measure("a", "sum", "amount", public=False))),
    "cube_join": (
        "cube",
        cube(
            orders={
                "joins": [
                    {"name": "customers", "relationship": "many_to_one", "sql": "{CUBE}.a > {customers.id}"}
                ]
            }
        ),
    ),
    "cube_measure_type": ("cube", cube(measure("a", "string", "MAX(x)"))),
    "cube_multi_stage": ("cube", cube(measure("a", "sum", "amount", multi_stage=True, group_by=["status"]))),
    "cube_calculated_filter": (
        "cube",
        cube(
            measure("r", "sum", "amount"),
            measure("a", "number", "{r} * 2", filters=[{"sql": "{CUBE}.x = 1"}]),
        ),
    ),
    "cube_other_cube": ("cube", cube(measure("a", "sum", "{customers.id} * 2"))),
    "cube_window": ("cube", cube(measure("a", "sum", "amount", rolling_window={"trailing": "2 hour"}))),
    "cube_shift_field": (
        "cube",
        cube(
            measure("r", "sum", "amount"),
            measure(
                "a", "number", "{r}", time_shift=[{"interval": "1 year", "time_dimension": "created_at"}]
            ),
        ),
    ),
    "cube_format": ("cube", cube(measure("a", "sum", "amount", format="imageUrl"))),
    "cube_view": ("cube", cube(views=[{"name": "v", "cubes": [{"join_path": "orders", "includes": "*"}]}])),
    "cube_view_path": (
        "cube",
        cube(views=[{"name": "v", "cubes": [{"join_path": "orders.planets", "includes": "*"}]}]),
    ),
}
ELSEWHERE = {"name_taken", "rests_on_draft"}


def test_every_row_of_the_table_has_a_case() -> None:
    assert set(CONSTRUCTS) == CASES.keys() | ELSEWHERE


@pytest.mark.parametrize("code", CASES)
def test_a_construct_that_is_not_kept_gets_its_line_with_its_place(code: str) -> None:
    kind, data = CASES[code]
    found = imported(kind, data)
    lines = [line for line in found.report.lines if line.code == code]
    assert lines, [(line.code, line.message) for line in found.report.lines]
    for line in lines:
        assert line.level == CONSTRUCTS[code].level
        assert re.search(r"document\.json:\d+:\d+$", line.place)
        assert line.name
        assert line.message.startswith(CONSTRUCTS[code].outcome)
    assert found.report.ok is not any(line.level == "error" for line in found.report.lines)


def test_a_name_the_project_has_is_not_taken_twice() -> None:
    present = """
datasets:
  - {name: planets, relation: planets, columns: [{name: revenue, type: integer}]}
dimensions:
  - {name: revenue, dataset: planets, column: revenue}
"""
    found = imported("dbt", dbt(), present=present)
    assert found.codes("error") == ["name_taken"]
    assert found.document.metrics == ()


def test_a_document_without_losses_has_no_line_of_a_loss() -> None:
    plain = ossie(aggregate("revenue", "SUM(orders.amount)"))
    found = imported("ossie", plain, owner="sales")
    assert set(found.codes()) == {"no_time_field"}
    assert found.report.ok
    assert isinstance(found.document, Document)


def test_a_metric_that_rests_on_a_draft_stays_one() -> None:
    owned = {"config": {"meta": {"owner": "finance"}}}
    data = dbt(simple("a"), metric("b", "ratio", numerator="a", denominator="a") | owned)
    found = imported("dbt", data, certify=True)
    assert found.metric("b")["status"] == "draft"
    assert "rests_on_draft" in found.codes("degraded")
    assert found.report.ok


def test_the_parts_of_a_metric_have_its_owner() -> None:
    owned = {"config": {"meta": {"owner": "finance"}}}
    part = {"name": "a", "filter": "{{ Dimension('order__is_gift') }}"}
    data = dbt(simple("a", **owned), metric("b", "ratio", numerator=part, denominator="a") | owned)
    found = imported("dbt", data, certify=True)
    assert found.report.certified == 3
    assert found.metric("b_numerator")["owner"] == "finance"


@pytest.mark.parametrize("section", ["entities", "dimensions", "measures"])
def test_a_name_used_twice_is_never_settled_silently(section: str) -> None:
    data = dbt()
    items = data["semantic_models"][0][section]  # type: ignore[index]
    items.append(dict(items[0]))
    assert imported("dbt", data).codes("error") == ["repeated"]


@pytest.mark.parametrize("key", ["dimensions", "measures"])
def test_a_member_of_a_cube_used_twice_is_reported(key: str) -> None:
    data = cube()
    items = data["cubes"][0][key]  # type: ignore[index]
    items.append(dict(items[0]))
    assert imported("cube", data).codes("error") == ["repeated"]
