"""What `probe` proves of a role with its users' own logins, and that each broken promise is named."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from gateway.engines.base import Relation, RoleScope
from policies.mask import MASK
from tests.gateway.engines.warehouse import GATEWAY, MEMBERS, Warehouse

pytestmark = pytest.mark.engine("postgres")

NORTH = """"region" = 'north'"""
CLERK = RoleScope(
    role="clerk",
    relations=(
        Relation(
            name="orders",
            select=f'SELECT "order_id", "amount", "region" FROM {{source}}."public"."orders" WHERE {NORTH}',
            columns=("order_id", "amount", "region"),
            probe="SELECT count(*) FROM orders WHERE region IS DISTINCT FROM 'north'",
        ),
    ),
    digest="c",
)
SELLER = RoleScope(
    role="seller",
    relations=(
        Relation(
            name="sales",
            select='SELECT "sale_id", "rep", "amt" FROM {source}."public"."sales"',
            columns=("sale_id", "rep", "amt"),
        ),
    ),
    digest="s",
)


@contextmanager
def changed(warehouse: Warehouse, change: str, back: str) -> Iterator[None]:
    """Change the database for the block."""
    warehouse.execute(change)
    try:
        yield
    finally:
        warehouse.execute(back)


def test_probe_finds_nothing_wrong_with_a_right_database(warehouse: Warehouse, switched: Warehouse) -> None:
    assert warehouse.engine().probe(CLERK) == ()
    assert warehouse.engine().probe(SELLER) == ()
    sellers = {"seller": MEMBERS["seller"]}
    assert switched.engine(login=GATEWAY, members=sellers).probe(SELLER) == ()


@pytest.mark.parametrize(
    ("change", "back", "said"),
    [
        (
            "GRANT SELECT (customer_id) ON orders TO carl",
            "REVOKE SELECT (customer_id) ON orders FROM carl",
            "orders, as carl: shows columns that the role may not see: customer_id",
        ),
        (
            "REVOKE SELECT (amount) ON orders FROM carl",
            "GRANT SELECT (amount) ON orders TO carl",
            "orders, as carl: does not show columns that the role may see: amount",
        ),
        (
            "ALTER TABLE orders DISABLE ROW LEVEL SECURITY",
            "ALTER TABLE orders ENABLE ROW LEVEL SECURITY",
            "orders, as carl: 20000 rows break the row rule",
        ),
        (
            "ALTER POLICY north ON orders USING (region IS NOT NULL)",
            "ALTER POLICY north ON orders USING (region = 'north')",
            "orders, as carl: 10000 rows break the row rule",
        ),
        (
            "GRANT UPDATE (amount) ON orders TO carl",
            "REVOKE UPDATE (amount) ON orders FROM carl",
            "carl may write to public.orders",
        ),
        (
            "GRANT TRUNCATE ON salaries TO PUBLIC",
            "REVOKE TRUNCATE ON salaries FROM PUBLIC",
            "carl may write to public.salaries",
        ),
        (
            "GRANT CREATE ON SCHEMA public TO carl",
            "REVOKE CREATE ON SCHEMA public FROM carl",
            "carl may create objects in schema public",
        ),
        (
            "GRANT CREATE ON DATABASE shop TO carl",
            "REVOKE CREATE ON DATABASE shop FROM carl",
            "carl may create schemas",
        ),
        ("GRANT bob TO carl", "REVOKE bob FROM carl", "carl is a member of bob, another asker"),
        ("ALTER ROLE carl BYPASSRLS", "ALTER ROLE carl NOBYPASSRLS", "carl cannot be tried"),
        ("ALTER ROLE carl NOLOGIN", "ALTER ROLE carl LOGIN", "carl cannot be tried"),
        (
            "ALTER TABLE orders RENAME TO moved",
            "ALTER TABLE moved RENAME TO orders",
            "orders, as carl: does not show columns that the role may see: amount, order_id, region",
        ),
    ],
)
def test_probe_names_each_broken_promise(warehouse: Warehouse, change: str, back: str, said: str) -> None:
    with changed(warehouse, change, back):
        found = warehouse.engine().probe(CLERK)
    assert [fault for fault in found if fault.startswith(f"clerk: {said}")], found
    assert warehouse.engine().probe(CLERK) == ()


def test_a_view_that_reads_past_a_row_policy_is_named(warehouse: Warehouse) -> None:
    view = Relation("seen", 'SELECT "rep" FROM {source}."public"."seen"', ("rep",))
    scope = replace(SELLER, relations=(view,))
    made = "CREATE VIEW seen {with_} AS SELECT rep FROM sales; GRANT SELECT ON seen TO alice, bob"
    with changed(warehouse, made.replace("{with_}", ""), "DROP VIEW seen"):
        found = warehouse.engine().probe(scope)
    assert len(found) == 2
    assert all("sales past its row policy" in fault for fault in found)
    with changed(warehouse, made.replace("{with_}", "WITH (security_invoker = true)"), "DROP VIEW seen"):
        assert warehouse.engine().probe(scope) == ()


def test_an_owner_whom_the_row_policy_does_not_bind_is_named(warehouse: Warehouse) -> None:
    mine = Relation("mine", 'SELECT "rep" FROM {source}."public"."mine"', ("rep",))
    made = """
        CREATE TABLE mine (rep text); ALTER TABLE mine ENABLE ROW LEVEL SECURITY;
        ALTER TABLE mine OWNER TO alice; GRANT SELECT ON mine TO bob
    """
    with changed(warehouse, made, "DROP TABLE mine"):
        found = warehouse.engine().probe(replace(SELLER, relations=(mine,)))
    assert any("does not bind its owner" in fault and "as alice" in fault for fault in found)
    assert not any("as bob" in fault for fault in found)


def test_a_masked_column_has_to_come_masked_from_the_database(warehouse: Warehouse) -> None:
    masked = f"CASE WHEN \"email\" IS NULL THEN NULL ELSE '{MASK}' END"
    select = f'SELECT "customer_id", {masked} AS "email" FROM {{source}}."public"."contacts" AS "contacts"'
    scope = RoleScope("clerk", (Relation("contacts", select, ("customer_id", "email")),), "c")
    made = "CREATE VIEW contacts AS SELECT customer_id, {email} AS email FROM customers;"
    shown = f"{made} GRANT SELECT ON contacts TO carl"
    with changed(warehouse, shown.replace("{email}", "email"), "DROP VIEW contacts"):
        (fault,) = warehouse.engine().probe(scope)
    assert "mask" in fault
    with changed(warehouse, shown.replace("{email}", f"'{MASK}'::text"), "DROP VIEW contacts"):
        assert warehouse.engine().probe(scope) == ()


def test_a_role_that_nobody_has_cannot_be_proved(warehouse: Warehouse) -> None:
    (fault,) = warehouse.engine(members={}).probe(CLERK)
    assert "identity.users" in fault
