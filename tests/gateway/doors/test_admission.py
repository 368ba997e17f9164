"""Who would be refused for want of a place hears so at the door; whoever has a claim to one gets in."""

import asyncio
import threading
from hashlib import sha256
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.doors.fair_queue import FairQueue, Places, Seat
from gateway.doors.identity import Callers
from gateway.doors.serving.app import build_http
from gateway.errors import Busy
from gateway.settings.file import IdentitySettings, ServerSettings, TokenSettings, UserSettings
from tests.gateway.doors.fake import FakeGateway

TENANTS = {"ana": "shop", "bob": "shop", "cleo": "other"}
PLAN = {"metrics": ["net_revenue"]}


class Slow(FakeGateway):
    """Answers once it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.go = threading.Event()

    def ask(self, *given: Any, **named: Any) -> Any:
        assert self.go.wait(20)
        return super().ask(*given, **named)


class Crowd(Slow):
    """Remembers who is inside."""

    def __init__(self) -> None:
        super().__init__()
        self.inside: list[str] = []

    def ask(self, *given: Any, **named: Any) -> Any:
        self.inside.append(given[0].user)
        return super().ask(*given, **named)


def callers() -> Callers:
    users = {user: UserSettings(roles=("analyst",), tenant=tenant) for user, tenant in TENANTS.items()}
    tokens = tuple(TokenSettings(user=user, sha256=sha256(user.encode()).hexdigest()) for user in TENANTS)
    return Callers(IdentitySettings(users=users, tokens=tokens))


@pytest.mark.anyio
async def test_a_full_house_refuses_before_it_reads_and_lets_in_who_has_a_claim() -> None:
    house = Slow()
    app = build_http(house, callers(), ServerSettings(workers=1, queue=2))
    transport = httpx.ASGITransport(app)

    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:1") as http,
    ):

        def ask(user: str, **sent: Any) -> "asyncio.Task[httpx.Response]":
            headers = {"Authorization": f"Bearer {user}", **sent.pop("headers", {})}
            return asyncio.create_task(http.post("/v1/questions", headers=headers, **sent))

        asked = [ask("ana", json=PLAN) for _ in range(3)]
        await asyncio.sleep(0.2)
        refused = await ask("ana", content=b"this is no JSON", headers={"Content-Type": "text/plain"})
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "2")
        assert refused.headers["content-type"] == "application/problem+json"
        assert (refused.json()["code"], refused.json()["issues"][0]["next_step"]) == (
            "busy",
            "Try again in a few seconds.",
        )
        assert (await ask("nobody", json=PLAN)).status_code == 401
        assert (await http.get("/v1/questions", headers={"Authorization": "Bearer ana"})).status_code == 405
        claimed = ask("cleo", json=PLAN)
        await asyncio.sleep(0.2)
        assert not claimed.done()
        house.go.set()
        answers = [answer.status_code for answer in await asyncio.gather(*asked, claimed)]
    assert sorted(answers) == [200, 200, 200, 503]
    assert answers[3] == 200, "the newest of the crowd gave way to the quiet tenant"


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("limits", "inside"),
    [
        ({}, ["ana", "ana", "bob", "cleo"]),
        ({"user_workers": 1}, ["ana", "bob", "cleo"]),
        ({"tenant_workers": 1}, ["ana", "cleo"]),
    ],
)
async def test_no_user_and_no_tenant_has_more_questions_at_work_than_the_settings_give(
    limits: dict[str, int], inside: list[str]
) -> None:
    house = Crowd()
    app = build_http(house, callers(), ServerSettings.model_validate({"workers": 4, "queue": 8, **limits}))
    transport = httpx.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:1") as http,
    ):
        asked = [
            asyncio.create_task(
                http.post("/v1/questions", headers={"Authorization": f"Bearer {user}"}, json=PLAN)
            )
            for user in ("ana", "ana", "bob", "cleo")
        ]
        async with asyncio.timeout(20):
            while len(house.inside) < len(inside):
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.3)
        assert sorted(house.inside) == inside
        house.go.set()
        assert {answer.status_code for answer in await asyncio.gather(*asked)} == {200}
    assert len(house.inside) == 4, "who waited came in as the others left"


SEATS = st.builds(Seat, st.sampled_from("abc"), st.sampled_from("xy"))


@settings(max_examples=200)
@given(
    places=st.builds(Places, st.integers(1, 3), st.integers(0, 4), st.just(60.0), st.integers(0, 2)),
    seats=st.lists(SEATS, max_size=20),
)
def test_the_door_refuses_exactly_whom_the_queue_would_refuse(places: Places, seats: list[Seat]) -> None:
    async def lived() -> None:
        queue = FairQueue(places)
        waiting: list[asyncio.Task[None]] = []
        for seat in seats:
            said = queue.refuses(seat)
            entering = asyncio.ensure_future(queue.enter(seat))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            refused = entering.done() and isinstance(entering.exception(), Busy)
            assert said == refused
            waiting.append(entering)
        for each in waiting:
            each.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)

    asyncio.run(lived())
