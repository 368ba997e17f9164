"""Who comes too often is told when to come back; nobody else notices."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import cycle

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.doors.http.rate import Rate
from gateway.doors.identity import Callers
from gateway.doors.serving.app import build_http
from gateway.settings.file import IdentitySettings, ServerSettings, TokenSettings, UserSettings
from tests.gateway.doors.fake import FakeGateway

TENANTS = {"ana": "shop", "bob": "shop", "cleo": "other"}


async def statuses(
    house: FakeGateway, asked: str, limits: Mapping[str, int], paths: Sequence[str] = ("/v1/metrics",)
) -> list[int]:
    """Return the status of a request of each named user, one after the other, to each path in turn."""
    identity = IdentitySettings(
        users={user: UserSettings(roles=("analyst",), tenant=tenant) for user, tenant in TENANTS.items()},
        tokens=tuple(TokenSettings(user=user, sha256=sha256(user.encode()).hexdigest()) for user in TENANTS),
    )
    app = build_http(house, Callers(identity), ServerSettings().model_copy(update=dict(limits)))
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:1") as http:
        answers = [
            await http.get(path, headers={"Authorization": f"Bearer {user}"})
            for path, user in zip(cycle(paths), asked.split(), strict=False)
        ]
    for answer in answers:
        if answer.status_code == 429:
            assert answer.json()["code"] == "rate_limited"
            assert 1 <= int(answer.headers["retry-after"]) <= 60
    return [answer.status_code for answer in answers]


@pytest.mark.anyio
async def test_a_user_who_comes_too_often_is_refused_and_the_others_are_not(house: FakeGateway) -> None:
    found = await statuses(house, "ana ana ana bob cleo", {"user_per_minute": 2})
    assert found == [200, 200, 429, 200, 200]


@pytest.mark.anyio
async def test_a_tenant_shares_one_limit_among_its_users(house: FakeGateway) -> None:
    found = await statuses(house, "ana bob ana cleo", {"tenant_per_minute": 2})
    assert found == [200, 200, 429, 200]


@pytest.mark.anyio
async def test_what_comes_over_mcp_counts_with_the_rest(house: FakeGateway) -> None:
    found = await statuses(
        house, "ana ana ana bob", {"user_per_minute": 2}, ("/v1/metrics", "/mcp", "/mcp", "/mcp")
    )
    assert (found[0], found[2]) == (200, 429)
    assert 429 not in (found[1], found[3])


@given(st.integers(1, 30), st.lists(st.floats(0, 20), max_size=60))
def test_no_minute_has_more_than_twice_the_limit_and_the_wait_that_is_told_is_enough(
    limit: int, pauses: list[float]
) -> None:
    now = 1000.0
    rate = Rate(limit, lambda: now)
    taken: list[float] = []
    for pause in pauses:
        now += pause
        wait = rate.wait(("a",))
        if wait:
            before, now = now, now + wait + 1e-6
            assert not rate.wait(("a",))
            now = before
            continue
        rate.take(("a",))
        taken.append(now)
    assert all(sum(at <= each < at + 60 for each in taken) <= 2 * limit for at in taken)


def test_no_limit_keeps_nothing_of_anybody() -> None:
    rate = Rate(0)
    for _ in range(1000):
        assert not rate.wait(("a",))
        rate.take(("a",))
    assert rate.kept == 0


def test_quiet_ones_are_forgotten() -> None:
    now = 0.0
    rate = Rate(60, lambda: now)
    for number in range(30_000):
        now += 1.0
        rate.take((str(number),))
    assert rate.kept <= 10_001
