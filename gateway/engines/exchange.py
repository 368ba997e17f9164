"""An asker's own token, exchanged for one of the database's (RFC 8693): never sent on as it came."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import httpx

from gateway.engines.base import EngineError
from gateway.engines.credentials import Secrets
from gateway.engines.present import Present
from gateway.settings.identity import ExchangeSettings

GRANT = "urn:ietf:params:oauth:grant-type:token-exchange"
ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token"
MOST_BYTES = 262_144


class TokenExchange:
    """The secret of a login is what the endpoint gives for the token of the user of that name who asks now.

    Asked anew for every connection; nothing is kept. A login that is not asking through a door is proved by
    `otherwise`, and is refused where there is none.
    """

    def __init__(
        self, settings: ExchangeSettings, secret: str, present: Present, otherwise: Secrets | None
    ) -> None:
        self._settings = settings
        self._auth = (settings.client_id, secret) if settings.client_id else None
        self._present = present
        self._otherwise = otherwise

    def of(self, login: str, place: Mapping[str, str]) -> str:
        """Return the database's own token for a login. Raises EngineError."""
        token = self._present.token(login)
        if token:
            return self._exchanged(token)
        if self._otherwise is not None:
            return self._otherwise.of(login, place)
        raise EngineError(
            "credential_missing",
            f"nobody of the name {login!r} is asking with a token that could be exchanged",
            next_step="Ask over HTTP or MCP with a token of the issuer, or set [engine.exchange] otherwise.",
        )

    def _exchanged(self, token: str) -> str:
        wanted = {name: getattr(self._settings, name) for name in ("audience", "resource", "scope")}
        form = {
            "grant_type": GRANT,
            "subject_token": token,
            "subject_token_type": ACCESS_TOKEN,
            "requested_token_type": ACCESS_TOKEN,
            **{name: value for name, value in wanted.items() if value},
        }
        try:
            status, body = self._blocking(form)
            given = json.loads(body) if status == httpx.codes.OK else None
        except TimeoutError as fault:
            raise _refused(f"the endpoint gave no answer within {self._settings.seconds:g} s") from fault
        except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError, RecursionError) as fault:
            raise _refused(f"the endpoint did not answer as one ({type(fault).__name__})") from fault
        if not isinstance(given, dict):
            raise _refused(f"the endpoint answered with HTTP {status} and no token")
        found = given.get("access_token")
        if not isinstance(found, str) or not found:
            raise _refused("the endpoint gave no token")
        if found == token:
            raise _refused("the endpoint gave the asker's own token back")
        return found

    def _blocking(self, form: Mapping[str, str]) -> tuple[int, bytes]:
        """Run the call on a loop of its own: one limit for connecting, waiting and a trickling body alike."""
        loop = asyncio.new_event_loop()
        try:
            return loop.run_until_complete(self._within(form))
        finally:
            loop.close()

    async def _within(self, form: Mapping[str, str]) -> tuple[int, bytes]:
        seconds, read = self._settings.seconds, bytearray()
        client = httpx.AsyncClient(timeout=seconds, trust_env=False)
        sent: dict[str, Any] = {
            "data": dict(form),
            "auth": self._auth,
            "headers": {"accept": "application/json"},
        }
        async with (
            asyncio.timeout(seconds),
            client,
            client.stream("POST", self._settings.url, **sent) as answer,
        ):
            async for part in answer.aiter_bytes():
                read += part
                if len(read) > MOST_BYTES:
                    raise _refused(f"its answer is longer than {MOST_BYTES:,} bytes")
            return answer.status_code, bytes(read)


def _refused(why: str) -> EngineError:
    return EngineError(
        "exchange_refused",
        f"the asker's token could not be exchanged for one of the database's: {why}",
        next_step="Ask whoever runs the issuer whether this gateway may exchange tokens for that database.",
    )
