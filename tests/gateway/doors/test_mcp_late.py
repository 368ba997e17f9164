"""A call that tells nothing on its way: JSON where it comes soon, a stream that is kept alive where not."""

import asyncio
import json
import time
from typing import Any

import httpx
import pytest
from starlette.types import Message

from gateway.doors.identity import Callers
from gateway.doors.mcp.late import LateResponse
from gateway.doors.serving.app import build_http
from gateway.reply import Reply
from gateway.settings.file import ServerSettings
from tests.gateway.doors.fake import TOKEN, FakeGateway
from tests.gateway.doors.ports import serving

pytestmark = pytest.mark.anyio
START: Message = {"type": "http.response.start", "status": 404, "headers": [(b"content-length", b"2")]}
BODY: Message = {"type": "http.response.body", "body": b"{}"}
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


async def sent_after(seconds: float, silence: float) -> list[Message]:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    with LateResponse(send, silence) as late:
        await asyncio.sleep(seconds)
        await late.send(START)
        await late.send(BODY)
    await asyncio.sleep(silence * 2)
    return sent


async def test_what_comes_soon_is_sent_as_it_is_and_nothing_after_it() -> None:
    assert await sent_after(0.0, 0.05) == [START, BODY]


async def test_what_comes_late_is_the_last_event_of_a_stream_that_was_kept_alive() -> None:
    start, *pings, last = await sent_after(0.12, 0.05)
    assert (start["status"], dict(start["headers"])[b"content-type"]) == (200, b"text/event-stream")
    assert 1 <= len(pings) <= 3
    assert all(ping["body"] == b": ping\r\n\r\n" and ping["more_body"] for ping in pings)
    assert last["body"] == b"event: message\r\ndata: {}\r\n\r\n"
    assert not last["more_body"]


async def test_a_client_that_takes_no_stream_gets_json_however_long_it_takes() -> None:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    with LateResponse(send, None) as late:
        await asyncio.sleep(0.05)
        await late.send(START)
        await late.send(BODY)
    assert sent == [START, BODY]


@pytest.mark.parametrize("slow", ["http.response.start", "http.response.body"])
async def test_a_response_that_comes_while_the_stream_is_sending_waits_for_that_send(slow: str) -> None:
    begun, go = asyncio.Event(), asyncio.Event()
    sent: list[Message] = []

    async def send(message: Message) -> None:
        if message["type"] == slow and not begun.is_set():
            begun.set()
            await go.wait()
        sent.append(message)

    with LateResponse(send, 0.01) as late:
        await begun.wait()
        answering = asyncio.ensure_future(late.send(START))
        await asyncio.sleep(0.03)
        assert not answering.done()
        go.set()
        await answering
        await late.send(BODY)
    start, *pings, last = sent
    assert dict(start["headers"])[b"content-type"] == b"text/event-stream"
    assert all(ping["body"] == b": ping\r\n\r\n" for ping in pings)
    assert last["body"] == b"event: message\r\ndata: {}\r\n\r\n"


async def test_who_leaves_while_the_stream_lives_leaves_nothing_running() -> None:
    async def send(message: Message) -> None:
        await asyncio.sleep(0)

    before = asyncio.all_tasks()
    with LateResponse(send, 0.01):
        await asyncio.sleep(0.03)
    await asyncio.sleep(0.02)
    assert asyncio.all_tasks() == before


class Slow(FakeGateway):
    """Answers after the time in which nothing would be sent."""

    def ask(self, *args: Any, **named: Any) -> Reply:
        time.sleep(0.4)
        return super().ask(*args, **named)


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("application/json", "application/json"),
        ("*/*", "application/json"),
        ("application/json, Text/Event-Stream;q=0.5", "text/event-stream"),
    ],
)
async def test_a_late_response_is_a_stream_only_for_who_names_it(
    callers: Callers, server: ServerSettings, monkeypatch: pytest.MonkeyPatch, accept: str, kind: str
) -> None:
    monkeypatch.setattr("gateway.doors.mcp.mounted.ALIVE_SECONDS", 0.05)
    asked = called()
    asked["headers"]["Accept"] = accept
    with serving(build_http(Slow(), callers, server)) as address, httpx.Client(base_url=address) as http:
        found = http.post("/mcp", **asked)
    assert found.status_code == 200
    assert found.headers["content-type"].partition(";")[0] == kind
    body = found.text
    if kind == "text/event-stream":
        body = [line for line in body.splitlines() if line.startswith("data: ")][-1].removeprefix("data: ")
    assert json.loads(body)["result"]["structuredContent"]["outcome"] == "answered"


def called(more: dict[str, Any] | None = None, header: str = "ask_metric") -> dict[str, Any]:
    params = {
        "name": "ask_metric",
        "arguments": {"metrics": ["net_revenue"]},
        "_meta": {**META, **(more or {})},
    }
    return {
        "json": {"jsonrpc": "2.0", "id": 'a "call"', "method": "tools/call", "params": params},
        "headers": {
            "Authorization": f"Bearer {TOKEN}",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": "2026-07-28",
            "Mcp-Method": "tools/call",
            "Mcp-Name": header,
        },
    }


HARD = Reply(
    outcome="answered",
    trace_id="t1",
    rows=(('é "quoted" \\ \u2028 \x85 \x00 </script>', "2.50", None),),
    answer="a\nb",
    notes=("0" * 30_000,),
)


@pytest.mark.parametrize("more", [{}, {"progressToken": "p1"}], ids=["quiet", "telling"])
async def test_text_and_structured_content_are_the_reply_as_over_http_whatever_it_holds(
    callers: Callers, server: ServerSettings, more: dict[str, Any]
) -> None:
    house = FakeGateway(reply=HARD, stages=("plan", "run"))
    with serving(build_http(house, callers, server)) as address, httpx.Client(base_url=address) as http:
        found = http.post("/mcp", **called(more))
        plain = http.post(
            "/v1/questions",
            json={"metrics": ["net_revenue"]},
            headers={"Authorization": f"Bearer {TOKEN}"},
        )
    body = found.text
    assert found.headers["content-type"].startswith("text/event-stream") is bool(more)
    if more:
        body = [line for line in body.splitlines() if line.startswith("data: ")][-1].removeprefix("data: ")
    else:
        assert int(found.headers["content-length"]) == len(found.content)
    message = json.loads(body)
    assert message["id"] == 'a "call"'
    result = message["result"]
    assert result["structuredContent"] == plain.json() == json.loads(HARD.as_json)
    (content,) = result["content"]
    assert (content["type"], content["text"]) == ("text", HARD.as_json)
    assert result["resultType"] == "complete"
    assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "cellbound"


async def test_a_call_whose_headers_disagree_with_its_body_is_refused_on_the_quiet_way_too(
    callers: Callers, server: ServerSettings
) -> None:
    house = FakeGateway()
    with serving(build_http(house, callers, server)) as address, httpx.Client(base_url=address) as http:
        found = http.post("/mcp", **called(header="get_trace"))
    assert found.status_code == 400
    assert found.json()["error"]["code"] == -32020
    assert not house.asked
