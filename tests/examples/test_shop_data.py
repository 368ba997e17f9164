"""The demo shop: the same rows every time, with the traps that make a careless query wrong."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from gateway.demo.shop_data import write_shop
from gateway.engines.base import EngineError
from gateway.engines.duckdb_files import write_tables

EVENTS = 20_000
TABLES = ("customers", "events", "order_lines", "orders", "products", "support_tickets")


@pytest.fixture(scope="module")
def shop_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("shop") / "shop.duckdb"
    write_shop(path, events=EVENTS)
    return path


@pytest.fixture
def shop(shop_file: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(str(shop_file), read_only=True) as connection:
        yield connection


def one(shop: duckdb.DuckDBPyConnection, sql: str) -> tuple[object, ...]:
    row = shop.execute(sql).fetchone()
    assert row is not None
    return tuple(row)


def digests(path: Path) -> dict[str, object]:
    with duckdb.connect(str(path), read_only=True) as connection:
        return {
            table: one(
                connection, f"SELECT md5(string_agg(t::VARCHAR ORDER BY t::VARCHAR)) FROM {table} AS t"
            )
            for table in TABLES
        }


def test_the_same_rows_come_out_whatever_the_number_of_threads(shop_file: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.duckdb"
    sql = (Path(write_shop.__code__.co_filename).with_name("shop.sql")).read_text()
    write_tables(again, ["SET threads = 1", sql], {"event_rows": EVENTS})
    assert digests(again) == digests(shop_file)


def test_keys_are_unique_where_the_layer_says_so(shop: duckdb.DuckDBPyConnection) -> None:
    keys = {
        "customers": "customer_id",
        "events": "event_id",
        "order_lines": "order_line_id",
        "orders": "order_id",
        "products": "product_id",
        "support_tickets": "ticket_id",
    }
    for table, key in keys.items():
        total, distinct = one(shop, f"SELECT count(*), count(DISTINCT {key}) FROM {table}")
        assert total == distinct, table
    assert one(shop, "SELECT count(*) = count(DISTINCT email) FROM customers") == (True,)


def test_some_customers_have_no_region_and_some_orders_no_customer(shop: duckdb.DuckDBPyConnection) -> None:
    assert one(shop, "SELECT count(*) FROM customers WHERE region IS NULL") == (405,)
    assert one(shop, "SELECT count(*) FROM orders ANTI JOIN customers USING (customer_id)") == (397,)
    assert {*shop.execute("SELECT DISTINCT region FROM customers WHERE region IS NOT NULL").fetchall()} == {
        ("AMER",),
        ("APAC",),
        ("EMEA",),
    }


def test_a_month_has_no_order_at_all_and_its_neighbours_do(shop: duckdb.DuckDBPyConnection) -> None:
    months = shop.execute("SELECT DISTINCT strftime(order_date, '%Y-%m') FROM orders ORDER BY ALL").fetchall()
    names = [month for (month,) in months]
    assert "2025-06" not in names
    assert (names[0], names[-1], len(names)) == ("2024-02", "2026-10", 32)


def test_many_orders_share_a_shipping_fee_so_that_distinct_does_not_mend_a_join(
    shop: duckdb.DuckDBPyConnection,
) -> None:
    assert one(shop, "SELECT count(DISTINCT shipping_fee), count(*) FROM orders") == (5, 120_000)


def test_joining_fees_with_lines_inflates_them_visibly(shop: duckdb.DuckDBPyConnection) -> None:
    (true,) = one(shop, "SELECT sum(shipping_fee) FROM orders")
    (naive,) = one(shop, "SELECT sum(shipping_fee) FROM orders JOIN order_lines USING (order_id)")
    assert isinstance(true, Decimal)
    assert isinstance(naive, Decimal)
    assert naive > 2 * true


def test_some_orders_have_no_line_and_some_lines_no_product(shop: duckdb.DuckDBPyConnection) -> None:
    assert one(shop, "SELECT count(*) > 500 FROM orders ANTI JOIN order_lines USING (order_id)") == (True,)
    assert one(shop, "SELECT count(*) > 100 FROM order_lines WHERE product_id IS NULL") == (True,)
    assert one(shop, "SELECT count(*) FROM order_lines ANTI JOIN orders USING (order_id)") == (0,)


def test_line_amounts_are_exact_and_no_refund_is_larger_than_its_order(
    shop: duckdb.DuckDBPyConnection,
) -> None:
    inexact = "SELECT count(*) FROM order_lines WHERE amount <> quantity * unit_price - discount"
    assert one(shop, inexact) == (0,)
    (wrong,) = one(
        shop,
        """
        SELECT count(*) FROM orders
        LEFT JOIN (SELECT order_id, sum(amount) AS total FROM order_lines GROUP BY order_id) USING (order_id)
        WHERE refund_amount > 0 AND (total IS NULL OR refund_amount > total OR order_status = 'cancelled')
        """,
    )
    assert wrong == 0


def test_nobody_does_anything_before_signing_up(shop: duckdb.DuckDBPyConnection) -> None:
    for done in ("order_date FROM orders", "opened_at FROM support_tickets", "event_time FROM events"):
        rows = f"(SELECT customer_id, {done}) AS done(customer_id, moment) JOIN customers USING (customer_id)"
        assert one(shop, f"SELECT count(*) FROM {rows} WHERE moment::DATE < created_at::DATE") == (0,), done


def test_events_lie_in_the_order_of_their_time(shop: duckdb.DuckDBPyConnection) -> None:
    assert one(
        shop,
        """
        SELECT count(*), bool_and(event_time >= before) FROM
        (SELECT event_time, lag(event_time, 1, event_time) OVER (ORDER BY rowid) AS before FROM events)
        """,
    ) == (EVENTS, True)


def test_a_session_belongs_to_one_visitor(shop: duckdb.DuckDBPyConnection) -> None:
    (mixed,) = one(
        shop,
        """
        SELECT count(*) FROM (SELECT session_id FROM events GROUP BY session_id
        HAVING count(DISTINCT coalesce(customer_id, -1)) > 1)
        """,
    )
    assert mixed == 0


def test_the_quarter_of_the_tour_is_the_one_the_readme_tells(shop: duckdb.DuckDBPyConnection) -> None:
    rows = shop.execute(
        """
        WITH sold AS (
            SELECT region, date_trunc('month', order_date)::DATE AS month, sum(amount) AS gross
            FROM order_lines JOIN orders USING (order_id) LEFT JOIN customers USING (customer_id)
            WHERE order_status IN ('completed', 'returned') GROUP BY ALL
        ), back AS (
            SELECT region, date_trunc('month', order_date)::DATE AS month, sum(refund_amount) AS refunds
            FROM orders LEFT JOIN customers USING (customer_id) GROUP BY ALL
        )
        SELECT month::VARCHAR, gross - refunds FROM sold JOIN back USING (region, month)
        WHERE region = 'EMEA' AND month BETWEEN '2026-07-01' AND '2026-09-30' ORDER BY month
        """
    ).fetchall()
    assert [month for month, _ in rows] == ["2026-07-01", "2026-08-01", "2026-09-01"]
    readme = (Path(__file__).parents[2] / "examples" / "shop" / "README.md").read_text()
    assert all(f"{net:,.2f}" in readme for _, net in rows)


def test_a_failing_statement_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(EngineError) as failed:
        write_tables(tmp_path / "shop.duckdb", ["CREATE TABLE one AS SELECT 1", "SELECT * FROM two"])
    assert failed.value.code == "engine_not_written"
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_hold_the_file_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "var").write_text("a file")
    with pytest.raises(EngineError) as failed:
        write_tables(tmp_path / "var" / "shop.duckdb", ["SELECT 1"])
    assert failed.value.next_step


def test_a_variable_reaches_the_statements_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "said.duckdb"
    write_tables(path, ["CREATE TABLE said AS SELECT getvariable('who') AS who"], {"who": "O'Neil's; DROP"})
    with duckdb.connect(str(path), read_only=True) as connection:
        assert one(connection, "SELECT who FROM said") == ("O'Neil's; DROP",)
