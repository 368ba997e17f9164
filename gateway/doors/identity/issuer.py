"""What an OIDC issuer publishes: its addresses and its keys, fetched with a deadline and kept for a while."""

import asyncio
import json
import time
from collections.abc import Callable, Mapping
from typing import Any

import httpx
from jwt import PyJWK, PyJWTError

from gateway.settings.identity import OidcSettings, private_way

WELL_KNOWN = "/.well-known/openid-configuration"
MOST_BYTES = 262_144
FLOOR_SECONDS = 10.0
STALE_SECONDS = 86_400.0
LEAST_RSA_BITS = 2048
KINDS = frozenset({"RSA", "EC", "OKP"})


class IssuerUnreachable(Exception):
    """The issuer did not answer in time, or with something else than it should. The text says what."""


class Issuer:
    """An issuer's published things. One per serving process; for one event loop."""

    def __init__(self, settings: OidcSettings, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._settings = settings
        self._monotonic = monotonic
        self._lock = asyncio.Lock()
        self._keys: Mapping[str, Mapping[str, Any]] = {}
        self._made: dict[tuple[str, str], PyJWK] = {}
        self._read_at = self._tried_at = float("-inf")
        self._refreshing: asyncio.Task[None] | None = None
        self._published: Mapping[str, Any] | None = None

    async def key(self, key_id: str, algorithm: str) -> PyJWK | None:
        """Return the public key of this id, made for this algorithm, or None.

        An unknown id has the keys fetched once more, at most every FLOOR_SECONDS however many ask; a known
        one never waits: keys that are due are read again beside it. While the issuer is away known keys go
        on, for a day at most.
        """
        if self._age() > STALE_SECONDS or (key_id not in self._keys and not self._only(key_id)):
            await self._refresh()
        elif self._age() > self._settings.refresh_seconds and self._may_try() and not self._busy():
            self._refreshing = asyncio.create_task(self._refresh())
        if self._age() > STALE_SECONDS:
            return None
        return self._make(key_id, algorithm)

    async def published(self) -> Mapping[str, Any]:
        """Return the issuer's own description (OpenID Connect Discovery). Raises IssuerUnreachable."""
        if self._published is None:
            found = await self.get(self._settings.issuer.rstrip("/") + WELL_KNOWN)
            if found.get("issuer") != self._settings.issuer:
                raise IssuerUnreachable("what is published there names another issuer")
            self._published = found
        return self._published

    async def endpoint(self, name: str) -> str:
        """Return one of the issuer's published addresses. Raises IssuerUnreachable."""
        found = (await self.published()).get(name)
        try:
            return private_way(found) if isinstance(found, str) and found else _missing(name)
        except ValueError as fault:
            raise IssuerUnreachable(f"its {name} is no https address") from fault

    async def get(self, url: str) -> Mapping[str, Any]:
        """Return a JSON object from an address. Raises IssuerUnreachable."""
        return await self._call("GET", url)

    async def post(
        self, url: str, form: Mapping[str, str], auth: tuple[str, str] | None
    ) -> Mapping[str, Any]:
        """Return the JSON object that a form is answered with. Raises IssuerUnreachable."""
        return await self._call("POST", url, data=dict(form), auth=auth)

    async def _refresh(self) -> None:
        async with self._lock:
            if not self._may_try():
                return
            self._tried_at = self._monotonic()
            self._published = None
            try:
                found = await self.get(self._settings.jwks_url or await self.endpoint("jwks_uri"))
            except IssuerUnreachable:
                return
            keys = found.get("keys")
            usable = [key for key in keys if _usable(key)] if isinstance(keys, list) else []
            self._keys = {str(key.get("kid", "")): key for key in usable}
            self._made = {}
            self._read_at = self._monotonic()

    def _make(self, key_id: str, algorithm: str) -> PyJWK | None:
        known = self._made.get((key_id, algorithm))
        if known is not None:
            return known
        raw = self._keys.get(key_id) or self._only(key_id)
        if raw is None or raw.get("alg", algorithm) != algorithm:
            return None
        try:
            made = PyJWK(dict(raw), algorithm)
        except (PyJWTError, ValueError, TypeError):
            return None
        if raw.get("kty") == "RSA" and made.key.key_size < LEAST_RSA_BITS:
            return None
        self._made[key_id, algorithm] = made
        return made

    def _only(self, key_id: str) -> Mapping[str, Any] | None:
        """A token that names no key means the only one there is."""
        return next(iter(self._keys.values())) if not key_id and len(self._keys) == 1 else None

    def _age(self) -> float:
        return self._monotonic() - self._read_at

    def _may_try(self) -> bool:
        return self._monotonic() - self._tried_at >= FLOOR_SECONDS

    def _busy(self) -> bool:
        return self._refreshing is not None and not self._refreshing.done()

    async def _call(self, method: str, url: str, **more: Any) -> Mapping[str, Any]:
        try:
            async with asyncio.timeout(self._settings.seconds):
                status, body = await _fetched(method, url, self._settings.seconds, more)
        except TimeoutError as fault:
            raise IssuerUnreachable(f"no answer within {self._settings.seconds:g} s") from fault
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as fault:
            raise IssuerUnreachable(f"it cannot be reached ({type(fault).__name__})") from fault
        if status != httpx.codes.OK:
            raise IssuerUnreachable(f"it answered with HTTP {status}")
        try:
            found = json.loads(body)
        except (ValueError, RecursionError) as fault:
            raise IssuerUnreachable("its answer is no JSON") from fault
        if not isinstance(found, dict):
            raise IssuerUnreachable("its answer is no JSON object")
        return found


async def _fetched(method: str, url: str, seconds: float, more: Mapping[str, Any]) -> tuple[int, bytes]:
    headers = {"accept": "application/json"}
    client = httpx.AsyncClient(timeout=seconds, trust_env=False)
    async with client, client.stream(method, url, headers=headers, **more) as answer:
        read = bytearray()
        async for part in answer.aiter_bytes():
            read += part
            if len(read) > MOST_BYTES:
                raise IssuerUnreachable(f"its answer is longer than {MOST_BYTES:,} bytes")
        return answer.status_code, bytes(read)


def _missing(name: str) -> str:
    raise IssuerUnreachable(f"it publishes no {name}")


def _usable(key: object) -> bool:
    """Say whether a published key may prove a signature: a public one, and not one for encryption."""
    return isinstance(key, dict) and key.get("kty") in KINDS and key.get("use", "sig") == "sig"
