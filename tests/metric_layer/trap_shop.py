"""The trap tables: NULL regions, an orphan order, equal fees, an order without lines, two facts per
customer."""

from collections.abc import Mapping
from datetime import date

import duckdb

from metric_layer.compile import compile_plan
from metric_layer.issues import Issue
from metric_layer.layer import Layer
from metric_layer.load import load_text
from metric_layer.parse import parse_plan
from metric_layer.plan import MetricPlan
from metric_layer.resolve import resolve
from metric_layer.resolved import ResolvedPlan
from metric_layer.visible import Visible

TODAY = date(2026, 11, 30)

TABLES = """
CREATE TABLE customers (customer_id INTEGER, name VARCHAR, region VARCHAR);
INSERT INTO customers VALUES
  (1, 'Ines', 'north'), (2, 'Bo', 'north'), (3, 'Chidi', 'south'), (4, 'Dara', NULL), (5, 'Eero', 'west'),
  (6, 'Faye', 'east');
CREATE TABLE orders (
  order_id INTEGER, customer_id INTEGER, payer_id INTEGER, order_date DATE, status VARCHAR,
  shipping_fee DECIMAL(10, 2), refund DECIMAL(10, 2));
INSERT INTO orders VALUES
  (101, 1, 3, '2026-07-03', 'completed', 5.00, 0.00), (102, 1, 1, '2026-07-20', 'completed', 5.00, 12.50),
  (103, 2, 2, '2026-08-02', 'cancelled', 5.00, 0.00), (104, 3, 3, '2026-08-15', 'completed', 7.50, 0.00),
  (105, 4, 4, '2026-08-31', 'completed', 5.00, 3.00), (106, 99, 1, '2026-09-01', 'completed', 5.00, 0.00),
  (107, 3, 2, '2026-09-30', NULL, 7.50, 0.00);
CREATE TABLE products (product_id INTEGER, product VARCHAR, category VARCHAR);
INSERT INTO products VALUES (1, 'lamp', 'light'), (2, 'rug', 'textile'), (3, 'bulb', 'light'), (4, 'gift',
NULL);
CREATE TABLE order_lines (
  line_id INTEGER, order_id INTEGER, product_id INTEGER, quantity INTEGER, unit_price DECIMAL(10, 2));
INSERT INTO order_lines VALUES
  (1, 101, 1, 2, 30.00), (2, 101, 2, 1, 80.00), (3, 102, 1, 1, 30.00), (4, 102, 3, 4, 2.50), (5, 103, 2, 1,
  80.00),
  (6, 104, 1, 1, 30.00), (7, 104, 1, 2, 29.00), (8, 104, 3, 10, 2.50), (9, 105, 2, 1, 75.00), (10, 105, 4,
  1, NULL),
  (11, 106, 3, 3, 2.50);
CREATE TABLE support_tickets (
  ticket_id INTEGER, customer_id INTEGER, opened_at TIMESTAMP, severity VARCHAR, minutes INTEGER);
INSERT INTO support_tickets VALUES
  (1, 1, '2026-07-04 10:00:00', 'high', 30), (2, 1, '2026-07-31 23:59:59.5', 'low', 10),
  (3, 3, '2026-08-01 00:00:00', 'high', 45), (4, 5, '2026-09-30 18:30:00', 'low', 5),
  (5, 5, '2026-10-01 00:00:00', 'high', 20), (6, 2, '2026-08-02 08:00:00', 'low', NULL);
"""

