"""From the headers of a request to who sent it: what a trusted proxy says, else a bearer token."""

import time

from anyio import to_thread
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from starlette.datastructures import Headers
from starlette.types import Scope

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
    """Looks bearer tokens up among those listed, issued and signed; says whose they are as MCP wants it."""

    def __init__(self, door: Entrance) -> None:
        self._callers = door.callers
        self._oidc = door.oidc
        self._settings = door.settings
        self._made: dict[bytes, tuple[Caller, AuthenticatedUser]] = {}

    async def user(self, token: str) -> AuthenticatedUser | None:
        """Return whose token it is, or None."""
        digest = digest_of(token)
        caller = self._callers.by_digest(digest)
        if caller is not None:
            return self._made_once(digest, caller)
        if token.startswith(PREFIX):
            issued = await to_thread.run_sync(self._issued, token)
            if issued is not None:
                return issued
        proved = await self._oidc.proved(token) if self._oidc else None
        if proved is None:
            return None
        until = proved.expires + self._settings.leeway_seconds + 1
        return user_of(proved.caller, proved.scopes, self._settings.issuer, until)

    def listed(self, token: str) -> Caller | None:
        """Return whose token it is, of those that are listed; such a token is good for everything."""
        return self._callers.by_digest(digest_of(token))

    def _made_once(self, digest: bytes, caller: Caller) -> AuthenticatedUser:
        """Return a listed user, made once for as long as the list has them as they are."""
        known, user = self._made.get(digest, (None, None))
        if user is None or known is not caller:
            user = user_of(caller, EVERY, ISSUER)
            self._made[digest] = caller, user
        return user

    def _issued(self, token: str) -> AuthenticatedUser | None:
        found = self._callers.issued(token)
        caller = self._callers.listed(found.user) if found else None
        return user_of(caller, known_scopes(found.scopes), ISSUER) if found and caller else None


class Credentials:
    """The credential of a request. Who claims to be the proxy and is not is nobody, whatever they send."""

    def __init__(self, door: Entrance) -> None:
        self._book = TokenBook(door)
        self._proxy = door.proxy

    async def user(self, headers: Headers) -> AuthenticatedUser | None:
        """Return who asks, or None."""
        if self._proxy is None or not self._proxy.speaks(headers):
            token = bearer(headers)
            return await self._book.user(token) if token else None
        caller = self._proxy.caller(headers)
        return user_of(caller, EVERY, PROXY, int(time.time()) + PROXY_SECONDS) if caller else None

    def listed(self, headers: Headers) -> Caller | None:
        """Return who asks with a listed token, which is known without a wait; None for whoever else."""
        if self._proxy is not None and self._proxy.speaks(headers):
            return None
        token = bearer(headers)
        return self._book.listed(token) if token else None


def caller_in(scope: Scope) -> Caller | None:
    """Return who sent a request that came in with a credential; None for any other."""
    user = scope.get("user")
    token = user.access_token if isinstance(user, AuthenticatedUser) else None
    return token.caller if isinstance(token, CallerToken) else None


def bearer(headers: Headers) -> str:
    """Return the bearer token of a request; empty without one."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def user_of(
    caller: Caller, scopes: frozenset[str], issuer: str, until: int | None = None
) -> AuthenticatedUser:
    """Return who may do what until when, in the shape of the MCP stack."""
    token = CallerToken(
        token="",
        client_id=caller.user,
        subject=caller.user,
        scopes=sorted(scopes),
        expires_at=until,
        claims={"iss": issuer},
        caller=caller,
    )
    return AuthenticatedUser(token)
