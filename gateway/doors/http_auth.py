"""Bearer tokens over HTTP: one check in front of /v1 and /mcp alike."""

from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from starlette.types import ASGIApp, Receive, Scope, Send

from gateway.doors.http_problem import problem
from gateway.doors.identity import Callers
from gateway.doors.status import UNKNOWN_CALLER
from gateway.errors import IdentityRefused
from gateway.reply import ReplyIssue
from metric_layer.issues import Issue
from traces.records import Caller

GUARDED = ("/v1", "/mcp")
ISSUER = "cellbound"


class CallerToken(AccessToken):
    """A bearer token together with the caller it was issued to."""

    caller: Caller


class TokenBook:
    """Looks bearer tokens up among the project's digests, in the shape the MCP stack asks for."""

    def __init__(self, callers: Callers) -> None:
        self._callers = callers

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return whose token it is, or None. The token's own text is not kept."""
        caller = self._callers.by_token(token)
        if caller is None:
            return None
        return CallerToken(
            token="",
            client_id=caller.user,
            subject=caller.user,
            scopes=[],
            claims={"iss": ISSUER},
            caller=caller,
        )


class RequireCaller:
    """Lets nobody past it to /v1 or /mcp without a token that was issued; the body is not even read."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 401 or pass the request on."""
        if (
            scope["type"] == "http"
            and _guarded(scope["path"])
            and not isinstance(scope.get("user"), AuthenticatedUser)
        ):
            await problem(UNKNOWN_CALLER.http, (_REFUSED,), {"WWW-Authenticate": "Bearer"})(
                scope, receive, send
            )
            return
        await self._app(scope, receive, send)


def current_caller() -> Caller:
    """Return who is asking, from the token of the running request. Raises IdentityRefused."""
    token = get_access_token()
    if not isinstance(token, CallerToken):
        raise IdentityRefused(
            (Issue(code=_REFUSED.code, message=_REFUSED.message, next_step=_REFUSED.next_step),)
        )
    return token.caller


def _guarded(path: str) -> bool:
    return any(path == room or path.startswith(f"{room}/") for room in GUARDED)


_REFUSED = ReplyIssue(
    code="no_identity",
    message="No bearer token, or one that was not issued here.",
    stage="input",
    next_step="Send `Authorization: Bearer TOKEN` with a token that this gateway issued.",
)
