"""A full house says so as soon as it has read a head: in the same words, on the same terms, over a socket."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from uvicorn.server import ServerState

from gateway.doors.http.admission import busy
from gateway.doors.http.problem import Written, written
from gateway.doors.serving.app import build_http
from gateway.doors.serving.connection import GuardedConfig, GuardedConnection
from gateway.doors.serving.server import GuardedServer, listen
from gateway.settings.file import ServerSettings
from tests.gateway.doors.test_admission import PLAN, Slow, callers

BODY = json.dumps(PLAN).encode()
WAIT = 20.0


class Begun(Slow):
    """Says that it was asked, and answers once it is told to."""

    def ask(self, *given: Any, **named: Any) -> Any:
        self.begun.set()
        return super().ask(*given, **named)


class Full:
    """A served house of one place that is taken; `refusals` are those that it gave by a head alone."""

    def __init__(self, app: FastAPI, port: int) -> None:
        self.app = app
        self.port = port
        self.refusals = 0

    def refusing(self, scope: Any) -> Written | None:
        said: Written | None = self.app.state.refusing(scope)
        self.refusals += bool(said)
        return said

    async def asked(self, user: str, *, body: bool = True, host: str = "127.0.0.1:1") -> httpx.Response:
        """Ask over a socket of its own, with no more than a head where there is no `body`."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(head(user, host) + (BODY if body else b""))
        answer = await told(reader)
        writer.close()
        return answer

    async def the_long_way(self, user: str) -> httpx.Response:
        """Ask the application itself, in front of which no connection stands."""
        transport = httpx.ASGITransport(self.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:1") as http:
            return await http.post("/v1/questions", headers={"Authorization": f"Bearer {user}"}, json=PLAN)


class Pieces(asyncio.Transport):
    """A transport that keeps each piece that was written."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[bytes] = []

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.pieces.append(bytes(data))

    def get_write_buffer_size(self) -> int:
        return 0

    def is_closing(self) -> bool:
        return False

    def close(self) -> None:
        """Nothing is open."""


def head(user: str, host: str = "127.0.0.1:1", **more: str) -> bytes:
    said = {"Host": host, "Authorization": f"Bearer {user}", "Content-Type": "application/json", **more}
    lines = "".join(f"{name}: {value}\r\n" for name, value in said.items())
    return f"POST /v1/questions HTTP/1.1\r\n{lines}Content-Length: {len(BODY)}\r\n\r\n".encode()


async def told(reader: asyncio.StreamReader) -> httpx.Response:
    async with asyncio.timeout(WAIT):
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().strip().split("\r\n")
        headers = httpx.Headers({name: value for name, _, value in (each.partition(": ") for each in lines)})
        content = await reader.readexactly(int(headers["content-length"]))
    return httpx.Response(int(first.split()[1]), headers=headers, content=content)


@asynccontextmanager
async def full(limits: ServerSettings) -> AsyncIterator[Full]:
    house = Begun()
    app = build_http(house, callers(), limits)
    with listen("127.0.0.1", 0) as listening:
        served = Full(app, listening.getsockname()[1])
        server = GuardedServer(GuardedConfig(app, limits, served.refusing))
        running = asyncio.ensure_future(server.serve(sockets=[listening]))
        try:
            while not server.started:
                await asyncio.sleep(0.01)
            first = asyncio.ensure_future(served.asked("ana"))
            while not house.begun.is_set():
                await asyncio.sleep(0.01)
            yield served
            house.go.set()
            assert (await first).status_code == 200
        finally:
            house.go.set()
            server.should_exit = True
            await running


ONE_PLACE = ServerSettings(workers=1, queue=0)


@pytest.mark.anyio
async def test_it_is_refused_before_a_byte_of_its_body_comes_in_the_words_of_the_long_way() -> None:
    async with full(ONE_PLACE) as house:
        early, late = await house.asked("ana", body=False), await house.the_long_way("ana")
        assert house.refusals == 1
    assert (early.status_code, early.content) == (503, late.content)
    kept = ("content-type", "retry-after", "content-length")
    assert [early.headers[name] for name in kept] == [late.headers[name] for name in kept]


@pytest.mark.anyio
async def test_it_is_written_in_one_piece() -> None:
    said = written(busy())
    config = GuardedConfig(FastAPI(), ONE_PLACE, lambda _: said)
    config.load()
    connection, transport = GuardedConnection(config, ServerState(), {}), Pieces()
    connection.connection_made(transport)
    connection.data_received(head("ana") + BODY)
    (piece,) = transport.pieces
    assert piece.startswith(b"HTTP/1.1 503 Service Unavailable\r\n") and piece.endswith(said.body)
    connection.connection_lost(None)


@pytest.mark.anyio
async def test_its_connection_takes_the_next_request_once_its_body_has_come() -> None:
    async with full(ONE_PLACE) as house:
        reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
        for _ in range(3):
            writer.write(head("ana"))
            assert (await told(reader)).status_code == 503
            writer.write(BODY)
        writer.write(b"GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n")
        assert (await told(reader)).status_code == 200
        writer.close()
        assert house.refusals == 3


@pytest.mark.anyio
async def test_a_connection_that_shall_close_says_so_in_its_one_refusal_and_hears_nothing_more() -> None:
    async with full(ONE_PLACE) as house:
        reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
        writer.write((head("ana", Connection="close") + BODY) * 2)
        answer = await told(reader)
        assert (answer.status_code, answer.headers["connection"]) == (503, "close")
        async with asyncio.timeout(WAIT):
            assert await reader.read() == b""
        writer.close()
        assert house.refusals == 1


@pytest.mark.anyio
async def test_who_waits_to_be_told_that_a_body_is_wanted_is_refused_and_left() -> None:
    async with full(ONE_PLACE) as house:
        reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
        writer.write(head("ana", Expect="100-continue"))
        answer = await told(reader)
        assert (answer.status_code, answer.headers["connection"]) == (503, "close")
        async with asyncio.timeout(WAIT):
            assert await reader.read() == b""
        writer.close()


@pytest.mark.anyio
async def test_refusals_behind_one_another_come_whole_and_in_their_order() -> None:
    async with full(ONE_PLACE) as house:
        reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
        live = b"GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n"
        writer.write(head("ana") + BODY + live + head("ana") + BODY + live)
        assert [(await told(reader)).status_code for _ in range(4)] == [503, 200, 503, 200]
        writer.close()


@pytest.mark.anyio
async def test_a_connection_that_was_refused_and_says_nothing_more_is_closed() -> None:
    async with full(ServerSettings(workers=1, queue=0, idle_seconds=1)) as house:
        reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
        writer.write(head("ana"))
        assert (await told(reader)).status_code == 503
        writer.write(BODY)
        async with asyncio.timeout(WAIT):
            assert await reader.read() == b""
        writer.close()


@pytest.mark.anyio
async def test_who_is_nobody_or_calls_a_strange_name_or_comes_too_often_hears_that_instead() -> None:
    async with full(ServerSettings(workers=1, queue=0, user_per_minute=3)) as house:
        assert (await house.asked("nobody")).status_code == 401
        assert (await house.asked("ana", host="evil.example")).status_code == 421
        assert house.refusals == 0
        heard = [(await house.asked("ana")).status_code for _ in range(3)]
        assert (heard, house.refusals) == ([503, 503, 429], 2), "its first question and two refusals count"


@pytest.mark.anyio
async def test_who_may_wait_waits_and_every_refusal_is_counted() -> None:
    async with full(ServerSettings(workers=1, queue=1, metrics="open")) as house:
        waiting = asyncio.ensure_future(house.asked("cleo"))
        await asyncio.sleep(0.2)
        assert [(await house.asked("ana")).status_code for _ in range(2)] == [503, 503]
        assert (house.refusals, waiting.done()) == (2, False)
        told_of = json.loads(house.app.state.dump())
        assert ["cellbound_http_responses_total", [["status", "503"]], 2] in told_of["counts"]
        assert told_of["inside"] == 2, "one at work and one who waits; who was refused is not inside"
    assert (await waiting).status_code == 200
