"""Masks of a role in the database itself: what `last_four`, `domain`, `hash` and others leave of a value."""

import logging
import re
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest

from gateway.engines.base import EngineError, Identity
from gateway.house import limits_of
from gateway.operation.proof import prove_roles
from gateway.service import Gateway
from metric_layer.compile import KEY
from policies.entitlement import Entitlements
from policies.load import load_policy
from traces.records import Caller, Value

ROLES = """
  helpdesk:
    datasets: [customers]
    personal: {contact: last_four, identity: first_letter}
  research:
    datasets: [customers, orders]
    personal: {contact: hash, identity: deny}
  marketing:
    datasets: [customers]
    personal: {contact: domain, identity: generalise}
"""
OTHERS = """
[identity.users.dora]
roles = ["research"]
tenant = "depot"

"""
HOT = Caller(user="hot", roles=("helpdesk",), tenant="shop")


@pytest.fixture(params=["soft", "hard"])
def gateway(request: pytest.FixtureRequest, shop: Path, open_shop: Callable[[], Gateway]) -> Gateway:
    """The shop with masking roles, over views of the one file and over a file per role."""
    with_roles(shop)
    settings = shop / "cellbound.toml"
    text = settings.read_text(encoding="utf-8").replace('mode = "soft"', f'mode = "{request.param}"')
    text = text.replace("# A token is kept", f"{OTHERS}# A token is kept", 1)
    settings.write_text(text, encoding="utf-8")
    return open_shop()


def with_roles(shop: Path) -> None:
    policy = shop / "policies" / "policy.yml"
    text = re.sub(r"\nroles:\n", f"\nroles:{ROLES}", policy.read_text(encoding="utf-8"))
    policy.write_text(text, encoding="utf-8")


def read(gateway: Gateway, role: str, columns: str, tenant: str = "shop") -> list[tuple[Value, ...]]:
    house = gateway.house
    sql = f"SELECT {columns} FROM customers WHERE email IS NOT NULL ORDER BY customer_id LIMIT 50"
    who = Identity(user=role, role=role, tenant=tenant)
    return list(house.engine.run(sql, who, limits_of(house.governed.policy.caps), "q").rows)


def test_each_role_gets_the_part_that_its_mask_leaves(gateway: Gateway) -> None:
    for email, phone, name in read(gateway, "helpdesk", "email, phone, name"):
        assert re.fullmatch(r"•••.com", str(email)) and re.fullmatch(r"•••\d{4}", str(phone))
        assert re.fullmatch(r"[A-Z]•••", str(name))
    for email, phone in read(gateway, "marketing", "email, phone"):
        assert email == "•••@example.com" and phone == "•••"


def test_a_hash_tells_the_same_person_apart_and_nothing_else(gateway: Gateway, shop: Path) -> None:
    tokens = [str(row[0]) for row in read(gateway, "research", "email")]
    assert len(set(tokens)) == len(tokens) and all(re.fullmatch(r"[0-9a-f]{16}", each) for each in tokens)
    assert tokens == [str(row[0]) for row in read(gateway, "research", "email")]
    key = gateway.house.keys.commitment("masks of shop").hex()
    kept = (file for file in (shop / "var").rglob("*") if file.is_file())
    assert not [file for file in kept if key.encode() in file.read_bytes()]


def test_a_token_of_one_tenant_is_none_of_another_s(gateway: Gateway) -> None:
    here, there = (read(gateway, "research", "email", tenant) for tenant in ("shop", "depot"))
    assert len(here) == len(there) > 20 and not set(here) & set(there)
    assert all(re.fullmatch(r"[0-9a-f]{16}", str(row[0])) for row in there)


def test_a_tenant_that_the_settings_do_not_name_has_no_key_and_sees_no_token(gateway: Gateway) -> None:
    assert set(read(gateway, "research", "email", "stranger")) == {("•••",)}
    assert read(gateway, "helpdesk", "phone", "stranger") == read(gateway, "helpdesk", "phone", "shop")


def test_a_role_is_proved_to_see_no_more_than_its_masks(gateway: Gateway) -> None:
    assert [finding for finding in prove_roles(gateway.house) if not finding.ok] == []


def test_a_masked_column_is_projected_and_never_filtered_joined_or_grouped(gateway: Gateway) -> None:
    shown = gateway.house.entitlements.of(HOT)
    assert shown is not None
    assert {shown.catalogue.personal[key] for key in shown.catalogue.personal} == {"mask"}


@pytest.mark.parametrize("dialect", ["postgres", "snowflake", "bigquery"])
def test_a_server_that_hashes_by_itself_is_held_against_the_shape_of_its_tokens(
    shop: Path, dialect: Literal["postgres", "snowflake", "bigquery"], gateway: Gateway
) -> None:
    layer, governed = gateway.house.layer, load_policy(shop / "policies", gateway.house.layer)
    found = Entitlements(layer, governed, dialect, "public", gateway.house.now())
    role = next(each for each in found if each.role_name == "research")
    (view,) = [each for each in role.views if each.dataset == "customers"]
    assert "[0-9a-f]{16}" in view.select and KEY not in view.select


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT sql FROM duckdb_views()",
        "SELECT view_definition FROM information_schema.views",
        "SELECT sql FROM sqlite_master",
        "SELECT database_name, path FROM duckdb_databases()",
        "SELECT email FROM customers WHERE CAST(email AS DATE) IS NOT NULL",
        "SELECT error(email) FROM customers",
        "SELECT nope FROM customers",
    ],
)
def test_neither_catalogue_nor_error_tells_of_the_key_though_no_check_stood_before(
    gateway: Gateway, caplog: pytest.LogCaptureFixture, sql: str
) -> None:
    caplog.set_level(logging.DEBUG)
    house = gateway.house
    who = Identity(user="research", role="research", tenant="shop")
    key = house.keys.commitment("masks of shop").hex()
    with pytest.raises(EngineError) as refused:
        list(house.engine.run(sql, who, limits_of(house.governed.policy.caps), "q").rows)
    assert key not in f"{refused.value} {refused.value.next_step} {caplog.text}"


@pytest.mark.parametrize(
    "tenant", ["shop ", "SHOP", "", "masks of shop", "../shop", "shop' || 'x", "depot\x00"]
)
def test_a_name_like_a_tenants_has_none_of_its_tokens(gateway: Gateway, tenant: str) -> None:
    assert set(read(gateway, "research", "email", tenant)) == {("•••",)}
