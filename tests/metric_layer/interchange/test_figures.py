"""An imported metric gives the number that its own layer gives: hand-written SQL over the same rows."""

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import duckdb
import pytest

from metric_layer.compile import compile_plan
from metric_layer.interchange.importing import Format, import_file
from metric_layer.layer import Layer
from metric_layer.load import load_layer
from metric_layer.parse import parse_plan
from metric_layer.plan import MetricPlan
from metric_layer.resolve import resolve
from metric_layer.resolved import ResolvedPlan
from metric_layer.visible import Visible
from tests.metric_layer.interchange.imports import (
    Plain,
    aggregate,
    column,
    cube,
    dbt,
    measure,
    metric,
    ossie,
    simple,
)

ROWS = """
CREATE SCHEMA shop;
CREATE TABLE shop.customers (id VARCHAR, region VARCHAR);
INSERT INTO shop.customers VALUES ('c1', 'north'), ('c2', 'south'), ('c3', NULL);
CREATE TABLE shop.orders (order_id VARCHAR, id VARCHAR, customer_id VARCHAR, ordered_on TIMESTAMP,
  created_at TIMESTAMP, order_status VARCHAR, is_gift BOOLEAN, amount DECIMAL(10, 2));
INSERT INTO shop.orders VALUES
  ('1', '1', 'c1', '2026-07-01 09:00', '2026-07-01 09:00', 'done', TRUE, 10.00),
  ('2', '2', 'c1', '2026-07-31 23:59', '2026-07-31 23:59', 'void', FALSE, 20.50),
  ('3', '3', 'c2', '2026-08-15 00:00', '2026-08-15 00:00', NULL, NULL, 30.25),
  ('4', '4', 'c9', '2026-08-31 12:00', '2026-08-31 12:00', 'done', TRUE, NULL),
  ('5', '5', 'c3', '2026-09-30 18:00', '2026-09-30 18:00', 'done', FALSE, 5.25);
"""
STATUS = "{{ Dimension('order__order_status') }}"
GIFT = "{{ Dimension('order__is_gift') }}"
MANIFEST = dbt(
    simple("revenue"),
    simple("not_void", filter=f"{STATUS} <> 'void'"),
    simple("gifts", "gifts"),
    simple("north", filter="{{ Dimension('customer__region') }} = 'north' AND NOT " + GIFT),
    simple("buyers", "buyers"),
    metric("each", "ratio", numerator="revenue", denominator="buyers"),
    metric("kept", "derived", expr="not_void / NULLIF(revenue, 0)", metrics=["not_void", "revenue"]),
    orders={
        "measures": [
            {"name": "revenue", "agg": "sum", "expr": "amount"},
            {"name": "gifts", "agg": "sum_boolean", "expr": "is_gift"},
            {"name": "buyers", "agg": "count_distinct", "expr": "customer_id"},
        ]
    },
)
MODEL = cube(
    measure("revenue", "sum", "amount"),
    measure("not_void", "sum", "amount", filters=[{"sql": "{CUBE}.order_status <> 'void'"}]),
    measure("gifts", "count", filters=[{"sql": "{CUBE}.is_gift"}]),
    measure("late", "count", filters=[{"sql": "{CUBE}.created_at > '2026-08-15'"}]),
    measure("buyers", "count_distinct", "{CUBE}.customer_id"),
    measure("each", "number", "{revenue} / NULLIF({buyers}, 0)"),
)
OSSIE = ossie(
    aggregate("revenue", "SUM(orders.amount)"),
    aggregate("not_void", "SUM(amount) FILTER (WHERE order_status <> 'void')"),
    aggregate("each", "SUM(amount) / COUNT(DISTINCT orders.customer_id)"),
    fields=(column("order_status", "String"),),
)
SUM = "SELECT SUM(amount) FROM shop.orders"
BUYERS = "(SELECT COUNT(DISTINCT customer_id) FROM shop.orders)"
CASES: list[tuple[Format, Plain, str, str]] = [
    ("dbt", MANIFEST, "revenue", SUM),
    ("dbt", MANIFEST, "not_void", f"{SUM} WHERE order_status <> 'void'"),
    ("dbt", MANIFEST, "gifts", "SELECT SUM(CAST(is_gift AS INTEGER)) FROM shop.orders"),
    (
        "dbt",
        MANIFEST,
        "north",
        f"{SUM} o LEFT JOIN shop.customers c ON o.customer_id = c.id "
        "WHERE c.region = 'north' AND NOT o.is_gift",
    ),
    ("dbt", MANIFEST, "each", f"SELECT ({SUM}) / {BUYERS}"),
    ("dbt", MANIFEST, "kept", f"SELECT ({SUM} WHERE order_status <> 'void') / ({SUM})"),
    ("cube", MODEL, "revenue", SUM),
    ("cube", MODEL, "not_void", f"{SUM} WHERE order_status <> 'void'"),
    ("cube", MODEL, "gifts", "SELECT COUNT(*) FROM shop.orders WHERE is_gift"),
    ("cube", MODEL, "late", "SELECT COUNT(*) FROM shop.orders WHERE created_at > '2026-08-15'"),
    ("cube", MODEL, "each", f"SELECT ({SUM}) / {BUYERS}"),
    ("ossie", OSSIE, "revenue", SUM),
    ("ossie", OSSIE, "not_void", f"{SUM} WHERE order_status <> 'void'"),
    ("ossie", OSSIE, "each", f"SELECT ({SUM}) / {BUYERS}"),
]


@pytest.fixture(scope="module")
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as opened:
        opened.execute(ROWS)
        yield opened


@pytest.fixture(scope="module")
def layers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Layer]:
    found: dict[str, Layer] = {}
    documents: tuple[tuple[Format, Plain], ...] = (("dbt", MANIFEST), ("cube", MODEL), ("ossie", OSSIE))
    for kind, document in documents:
        folder: Path = tmp_path_factory.mktemp(kind)
        (folder / "document.json").write_text(json.dumps(document), encoding="utf-8")
        import_file(folder / "document.json", kind, folder / "metrics", "sales", certify=True)
        found[kind] = load_layer(folder / "metrics")
    return found


@pytest.mark.parametrize(("kind", "document", "name", "truth"), CASES, ids=[f"{c[0]}-{c[2]}" for c in CASES])
def test_the_number_is_that_of_hand_written_sql(
    kind: Format,
    document: Plain,
    name: str,
    truth: str,
    layers: dict[str, Layer],
    database: duckdb.DuckDBPyConnection,
) -> None:
    plan = parse_plan({"metrics": [name]})
    assert isinstance(plan, MetricPlan)
    found = resolve(
        plan, layers[kind], visible=Visible(), choices={}, today=date(2026, 11, 30), dialect="duckdb"
    )
    assert isinstance(found, ResolvedPlan), found
    sql = compile_plan(found, layers[kind], "duckdb", 100).sql(dialect="duckdb")
    [(value,)] = database.execute(sql).fetchall()
    [(expected,)] = database.execute(truth).fetchall()
    assert float(value) == pytest.approx(float(expected))
