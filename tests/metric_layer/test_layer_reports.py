"""Faults that users of other layers reported about figures, and what happens here instead."""

import duckdb
import pytest

from metric_layer.load import load_text
from tests.metric_layer.trap_shop import issues_of, resolved_of, rows_of

Plan = dict[str, object]

LAYER = """
datasets:
  - {name: orders, relation: main.orders, primary_key: [order_id], columns: [{name: order_id, type: integer},
     {name: amount, type: decimal}, {name: ordered_on, type: date}]}
  - {name: payments, relation: main.payments, primary_key: [payment_id],
     columns: [{name: payment_id, type: integer}, {name: order_id, type: integer},
     {name: method, type: string}, {name: cost, type: decimal}]}
  - {name: notes, relation: main.notes, primary_key: [note_id],
     columns: [{name: note_id, type: integer}, {name: order_id, type: integer},
     {name: urgent, type: boolean}]}
relationships:
  - {name: paid, from_dataset: payments, to_dataset: orders, from_columns: [order_id], to_columns: [order_id]}
  - {name: noted, from_dataset: notes, to_dataset: orders, from_columns: [order_id], to_columns: [order_id]}
dimensions:
  - {name: order, dataset: orders, column: order_id}
  - {name: method, dataset: payments, column: method}
  - {name: urgent, dataset: notes, column: urgent}
metrics:
  - {name: average_order, version: 1, owner: o, description: d, type: avg, dataset: orders, column: amount}
  - {name: cost, version: 1, owner: o, description: d, type: sum, dataset: payments, column: cost,
     label: 收入}
  - {name: note_count, version: 1, owner: o, description: d, type: count, dataset: notes, label: 支出}
  - {name: card_cost, version: 1, owner: o, description: d, type: filtered, metric: cost,
     filters: [{field: method, op: eq, values: [card]}]}
  - {name: cash_cost, version: 1, owner: o, description: d, type: filtered, metric: cost,
     filters: [{field: method, op: eq, values: [cash]}]}
  - {name: cash_cost_or_zero, version: 1, owner: o, description: d, type: filtered, metric: cost,
     filters: [{field: method, op: eq, values: [cash]}], null_as_zero: true}
  - {name: both_costs, version: 1, owner: o, description: d, type: derived, expression: card_cost + cash_cost}
  - {name: both_costs_or_zero, version: 1, owner: o, description: d, type: derived,
     expression: card_cost + cash_cost_or_zero}
"""
TABLES = """
CREATE TABLE orders (order_id INTEGER, amount DECIMAL(10, 2), ordered_on DATE);
INSERT INTO orders VALUES (1, 10, '2026-07-01'), (2, 90, '2026-07-02');
CREATE TABLE payments (payment_id INTEGER, order_id INTEGER, method VARCHAR, cost DECIMAL(10, 2));
INSERT INTO payments VALUES (1, 1, 'card', 40), (2, 1, 'card', 60), (3, 1, 'cash', 5), (4, 2, 'card', 10),
  (5, 2, NULL, 1);
CREATE TABLE notes (note_id INTEGER, order_id INTEGER, urgent BOOLEAN);
INSERT INTO notes VALUES (1, 1, true), (2, 1, false), (3, 1, NULL);
"""


@pytest.fixture(scope="module")
def tables() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(TABLES)
    return connection


def answer(tables: duckdb.DuckDBPyConnection, plan: Plan) -> list[tuple[object, ...]]:
    return rows_of(plan, load_text(LAYER), tables)


def test_an_average_is_not_weighted_by_rows_that_hang_below_it() -> None:
    """BR-002: grouped by payment method, each order's size would count once per payment."""
    found = issues_of({"metrics": ["average_order"], "dimensions": ["method"]}, load_text(LAYER))
    assert [issue.code for issue in found] == ["fan_out_group"]
    assert "paid" in found[0].message or "payments" in found[0].message


def test_two_facts_of_one_parent_are_not_multiplied(tables: duckdb.DuckDBPyConnection) -> None:
    """BR-005: costs joined to notes would be counted once per note."""
    plan: Plan = {"metrics": ["cost", "note_count"], "dimensions": ["order"]}
    assert answer(tables, plan) == [(1, 105, 3), (2, 11, None)]


def test_a_missing_part_of_a_sum_is_no_value_unless_its_definition_says_zero(
    tables: duckdb.DuckDBPyConnection,
) -> None:
    """BR-011: an order without cash payments must neither vanish nor take the other part with it unsaid."""
    plan: Plan = {"metrics": ["card_cost", "both_costs", "both_costs_or_zero"], "dimensions": ["order"]}
    assert answer(tables, plan) == [(1, 100, 105, 105), (2, 10, None, 10)]


def test_what_is_not_some_value_includes_what_has_none(tables: duckdb.DuckDBPyConnection) -> None:
    """BR-037: `not in` must not lose the rows without a value unsaid."""
    kept: Plan = {"metrics": ["cost"], "filters": [{"field": "method", "op": "not_in", "values": ["card"]}]}
    assert answer(tables, kept) == [(6,)]


@pytest.mark.parametrize("op", ["ne", "not_in"])
def test_what_is_not_true_is_false_or_missing(tables: duckdb.DuckDBPyConnection, op: str) -> None:
    """BR-041: a boolean that is not true must keep both the false and the missing ones."""
    plan: Plan = {"metrics": ["note_count"], "filters": [{"field": "urgent", "op": op, "values": [True]}]}
    assert answer(tables, plan) == [(2,)]


def test_names_of_columns_never_come_from_labels(tables: duckdb.DuckDBPyConnection) -> None:
    """BR-044: two labels of two letters in another script became one column."""
    plan: Plan = {"metrics": ["cost", "note_count"], "order": {"by": "cost"}}
    found = resolved_of(plan, load_text(LAYER))
    assert [output.label for output in found.outputs] == ["收入", "支出"]
    assert answer(tables, plan) == [(116, 3)]
