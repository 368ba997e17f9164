"""Apache Ossie documents of all three shapes become the definitions that mean the same."""

from decimal import Decimal

import pytest

from metric_layer.interchange.reading import ForeignUnreadable
from tests.metric_layer.interchange.imports import Plain, aggregate, ansi, column, imported, ossie


def facts(found: Plain) -> Plain:
    """What a metric says but for its head."""
    head = ("name", "version", "owner", "status", "description", "label")
    return {key: value for key, value in found.items() if key not in head}


def wrapped(version: str, *metrics: Plain, **more: object) -> Plain:
    model = ossie(*metrics)
    return {
        "version": version,
        "semantic_model": [{k: v for k, v in model.items() if k != "version"}],
        **more,
    }


def without_datatypes(document: Plain) -> Plain:
    for model in document["semantic_model"]:  # type: ignore[attr-defined]
        for dataset in model["datasets"]:
            for field in dataset["fields"]:
                field.pop("datatype", None)
    return document


def test_the_wrapped_and_the_flat_shape_say_the_same() -> None:
    flat = imported("ossie", ossie()).document
    early = imported("ossie", wrapped("0.2.0.dev0")).document
    assert flat == early
    assert flat.metrics


def test_the_first_version_has_no_types_so_they_are_told_by_use_or_assumed() -> None:
    document = without_datatypes(wrapped("0.1.1", dialects=["ANSI_SQL"], vendors=["DBT"]))
    found = imported("ossie", document)
    types = {each.name: each.type for each in found.document.datasets[0].columns}
    assert types == {
        "order_id": "string",
        "customer_id": "string",
        "amount": "decimal",
        "ordered_on": "timestamp",
    }
    assert "type_assumed" in found.codes("degraded")


@pytest.mark.parametrize("version", ["", "0.3.0", "2"])
def test_a_version_that_is_not_known_is_not_read(version: str) -> None:
    with pytest.raises(ForeignUnreadable) as fault:
        imported("ossie", ossie() | {"version": version})
    assert fault.value.issues[0].code == "wrong_document"


def test_datasets_keys_types_and_joins_are_kept() -> None:
    found = imported(
        "ossie", ossie(orders={"unique_keys": [["order_id", "customer_id"]], "description": "Orders."})
    )
    assert found.dataset("orders") == {
        "name": "orders",
        "relation": "shop.orders",
        "description": "Orders.",
        "primary_key": ("order_id",),
        "unique_keys": (("order_id", "customer_id"),),
        "columns": (
            {"name": "order_id", "type": "integer", "nullable": False},
            {"name": "customer_id", "type": "integer"},
            {"name": "amount", "type": "decimal"},
            {"name": "ordered_on", "type": "date"},
        ),
    }
    [edge] = found.document.relationships
    assert (edge.name, edge.from_columns, edge.to_columns) == (
        "orders_to_customers",
        ("customer_id",),
        ("id",),
    )


def test_a_dimension_is_a_field_that_says_so() -> None:
    said = column(
        "Order Status",
        "String",
        "orders.status",
        dimension={},
        label="Status",
        ai_context={"synonyms": ["state"]},
    )
    found = imported("ossie", ossie(fields=(said,)))
    assert found.dimension("order_status") == {
        "name": "order_status",
        "dataset": "orders",
        "column": "status",
        "label": "Status",
        "synonyms": ("state",),
    }
    assert {each.name for each in found.document.dimensions} == {"ordered_on", "region", "order_status"}


