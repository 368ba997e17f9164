"""Raw sockets against the real server: slow, silent, deaf, greedy and impatient peers are cut off."""

import asyncio
import json
import re
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import pytest
from starlette.types import Receive, Scope, Send

from gateway.doors.http.body import BodyLimit
from gateway.doors.serving.connection import GuardedConfig
from gateway.doors.serving.server import GuardedServer, allow_files, listen
from gateway.settings.server import ServerSettings

pytestmark = pytest.mark.anyio
LIMITS = ServerSettings(
    connections=50,
    header_bytes=1024,
    header_seconds=0.3,
    body_seconds=0.3,
    idle_seconds=0.5,
    write_seconds=0.5,
    grace_seconds=1,
)
GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
LARGE = b"x" * 8_000_000
WAIT = 10.0


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Application:
    """Answers `ok`; /large with more than any socket holds, /hang never; counts what it was asked."""

    def __init__(self) -> None:
        self.asked = 0
        self.left = asyncio.Event()
        self.hanging = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._live(receive, send)
            return
        self.asked += 1
        await receive()
        if scope["path"] == "/hang":
            self.hanging.set()
            while (await receive())["type"] != "http.disconnect":
                continue
            self.left.set()
            return
        body = LARGE if scope["path"] == "/large" else b"ok"
        length = [(b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": length})
        await send({"type": "http.response.body", "body": body})

    async def _live(self, receive: Receive, send: Send) -> None:
        for phase in ("startup", "shutdown"):
            await receive()
            await send({"type": f"lifespan.{phase}.complete"})


class Served:
    """A running server, and its port."""

    def __init__(self, server: GuardedServer, application: Application, port: int) -> None:
        self.server = server
        self.application = application
        self.port = port

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self.port)

    async def said(self, *parts: bytes, pause: float = 0.0) -> bytes:
        """Send parts with pauses and return all that comes back until the server closes."""
        reader, writer = await self.connect()
        sending = asyncio.ensure_future(_send(writer, parts, pause))
        async with asyncio.timeout(WAIT):
            try:
                return await reader.read()
            except ConnectionError:
                return b""
            finally:
                sending.cancel()
                writer.close()


async def _send(writer: asyncio.StreamWriter, parts: tuple[bytes, ...], pause: float) -> None:
    with suppress(ConnectionError):
        for part in parts:
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(pause)


@asynccontextmanager
async def serving(limits: ServerSettings) -> AsyncIterator[Served]:
    application = Application()
    listening = listen("127.0.0.1", 0)
    server = GuardedServer(GuardedConfig(BodyLimit(application, 100_000, limits.body_seconds), limits))
    task = asyncio.ensure_future(server.serve(sockets=[listening]))
    async with asyncio.timeout(WAIT):
        while not server.started:
            await asyncio.sleep(0.01)
    try:
        yield Served(server, application, listening.getsockname()[1])
    finally:
        server.should_exit = True
        async with asyncio.timeout(WAIT):
            await task


@pytest.fixture
async def served() -> AsyncIterator[Served]:
    async with serving(LIMITS) as running:
        yield running


def code_of(answer: bytes) -> tuple[int, str]:
    """Return the status and our code of a raw answer."""
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split(b" ")[1]), json.loads(body)["code"]


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT):
        while not true():
            await asyncio.sleep(0.02)


async def test_a_head_that_does_not_end_is_answered_408_and_closed(served: Served) -> None:
    assert code_of(await served.said(b"GET / HTTP/1.1\r\nHost: x\r\n")) == (408, "head_too_slow")


async def test_a_head_that_comes_byte_by_byte_gets_no_more_time(served: Served) -> None:
    dripped = [b"GET / HTTP/1.1\r\n", *(b"A: b\r\n" for _ in range(60))]
    said = await served.said(*dripped, pause=0.1)
    assert not said or code_of(said) == (408, "head_too_slow")
    assert served.application.asked == 0


async def test_a_connection_that_says_nothing_is_closed_without_a_word(served: Served) -> None:
    assert await served.said() == b""


async def test_a_body_that_does_not_end_is_answered_408_and_closed(served: Served) -> None:
    head = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n"
    assert code_of(await served.said(head, b"half")) == (408, "body_too_slow")


