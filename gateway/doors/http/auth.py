"""Who may come in over HTTP, and what for: one check in front of /v1 and /mcp alike."""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext

from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.routes import build_resource_metadata_url, create_protected_resource_routes
from pydantic import AnyHttpUrl
from starlette.datastructures import Headers
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from gateway.asking import EVALUATION, Door
from gateway.doors.http.credentials import CallerToken, Credentials, bearer
from gateway.doors.http.problem import problem
from gateway.doors.identity.entrance import Entrance
from gateway.doors.identity.scopes import (
    EVALUATE,
    EVERY,
    SCOPES,
    scopes_for_resource,
    scopes_for_route,
    scopes_for_tool,
)
from gateway.doors.status import UNKNOWN_CALLER
from gateway.errors import IdentityRefused
from gateway.reply import ReplyIssue
from gateway.settings.identity import OidcSettings
from metric_layer.issues import Issue
from traces.records import Caller

GUARDED = ("/v1", "/mcp")
FORBIDDEN = 403
METADATA = "/.well-known/oauth-protected-resource"


class RequireCaller:
    """Lets nobody to /v1 or /mcp without a credential that is good for it; the body is not even read.

    Who it is stands in the scope as `user`. While a request runs, the house knows the token that an issuer
    gave its caller, so that it can be exchanged for one of the database's own.
    """

    def __init__(self, app: ASGIApp, door: Entrance, credentials: Credentials) -> None:
        self._app = app
        self._door = door
        self._credentials = credentials
        resource = door.settings.resource
        self._about = str(build_resource_metadata_url(AnyHttpUrl(resource))) if resource else ""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 401 or 403, or pass the request on."""
        if scope["type"] != "http" or not _guarded(scope["path"]):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        user = await self._credentials.user(headers)
        if user is None:
            # RFC 6750: who sent no token is told of no error.
            error = {"error": "invalid_token"} if bearer(headers) else {}
            refused = problem(UNKNOWN_CALLER.http, (_REFUSED,), self._challenge(error))
            await refused(scope, receive, send)
            return
        wanted = _wanted(scope["method"], scope["path"], headers)
        if not may(frozenset(user.scopes), wanted):
            listed = " ".join(sorted(wanted or EVERY))
            error = {"error": "insufficient_scope", "scope": listed}
            refused = problem(FORBIDDEN, (insufficient(wanted),), self._challenge(error))
            await refused(scope, receive, send)
            return
        scope["user"] = user
        with self._inside(user, headers):
            await self._app(scope, receive, send)

    def _inside(self, user: AuthenticatedUser, headers: Headers) -> AbstractContextManager[None]:
        """Know the token of an issuer while its request runs; our own tokens are worth nothing elsewhere."""
        claims = user.access_token.claims or {}
        if not self._door.settings.issuer or claims.get("iss") != self._door.settings.issuer:
            return nullcontext()
        return self._door.present.during(user.username, bearer(headers))

    def _challenge(self, said: Mapping[str, str]) -> Mapping[str, str]:
        about = {"resource_metadata": self._about} if self._about else {}
        parts = ", ".join(f'{name}="{value}"' for name, value in {**said, **about}.items())
        return {"WWW-Authenticate": f"Bearer {parts}".strip()}


def metadata_routes(settings: OidcSettings) -> list[Route]:
    """Return the routes that say who issues tokens for this server (RFC 9728), for /mcp and for the whole."""
    if not settings.resource:
        return []
    (for_mcp,) = create_protected_resource_routes(
        AnyHttpUrl(settings.resource),
        [AnyHttpUrl(settings.issuer)] if settings.issuer else [],
        list(SCOPES),
        resource_name="cellbound",
    )
    return [for_mcp, Route(METADATA, for_mcp.endpoint, methods=["GET", "OPTIONS"])]


def current_caller() -> Caller:
    """Return who is asking, from the credential of the running request. Raises IdentityRefused."""
    token = get_access_token()
    if not isinstance(token, CallerToken):
        raise IdentityRefused(
            (Issue(code=_REFUSED.code, message=_REFUSED.message, next_step=_REFUSED.next_step),)
        )
    return token.caller


def asking_caller() -> Caller | None:
    """Return who sent the running request; None where no credential did, as on pages of the console."""
    token = get_access_token()
    return token.caller if isinstance(token, CallerToken) else None


def current_scopes() -> frozenset[str]:
    """Return what the credential of the running request may be used for."""
    token = get_access_token()
    return frozenset(token.scopes) if token else frozenset()


def entered_by(door: Door) -> Door:
    """Return the door of the running request: that of evaluations where its token was issued for them."""
    return EVALUATION if EVALUATE in current_scopes() else door


def may(granted: frozenset[str], wanted: frozenset[str]) -> bool:
    """Say whether granted scopes are enough; where none is named, one of ours must be there."""
    return wanted <= granted and bool(granted & EVERY)


def insufficient(wanted: frozenset[str]) -> ReplyIssue:
    """Return what is said to a credential that is good, but not for this."""
    listed = ", ".join(sorted(wanted)) or "one of " + ", ".join(SCOPES)
    return ReplyIssue(
        code="insufficient_scope",
        message=f"This takes the scope {listed}, which your token does not have.",
        stage="input",
        seen=listed,
        next_step="Ask for a token with that scope where this one came from.",
    )


def _wanted(method: str, path: str, headers: Headers) -> frozenset[str]:
    """Return the scopes of a request. Of MCP only what its headers name; the rest is looked at call by call.

    The MCP stack refuses headers that say something else than the body.
    """
    if not _below(path, "/mcp"):
        return scopes_for_route(method, path)
    match headers.get("mcp-method"):
        case "tools/call":
            return scopes_for_tool(headers.get("mcp-name", ""))
        case "resources/read":
            return scopes_for_resource(headers.get("mcp-name", ""))
    return frozenset()


def _guarded(path: str) -> bool:
    return any(_below(path, room) for room in GUARDED)


def _below(path: str, room: str) -> bool:
    return path == room or path.startswith(f"{room}/")


_REFUSED = ReplyIssue(
    code="no_identity",
    message="No bearer token, or one that is not good here.",
    stage="input",
    next_step="Send `Authorization: Bearer TOKEN` with a token of this gateway or of its issuer.",
)
