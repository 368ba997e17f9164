"""What `probe` and `inspect` find over the Snowflake stand-in, without a write."""

from collections.abc import Iterator
from typing import Any

import pytest

from gateway.engines.base import Relation, RoleScope
from policies.mask import MASK
from tests.gateway.engines.snowflake_house import CUSTOMERS, ORDERS, Snowhouse, shop_account, token_of
from tests.servers.snowflake import running

pytestmark = pytest.mark.engine("snowflake")


@pytest.fixture
def own() -> Iterator[Snowhouse]:
    """A stand-in that one test may change."""
    with running(shop_account()) as standin:
        house = Snowhouse(standin)
        yield house
        house.close()


def test_a_clean_role_is_proved(snowhouse: Snowhouse, scopes: Any) -> None:
    engine = snowhouse.engine()
    assert engine.probe(scopes["clerk"]) == ()
    promises = engine.inspect(scopes["clerk"])
    assert len(promises) >= 6
    assert not [fault for promise in promises for fault in promise.faults]


def test_what_is_wrong_with_a_role_is_found_without_writing(own: Snowhouse, scopes: Any) -> None:
    account = own.account
    account.grant("CLERK", "INSERT", "TABLE", "SHOP.PUBLIC.ORDERS")
    account.grant("BOSS", "OWNERSHIP", "TABLE", "SHOP.PUBLIC.SALARIES")
    account.grant("BOSS", "SELECT", "TABLE", "SHOP.PUBLIC.SALARIES")
    account.grant("CLERK", "USAGE", "ROLE", "BOSS")
    account.grant("PUBLIC", "USAGE", "PROCEDURE", "SHOP.PUBLIC.CLEAN()")
    account.grant("CLERK", "USAGE", "WAREHOUSE", "BIG")
    account.row_policies[ORDERS]["CLERK"] = "TRUE"
    account.shown[ORDERS, "CLERK"] = ("ORDER_ID", "AMOUNT", "REGION", "CUSTOMER_ID")
    account.monitor, account.warehouse_seconds = "null", 172_800
    engine = own.engine()
    found = " ".join(engine.probe(scopes["clerk"]))
    for fault in (
        "carl has INSERT on TABLE SHOP.PUBLIC.ORDERS through CLERK",
        "carl has OWNERSHIP on TABLE SHOP.PUBLIC.SALARIES through BOSS",
        "carl has USAGE on PROCEDURE SHOP.PUBLIC.CLEAN() through PUBLIC",
        "may use the warehouse BIG",
        "shows columns that the role may not see: CUSTOMER_ID",
        "20000 rows break the row rule",
    ):
        assert fault in found
    faults = " ".join(fault for promise in engine.inspect(scopes["clerk"]) for fault in promise.faults)
    for fault in (
        "may read SHOP.PUBLIC.SALARIES",
        "without a resource monitor",
        "STATEMENT_TIMEOUT_IN_SECONDS",
    ):
        assert fault in faults
    writes = ("INSERT", "UPDATE", "DELETE", "CREATE", "CALL", "USE", "ALTER")
    assert not [request.sql for request in account.log if request.sql.upper().startswith(writes)]


def test_columns_that_are_missing_are_named(own: Snowhouse, scopes: Any) -> None:
    own.account.shown[ORDERS, "CLERK"] = ("ORDER_ID", "AMOUNT")
    assert any(
        "does not show columns that the role may see: REGION" in f
        for f in own.engine().probe(scopes["clerk"])
    )
    del own.account.shown[CUSTOMERS, "ANALYST"]
    assert any("EMAIL" in fault for fault in own.engine().probe(scopes["analyst"]))


def test_a_mask_that_the_database_does_not_hold_is_named(own: Snowhouse) -> None:
    shown = f'CASE WHEN "tier" IS NULL THEN NULL ELSE \'{MASK}\' END AS "tier"'
    select = f'SELECT "customer_id", {shown} FROM {{source}}."PUBLIC"."customers"'
    scope = RoleScope("analyst", (Relation("customers", select, ("customer_id", "tier")),), "d")
    engine = own.engine()
    assert any("shows values that the role's rules mask" in fault for fault in engine.probe(scope))
    own.account.masks[CUSTOMERS, "ANALYST"] = {"TIER": f"'{MASK}'"}
    assert engine.probe(scope) == ()


def test_an_asker_who_cannot_log_in_is_said_to_prove_nothing(own: Snowhouse, scopes: Any) -> None:
    own.account.tokens[token_of("carl", {})].expired = True
    engine = own.engine()
    assert engine.probe(scopes["clerk"])[0].startswith("clerk: carl cannot be tried")
    assert engine.inspect(scopes["clerk"])[0].faults


def test_a_role_without_users_cannot_be_proved(snowhouse: Snowhouse, scopes: Any) -> None:
    assert "nobody can prove it" in snowhouse.engine(members={}).probe(scopes["clerk"])[0]
