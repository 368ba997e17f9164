"""What `doctor` finds on BigQuery: each right too many, each row and column too many, without a write."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from gateway.engines.base import Relation, RoleScope
from policies.mask import MASK
from tests.gateway.engines.bigquery_house import (
    CUSTOMERS,
    ORDERS,
    Bighouse,
    email,
    shop_project,
)
from tests.servers.bigquery import running

pytestmark = pytest.mark.engine("bigquery")

Break = Callable[[Bighouse], None]
ANN, CARL = email("ann"), email("carl")
NORTH = RoleScope(
    role="clerk",
    relations=(
        Relation(
            name="orders",
            select="SELECT order_id, amount, region FROM {source}.`orders` WHERE region = 'north'",
            columns=("order_id", "amount", "region"),
            probe="SELECT count(*) FROM orders WHERE region IS DISTINCT FROM 'north'",
        ),
    ),
    digest="c",
)
ALL = RoleScope(
    role="analyst",
    relations=(
        Relation(
            "orders",
            "SELECT * FROM {source}.`orders`",
            ("order_id", "customer_id", "order_date", "amount", "region"),
        ),
        Relation("customers", "SELECT customer_id, tier FROM {source}.`customers`", ("customer_id", "tier")),
        Relation("events", "SELECT * FROM {source}.`events`", ("event_id", "event_time", "kind", "visitor")),
        Relation("crm.tickets", "SELECT * FROM {source}.`crm`.`tickets`", ("ticket_id", "state")),
    ),
    digest="a",
)


@pytest.fixture
def own() -> Iterator[Bighouse]:
    """A shop that the test may change."""
    with running(shop_project()) as standin:
        house = Bighouse(standin)
        yield house
        house.close()


def test_roles_that_are_as_the_policy_says_have_no_fault(own: Bighouse) -> None:
    engine = own.engine()
    assert engine.probe(NORTH) == engine.probe(ALL) == ()
    assert all(not promise.faults for scope in (NORTH, ALL) for promise in engine.inspect(scope))


def test_a_proof_executes_no_write(own: Bighouse) -> None:
    engine = own.engine()
    engine.probe(NORTH)
    engine.inspect(NORTH)
    assert {request.sql.split()[0] for request in own.project.log if not request.dry_run} == {"SELECT"}
    assert {request.sql.split()[0] for request in own.project.log if request.dry_run} >= {"DELETE", "CREATE"}


def _grant(*more: str) -> Break:
    return lambda house: house.project.grant(CARL, "orders", more=more)


@pytest.mark.parametrize(
    ("broken", "found"),
    [
        (_grant("bigquery.tables.updateData"), "may delete rows of orders"),
        (_grant("bigquery.tables.delete"), "has bigquery.tables.delete on orders"),
        (
            _grant("bigquery.rowAccessPolicies.delete"),
            "has bigquery.rowAccessPolicies.delete on orders",
        ),
        (lambda house: house.project.creators.add(CARL), "may create tables in shop"),
        (lambda house: house.project.tagged.clear(), "may not see: customer_id, order_date"),
        (lambda house: house.project.row_policies[ORDERS].update({CARL: "TRUE"}), "20000 rows break the row"),
        (
            lambda house: house.project.tagged.update(
                {(ORDERS, CARL): ("amount", "order_date", "customer_id")}
            ),
            "does not show columns that the role may see: amount",
        ),
        (lambda house: house.project.rights.pop((CARL, ORDERS)), "bigquery.tables.get"),
        (lambda house: house.project.tokens.clear(), "carl cannot be tried"),
    ],
)
def test_what_the_policy_does_not_say_is_found(own: Bighouse, broken: Break, found: str) -> None:
    broken(own)
    faults = own.engine().probe(NORTH)
    assert any(found in fault for fault in faults), faults
    assert all(fault.startswith("clerk: ") for fault in faults)


def test_values_that_should_be_masked_are_found(own: Bighouse) -> None:
    own.project.tagged[CUSTOMERS, ANN] = ()
    email_masked = f"CASE WHEN email IS NULL THEN NULL ELSE '{MASK}' END AS email"
    relation = Relation(
        "customers",
        f"SELECT customer_id, {email_masked}, tier FROM {{source}}.`customers`",
        ("customer_id", "email", "tier"),
    )
    scope = replace(ALL, relations=(relation,))
    assert own.engine().probe(scope) == (
        "analyst: customers, as ann: shows values that the role's rules mask",
    )
    own.project.execute(f"UPDATE customers SET email = '{MASK}'")
    assert own.engine().probe(scope) == ()


def test_a_role_without_users_is_not_proved(own: Bighouse) -> None:
    (fault,) = own.engine(members={"clerk": ()}).probe(NORTH)
    assert "nobody can prove it" in fault


def test_a_table_that_no_role_lists_and_the_asker_reads_is_found(own: Bighouse) -> None:
    own.project.grant(CARL, "orders", "salaries")
    faults = [fault for promise in own.engine().inspect(NORTH) for fault in promise.faults]
    assert faults == ["may read acme-shop.shop.salaries, which the role does not list"]


def test_the_limits_are_told_in_words(own: Bighouse) -> None:
    own.project.reservation = "analysts"
    told = {promise.name: promise.found for promise in own.engine().inspect(NORTH)}
    assert told["compute pool, as carl"] == "reservation analysts"
    assert "10,737,418,240 bytes" in told["limits, as carl"]
    assert told["identity, as carl"] == f"asks as {CARL}"


def test_who_cannot_be_acted_for_at_all_is_one_finding(own: Bighouse) -> None:
    own.project.tokens.clear()
    (promise,) = own.engine().inspect(NORTH)
    assert "cannot be tried" in promise.faults[0]
