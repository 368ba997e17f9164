"""Six sets: what is written differently and means the same is the same; what differs is told by its set."""

import pytest

from metric_layer.sql.components import (
    Components,
    Unread,
    Warehouse,
    defined_tables,
    read_components,
    table_name,
    twin_key,
)

SHOP = Warehouse(
    "duckdb",
    {
        "orders": ("order_id", "customer_id", "day", "status", "amount"),
        "customers": ("customer_id", "name", "city"),
        "staff": ("id", "boss", "name"),
    },
    "main",
)


def read(sql: str) -> Components:
    found = read_components(sql, SHOP)
    assert isinstance(found, Components)
    return found


def six(sql: str) -> tuple[frozenset[str], ...]:
    found = read(sql)
    return (
        found.tables,
        found.columns,
        found.joins,
        found.filters,
        found.aggregations,
        found.group_by,
    )


SAME = {
    "aliases and column order": (
        "SELECT c.city, SUM(o.amount) FROM orders o "
        "JOIN customers c ON o.customer_id = c.customer_id GROUP BY c.city",
        "SELECT SUM(amount) AS t, x.city FROM customers x, orders "
        "WHERE orders.customer_id = x.customer_id GROUP BY 2",
    ),
    "USING, NATURAL and an EXISTS that equates": (
        "SELECT name FROM customers JOIN orders USING (customer_id)",
        "SELECT name FROM customers NATURAL JOIN orders",
    ),
    "IN over a query and a correlated EXISTS": (
        "SELECT name FROM customers "
        "WHERE customer_id IN (SELECT customer_id FROM orders WHERE status = 'paid')",
        "SELECT name FROM customers c WHERE EXISTS (SELECT 1 FROM orders o "
        "WHERE o.customer_id = c.customer_id AND o.status = 'paid')",
    ),
    "HAVING and WHERE on a derived aggregate": (
        "SELECT city, COUNT(*) FROM customers GROUP BY city HAVING COUNT(*) > 1",
        "WITH n AS (SELECT city, COUNT(1) AS k FROM customers GROUP BY ALL) "
        "SELECT city, k FROM n WHERE 1 < k",
    ),
    "BETWEEN, NOT pushed in and casts of literals": (
        "SELECT day FROM orders WHERE day BETWEEN '2026-01-01' AND '2026-01-31' "
        "AND NOT (amount < 5 OR status <> 'paid')",
        "SELECT day FROM orders WHERE day >= DATE '2026-01-01' AND '2026-01-31' >= day "
        "AND amount >= 5.0 AND (status = 'paid') AND 1 = 1",
    ),
    "IN and OR of equalities": (
        "SELECT day FROM orders WHERE status IN ('a', 'b') AND day IN ('x')",
        "SELECT day FROM orders WHERE (status = 'b' OR 'a' = status) AND day = 'x'",
    ),
    "stars, wrappers and pagination": (
        "SELECT * FROM customers",
        "SELECT * FROM (SELECT customer_id, name, city FROM main.customers) LIMIT 100 OFFSET 5",
    ),
    "a qualified star and its columns": (
        "SELECT c.* EXCLUDE (city) FROM customers c",
        "SELECT customer_id, name FROM customers",
    ),
    "grouping by position, alias and expression": (
        "SELECT date_trunc('month', day) AS m, COUNT(*) FROM orders GROUP BY m",
        "SELECT date_trunc('month', o.day), COUNT(*) FROM orders o GROUP BY 1",
    ),
    "branches of a union": (
        "SELECT name FROM customers UNION ALL SELECT name FROM staff",
        "SELECT name FROM staff UNION ALL SELECT name FROM customers",
    ),
    "FILTER with its condition turned": (
        "SELECT SUM(amount) FILTER (WHERE status = 'paid') FROM orders",
        "SELECT SUM(o.amount) FILTER (WHERE 'paid' = o.status) FROM orders AS o",
    ),
}


@pytest.mark.parametrize("pair", SAME.values(), ids=SAME.keys())
def test_two_spellings_of_one_query_have_the_same_six_sets(pair: tuple[str, str]) -> None:
    assert six(pair[0]) == six(pair[1])