DEFINITIONS = """
calendar: {fiscal_start_month: 2, time_zone: Europe/Berlin}
datasets:
  - name: customers
    relation: main.customers
    primary_key: [customer_id]
    columns:
      - {name: customer_id, type: integer, nullable: false}
      - {name: name, type: string}
      - {name: region, type: string}
  - name: orders
    relation: main.orders
    primary_key: [order_id]
    columns:
      - {name: order_id, type: integer, nullable: false}
      - {name: customer_id, type: integer}
      - {name: payer_id, type: integer}
      - {name: order_date, type: date}
      - {name: status, type: string}
      - {name: shipping_fee, type: decimal}
      - {name: refund, type: decimal}
  - name: products
    relation: main.products
    primary_key: [product_id]
    columns:
      - {name: product_id, type: integer, nullable: false}
      - {name: product, type: string}
      - {name: category, type: string}
  - name: order_lines
    relation: main.order_lines
    primary_key: [line_id]
    columns:
      - {name: line_id, type: integer, nullable: false}
      - {name: order_id, type: integer}
      - {name: product_id, type: integer}
      - {name: quantity, type: integer}
      - {name: unit_price, type: decimal}
  - name: support_tickets
    relation: main.support_tickets
    primary_key: [ticket_id]
    columns:
      - {name: ticket_id, type: integer, nullable: false}
      - {name: customer_id, type: integer}
      - {name: opened_at, type: timestamp}
      - {name: severity, type: string}
      - {name: minutes, type: integer}
relationships:
  - {name: buyer, from_dataset: orders, to_dataset: customers, from_columns: [customer_id],
     to_columns: [customer_id],
     role: who ordered}
  - {name: payer, from_dataset: orders, to_dataset: customers, from_columns: [payer_id],
     to_columns: [customer_id],
     role: who paid}
  - {name: line_order, from_dataset: order_lines, to_dataset: orders, from_columns: [order_id],
     to_columns: [order_id]}
  - {name: line_product, from_dataset: order_lines, to_dataset: products, from_columns: [product_id],
     to_columns: [product_id]}
  - {name: ticket_customer, from_dataset: support_tickets, to_dataset: customers, from_columns: [customer_id],
     to_columns: [customer_id]}
dimensions:
  - {name: buyer_region, dataset: customers, column: region, via: [buyer]}
  - {name: payer_region, dataset: customers, column: region, via: [payer]}
  - {name: region, dataset: customers, column: region, label: Region, synonyms: [area]}
  - {name: customer_name, dataset: customers, column: name}
  - {name: order_date, dataset: orders, column: order_date}
  - {name: status, dataset: orders, column: status}
  - {name: shipping_fee, dataset: orders, column: shipping_fee}
  - {name: product, dataset: products, column: product}
  - {name: category, dataset: products, column: category}
  - {name: quantity, dataset: order_lines, column: quantity}
  - {name: opened_at, dataset: support_tickets, column: opened_at}
  - {name: severity, dataset: support_tickets, column: severity}
metrics:
  - {name: order_count, version: 1, owner: sales, description: Orders placed., type: count, dataset: orders,
     time_field: order_date}
  - {name: gross, version: 3, owner: sales, description: Line amounts., type: sum, dataset: order_lines,
     expression: quantity * unit_price, unit: EUR, time_field: order_date, synonyms: [turnover]}
  - {name: units, version: 1, owner: sales, description: Pieces sold., type: sum, dataset: order_lines,
     column: quantity, time_field: order_date}
  - {name: shipping, version: 1, owner: sales, description: Shipping fees per order., type: sum,
     dataset: orders,
     column: shipping_fee, unit: EUR, time_field: order_date}
  - {name: refunds, version: 1, owner: sales, description: Refunds per order., type: sum, dataset: orders,
     column: refund, unit: EUR, time_field: order_date}
  - {name: net, version: 2, owner: sales, description: Gross less refunds., type: derived,
     expression: gross - refunds, unit: EUR}
  - {name: aov, version: 1, owner: sales, description: Gross per order., type: ratio, numerator: gross,
     denominator: order_count, unit: EUR}
  - {name: completed_orders, version: 1, owner: sales, description: Orders completed., type: filtered,
     metric: order_count, filters: [{field: status, op: in, values: [completed]}]}
  - {name: completion_rate, version: 1, owner: sales, description: Share of orders completed., type: ratio,
     numerator: completed_orders, denominator: order_count}
  - {name: buyers, version: 1, owner: sales, description: Distinct customers that ordered.,
     type: count_distinct,
     dataset: orders, column: customer_id, time_field: order_date}
  - {name: average_fee, version: 1, owner: sales, description: Mean shipping fee., type: avg, dataset: orders,
     column: shipping_fee, unit: EUR, time_field: order_date}
  - {name: largest_line, version: 1, owner: sales, description: Largest line amount., type: max,
     dataset: order_lines, expression: quantity * unit_price, unit: EUR, time_field: order_date}
  - {name: refunds_or_zero, version: 1, owner: sales, description: Refunds counted as zero., type: sum,
     dataset: orders, column: refund, unit: EUR, time_field: order_date, null_as_zero: true}
  - {name: tickets, version: 1, owner: care, description: Tickets opened., type: count,
     dataset: support_tickets,
     time_field: opened_at}
  - {name: minutes, version: 1, owner: care, description: Minutes spent., type: sum, dataset: support_tickets,
     column: minutes, time_field: opened_at}
"""

CLOCKS = """
clocks:
  - {name: event_time, fields: [order_date, opened_at],
     description: orders by order date and tickets by opening}
"""


def trap_layer(extra: str = "", *, clocks: str = CLOCKS) -> Layer:
    """Load the definitions; `extra` is appended to the metrics."""
    return load_text(clocks + DEFINITIONS + extra)


def trap_tables() -> duckdb.DuckDBPyConnection:
    """Return a database in memory with the trap tables."""
    connection = duckdb.connect()
    connection.execute(TABLES)
    return connection


def plan_of(raw: Mapping[str, object]) -> MetricPlan:
    """Parse a plan that has to be well formed."""
    plan = parse_plan(raw)
    assert isinstance(plan, MetricPlan), plan
    return plan


def resolved_of(
    raw: Mapping[str, object],
    layer: Layer,
    *,
    choices: Mapping[str, str] | None = None,
    visible: Visible | None = None,
) -> ResolvedPlan:
    """Resolve a plan that has to resolve."""
    found = resolve(plan_of(raw), layer, visible=visible or Visible(), choices=choices or {}, today=TODAY)
    assert isinstance(found, ResolvedPlan), found
    return found


def issues_of(
    raw: Mapping[str, object],
    layer: Layer,
    *,
    choices: Mapping[str, str] | None = None,
    visible: Visible | None = None,
) -> tuple[Issue, ...]:
    """Resolve a plan that must not resolve."""
    found = resolve(plan_of(raw), layer, visible=visible or Visible(), choices=choices or {}, today=TODAY)
    assert isinstance(found, tuple), found
    return found


def rows_of(
    raw: Mapping[str, object],
    layer: Layer,
    tables: duckdb.DuckDBPyConnection,
    *,
    choices: Mapping[str, str] | None = None,
) -> list[tuple[object, ...]]:
    """Resolve, compile and run a plan on DuckDB."""
    resolved = resolved_of(raw, layer, choices=choices)
    sql = compile_plan(resolved, layer, "duckdb", 1000).sql(dialect="duckdb")
    return tables.execute(sql).fetchall()
