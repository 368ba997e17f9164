"""Sign-in at an OIDC provider: code flow with PKCE, state and nonce; no token reaches the browser."""

import hmac
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from urllib.parse import urlencode, urlsplit

from gateway.doors.console.navigation import ROOT
from gateway.doors.console.sessions import Trip
from gateway.doors.identity.issuer import Issuer, IssuerUnreachable
from gateway.doors.identity.oidc import OidcTokens
from gateway.settings.identity import OidcSettings
from traces.records import Caller

BACK = f"{ROOT}/signed-in"
SECRET = "CELLBOUND_OIDC_CLIENT_SECRET"


@dataclass(frozen=True, slots=True)
class SingleSignOn:
    """The provider of the settings, as the console's client there. `secret` is empty for a public client."""

    settings: OidcSettings
    issuer: Issuer
    tokens: OidcTokens
    secret: str = ""

    @property
    def label(self) -> str:
        """Return what the button says people sign in with."""
        return self.settings.label

    async def address(self, trip: Trip) -> str:
        """Return where the browser goes. Raises IssuerUnreachable."""
        there = await self.issuer.endpoint("authorization_endpoint")
        challenge = urlsafe_b64encode(sha256(trip.verifier.encode()).digest()).rstrip(b"=").decode()
        asked = {
            "response_type": "code",
            "client_id": self.settings.client_id,
            "redirect_uri": self._back(),
            "scope": "openid profile email",
            "state": trip.state,
            "nonce": trip.nonce,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        return f"{there}{'&' if urlsplit(there).query else '?'}{urlencode(asked)}"

    async def person(self, trip: Trip, told: Mapping[str, str]) -> Caller | None:
        """Return whom the provider names to who came back with a code; None for anything that does not fit.

        Raises IssuerUnreachable.
        """
        code, issuer = told.get("code", ""), told.get("iss", self.settings.issuer)
        if not code or issuer != self.settings.issuer:
            return None
        id_token = await self._redeemed(trip, code)
        claims = await self.tokens.claims(id_token, self.settings.client_id, ("nonce", "iat"))
        if claims is None or not _same(claims["nonce"], trip.nonce):
            return None
        if isinstance(claims["aud"], list) and claims.get("azp") != self.settings.client_id:
            return None
        return self.tokens.caller(claims)

    async def _redeemed(self, trip: Trip, code: str) -> str:
        """Return the ID token that a code is good for."""
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self._back(),
            "client_id": self.settings.client_id,
            "code_verifier": trip.verifier,
        }
        auth = (self.settings.client_id, self.secret) if self.secret else None
        found = await self.issuer.post(await self.issuer.endpoint("token_endpoint"), form, auth)
        token = found.get("id_token")
        if not isinstance(token, str):
            raise IssuerUnreachable("it gave no ID token")
        return token

    def _back(self) -> str:
        return f"{self.settings.public_url.rstrip('/')}{BACK}"


def sign_on_of(settings: OidcSettings, tokens: OidcTokens | None, secret: str) -> SingleSignOn | None:
    """Return the sign-in at the provider, or None where no client of ours is known there."""
    return SingleSignOn(settings, tokens.issuer, tokens, secret) if tokens and settings.client_id else None


def _same(one: object, other: str) -> bool:
    return isinstance(one, str) and hmac.compare_digest(one.encode("utf-8", "replace"), other.encode())