DIFFERENT = {
    "tables": "SELECT city FROM customers, staff WHERE customers.city = 'x' GROUP BY city",
    "columns": "SELECT name FROM customers WHERE city = 'x' GROUP BY city",
    "filters": "SELECT city FROM customers WHERE city = 'y' GROUP BY city",
    "aggregations": "SELECT city, COUNT(*) FROM customers WHERE city = 'x' GROUP BY city",
    "group_by": "SELECT city FROM customers WHERE city = 'x' GROUP BY city, name",
    "joins": "SELECT c.city FROM customers c JOIN customers d ON c.name = d.name "
    "WHERE c.city = 'x' GROUP BY c.city",
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_a_difference_is_told_by_its_own_set_alone(name: str) -> None:
    base, other = read("SELECT city FROM customers WHERE city = 'x' GROUP BY city"), read(DIFFERENT[name])
    sets = ("tables", "columns", "joins", "filters", "aggregations", "group_by")
    assert [s for s in sets if getattr(base, s) != getattr(other, s)] == [name]


def test_anti_joins_and_left_joins_with_is_null_stay_filters() -> None:
    found = read("SELECT name FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders)")
    assert not found.joins and len(found.filters) == 1
    left = read(
        "SELECT name FROM customers c LEFT JOIN orders o ON o.customer_id = c.customer_id WHERE o.day IS NULL"
    )
    assert left.filters == {"orders.day IS NULL"}


def test_a_self_join_joins_two_instances_and_one_instance_is_a_filter() -> None:
    assert read("SELECT a.name FROM staff a JOIN staff b ON a.boss = b.id").joins == {"staff.boss = staff.id"}
    alone = read("SELECT name FROM staff WHERE boss = id")
    assert not alone.joins and alone.filters == {"staff.boss = staff.id"}


def test_a_cte_may_carry_the_name_of_the_table_it_reads() -> None:
    found = read("WITH orders AS (SELECT * FROM orders WHERE amount > 1) SELECT day FROM orders")
    assert (found.tables, found.origins) == (frozenset({"orders"}), ("orders.day",))


def test_a_recursive_cte_reads_its_tables_once_and_keeps_plain_origins() -> None:
    found = read(
        "WITH RECURSIVE up AS (SELECT id, 1 AS level FROM staff WHERE boss IS NULL UNION ALL "
        "SELECT s.id, level + 1 FROM staff s JOIN up ON s.boss = up.id) SELECT id, level FROM up"
    )
    assert found.tables == {"staff"} and found.joins == {"staff.boss = staff.id"}
    assert found.origins == ("staff.id", None)


def test_only_a_plain_column_has_an_origin() -> None:
    found = read(
        "SELECT customer_id, (city), upper(name), name::VARCHAR, n FROM customers "
        "JOIN (SELECT customer_id, COUNT(*) AS n FROM orders GROUP BY 1) AS o USING (customer_id)"
    )
    assert found.origins == ("customers.customer_id", "customers.city", None, None, None)


def test_a_union_has_an_origin_where_its_branches_agree_and_except_takes_the_left() -> None:
    assert read("SELECT city FROM customers UNION SELECT city FROM customers").origins == ("customers.city",)
    assert read("SELECT city FROM customers UNION SELECT name FROM staff").origins == (None,)
    assert read("SELECT city FROM customers EXCEPT SELECT name FROM staff").origins == ("customers.city",)


def test_columns_are_the_values_shown_and_window_clauses_show_none() -> None:
    found = read(
        "SELECT SUM(amount) OVER (PARTITION BY customer_id ORDER BY day), COUNT(*) OVER () FROM orders"
    )
    assert found.columns == {"orders.amount"}
    assert found.aggregations == {"sum(orders.amount) over", "count(*) over"}


def test_order_limit_and_distinct_are_in_no_set() -> None:
    assert six("SELECT DISTINCT city FROM customers ORDER BY name DESC LIMIT 3") == six(
        "SELECT city FROM customers"
    )


def test_table_functions_and_values_are_no_tables() -> None:
    found = read("SELECT v.x, i FROM (VALUES (1)) v(x), range(3) r(i), unnest([1]) u(y)")
    assert not found.tables and not found.columns and found.origins == (None, None)


def test_a_column_nobody_has_is_still_a_column_of_the_text() -> None:
    assert read("SELECT town FROM customers").columns == {"customers.town"}


@pytest.mark.parametrize(
    ("sql", "why"),
    [
        (None, Unread.MISSING),
        (" -- nothing", Unread.MISSING),
        ("SELECT FROM WHERE", Unread.UNPARSED),
        ("DROP TABLE orders", Unread.NOT_ONE_SELECT),
        ("SELECT 1; SELECT 2", Unread.NOT_ONE_SELECT),
    ],
)
def test_what_is_not_one_select_is_named(sql: str | None, why: Unread) -> None:
    assert read_components(sql, SHOP) is why


def test_twins_differ_in_case_space_and_comments_only() -> None:
    key = twin_key("select City from Customers where name = 'A'", "duckdb")
    assert key == twin_key("SELECT city -- where\n FROM customers WHERE NAME = 'A'", "duckdb")
    assert key != twin_key("SELECT city FROM customers WHERE name = 'a'", "duckdb")
    assert twin_key("SELECT FROM", "duckdb") is None


def test_offered_names_lose_case_quotes_and_the_default_schema() -> None:
    assert [table_name(name, "main") for name in ("main.Orders", '"ORDERS"', "erp.orders")] == [
        "orders",
        "orders",
        "erp.orders",
    ]


def test_only_definitions_define_tables() -> None:
    texts = [
        "CREATE TABLE main.Orders (id INT)",
        "SELECT * FROM customers",
        "CREATE VIEW v AS SELECT 1",
        "((",
    ]
    assert defined_tables(texts, "duckdb", "main") == {"orders", "v"}
