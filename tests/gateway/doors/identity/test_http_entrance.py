"""Over HTTP and MCP: who comes in by which credential, what for, and what is said to everybody else."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import httpx2
import pytest
import uvicorn
from fastapi import FastAPI
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from gateway.doors.identity import Callers
from gateway.doors.identity.entrance import Entrance, entrance_of
from gateway.doors.identity.scopes import EVERY, ROUTES, SCOPES, TOOLS, scopes_for_route
from gateway.doors.mcp.tools import Tools, build_tools
from gateway.doors.serving.app import build_http
from gateway.doors.serving.server import listen
from gateway.engines.present import Present
from gateway.errors import IdentityRefused
from gateway.reply import Reply
from gateway.settings.file import ServerSettings
from gateway.settings.identity import IdentitySettings, OidcSettings, ProxySettings, UserSettings
from gateway.state import StateStore
from gateway.stores.rows import Place
from tests.gateway.doors.fake import FakeGateway
from tests.gateway.doors.identity.conftest import RULES
from tests.servers import oidc

pytestmark = pytest.mark.anyio
PUBLIC = "https://gateway.example"
ABOUT = f"{PUBLIC}/.well-known/oauth-protected-resource/mcp"
PLAN = {"metrics": ["net_revenue"]}
PROXY_SECRET = "a secret of the proxy, 32 letters at least"
Opened = Callable[[Entrance], httpx.AsyncClient]


@pytest.fixture
def house() -> FakeGateway:
    return FakeGateway()


@pytest.fixture
def state(place: Place) -> Iterator[StateStore]:
    opened = StateStore(place)
    yield opened
    opened.close()


def identity(provider: oidc.Provider | None = None, **more: Any) -> IdentitySettings:
    users = {"ana": UserSettings(roles=("analyst",)), "rita": UserSettings(roles=("reviewer",))}
    settings = (
        OidcSettings(issuer=provider.issuer, public_url=PUBLIC, rules=RULES) if provider else OidcSettings()
    )
    return IdentitySettings(users=users, oidc=settings, **more)


def door_of(settings: IdentitySettings, state: StateStore, environ: dict[str, str] | None = None) -> Entrance:
    return entrance_of(settings, Callers(settings, issued=state.tokens), Present(), environ or {})


def app_of(house: FakeGateway, door: Entrance) -> FastAPI:
    return build_http(house, door, ServerSettings(allowed_hosts=("127.0.0.1:*",)))


@asynccontextmanager
async def asking(house: FakeGateway, door: Entrance, token: str = "") -> AsyncIterator[httpx.AsyncClient]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    transport = httpx.ASGITransport(app_of(house, door), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:1", headers=headers) as http:
        yield http


@asynccontextmanager
async def connected(
    house: FakeGateway, door: Entrance, token: str, mode: str
) -> AsyncIterator[tuple[Client, list[httpx2.Response]]]:
    listening = listen("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(app_of(house, door), log_level="error", access_log=False))
    task = asyncio.ensure_future(server.serve(sockets=[listening]))
    async with asyncio.timeout(20):
        while not server.started:
            await asyncio.sleep(0.01)
    heard: list[httpx2.Response] = []

    async def hear(response: httpx2.Response) -> None:
        heard.append(response)

    url = f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
    hooks = {"response": [hear]}
    try:
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, event_hooks=hooks) as http,
            Client(streamable_http_client(url, http_client=http), mode=mode) as client,
        ):
            yield client, heard
    finally:
        server.should_exit = True
        await task


async def test_a_token_of_the_issuer_comes_in_as_the_person_its_claims_name(
    house: FakeGateway, provider: oidc.Provider, state: StateStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    door, token = door_of(identity(provider), state), provider.token("kim", groups=["finance"])
    known: list[str] = []
    ask = house.ask

    def asked(*given: Any, **more: Any) -> Reply:
        known.append(door.present.token("kim"))
        return ask(*given, **more)

    monkeypatch.setattr(house, "ask", asked)
    async with asking(house, door, token) as http:
        assert (await http.post("/v1/questions", json=PLAN)).status_code == 200
    caller = house.asked[0][0]
    assert known == [token]
    assert (caller.user, caller.roles, caller.teams) == ("kim", ("analyst",), ("finance",))
    assert repr(door.present) == "Present(0)", "the token is known while the question runs, and no longer"


@pytest.mark.parametrize(
    ("claims", "status", "said"),
    [
        ({"exp": 1}, 401, f'Bearer error="invalid_token", resource_metadata="{ABOUT}"'),
        (
            {"aud": "https://another.example"},
            401,
            f'Bearer error="invalid_token", resource_metadata="{ABOUT}"',
        ),
        (
            {"scope": "metrics:read"},
            403,
            f'Bearer error="insufficient_scope", scope="questions:ask", resource_metadata="{ABOUT}"',
        ),
        (
            {"scope": None},
            403,
            f'Bearer error="insufficient_scope", scope="questions:ask", resource_metadata="{ABOUT}"',
        ),
    ],
)
async def test_a_token_that_is_not_good_for_a_route_is_answered_as_the_standard_says(
    house: FakeGateway, provider: oidc.Provider, state: StateStore, claims: Any, status: int, said: str
) -> None:
    async with asking(house, door_of(identity(provider), state), provider.token(**claims)) as http:
        answer = await http.post("/v1/questions", json=PLAN)
    assert (answer.status_code, answer.headers["www-authenticate"]) == (status, said)
    assert not house.asked


async def test_who_brings_nothing_learns_where_tokens_come_from(
    house: FakeGateway, provider: oidc.Provider, state: StateStore
) -> None:
    async with asking(house, door_of(identity(provider), state)) as http:
        answer = await http.post("/mcp", json={})
        assert answer.headers["www-authenticate"] == f'Bearer resource_metadata="{ABOUT}"'
        for path in ("/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"):
            told = (await http.get(path)).json()
            assert told["resource"] == f"{PUBLIC}/mcp"
            assert [url.rstrip("/") for url in told["authorization_servers"]] == [provider.issuer]
            assert set(told["scopes_supported"]) == EVERY
            assert told["bearer_methods_supported"] == ["header"]


async def test_without_a_public_address_nothing_is_said_of_a_resource(
    house: FakeGateway, state: StateStore
) -> None:
    async with asking(house, door_of(identity(), state)) as http:
        assert (await http.get("/.well-known/oauth-protected-resource")).status_code == 404


@pytest.mark.parametrize("scope", SCOPES)
async def test_a_scope_opens_its_own_routes_and_no_others(
    house: FakeGateway, state: StateStore, scope: str
) -> None:
    door = door_of(identity(), state)
    _, token = state.tokens.issue("ana", (scope,), None)
    async with asking(house, door, token) as http:
        for (method, room), wanted in ROUTES.items():
            answer = await http.request(method, f"/v1/{room}", json={} if method == "POST" else None)
            assert (answer.status_code == 403 and "insufficient_scope" in answer.text) == (wanted != scope)
        unheard_of = await http.get("/v1/something/new")
        assert unheard_of.status_code == 403, "what nobody thought of takes every scope"


@pytest.mark.parametrize(
    ("method", "path", "scope"),
    [
        ("GET", "metrics/x", "metrics:read"),
        ("GET", "analyses", "metrics:read"),
        ("POST", "questions", "questions:ask"),
        ("POST", "answers/check", "questions:ask"),
        ("POST", "sql/check", "questions:ask"),
        ("POST", "analyses/x", "questions:ask"),
        ("GET", "results/t1", "questions:ask"),
        ("GET", "traces/t1", "traces:read"),
        ("POST", "traces/verify", "traces:read"),
        ("GET", "holds/h1", "holds:read"),
        ("GET", "calibration", "holds:read"),
        ("POST", "holds/h1/decisions", "holds:decide"),
    ],
)
async def test_a_token_with_every_other_scope_is_refused_and_told_the_one_it_takes(
    house: FakeGateway, state: StateStore, method: str, path: str, scope: str
) -> None:
    _, token = state.tokens.issue("ana", tuple(each for each in SCOPES if each != scope), None)
    async with asking(house, door_of(identity(), state), token) as http:
        answer = await http.request(method, f"/v1/{path}", json={} if method == "POST" else None)
    assert answer.status_code == 403
    assert f'scope="{scope}"' in answer.headers["www-authenticate"]


def test_every_route_and_every_tool_has_a_scope_of_its_own(house: FakeGateway, state: StateStore) -> None:
    app = app_of(house, door_of(identity(), state))
    routes = [
        (method.upper(), path)
        for path, methods in app.openapi()["paths"].items()
        if path.startswith("/v1")
        for method in methods
    ]
    assert routes, "the application has routes"
    assert not [each for each in routes if len(scopes_for_route(*each)) != 1]
    tools = build_tools(Tools(house, lambda: house.asked[0][0], None, None))  # type: ignore[arg-type]
    assert {tool.name for tool in tools} == set(TOOLS)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_over_mcp_a_client_sees_and_calls_what_its_scopes_reach(
    house: FakeGateway, provider: oidc.Provider, state: StateStore, mode: str
) -> None:
    token = provider.token(groups=["finance"], scope="metrics:read")
    async with connected(house, door_of(identity(provider), state), token, mode) as (client, heard):
        listed = {tool.name for tool in (await client.list_tools()).tools}
        assert listed == {name for name, scope in TOOLS.items() if scope == "metrics:read"}
        assert not (await client.list_resource_templates()).resource_templates
        assert not (await client.call_tool("list_metrics", {})).is_error
        if mode == "legacy":
            refused = await client.call_tool("ask_metric", PLAN)
            assert refused.is_error and "insufficient_scope" in str(refused.structured_content)
        else:
            with pytest.raises(MCPError):
                await client.call_tool("ask_metric", PLAN)
            assert heard[-1].status_code == 403, "the newer era names the tool in a header"
            assert 'scope="questions:ask"' in heard[-1].headers["www-authenticate"]
        with pytest.raises(MCPError):
            await client.read_resource("trace://t1")
    assert not house.asked


async def test_an_issued_token_counts_from_its_making_until_it_is_taken_back(
    house: FakeGateway, state: StateStore
) -> None:
    door = door_of(identity(), state)
    made, token = state.tokens.issue("ana", SCOPES, None)
    async with asking(house, door, token) as http:
        assert (await http.get("/v1/metrics")).status_code == 200
        assert state.tokens.revoke(made.id) and not state.tokens.revoke(made.id)
        assert (await http.get("/v1/metrics")).status_code == 401


def test_an_issued_token_is_nowhere_in_the_state_and_ends_at_its_time(tmp_path: Path) -> None:
    now = datetime(2026, 11, 30, 12, tzinfo=UTC)
    clock = [now]
    state = StateStore(tmp_path / "state.sqlite", clock=lambda: clock[0])
    made, token = state.tokens.issue("ana", SCOPES, now + timedelta(days=30))
    assert state.tokens.by_text(token) == state.tokens.by_id(made.id) == made
    for wrong in (token[:-1], token + "x", token.swapcase(), f"cellbound_{made.id}_", made.id, ""):
        assert state.tokens.by_text(wrong) is None
    clock[0] = now + timedelta(days=30)
    assert state.tokens.by_text(token) is state.tokens.by_id(made.id) is None
    state.close()
    secret = token.removeprefix(f"cellbound_{made.id}_").encode()
    assert all(secret not in file.read_bytes() for file in tmp_path.iterdir())
    assert (tmp_path / "state.sqlite").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"X-User": "ana", "X-Cellbound-Proxy": PROXY_SECRET}, 200),
        ({"X-User": "ana", "X-Cellbound-Proxy": "wrong"}, 401),
        ({"X-User": "ana", "X-Cellbound-Proxy": ""}, 401),
        ({"X-User": "ana"}, 401),
        ({"X-Cellbound-Proxy": PROXY_SECRET}, 401),
        ({"X-User": "nobody", "X-Cellbound-Proxy": PROXY_SECRET}, 401),
        ({"X-Forwarded-User": "ana", "X-Cellbound-Proxy": PROXY_SECRET}, 401),
        ({}, 401),
    ],
)
async def test_a_proxy_is_believed_with_its_secret_only(
    house: FakeGateway, state: StateStore, sent: dict[str, str], status: int
) -> None:
    settings = identity(proxy=ProxySettings(header="X-User"))
    door = door_of(settings, state, {"CELLBOUND_PROXY_SECRET": PROXY_SECRET})
    async with asking(house, door) as http:
        assert (await http.get("/v1/metrics", headers=sent)).status_code == status


async def test_a_false_proxy_is_nobody_even_with_a_good_token_and_a_header_counts_once(
    house: FakeGateway, state: StateStore
) -> None:
    settings = identity(proxy=ProxySettings(header="X-User"))
    door = door_of(settings, state, {"CELLBOUND_PROXY_SECRET": PROXY_SECRET})
    _, token = state.tokens.issue("ana", SCOPES, None)
    async with asking(house, door, token) as http:
        assert (await http.get("/v1/metrics")).status_code == 200
        assert (await http.get("/v1/metrics", headers={"X-User": "rita"})).status_code == 401
        twice = [("X-User", "ana"), ("X-User", "rita"), ("X-Cellbound-Proxy", PROXY_SECRET)]
        assert (await http.get("/v1/metrics", headers=twice)).status_code == 401


async def test_without_the_setting_a_proxy_s_header_says_nothing(
    house: FakeGateway, state: StateStore
) -> None:
    _, token = state.tokens.issue("ana", SCOPES, None)
    sent = {"X-User": "rita", "X-Forwarded-User": "rita", "X-Cellbound-Proxy": PROXY_SECRET}
    async with asking(house, door_of(identity(), state), token) as http:
        assert (await http.post("/v1/questions", json=PLAN, headers=sent)).status_code == 200
    assert house.asked[0][0].user == "ana"


@pytest.mark.parametrize("secret", ["", "short"])
def test_a_proxy_without_a_proper_secret_opens_no_server(state: StateStore, secret: str) -> None:
    with pytest.raises(IdentityRefused) as refused:
        door_of(identity(proxy=ProxySettings(header="X-User")), state, {"CELLBOUND_PROXY_SECRET": secret})
    (issue,) = refused.value.issues
    assert issue.code == "proxy_secret_missing" and (not secret or secret not in issue.message)
