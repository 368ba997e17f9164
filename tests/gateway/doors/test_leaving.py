"""A caller who hangs up while the database works: the query is stopped and the trace ends `left`."""

import asyncio
import json
import threading
from dataclasses import replace
from typing import Any

import pytest
from mcp import Client
from starlette.types import Message, Scope

from gateway.doors.counters import Counters
from gateway.doors.identity import Callers
from gateway.doors.mcp.server import build_mcp
from gateway.doors.serving.app import build_http
from gateway.doors.workers import Workers
from gateway.engines.base import EngineBusy, EngineCancelled, Identity, Limits, Rows
from gateway.houses import Houses
from gateway.service import Gateway
from gateway.settings.file import ServerSettings
from tests.gateway.doors.fake import TOKEN
from traces.records import Caller

pytestmark = pytest.mark.anyio


class StuckEngine:
    """An engine whose runs end only when somebody cancels them."""

    def __init__(self, engine: Any) -> None:
        self._engine = engine
        self.running = threading.Event()
        self.stopped = threading.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    def run(self, sql: str, who: Identity, limits: Limits, query_id: str, *, beside: str = "") -> Rows:
        self.running.set()
        assert self.stopped.wait(20)
        raise EngineCancelled("cancelled", "The query was stopped.")

    def cancel(self, query_id: str) -> None:
        self.stopped.set()


@pytest.fixture
def stuck(gateway: Gateway) -> StuckEngine:
    engine = StuckEngine(gateway.house.engine)
    gateway.houses = Houses(replace(gateway.house, engine=engine))
    return engine


async def test_over_http_a_hang_up_stops_the_query_and_the_trace_says_so(
    gateway: Gateway,
    stuck: StuckEngine,
    callers: Callers,
    server: ServerSettings,
    ana: Caller,
    revenue: dict[str, object],
) -> None:
    app = build_http(gateway, callers, server)
    sent: list[Message] = []
    body: list[Message] = [{"type": "http.request", "body": json.dumps(revenue).encode()}]

    async def receive() -> Message:
        if body:
            return body.pop()
        assert await asyncio.to_thread(stuck.running.wait, 20)
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    async with app.router.lifespan_context(app):
        await app(question_scope(), receive, send)
        assert await asyncio.to_thread(stuck.stopped.wait, 1), "within a second"
    assert [message["status"] for message in sent if "status" in message] == [499]
    assert [line.outcome for line in gateway.list_traces(ana)] == ["left"]


async def test_over_mcp_a_client_that_gives_up_stops_the_query_and_the_trace_says_so(
    gateway: Gateway, stuck: StuckEngine, ana: Caller, revenue: dict[str, object]
) -> None:
    workers = Workers(1, 0)
    async with Client(build_mcp(gateway, lambda: ana, workers, Counters())) as client:
        question = asyncio.ensure_future(client.call_tool("ask_metric", revenue))
        assert await asyncio.to_thread(stuck.running.wait, 20)
        question.cancel()
        with pytest.raises(asyncio.CancelledError):
            await question
        assert await asyncio.to_thread(stuck.stopped.wait, 1), "within a second"
    await asyncio.to_thread(workers.close)
    assert [line.outcome for line in gateway.list_traces(ana)] == ["left"]


def question_scope() -> Scope:
    headers = {"authorization": f"Bearer {TOKEN}", "content-type": "application/json", "host": "127.0.0.1:1"}
    return {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": "/v1/questions",
        "raw_path": b"/v1/questions",
        "root_path": "",
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 1),
    }


async def test_over_http_a_database_without_a_free_place_is_503_and_says_when_to_come_back(
    gateway: Gateway, callers: Callers, server: ServerSettings, revenue: dict[str, object]
) -> None:
    app = build_http(gateway, callers, server)
    sent: list[Message] = []
    body: list[Message] = [{"type": "http.request", "body": json.dumps(revenue).encode()}]

    async def receive() -> Message:
        return body.pop() if body else await asyncio.sleep(60, {"type": "http.disconnect"})

    async def send(message: Message) -> None:
        sent.append(message)

    full = FullEngine(gateway.house.engine)
    gateway.houses = Houses(replace(gateway.house, engine=full))
    async with app.router.lifespan_context(app):
        await app(question_scope(), receive, send)
    (start,) = [message for message in sent if message["type"] == "http.response.start"]
    assert start["status"] == 503
    assert dict(start["headers"])[b"retry-after"] == b"3"
    assert b"database_busy" in b"".join(message.get("body", b"") for message in sent)


class FullEngine:
    """An engine none of whose places came free."""

    def __init__(self, engine: Any) -> None:
        self._engine = engine

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    def run(self, sql: str, who: Identity, limits: Limits, query_id: str, *, beside: str = "") -> Rows:
        raise EngineBusy("database_busy", "no place came free", next_step="Ask again.", retry_after=2.4)
