"""One connection of HTTP/1.1 with a deadline for each of its phases, and caps on what it may hold."""

import asyncio
import fcntl
import struct
import termios
from collections.abc import Callable
from math import ceil
from typing import Any, Literal

from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from gateway.doors.http.problem import Written, lines, problem, written
from gateway.doors.serving.ending import Ending
from gateway.doors.serving.joined import Joined
from gateway.doors.serving.refusals import BAD_REQUEST, HEAD_TOO_LARGE, HEAD_TOO_SLOW, TOO_MANY, Refused
from gateway.settings.server import ServerSettings

Phase = Literal["new", "head", "body", "work", "idle"]
MOST_PIPELINED = 16
CLOSE = (b"connection", b"close")
BODY_SLACK = 1.0
"""The application answers a slow body in words first; this cuts what it does not read."""


Refusing = Callable[[Any], Written | None]
"""Returns the whole answer to a request that is refused by its head alone."""


def by_no_head(_: object) -> None:
    """Refuse nothing."""


class GuardedConfig(Config):
    """The configuration of the server, with the limits that its connections keep."""

    def __init__(self, app: Any, limits: ServerSettings, refusing: Refusing = by_no_head) -> None:
        super().__init__(
            Ending(app),
            http=GuardedConnection,
            ws="none",
            lifespan="on",
            log_config=None,
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_keep_alive=ceil(limits.idle_seconds),
            timeout_graceful_shutdown=ceil(limits.grace_seconds),
            backlog=min(limits.connections, 4096),
        )
        self.limits = limits
        self.refusing = refusing


class GuardedConnection(HttpToolsProtocol):
    """Parses as uvicorn does. Who sends or reads too slowly, too much or too many at once is cut off.

    `look` has to be called every now and then; there is no timer per connection.
    """

    config: GuardedConfig

    def __init__(
        self,
        config: GuardedConfig,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._limits = config.limits
        self._phase: Phase = "new"
        self._since = self.loop.time()
        self._head = 0
        self._refused = False
        self._unsent = 0
        self._unsent_since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take the connection, or say that there are too many."""
        super().connection_made(transport)
        if len(self.connections) > self._limits.connections:
            self._refuse(TOO_MANY)

    def data_received(self, data: bytes) -> None:
        """Parse what came. A head that grows beyond its limit is answered 431."""
        if self._refused:
            return
        if self._phase in ("new", "idle"):
            self._enter("head")
            self._head = 0
        super().data_received(data)
        if self._phase == "head":
            self._head += len(data)
            if self._head > self._limits.header_bytes:
                self._refuse(HEAD_TOO_LARGE)

    def on_message_begin(self) -> None:
        """Note that a head begins; within one piece of data it may be the next one."""
        super().on_message_begin()
        self._enter("head")
        self._head = 0

    def on_headers_complete(self) -> None:
        """Start the request, unless its head is too large or too many wait behind one another."""
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if size > self._limits.header_bytes:
            self._refuse(HEAD_TOO_LARGE)
        elif len(self.pipeline) >= MOST_PIPELINED:
            self._refused = True
            self.transport.abort()
        if not self._refused:
            self._enter("body")
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Pass a part of the body on."""
        if not self._refused:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """Note that the request is whole; from now on its own limits hold."""
        if self._refused:
            return
        super().on_message_complete()
        self._enter("idle" if self.cycle.response_complete else "work")

    def on_response_complete(self) -> None:
        """Note that the connection waits for the next request: this one came whole, and none is behind it."""
        super().on_response_complete()
        if self._phase == "work" and not self._working():
            self._enter("idle")

    def send_400_response(self, msg: str) -> None:
        """Say in our own words that this is no HTTP."""
        self._refuse(BAD_REQUEST)

    def look(self, now: float) -> None:
        """Cut the connection off where a deadline has passed."""
        if self._is_stalled(now):
            self.transport.abort()
        elif self._is_late(now):
            if self._phase == "head" and not self._working():
                self._refuse(HEAD_TOO_SLOW)
            elif self._phase == "idle":
                self.transport.close()
            else:
                self.transport.abort()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        """Start a task for a request, unless it is refused by its head alone: that is said at once."""
        unsent = self.transport.get_write_buffer_size()
        said = None if unsent else self.config.refusing(cycle.scope)
        if said is None:
            cycle.transport = Joined(self.transport, cycle, self.loop)
            super()._start_asgi_task(cycle, app)
            return
        cycle.response_started = cycle.response_complete = True
        # Who waits to be told that a body is wanted may send it after this, or the next request instead.
        stays = cycle.keep_alive and not cycle.waiting_for_100_continue
        headers = self.server_state.default_headers + ([] if stays else [CLOSE])
        # One piece: of two, whoever asked would be woken by the first one, to wait for the second.
        self.transport.write(b"%s%s\r\n%s" % (said.head, lines(headers), said.body))
        if not stays:
            self.transport.close()
        self.on_response_complete()

    def _is_late(self, now: float) -> bool:
        spent = now - self._since
        match self._phase:
            case "new":
                return spent > self._limits.header_seconds
            case "head":
                return spent > self._limits.header_seconds and not self._working()
            case "body":
                return spent > self._limits.body_seconds + BODY_SLACK
            case "idle":
                return spent > self._limits.idle_seconds
        return False

    def _is_stalled(self, now: float) -> bool:
        """Say whether what was written has not moved for too long: the peer does not read."""
        unsent = self.transport.get_write_buffer_size()
        unsent += _in_the_kernel(self.transport) if unsent else 0
        if unsent == 0 or unsent < self._unsent or not self._unsent:
            self._unsent, self._unsent_since = unsent, now
            return False
        self._unsent = unsent
        return now - self._unsent_since > self._limits.write_seconds

    def _working(self) -> bool:
        """Say whether a request before this one is still being answered."""
        before: RequestResponseCycle | None = getattr(self, "cycle", None)
        return before is not None and not before.response_complete

    def _enter(self, phase: Phase) -> None:
        self._phase, self._since = phase, self.loop.time()

    def _refuse(self, refused: Refused) -> None:
        """Answer in words without the application, and close."""
        self._refused = True
        self._unset_keepalive_if_required()
        if self.transport.is_closing():
            return
        if not self._working():
            answer = written(problem(refused.status, (refused.issue(self._limits),), refused.headers))
            self.transport.write(b"%s\r\n%s" % answer)
        self.transport.close()


def _in_the_kernel(transport: asyncio.Transport) -> int:
    """Return how many bytes the kernel still holds for the peer; it takes more in large steps only."""
    held = fcntl.ioctl(transport.get_extra_info("socket").fileno(), termios.TIOCOUTQ, b"\0\0\0\0")
    return int(struct.unpack("i", held)[0])
