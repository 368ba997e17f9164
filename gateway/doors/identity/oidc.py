"""Tokens of an OIDC issuer: signature, issuer, audience and times first, then whom the claims name."""

from dataclasses import dataclass
from typing import Any

import jwt

from gateway.doors.identity.claims import Claims, Listed, caller_of, scopes_of
from gateway.doors.identity.issuer import Issuer
from gateway.settings.identity import OidcSettings
from traces.records import Caller

LONGEST_TOKEN = 16_384
ALWAYS = ("exp", "iss", "aud", "sub")


@dataclass(frozen=True, slots=True)
class Proved:
    """Whom a token stands for, what it may be used for, and when it ends (seconds since 1970)."""

    caller: Caller
    scopes: frozenset[str]
    expires: int


class OidcTokens:
    """Checks tokens of the configured issuer. Where there are no rules, `listed` says who is a user."""

    def __init__(self, oidc: OidcSettings, issuer: Issuer, listed: Listed) -> None:
        self._oidc = oidc
        self._listed = listed
        self.issuer = issuer

    async def proved(self, token: str) -> Proved | None:
        """Return whom an access token stands for, or None. Never raises: a bad token is nobody's."""
        claims = await self.claims(token, self._oidc.wanted_audience)
        caller = self.caller(claims) if claims else None
        if claims is None or caller is None:
            return None
        return Proved(caller, scopes_of(claims, self._oidc), _seconds(claims["exp"]))

    def caller(self, claims: Claims) -> Caller | None:
        """Return whom claims name."""
        return caller_of(claims, self._oidc, self._listed)

    async def claims(self, token: str, audience: str, required: tuple[str, ...] = ()) -> Claims | None:
        """Return the claims of a token that is signed, meant for an audience and good now, or None."""
        header = _header(token)
        algorithm = header.get("alg")
        if algorithm not in self._oidc.algorithms:
            return None
        key_id = header.get("kid", "")
        key = await self.issuer.key(key_id, algorithm) if isinstance(key_id, str) else None
        if key is None:
            return None
        try:
            claims = jwt.decode(
                token,
                key,
                algorithms=[algorithm],
                audience=audience,
                issuer=self._oidc.issuer,
                leeway=self._oidc.leeway_seconds,
                options={"require": [*ALWAYS, *self._oidc.required, *required]},
            )
        except (jwt.PyJWTError, ValueError, TypeError, OverflowError):
            return None
        return claims if isinstance(claims["exp"], int | float) else None


def _header(token: str) -> dict[str, Any]:
    """Return a token's own header, which nobody has signed for yet; empty where there is none to read."""
    if len(token) > LONGEST_TOKEN or token.count(".") != 2 or not token.isascii():
        return {}
    try:
        return jwt.get_unverified_header(token)
    except (jwt.PyJWTError, ValueError, TypeError, RecursionError):
        return {}


def _seconds(value: object) -> int:
    return int(value) if isinstance(value, int | float) else 0
