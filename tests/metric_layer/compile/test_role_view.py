"""A role's view keeps the rows its rules keep: no NULLs, no orphans, no second meaning."""

import duckdb
import pytest

from metric_layer.compile import Mask, compile_role_view
from metric_layer.load import LayerInvalid, load_text
from metric_layer.plan import Filter
from tests.metric_layer.ledger import ledger
from tests.metric_layer.trap_shop import CLOCKS, DEFINITIONS, trap_layer, trap_tables

NORTH = Filter(field="buyer_region", op="in", values=("north",))


@pytest.fixture(scope="module")
def tables() -> duckdb.DuckDBPyConnection:
    return trap_tables()


def seen(tables: duckdb.DuckDBPyConnection, dataset: str, column: str, *rules: Filter) -> list[object]:
    sql = compile_role_view(trap_layer(), dataset, [column], rules, "duckdb")
    return sorted(row[0] for row in tables.execute(sql.replace("{source}", "memory")).fetchall())


@pytest.mark.parametrize(
    ("dataset", "column", "rows"),
    [
        ("customers", "customer_id", [1, 2]),
        ("orders", "order_id", [101, 102, 103]),
        ("order_lines", "line_id", [1, 2, 3, 4, 5]),
        ("products", "product_id", [1, 2, 3, 4]),
    ],
)
def test_a_rule_restricts_every_dataset_that_reaches_its_dimension(
    tables: duckdb.DuckDBPyConnection, dataset: str, column: str, rows: list[int]
) -> None:
    assert seen(tables, dataset, column, NORTH) == rows


def test_a_rule_that_excludes_a_value_shows_no_row_without_one(tables: duckdb.DuckDBPyConnection) -> None:
    not_south = Filter(field="buyer_region", op="not_in", values=("south",))
    assert seen(tables, "orders", "order_id", not_south) == [101, 102, 103]
    assert seen(tables, "customers", "customer_id", not_south) == [1, 2, 5, 6]


def test_several_rules_all_hold(tables: duckdb.DuckDBPyConnection) -> None:
    completed = Filter(field="status", op="eq", values=("completed",))
    assert seen(tables, "order_lines", "line_id", NORTH, completed) == [1, 2, 3, 4]


def test_only_the_allowed_columns_are_selected_and_the_source_stays_a_placeholder() -> None:
    sql = compile_role_view(trap_layer(), "orders", ["order_id", "status"], [NORTH], "duckdb")
    assert sql == (
        'SELECT "orders"."order_id" AS "order_id", "orders"."status" AS "status" '
        'FROM {source}."main"."orders" AS "orders" WHERE EXISTS(SELECT 1 '
        'FROM {source}."main"."customers" AS "customers" '
        'WHERE "orders"."customer_id" = "customers"."customer_id" AND "customers"."region" IN (\'north\'))'
    )


TICKET_REGION = """
  - {name: ticket_region, dataset: customers, column: region, via: [ticket_customer]}"""


def test_a_rule_that_would_leave_a_dataset_open_makes_no_view(tables: duckdb.DuckDBPyConnection) -> None:
    layer = load_text((CLOCKS + DEFINITIONS).replace("dimensions:", "dimensions:" + TICKET_REGION, 1))
    with pytest.raises(LayerInvalid) as caught:
        compile_role_view(layer, "support_tickets", ["ticket_id"], [NORTH], "duckdb")
    assert [issue.code for issue in caught.value.issues] == ["rule_left_open"]
    tickets = Filter(field="ticket_region", op="in", values=("north",))
    for dataset, column, count in (("support_tickets", "ticket_id", 3), ("orders", "order_id", 3)):
        sql = compile_role_view(layer, dataset, [column], [NORTH, tickets], "duckdb")
        assert len(tables.execute(sql.replace("{source}", "memory")).fetchall()) == count


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        (Filter(field="region", op="in", values=("north",)), "ambiguous_path"),
        (Filter(field="regon", op="in", values=("north",)), "unknown_dimension"),
        (Filter(field="buyer_region", op="in", values=(1,)), "wrong_type"),
    ],
)
def test_a_rule_without_one_meaning_makes_no_view(rule: Filter, code: str) -> None:
    with pytest.raises(LayerInvalid) as caught:
        compile_role_view(trap_layer(), "orders", ["order_id"], [rule], "duckdb")
    assert [issue.code for issue in caught.value.issues] == [code]


def test_a_value_cannot_leave_its_quotes(tables: duckdb.DuckDBPyConnection) -> None:
    sly = Filter(field="buyer_region", op="in", values=("x') OR ('1'='1",))
    assert seen(tables, "orders", "order_id", sly) == []


def test_a_masked_column_is_a_text_wherever_it_has_a_value_and_rules_still_see_it(
    tables: duckdb.DuckDBPyConnection,
) -> None:
    columns, north = ["customer_id", "region"], [NORTH]
    sql = compile_role_view(
        trap_layer(), "customers", columns, north, "duckdb", {"region": Mask("hide", "***")}
    )
    assert sorted(tables.execute(sql.replace("{source}", "memory")).fetchall()) == [(1, "***"), (2, "***")]
    open_sql = compile_role_view(
        trap_layer(), "customers", ["region"], [], "duckdb", {"region": Mask("hide", "***")}
    )
    clear = tables.execute("SELECT region FROM customers").fetchall()
    seen_now = tables.execute(open_sql.replace("{source}", "memory")).fetchall()
    assert sorted(map(str, seen_now)) == sorted(str((region and "***",)) for (region,) in clear)


def test_a_rule_on_moments_names_days_of_the_layers_zone() -> None:
    layer = ledger()
    for dialect in ("duckdb", "postgres", "snowflake", "bigquery"):
        for field, bound in (
            ("seen_at", "'2026-03-28 19:00:00'"),
            ("visited_at", "'2026-03-28 23:00:00+00:00'"),
        ):
            rule = Filter(field=field, op="ge", values=("2026-03-29",))
            assert bound in compile_role_view(layer, "visits", ["page"], [rule], dialect)