async def test_a_body_behind_an_answer_is_cut_off_at_its_deadline(served: Served) -> None:
    """The application has answered without reading it, so nobody else waits for it."""
    reader, writer = await served.connect()
    writer.write(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 50000\r\n\r\n")
    connection = served.server.server_state.connections
    await until(lambda: bool(connection))
    dripping = asyncio.ensure_future(drip(writer))
    async with asyncio.timeout(WAIT):
        with suppress(ConnectionError):
            await reader.read()
    dripping.cancel()
    await until(lambda: not connection)
    writer.close()


async def drip(writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while True:
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(0.05)


@pytest.mark.parametrize(
    "head",
    [
        b"GET / HTTP/1.1\r\nHost: x\r\nBig: " + b"y" * 5_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nBig: " + b"y" * 5_000,
        b"GET /" + b"y" * 5_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"".join(b"A%d: b\r\n" % n for n in range(500)) + b"\r\n",
    ],
    ids=["one header", "a header without end", "the address", "many headers"],
)
async def test_a_large_head_is_answered_431_and_reaches_nobody(served: Served, head: bytes) -> None:
    assert code_of(await served.said(head)) == (431, "head_too_large")
    assert served.application.asked == 0


async def test_what_is_no_http_is_answered_in_our_words(served: Served) -> None:
    assert code_of(await served.said(b"\x16\x03\x01 hello\r\n\r\n")) == (400, "bad_http")


async def test_a_peer_that_never_reads_is_cut_off(served: Served) -> None:
    peer = socket.create_connection(("127.0.0.1", served.port))
    peer.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
    await until(lambda: served.application.asked == 1)
    await until(lambda: not served.server.server_state.connections)
    peer.close()


async def test_a_peer_that_reads_slowly_but_surely_gets_all(served: Served) -> None:
    reader, writer = await served.connect()
    writer.write(b"GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    got = 0
    async with asyncio.timeout(30):
        while part := await reader.read(500_000):
            got += len(part)
            await asyncio.sleep(0.1)
    writer.close()
    assert got > len(LARGE), "slower than the write deadline, never still for as long"


async def test_requests_behind_one_another_are_answered_in_order(served: Served) -> None:
    answer = await served.said(GET * 4 + GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
    assert answer.count(b"HTTP/1.1 200") == 5


async def test_a_flood_of_requests_behind_one_another_is_cut_off(served: Served) -> None:
    hang = b"GET /hang HTTP/1.1\r\nHost: x\r\n\r\n"
    await served.said(hang + GET * 2_000)
    assert served.application.asked <= 1
    await until(lambda: not served.server.server_state.connections)


async def test_between_two_requests_a_connection_is_kept_only_so_long(served: Served) -> None:
    assert (await served.said(GET)).endswith(b"ok")


async def test_a_question_may_take_longer_than_any_deadline_of_its_socket(served: Served) -> None:
    reader, writer = await served.connect()
    writer.write(b"GET /hang HTTP/1.1\r\nHost: x\r\n\r\n")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(1.5):
            await reader.read()
    assert not served.application.left.is_set()
    writer.close()
    async with asyncio.timeout(WAIT):
        await served.application.left.wait()


async def test_so_may_one_that_waited_behind_another_of_its_connection(served: Served) -> None:
    reader, writer = await served.connect()
    writer.write(GET + b"GET /hang HTTP/1.1\r\nHost: x\r\n\r\n")
    assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(1.5):
            await reader.read()
    assert not served.application.left.is_set()
    writer.close()
    async with asyncio.timeout(WAIT):
        await served.application.left.wait()


async def test_one_connection_more_than_allowed_is_told_so_and_the_others_go_on(served: Served) -> None:
    held = [await served.connect() for _ in range(LIMITS.connections)]
    await until(lambda: len(served.server.server_state.connections) >= LIMITS.connections)
    assert code_of(await served.said()) == (503, "too_many_connections")
    held[0][1].write(GET)
    assert (await held[0][0].readuntil(b"ok")).startswith(b"HTTP/1.1 200")
    for _, writer in held:
        writer.close()


async def test_a_thousand_silent_connections_do_not_keep_anybody_out() -> None:
    allow_files(4_000)
    async with serving(LIMITS.model_copy(update={"connections": 2_000, "header_seconds": 5.0})) as served:
        held = [await served.connect() for _ in range(1_000)]
        await until(lambda: len(served.server.server_state.connections) >= 1_000)
        answer = await served.said(GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        assert answer.endswith(b"ok")
        await until(lambda: not served.server.server_state.connections)
        for _, writer in held:
            writer.close()


async def test_told_to_end_it_lets_what_runs_end_and_takes_nothing_new() -> None:
    async with serving(LIMITS) as served:
        reader, writer = await served.connect()
        writer.write(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n")
        await until(lambda: bool(served.server.server_state.tasks))
        served.server.should_exit = True
        await asyncio.sleep(0.15)
        writer.write(b"{}")
        async with asyncio.timeout(WAIT):
            assert (await reader.read()).endswith(b"ok")
        with pytest.raises(OSError):
            await served.connect()
        writer.close()


async def test_told_to_end_it_stops_what_does_not_end_and_says_so() -> None:
    ended: Awaitable[bytes]
    async with serving(LIMITS) as served:
        ended = asyncio.ensure_future(served.said(b"GET /hang HTTP/1.1\r\nHost: x\r\n\r\n"))
        await served.application.hanging.wait()
    assert code_of(await ended) == (503, "server_ending")


async def received(answers: Callable[[Send], Awaitable[None]], request: bytes, times: int = 1) -> list[bytes]:
    """Return the pieces in which answers come, each as it was sent."""

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await Application()._live(receive, send)
        else:
            await receive()
            await answers(send)

    pieces: list[bytes] = []
    listening = listen("127.0.0.1", 0)
    server = GuardedServer(GuardedConfig(application, LIMITS))
    task = asyncio.ensure_future(server.serve(sockets=[listening]))
    await until(lambda: server.started)
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", listening.getsockname()[1])
        writer.write(request * times)
        async with asyncio.timeout(WAIT):
            while piece := await reader.read(1 << 16):
                pieces.append(piece)
                if b"".join(pieces).count(b"the end") >= times:
                    break
        writer.close()
    finally:
        server.should_exit = True
        async with asyncio.timeout(WAIT):
            await task
    return pieces


def start(*headers: tuple[bytes, bytes]) -> dict[str, object]:
    return {"type": "http.response.start", "status": 200, "headers": headers}


def body(data: bytes, *, more: bool = False) -> dict[str, object]:
    return {"type": "http.response.body", "body": data, "more_body": more}


async def test_the_head_of_an_answer_comes_with_its_body() -> None:
    async def answers(send: Send) -> None:
        await send(start((b"content-length", b"7")))
        await send(body(b"the end"))

    (piece,) = await received(answers, GET)
    assert piece.startswith(b"HTTP/1.1 200 OK\r\n") and piece.endswith(b"\r\n\r\nthe end")


async def test_a_head_does_not_wait_for_a_body_that_takes_its_time() -> None:
    async def answers(send: Send) -> None:
        await send(start())
        await asyncio.sleep(0.2)
        await send(body(b"the end"))

    head, rest = await received(answers, GET)
    assert head.endswith(b"\r\n\r\n") and b"the end" in rest


async def test_answers_to_requests_behind_one_another_stay_in_their_order() -> None:
    numbers = iter(range(10))

    async def answers(send: Send) -> None:
        text = b"%d, the end" % next(numbers)
        await send(start((b"content-length", b"%d" % len(text))))
        await send(body(text))

    whole = b"".join(await received(answers, GET, times=5))
    assert re.findall(rb"(\d), the end", whole) == [b"0", b"1", b"2", b"3", b"4"]


async def test_a_head_alone_is_sent_as_soon_as_it_is_there() -> None:
    async def answers(send: Send) -> None:
        await send(start((b"content-length", b"7"), (b"x", b"the end")))
        await send(body(b""))

    (piece,) = await received(answers, GET.replace(b"GET", b"HEAD"))
    assert piece.startswith(b"HTTP/1.1 200 OK\r\n") and piece.endswith(b"\r\n\r\n")


async def test_a_head_whose_body_fails_is_sent_before_the_connection_closes() -> None:
    async def answers(send: Send) -> None:
        await send(start((b"content-length", b"7"), (b"x", b"the end")))
        raise RuntimeError("the body failed")

    (piece,) = await received(answers, GET)
    assert piece.startswith(b"HTTP/1.1 200 OK\r\n") and piece.endswith(b"\r\n\r\n")
