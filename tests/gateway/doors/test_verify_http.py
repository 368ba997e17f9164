"""The log verified through a door: a right of its own, which neither headers nor words come with."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from gateway.service import Gateway
from gateway.wiring import open_gateway
from tests.gateway.over_http import over_http
from traces.records import Caller

RIGHTS = {"auditor": "audit", "unsealer": "unseal", "verifier": "verify"}
PLAN = {"metrics": ["net_revenue"], "time": {"field": "ordered_at", "from": "2026-07-01", "to": "2026-09-30"}}


@pytest.fixture
def project(shop: Path) -> Path:
    """The shop with one role, one user and one token for each of the three rights; nobody has two."""
    policy = shop / "policies" / "policy.yml"
    roles = "".join(
        f"  {role}:\n    datasets: [customers]\n    may: [{right}]\n" for role, right in RIGHTS.items()
    )
    text = policy.read_text(encoding="utf-8")
    policy.write_text(text.replace("\nroles:\n", f"\nroles:\n{roles}", 1), encoding="utf-8")
    settings = shop / "cellbound.toml"
    people = "".join(
        f'[identity.users.{role}]\nroles = ["{role}"]\ntenant = "shop"\n\n'
        f'[[identity.tokens]]\nuser = "{role}"\nsha256 = "{sha256(role.encode()).hexdigest()}"\n\n'
        for role in RIGHTS
    )
    settings.write_text(f"{settings.read_text(encoding='utf-8')}\n{people}", encoding="utf-8")
    return shop


@pytest.fixture
def house(project: Path) -> Iterator[Gateway]:
    gateway = open_gateway(project)
    yield gateway
    gateway.close()


@pytest.fixture
def client(house: Gateway, project: Path) -> Iterator[TestClient]:
    with over_http(house, project) as opened:
        yield opened


def verified(client: TestClient, who: str, receipts: list[object]) -> tuple[int, dict[str, object]]:
    body = {"receipts": receipts}
    reply = client.post("/v1/traces/verify", json=body, headers={"Authorization": f"Bearer {who}"})
    return reply.status_code, reply.json()


def test_who_may_verify_is_told_that_the_log_is_whole_and_which_receipt_it_does_not_meet(
    client: TestClient, house: Gateway, ana: Caller
) -> None:
    receipt = house.ask(ana, PLAN).receipt
    assert receipt is not None
    kept = receipt.model_dump()
    status, found = verified(client, "verifier", [kept])
    assert (status, found["ok"], found["damage"]) == (200, True, "")
    status, found = verified(client, "verifier", [kept, {**kept, "hash": "0" * 64}])
    assert (status, found["ok"], found["seq"]) == (200, False, receipt.seq)


@pytest.mark.parametrize("role", [role for role in RIGHTS if role != "verifier"])
def test_headers_and_words_do_not_come_with_the_right_to_verify_nor_it_with_them(
    client: TestClient, house: Gateway, ana: Caller, role: str
) -> None:
    asked = house.ask(ana, PLAN).trace_id
    status, found = verified(client, role, [])
    assert status == 403 and "right_missing" in str(found)
    reply = client.get(f"/v1/traces/{asked}", headers={"Authorization": "Bearer verifier"})
    assert reply.status_code == 404
    verifier = Caller(user="verifier", roles=("verifier",), tenant="shop")
    assert house.custody.unseal(verifier, asked, "an audit") is None


def test_receipts_that_are_none_are_refused_one_by_one(client: TestClient) -> None:
    status, found = verified(client, "verifier", [{"log": "x"}, 7])
    assert status == 422 and "/receipts/0" in str(found) and "/receipts/1" in str(found)
