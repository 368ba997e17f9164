"""A token that ends while its question runs or waits: who comes back proves anew who they are."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from gateway.doors.identity.scopes import SCOPES
from gateway.engines.base import Identity, Limits, Rows
from gateway.houses import Houses
from gateway.service import Gateway
from tests.gateway.holds.held_shop import Clock, Plan, Shop
from tests.gateway.over_http import over_http
from traces.records import Caller

pytestmark = pytest.mark.faults


class Waiting:
    """The real engine, whose runs wait until a test lets them go on."""

    def __init__(self, inner: object) -> None:
        self._inner = inner
        self.begun = threading.Event()
        self.go_on = threading.Event()

    def __getattr__(self, name: str) -> object:
        return getattr(self._inner, name)

    def run(self, sql: str, who: Identity, limits: Limits, query_id: str, *, beside: str = "") -> Rows:
        self.begun.set()
        assert self.go_on.wait(20)
        return self._inner.run(sql, who, limits, query_id, beside=beside)  # type: ignore[attr-defined, no-any-return]


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_a_token_that_ends_while_its_question_runs_is_answered_and_opens_nothing_after(
    gateway: Gateway, shop: Path, revenue: Plan
) -> None:
    made, token = gateway.state.tokens.issue("ana", SCOPES, None)
    engine = Waiting(gateway.house.engine)
    gateway.houses = Houses(replace(gateway.house, engine=engine))  # type: ignore[arg-type]
    with over_http(gateway, shop) as client, ThreadPoolExecutor(1) as pool:
        asking = pool.submit(client.post, "/v1/questions", json=revenue, headers=bearer(token))
        assert engine.begun.wait(20)
        gateway.state.tokens.revoke(made.id)
        engine.go_on.set()
        assert asking.result(30).json()["outcome"] == "answered"
        assert client.post("/v1/questions", json=revenue, headers=bearer(token)).status_code == 401


def test_an_accept_is_worth_nothing_without_a_token_that_counts(
    shop: Path, rita: Caller, revenue: Plan
) -> None:
    clock = Clock()
    house = Shop(shop, clock)
    try:
        tokens = house.gateway.state.tokens
        _, token = tokens.issue("ana", SCOPES, clock() + timedelta(minutes=10))
        with over_http(house.gateway, shop) as client:
            held = client.post("/v1/questions", json=revenue, headers=bearer(token)).json()
            house.decide(rita, held["hold_id"])
            clock.ahead = timedelta(minutes=11)
            back = {**revenue, "approval_id": held["hold_id"]}
            assert client.post("/v1/questions", json=back, headers=bearer(token)).status_code == 401
            assert not house.engine.runs
            _, fresh = tokens.issue("ana", SCOPES, None)
            again = client.post("/v1/questions", json=back, headers=bearer(fresh)).json()
            assert (again["outcome"], len(house.engine.runs)) == ("answered", 1)
    finally:
        house.close()
