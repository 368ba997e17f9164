"""The trap questions: each right against hand-written truth, or refused for the stated reason."""

from collections.abc import Iterator
from decimal import Decimal

import duckdb
import pytest

from metric_layer.compile import compile_plan
from metric_layer.layer import Layer
from metric_layer.load import load_text
from tests.metric_layer.trap_shop import (
    CLOCKS,
    DEFINITIONS,
    issues_of,
    resolved_of,
    rows_of,
    trap_layer,
    trap_tables,
)


@pytest.fixture(scope="module")
def layer() -> Layer:
    return trap_layer()


@pytest.fixture(scope="module")
def tables() -> Iterator[duckdb.DuckDBPyConnection]:
    connection = trap_tables()
    yield connection
    connection.close()


Question = tuple[dict[str, object], dict[str, str], str]
RIGHT: dict[str, Question] = {
    "q1 two grains in one row": (
        {"metrics": ["order_count", "gross"]},
        {},
        "SELECT (SELECT count(*) FROM orders), (SELECT sum(quantity * unit_price) FROM order_lines)",
    ),
    "q2 fan trap: fees per order beside amounts per line": (
        {"metrics": ["shipping", "gross"], "dimensions": ["buyer_region"]},
        {},
        """SELECT k.region, s.fee, g.gross FROM (VALUES ('north'), ('south'), (NULL)) k(region)
           LEFT JOIN (SELECT c.region, sum(shipping_fee) fee FROM orders o LEFT JOIN customers c USING
           (customer_id)
                      GROUP BY 1) s ON s.region IS NOT DISTINCT FROM k.region
           LEFT JOIN (SELECT c.region, sum(quantity * unit_price) gross FROM order_lines l JOIN orders o
           USING (order_id)
                      LEFT JOIN customers c ON c.customer_id = o.customer_id GROUP BY 1) g
                  ON g.region IS NOT DISTINCT FROM k.region""",
    ),
    "q3 chasm trap: two facts below one customer": (
        {"metrics": ["order_count", "tickets", "minutes"], "dimensions": ["region"]},
        {"region": "buyer"},
        """SELECT k.region, o.n, t.n, t.m FROM (VALUES ('north'), ('south'), ('west'), (NULL)) k(region)
           LEFT JOIN (SELECT c.region, count(*) n FROM orders o LEFT JOIN customers c USING (customer_id)
           GROUP BY 1) o
                  ON o.region IS NOT DISTINCT FROM k.region
           LEFT JOIN (SELECT c.region, count(*) n, sum(minutes) m FROM support_tickets t
                      LEFT JOIN customers c USING (customer_id) GROUP BY 1) t ON t.region IS NOT DISTINCT
                      FROM k.region""",
    ),
    "q4 net: two grains inside one expression": (
        {"metrics": ["net"], "dimensions": ["buyer_region"]},
        {},
        """SELECT region, sum(gross) - sum(refund) FROM (
             SELECT o.order_id, c.region, o.refund,
                    (SELECT sum(quantity * unit_price) FROM order_lines l WHERE l.order_id = o.order_id) gross
             FROM orders o LEFT JOIN customers c USING (customer_id)) GROUP BY 1""",
    ),
    "q5 a ratio over two grains": (
        {"metrics": ["aov"], "dimensions": ["buyer_region"]},
        {},
        """SELECT region, CAST(sum(gross) / count(*) AS DECIMAL(38, 10)) FROM (
             SELECT o.order_id, c.region,
                    (SELECT sum(quantity * unit_price) FROM order_lines l WHERE l.order_id = o.order_id) gross
             FROM orders o LEFT JOIN customers c USING (customer_id)) GROUP BY 1""",
    ),
    "q6 by region by month": (
        {
            "metrics": ["gross"],
            "dimensions": ["buyer_region"],
            "time": {"from": "2026-07-01", "to": "2026-09-30", "grain": "month"},
        },
        {},
        """SELECT CAST(date_trunc('month', o.order_date) AS DATE), c.region, sum(quantity * unit_price)
           FROM order_lines l LEFT JOIN orders o USING (order_id) LEFT JOIN customers c ON c.customer_id =
           o.customer_id
           GROUP BY 1, 2""",
    ),
    "q8 a filter on rows below counts each order once": (
        {
            "metrics": ["shipping"],
            "dimensions": ["buyer_region"],
            "filters": [{"field": "product", "op": "in", "values": ["lamp"]}],
        },
        {},
        """SELECT c.region, sum(shipping_fee) FROM orders o LEFT JOIN customers c USING (customer_id)
           WHERE o.order_id IN (SELECT order_id FROM order_lines JOIN products USING (product_id) WHERE
           product = 'lamp')
           GROUP BY 1""",
    ),
    "q9 two facts by month on a declared clock": (
        {
            "metrics": ["order_count", "tickets"],
            "time": {"field": "event_time", "from": "2026-07-01", "to": "2026-09-30", "grain": "month"},
        },
        {},
        """SELECT DATE '2026-07-01', 2, 2 UNION ALL SELECT DATE '2026-08-01', 3, 2
           UNION ALL SELECT DATE '2026-09-01', 2, 1""",
    ),
    "q10 distinct counts at their own grain beside a finer one": (
        {"metrics": ["buyers", "gross"], "dimensions": ["buyer_region"]},
        {},
        """SELECT c.region, count(DISTINCT o.customer_id), sum((SELECT sum(quantity * unit_price) FROM
        order_lines l
             WHERE l.order_id = o.order_id)) FROM orders o LEFT JOIN customers c USING (customer_id) GROUP
             BY 1""",
    ),
    "q11 an average of orders filtered by what is on their lines": (
        {"metrics": ["average_fee"], "filters": [{"field": "category", "op": "eq", "values": ["light"]}]},
        {},
        """SELECT CAST(avg(shipping_fee) AS DECIMAL(38, 10)) FROM orders WHERE order_id IN (
             SELECT order_id FROM order_lines JOIN products USING (product_id) WHERE category = 'light')""",
    ),
    "a filtered ratio": (
        {"metrics": ["completion_rate"], "dimensions": ["buyer_region"]},
        {},
        """SELECT region, CAST(CAST(nullif(count(*) FILTER (status = 'completed'), 0) AS DECIMAL(38, 10)) /
        count(*)
             AS DECIMAL(38, 10)) FROM orders LEFT JOIN customers USING (customer_id) GROUP BY 1""",
    ),
    "rows without a value stay when one value is taken out": (
        {"metrics": ["order_count"], "filters": [{"field": "status", "op": "ne", "values": ["completed"]}]},
        {},
        "SELECT 2",
    ),
    "two filters on the rows below have to meet on one row": (
        {
            "metrics": ["order_count"],
            "filters": [
                {"field": "product", "op": "eq", "values": ["lamp"]},
                {"field": "quantity", "op": "ge", "values": [10]},
            ],
        },
        {},
        "SELECT 0",
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_trap_question_gets_the_number_of_hand_written_sql(
    name: str, layer: Layer, tables: duckdb.DuckDBPyConnection
) -> None:
    plan, choices, truth = RIGHT[name]
    got = rows_of(plan, layer, tables, choices=choices)
    assert sorted(got, key=repr) == sorted(tables.execute(truth).fetchall(), key=repr)


REFUSED: dict[str, tuple[dict[str, object], str, str]] = {
    "q7 fees per order grouped by product": (
        {"metrics": ["shipping"], "dimensions": ["product"]},
        "fan_out_group",
        "orders to many order_lines (line_order), order_lines to products (line_product)",
    ),
    "q9 two clocks and none named": (
        {
            "metrics": ["order_count", "tickets"],
            "time": {"from": "2026-07-01", "to": "2026-09-30", "grain": "month"},
        },
        "ambiguous_clock",
        "tickets by opened_at",
    ),
    "q12 gross by ticket severity": (
        {"metrics": ["gross"], "dimensions": ["severity"]},
        "many_to_many",
        "customers to many support_tickets (ticket_customer)",
    ),
    "two foreign keys to one dimension": (
        {"metrics": ["order_count"], "dimensions": ["region"]},
        "ambiguous_path",
        "reaches region in 2 ways",
    ),
    "a negative filter on rows below": (
        {"metrics": ["shipping"], "filters": [{"field": "product", "op": "ne", "values": ["lamp"]}]},
        "fan_out_filter",
        "orders to many order_lines (line_order)",
    ),
    "a filter over a many-to-many way": (
        {"metrics": ["gross"], "filters": [{"field": "severity", "op": "eq", "values": ["high"]}]},
        "many_to_many",
        "customers to many support_tickets",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_trap_question_is_refused_for_its_reason_with_the_path_in_words(name: str) -> None:
    plan, code, words = REFUSED[name]
    layer = trap_layer(clocks="")
    issues = issues_of(plan, layer)
    assert [issue.code for issue in issues] == [code]
    assert words in issues[0].message
    assert issues[0].next_step


def test_the_naive_join_would_have_inflated_the_fees(tables: duckdb.DuckDBPyConnection, layer: Layer) -> None:
    naive = tables.execute(
        "SELECT sum(shipping_fee) FROM orders JOIN order_lines USING (order_id)"
    ).fetchone()
    assert naive is not None
    assert naive[0] > rows_of({"metrics": ["shipping"]}, layer, tables)[0][0]


def test_a_clock_that_covers_the_default_fields_is_used_and_said(layer: Layer) -> None:
    plan = {"metrics": ["order_count", "tickets"], "time": {"from": "2026-07-01", "to": "2026-09-30"}}
    resolved = resolved_of(plan, layer)
    assert resolved.notes == (
        "Time is counted for each metric by its own field: order_count by order_date, tickets by opened_at.",
    )


def test_the_options_of_an_ambiguous_path_settle_it(layer: Layer, tables: duckdb.DuckDBPyConnection) -> None:
    plan: dict[str, object] = {"metrics": ["order_count"], "dimensions": ["region"]}
    issue = issues_of(plan, layer)[0]
    assert [option.name for option in issue.options] == ["buyer", "payer"]
    settled = [rows_of(plan, layer, tables, choices={issue.term: option.name}) for option in issue.options]
    assert settled[0] == [("north", 3), ("south", 2), (None, 2)]
    assert settled[1] == [("north", 4), ("south", 2), (None, 1)]


def test_the_last_moment_of_the_last_day_is_inside_the_window(
    layer: Layer, tables: duckdb.DuckDBPyConnection
) -> None:
    july = {"metrics": ["tickets"], "time": {"from": "2026-07-01", "to": "2026-07-31"}}
    assert rows_of(july, layer, tables) == [(2,)]
    august = {"metrics": ["tickets"], "time": {"from": "2026-08-01", "to": "2026-08-01"}}
    assert rows_of(august, layer, tables) == [(1,)]


def test_a_money_ratio_and_a_money_average_stay_decimal(
    layer: Layer, tables: duckdb.DuckDBPyConnection
) -> None:
    row = rows_of({"metrics": ["aov", "average_fee", "shipping", "gross"]}, layer, tables)[0]
    assert all(isinstance(value, Decimal) for value in row), row


def test_division_by_zero_is_no_value(tables: duckdb.DuckDBPyConnection) -> None:
    layer = trap_layer(
        "  - {name: fee_per_refund, version: 1, owner: o, description: d, type: ratio, numerator: shipping,\n"
        "     denominator: refunds}\n"
    )
    plan: dict[str, object] = {"metrics": ["fee_per_refund"], "dimensions": ["buyer_region"]}
    assert rows_of(plan, layer, tables) == [
        ("north", Decimal("1.2000000000")),
        ("south", None),
        (None, Decimal("3.3333333333")),
    ]
    for dialect in ("duckdb", "postgres", "snowflake", "bigquery"):
        assert "NULLIF" in compile_plan(resolved_of(plan, layer), layer, dialect, 9).sql(dialect=dialect)


def test_arithmetic_keeps_its_brackets(tables: duckdb.DuckDBPyConnection) -> None:
    layer = trap_layer(
        "  - {name: nested, version: 1, owner: o, description: d, type: derived,\n"
        "     expression: (units - 2) * (order_count - (buyers - 1)) / -(1 + 1)}\n"
    )
    assert rows_of({"metrics": ["nested"]}, layer, tables) == [(Decimal((27 - 2) * (7 - (5 - 1))) / -2,)]


def test_two_clocks_over_one_fact_stay_two_windows(tables: duckdb.DuckDBPyConnection) -> None:
    text = (CLOCKS + DEFINITIONS).replace(
        "dimensions:\n",
        "dimensions:\n  - {name: paid_on, dataset: orders, column: paid_on}\n",
        1,
    )
    text = text.replace(
        "{name: refund, type: decimal}", "{name: refund, type: decimal}\n      - {name: paid_on, type: date}"
    )
    text = text.replace("fields: [order_date, opened_at]", "fields: [order_date, opened_at, paid_on]")
    layer = load_text(
        text + "  - {name: paid_orders, version: 1, owner: o, description: d, type: count, dataset: orders,\n"
        "     time_field: paid_on}\n"
    )
    tables.execute("ALTER TABLE orders ADD COLUMN IF NOT EXISTS paid_on DATE")
    tables.execute("UPDATE orders SET paid_on = DATE '2026-08-01' WHERE order_id IN (101, 102, 103)")
    july = {"from": "2026-07-01", "to": "2026-07-31"}
    assert rows_of({"metrics": ["order_count", "paid_orders"], "time": july}, layer, tables) == [(2, 0)]


def test_a_missing_part_is_no_value_unless_its_definition_says_zero(
    layer: Layer, tables: duckdb.DuckDBPyConnection
) -> None:
    plan = {"metrics": ["refunds", "refunds_or_zero", "tickets"], "dimensions": ["region"]}
    rows = {row[0]: row[1:] for row in rows_of(plan, layer, tables, choices={"region": "buyer"})}
    assert rows["west"] == (None, Decimal("0.00"), 2)


def test_a_filter_on_rows_below_is_said_in_the_notes(layer: Layer) -> None:
    plan = {"metrics": ["shipping"], "filters": [{"field": "product", "op": "eq", "values": ["lamp"]}]}
    assert (
        "each row of orders counts once if at least one of its order_lines rows"
        in resolved_of(plan, layer).notes[0]
    )


def test_a_difference_of_two_facts_adds_up_only_where_both_are_known(layer: Layer) -> None:
    found = resolved_of({"metrics": ["net", "gross"], "dimensions": ["buyer_region"]}, layer)
    assert {o.name: o.additivity for o in found.outputs if o.kind == "metric"} == {
        "net": "where_known",
        "gross": "additive",
    }
