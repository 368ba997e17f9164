"""A decision model behind HTTP: one request as JSON, probabilities back, all of it within one time limit."""

import asyncio
import json
from collections.abc import Iterable, Mapping

import httpx

from policies.judge import JudgeFault, Opinion, Request, opinion_of

MOST_BYTES = 65_536
VERSION = 1
"""The version of the request's form."""


class HttpJudge:
    """Posts a typed question and reads one probability per answer.

    `seconds` bounds the whole call: connecting, waiting and a trickling body alike. `token` goes out as a
    bearer token. Nothing is followed, retried or cached.
    """

    def __init__(
        self,
        url: str,
        seconds: float,
        token: str = "",
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._url = url
        self._seconds = seconds
        self._headers = {"content-type": "application/json", "accept": "application/json"}
        if token:
            self._headers["authorization"] = f"Bearer {token}"
        self._transport = transport

    def ask(self, request: Request) -> Opinion:
        """Answer within the time limit. Raises JudgeFault."""
        try:
            status, body = self._blocking(body_of(request))
        except TimeoutError as fault:
            raise JudgeFault("slow", f"no answer within {self._seconds:g} s") from fault
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as fault:
            raise JudgeFault("down", f"it cannot be reached ({type(fault).__name__})") from fault
        if status != httpx.codes.OK:
            raise JudgeFault("down", f"it answered with HTTP {status}")
        return opinion_of(request.question, _probabilities(body))

    def _blocking(self, body: bytes) -> tuple[int, bytes]:
        """Run the call on a loop of its own that waits for no name server once the time is over."""
        loop = asyncio.new_event_loop()
        try:
            return loop.run_until_complete(self._within(body))
        finally:
            loop.close()

    async def _within(self, body: bytes) -> tuple[int, bytes]:
        async with asyncio.timeout(self._seconds):
            return await self._call(body)

    async def _call(self, body: bytes) -> tuple[int, bytes]:
        client = httpx.AsyncClient(transport=self._transport, timeout=self._seconds, trust_env=False)
        async with client, client.stream("POST", self._url, content=body, headers=self._headers) as answer:
            read = bytearray()
            async for part in answer.aiter_bytes():
                read += part
                if len(read) > MOST_BYTES:
                    raise JudgeFault("malformed", f"its answer is longer than {MOST_BYTES:,} bytes")
            return answer.status_code, bytes(read)


def body_of(request: Request) -> bytes:
    """Return the request as bytes: question and schema first, the same for every finding of a check."""
    question = request.question
    said = {
        "version": VERSION,
        "check": request.check,
        "question": question.model_dump(mode="json"),
        "schema": schema_of(question.answers),
        "fields": dict(request.fields),
    }
    return json.dumps(said, ensure_ascii=True, separators=(",", ":")).encode()


def schema_of(answers: Iterable[str]) -> Mapping[str, object]:
    """Return the JSON Schema that an answer has to meet."""
    names = list(answers)
    chances = {
        "type": "object",
        "properties": {name: {"type": "number", "minimum": 0, "maximum": 1} for name in names},
        "required": names,
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"probabilities": chances},
        "required": ["probabilities"],
        "additionalProperties": False,
    }


def _probabilities(body: bytes) -> Mapping[str, object]:
    try:
        found = json.loads(body, object_pairs_hook=_without_doubles)
    except (ValueError, RecursionError) as fault:
        raise JudgeFault("malformed", "its answer is no JSON") from fault
    inner = found.get("probabilities") if isinstance(found, dict) and len(found) == 1 else None
    if not isinstance(inner, dict):
        raise JudgeFault("malformed", "its answer is not one object of probabilities")
    return inner


def _without_doubles(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found
