"""From the headers of a request to who sent it: what a trusted proxy says, else a bearer token."""

import time

from anyio import to_thread
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser, BearerAuthBackend
from mcp.server.auth.provider import AccessToken
from starlette.authentication import AuthCredentials, AuthenticationBackend, BaseUser
from starlette.requests import HTTPConnection

from gateway.doors.identity import digest_of
from gateway.doors.identity.entrance import Entrance
from gateway.doors.identity.scopes import EVERY, known_scopes
from gateway.entrances.token import PREFIX
from traces.records import Caller

ISSUER, PROXY = "cellbound", "proxy"
PROXY_SECONDS = 60


class CallerToken(AccessToken):
    """A credential together with the caller it stands for; the credential's own text is not in it."""

    caller: Caller


class TokenBook:
    """Looks bearer tokens up among those listed, issued and signed, in the shape the MCP stack asks for."""

    def __init__(self, door: Entrance) -> None:
        self._callers = door.callers
        self._oidc = door.oidc
        self._settings = door.settings

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return whose token it is, or None."""
        if token.startswith(PREFIX):
            issued = await to_thread.run_sync(self._issued, token)
            if issued is not None:
                return issued
        # The tokens that `init` makes have the prefix too, and are listed.
        caller = self._callers.by_digest(digest_of(token))
        if caller is not None:
            return access(caller, EVERY, ISSUER)
        proved = await self._oidc.proved(token) if self._oidc else None
        if proved is None:
            return None
        until = proved.expires + self._settings.leeway_seconds + 1
        return access(proved.caller, proved.scopes, self._settings.issuer, until)

    def _issued(self, token: str) -> AccessToken | None:
        found = self._callers.issued(token)
        caller = self._callers.listed(found.user) if found else None
        return access(caller, known_scopes(found.scopes), ISSUER) if found and caller else None


class Credentials(AuthenticationBackend):
    """The credential of a request. Who claims to be the proxy and is not is nobody, whatever they send."""

    def __init__(self, door: Entrance) -> None:
        self._bearer = BearerAuthBackend(TokenBook(door))
        self._proxy = door.proxy

    async def authenticate(self, conn: HTTPConnection) -> tuple[AuthCredentials, BaseUser] | None:
        """Return who asks, or None."""
        if self._proxy is None or not self._proxy.speaks(conn.headers):
            found: tuple[AuthCredentials, BaseUser] | None = await self._bearer.authenticate(conn)
            return found
        caller = self._proxy.caller(conn.headers)
        if caller is None:
            return None
        token = access(caller, EVERY, PROXY, int(time.time()) + PROXY_SECONDS)
        return AuthCredentials(token.scopes), AuthenticatedUser(token)


def access(caller: Caller, scopes: frozenset[str], issuer: str, until: int | None = None) -> CallerToken:
    """Return who may do what until when, in the shape of the MCP stack."""
    return CallerToken(
        token="",
        client_id=caller.user,
        subject=caller.user,
        scopes=sorted(scopes),
        expires_at=until,
        claims={"iss": issuer},
        caller=caller,
    )
