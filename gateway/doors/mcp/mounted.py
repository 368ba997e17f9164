"""/mcp over HTTP: a server that keeps no session, so that any process may take a client's next call."""

from collections.abc import Callable, Mapping
from secrets import token_urlsafe
from typing import Any

from mcp.server import MCPServer
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway.doors.http.problem import problem
from gateway.doors.json_input import BadJson, read_json
from gateway.doors.mcp.calls import SESSION, Calls, call_of
from gateway.reply import ReplyIssue
from gateway.settings.server import ServerSettings
from traces.records import Caller

OK = 200
PATH = "/mcp"
NOT_ALLOWED = 405
SERVED = "POST"
BEGINS = b'"initialize"'
TAKEN_BACK = "notifications/cancelled"


def mounted(
    mcp: MCPServer[Any],
    settings: ServerSettings,
    calls: Calls | None = None,
    who: Callable[[], Caller | None] = lambda: None,
) -> tuple[Route, StreamableHTTPSessionManager]:
    """Return the route of an MCP server, and the manager that the application runs while it is up.

    `calls` are those that a client may take back, and `who` says who sent the running request.
    """
    security = TransportSecuritySettings(
        allowed_hosts=list(settings.allowed_hosts), allowed_origins=list(settings.allowed_origins)
    )
    # Called for the session manager it builds; the application it returns is not used.
    mcp.streamable_http_app(
        stateless_http=True, transport_security=security, max_request_body_size=settings.body_bytes
    )
    stack = StreamableHTTPASGIApp(mcp.session_manager)
    return Route(PATH, Endpoint(stack, calls or Calls(), who)), mcp.session_manager


class Endpoint:
    """What stands before the MCP stack: POST alone, as the specification has it for a server without pushes.

    White space around a header's value is no part of it; the parser leaves what stands behind. A client that
    begins with a handshake is named, so that it can take back its own calls.
    """

    def __init__(self, app: ASGIApp, calls: Calls, who: Callable[[], Caller | None]) -> None:
        self._app = app
        self._calls = calls
        self._who = who

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or pass the request on."""
        if scope["type"] == "http" and scope["method"] != "POST":
            refused = problem(NOT_ALLOWED, (_NO_STREAM,), {"Allow": SERVED})
            await refused(scope, receive, send)
            return
        headers = [(name, value.strip(b" \t")) for name, value in scope.get("headers", ())]
        scope = {**scope, "headers": headers}
        first = await receive()
        body = first.get("body", b"")
        session = Headers(scope=scope).get(SESSION, "")
        if session and TAKEN_BACK.encode() in body:
            self._take_back(session, body)
        named = _naming(send) if not session and BEGINS in body else send
        await self._app(scope, _again(first, receive), named)

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
