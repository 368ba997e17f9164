"""/mcp over HTTP: a server that keeps no session, so that any process may take a client's next call."""

from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from secrets import token_urlsafe
from typing import Any

from mcp.server import MCPServer
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from starlette.datastructures import Headers
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway.doors.http.leaver import UnlessLeft
from gateway.doors.http.problem import problem
from gateway.doors.json_input import BadJson, read_json
from gateway.doors.mcp.calls import SESSION, Calls, call_of
from gateway.doors.mcp.late import ALIVE_SECONDS, STREAM, LateResponse
from gateway.doors.mcp.written import KEY, Written
from gateway.reply import ReplyIssue
from gateway.settings.server import ServerSettings
from traces.records import Caller

OK = 200
PATH = "/mcp"
NOT_ALLOWED = 405
SERVED = "POST"
BEGINS = b'"initialize"'
NEWEST = frozenset(version.encode() for version in MODERN_PROTOCOL_VERSIONS)
NOTES = b"progressToken", b"logLevel"
TAKEN_BACK = "notifications/cancelled"


class Mounted:
    """An MCP server as a part of an application: its route, and what has to run while that is served.

    `calls` are those that a client may take back, and `who` says who sent the running request.
    """

    def __init__(
        self,
        mcp: MCPServer[Any],
        settings: ServerSettings,
        calls: Calls | None = None,
        who: Callable[[], Caller | None] = lambda: None,
    ) -> None:
        security = TransportSecuritySettings(
            allowed_hosts=list(settings.allowed_hosts), allowed_origins=list(settings.allowed_origins)
        )
        limits: dict[str, Any] = {
            "transport_security": security,
            "max_request_body_size": settings.body_bytes,
        }
        # Called for the session manager it builds; the application it returns is not used.
        mcp.streamable_http_app(stateless_http=True, **limits)
        self._telling = mcp.session_manager
        self._quiet = StreamableHTTPSessionManager(
            self._telling.app,
            json_response=True,
            stateless=True,
            security_settings=security,
            max_request_body_size=settings.body_bytes,
        )
        stacks = StreamableHTTPASGIApp(self._telling), StreamableHTTPASGIApp(self._quiet)
        self.endpoint = Endpoint(*stacks, calls or Calls(), who)
        self.route = Route(PATH, self.endpoint)

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        """Serve while the block runs; once only."""
        async with self._telling.run(), self._quiet.run():
            yield


class Endpoint:
    """What stands before the MCP stack: POST alone, as the specification has it for a server without pushes.

    White space around a header's value is no part of it; the parser leaves what stands behind. A client that
    begins with a handshake is named, so that it can take back its own calls. A call that wants to hear
    nothing before its result goes to the `quiet` stack, which answers in the request's own task.
    """

    def __init__(
        self, telling: ASGIApp, quiet: ASGIApp, calls: Calls, who: Callable[[], Caller | None]
    ) -> None:
        self._telling = telling
        self._quiet = quiet
        self._calls = calls
        self._who = who

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or pass the request on."""
        if scope["type"] == "http" and scope["method"] != "POST":
            refused = problem(NOT_ALLOWED, (_NO_STREAM,), {"Allow": SERVED})
            await refused(scope, receive, send)
            return
        written = Written()
        headers = [(name, value.strip(b" \t")) for name, value in scope.get("headers", ())]
        scope = {**scope, "headers": headers, KEY: written}
        first = await receive()
        again, sending = _again(first, receive), written.sending(send)
        if _wants_the_result_alone(headers, first):
            seconds = ALIVE_SECONDS if _takes_a_stream(headers) else None
            with UnlessLeft(receive), LateResponse(sending, seconds) as late:
                await self._quiet(scope, again, late.send)
            return
        body = first.get("body", b"")
        session = Headers(scope=scope).get(SESSION, "")
        if session and TAKEN_BACK.encode() in body:
            self._take_back(session, body)
        named = _naming(sending) if not session and BEGINS in body else sending
        await self._telling(scope, again, named)

    def _take_back(self, session: str, body: bytes) -> None:
        """Stop the call that a client says it takes back; what is no such message is left to the stack."""
        caller = self._who()
        try:
            message = read_json(body)
        except BadJson:
            return
        if caller is None or not isinstance(message, Mapping) or message.get("method") != TAKEN_BACK:
            return
        params = message.get("params")
        number = params.get("requestId") if isinstance(params, Mapping) else None
        self._calls.take_back(call_of(caller, session, number))


def _wants_the_result_alone(headers: Iterable[tuple[bytes, bytes]], first: Message) -> bool:
    """Say whether a request is a call of the newest era that asks for no note of progress and no log."""
    said = dict(headers)
    body = first.get("body", b"")
    return (
        said.get(b"mcp-method") == b"tools/call"
        and said.get(b"mcp-protocol-version") in NEWEST
        and not first.get("more_body", False)
        and not any(note in body for note in NOTES)
    )


def _takes_a_stream(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Say whether a client names a stream of events among what it accepts."""
    accepted = b",".join(value for name, value in headers if name == b"accept").lower().split(b",")
    return any(each.partition(b";")[0].strip() == STREAM for each in accepted)


def _again(first: Message, receive: Receive) -> Receive:
    """Return what gives the first message once more, then what comes after it."""
    waiting = [first]

    async def next_message() -> Message:
        return waiting.pop() if waiting else await receive()

    return next_message


def _naming(send: Send) -> Send:
    """Return a send that gives a client its name with the answer to its handshake."""

    async def named(message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] == OK:
            name = (SESSION.encode(), token_urlsafe(24).encode())
            message = {**message, "headers": [*message.get("headers", ()), name]}
        await send(message)

    return named


_NO_STREAM = ReplyIssue(
    code="no_stream",
    message="There is no stream to open here: every answer comes with its own request.",
    stage="input",
    next_step="POST a JSON-RPC message to /mcp; an MCP client does so by itself.",
)