@pytest.mark.parametrize(
    ("sql", "becomes"),
    [
        ("SUM(orders.amount)", {"type": "sum", "column": "amount"}),
        ("sum( amount )", {"type": "sum", "column": "amount"}),
        ("AVG(orders.amount * 2)", {"type": "avg", "expression": "amount * 2"}),
        ("COUNT(orders.order_id)", {"type": "count", "column": "order_id"}),
        ("COUNT(DISTINCT orders.customer_id)", {"type": "count_distinct", "column": "customer_id"}),
        ("APPROX_COUNT_DISTINCT(customer_id)", {"type": "approx_count_distinct", "column": "customer_id"}),
        ("COALESCE(SUM(orders.amount), 0)", {"type": "sum", "column": "amount", "null_as_zero": True}),
        ("MEDIAN(amount)", {"type": "median", "column": "amount"}),
        ("PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY amount)", {"type": "median", "column": "amount"}),
        (
            "PERCENTILE_DISC(0.9) WITHIN GROUP (ORDER BY orders.amount)",
            {"type": "percentile", "column": "amount", "percentile": Decimal("0.9")},
        ),
        (
            "SUM(orders.amount) FILTER (WHERE orders.customer_id > 3)",
            {"type": "sum", "expression": "CASE WHEN customer_id > 3 THEN amount END"},
        ),
        ("SUM(orders.doubled)", {"type": "sum", "expression": "(amount * 2)"}),
        ("SUM(orders.total)", {"type": "sum", "column": "amount"}),
    ],
)
def test_one_aggregate_becomes_one(sql: str, becomes: Plain) -> None:
    fields = (column("doubled", "Decimal", "orders.amount * 2"), column("total", "Decimal", "orders.amount"))
    found = imported("ossie", ossie(aggregate("m", sql), fields=fields))
    assert found.report.ok, found.report.lines
    assert facts(found.metric("m")) == {"dataset": "orders", **becomes}


def test_arithmetic_over_aggregates_uses_metrics_that_are_there_and_adds_the_others() -> None:
    found = imported(
        "ossie",
        ossie(
            aggregate("each", "SUM(orders.amount) / NULLIF(COUNT(DISTINCT customers.id), 0)"),
            aggregate("share", "100.0 * SUM(orders.amount) / (SUM(orders.amount) + MAX(orders.amount))"),
            aggregate("revenue", "SUM(orders.amount)"),
        ),
    )
    assert facts(found.metric("each")) == {
        "type": "ratio",
        "numerator": "revenue",
        "denominator": "each_part_2",
    }
    assert found.metric("each_part_2")["dataset"] == "customers"
    assert found.metric("share")["expression"] == "100.0 * revenue / (revenue + share_part_2)"


@pytest.mark.parametrize(
    "sql",
    [
        "SUM(SUM(amount))",
        "SUM(amount) OVER ()",
        "amount",
        "1 + 1",
        "SUM(DISTINCT amount)",
        "COUNT(DISTINCT order_id, customer_id)",
        "STRING_AGG(region, ',')",
        "ROUND(SUM(amount), 2)",
        "SUM(amount) + amount",
        "SUM((SELECT 1))",
        "SELECT SUM(amount) FROM orders",
        "SUM(amount); DROP TABLE orders",
        "PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY amount)",
        "PERCENTILE_DISC(0.9) WITHIN GROUP (ORDER BY amount DESC)",
        "CELLBOUND_REQUIRES('snapshot')",
        "SUM(amount",
        "(" * 400,
        "SUM(" + "amount + " * 2000 + "1)",
    ],
)
def test_sql_that_is_no_arithmetic_over_aggregates_refuses_the_metric(sql: str) -> None:
    found = imported("ossie", ossie(aggregate("m", sql)))
    assert found.document.metrics == ()
    assert found.codes("error")


def test_a_source_written_as_an_object_is_read_unless_it_is_a_query() -> None:
    table = ossie(orders={"source": {"kind": "table", "object": "shop.orders"}})
    assert imported("ossie", table).dataset("orders")["relation"] == "shop.orders"
    query = ossie(orders={"source": {"kind": "query", "object": ansi("SELECT 1")}})
    assert "ossie_query" in imported("ossie", query).codes("error")


def test_several_models_of_one_document_are_read_together() -> None:
    other = {
        "name": "b",
        "datasets": [{"name": "planets", "source": "planets", "fields": [column("mass", "Float")]}],
    }
    document = wrapped("0.2.0.dev0")
    document["semantic_model"].append(other | {"metrics": [aggregate("mass", "SUM(mass)")]})  # type: ignore[attr-defined]
    found = imported("ossie", document)
    assert found.metric("mass")["dataset"] == "planets"
    assert found.metric("revenue")["dataset"] == "orders"
