"""A real server on a real port: both MCP eras over HTTP, hosts, and a caller who hangs up."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import httpx2
import pytest
import uvicorn
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from gateway.doors.identity import Callers
from gateway.doors.serving.app import build_http
from gateway.settings.file import ServerSettings
from tests.gateway.doors.fake import TOKEN, FakeGateway

pytestmark = pytest.mark.anyio
PLAN = {"metrics": ["net_revenue"]}
AUTHORIZED = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture
async def address(house: FakeGateway, callers: Callers, server: ServerSettings) -> AsyncIterator[str]:
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(build_http(house, callers, server), log_level="error", access_log=False)
    running = uvicorn.Server(config)
    task = asyncio.ensure_future(running.serve(sockets=[listening]))
    async with asyncio.timeout(20):
        while not running.started:
            await asyncio.sleep(0)
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    running.should_exit = True
    await task


@asynccontextmanager
async def connected(address: str, mode: str) -> AsyncIterator[Client]:
    async with (
        httpx2.AsyncClient(headers=AUTHORIZED) as http,
        Client(streamable_http_client(f"{address}/mcp", http_client=http), mode=mode) as client,
    ):
        yield client


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_client_of_either_era_gets_the_same_object_as_over_http(
    address: str, house: FakeGateway, mode: str
) -> None:
    async with connected(address, mode) as client:
        over_mcp = await client.call_tool("ask_metric", PLAN)
    async with httpx.AsyncClient(headers=AUTHORIZED) as http:
        over_http = await http.post(f"{address}/v1/questions", json=PLAN)
    assert over_mcp.structured_content == over_http.json()
    assert {asked[0].user for asked in house.asked} == {"ana"}
    assert [asked[1] for asked in house.asked] == [PLAN, PLAN]


async def test_a_question_over_http_ends_when_its_caller_hangs_up(address: str, house: FakeGateway) -> None:
    house.hangs = True
    async with httpx.AsyncClient(headers=AUTHORIZED) as http:
        question = asyncio.ensure_future(http.post(f"{address}/v1/questions", json=PLAN))
        assert await asyncio.to_thread(house.begun.wait, 10)
        question.cancel()
        with pytest.raises(asyncio.CancelledError):
            await question
        assert await asyncio.to_thread(house.stopped.wait, 1)


async def test_a_question_over_mcp_ends_when_its_client_gives_up(address: str, house: FakeGateway) -> None:
    house.hangs = True
    async with connected(address, "auto") as client:
        question = asyncio.ensure_future(client.call_tool("ask_metric", PLAN))
        assert await asyncio.to_thread(house.begun.wait, 10)
        question.cancel()
        with pytest.raises(asyncio.CancelledError):
            await question
        assert await asyncio.to_thread(house.stopped.wait, 1)


async def test_a_full_house_says_when_to_come_back(
    address: str, house: FakeGateway, server: ServerSettings
) -> None:
    house.hangs = True
    async with httpx.AsyncClient(headers=AUTHORIZED, timeout=20) as http:
        asked = [
            asyncio.ensure_future(http.post(f"{address}/v1/questions", json=PLAN))
            for _ in range(server.workers + server.queue + 1)
        ]
        done, _ = await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
        house.stopped.set()
        refused = [answer for answer in await asyncio.gather(*asked) if answer.status_code == 503]
    assert len(done) >= 1
    assert [answer.json()["code"] for answer in refused] == ["busy"]
    assert refused[0].headers["retry-after"].isdecimal()


async def test_a_host_that_is_not_ours_does_not_reach_mcp(address: str) -> None:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accepts = {"Accept": "application/json, text/event-stream", **AUTHORIZED}
    async with httpx.AsyncClient(headers=accepts) as http:
        strange = await http.post(f"{address}/mcp", json=call, headers={"Host": "elsewhere.example"})
        origin = await http.post(f"{address}/mcp", json=call, headers={"Origin": "https://elsewhere.example"})
        known = await http.post(f"{address}/mcp", json=call, headers={"Host": "gateway.example"})
    assert strange.status_code == 421
    assert origin.status_code == 403
    assert known.status_code not in (421, 403)


@pytest.mark.parametrize("path", ["/v1/metrics", "/mcp", "/metrics", "/evidence/x", "/console", "/nowhere"])
async def test_a_host_that_is_not_ours_reaches_no_route(address: str, path: str) -> None:
    async with httpx.AsyncClient(headers=AUTHORIZED) as http:
        for strange in ("evil.example", "127.0.0.1.evil.example:1", "127.0.0.1", "GATEWAY.example.evil", ""):
            answer = await http.get(f"{address}{path}", headers={"Host": strange})
            assert answer.status_code == 421, strange
            assert answer.headers["content-type"] == "application/problem+json"
            assert answer.json()["code"] == "unknown_host"
        async with http.stream("GET", f"{address}{path}", headers={"Host": "gateway.example"}) as known:
            assert known.status_code != 421


async def test_a_balancer_that_knows_the_address_alone_may_ask_for_health(address: str) -> None:
    async with httpx.AsyncClient(headers={"Host": "10.0.0.7"}) as http:
        assert (await http.get(f"{address}/health/live")).status_code == 200
        assert (await http.get(f"{address}/health/ready")).status_code in (200, 503)


async def test_an_old_header_around_a_new_request_is_still_served(address: str) -> None:
    """Some clients of the new era name the old one in their header."""
    headers = {
        **AUTHORIZED,
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2025-11-25",
    }
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "ask_metric", "arguments": PLAN},
    }
    async with httpx.AsyncClient(headers=headers) as http:
        answer = await http.post(f"{address}/mcp", json=call)
    assert answer.status_code == 200
    data = next(line for line in answer.text.splitlines() if line.startswith("data: {"))
    assert json.loads(data.removeprefix("data: "))["result"]["structuredContent"]["outcome"] == "answered"
