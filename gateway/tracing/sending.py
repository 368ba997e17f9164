"""Sends spans to an OpenTelemetry collector: OTLP over HTTP, as JSON."""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass

import httpx

from gateway.errors import HouseError
from metric_layer.interchange.json_text import read_json_text
from metric_layer.issues import Issue

PATH = "/v1/traces"
TOKEN = "CELLBOUND_OTLP_TOKEN"
"""The variable that holds the collector's token."""
RETRIED = frozenset((429, 502, 503, 504))
"""The statuses after which OTLP has a client try again."""
ATTEMPTS = 4
MOST_BYTES = 65_536
"""An answer that is longer is no answer to spans; the rest of it is not read."""
_MOST_WAIT = 30.0
_MOST_DIGITS = 18


@dataclass(frozen=True, slots=True)
class _Answer:
    """What a collector answered; `text` is empty where it is too long or no UTF-8."""

    status: int
    text: str
    retry_after: str


class Collector:
    """An OTLP endpoint (http://collector:4318). `token` goes out as a bearer token; nothing is followed."""

    def __init__(self, endpoint: str, token: str = "", seconds: float = 10.0) -> None:
        self.place = endpoint.rstrip("/") + PATH
        self._headers = {"content-type": "application/json", "accept-encoding": "identity"}
        if token:
            self._headers["authorization"] = f"Bearer {token}"
        self._seconds = seconds

    def send(self, request: Mapping[str, object]) -> int:
        """Send one request; return how many of its spans were refused. Raises HouseError."""
        body = json.dumps(request, separators=(",", ":")).encode()
        for attempt in range(ATTEMPTS):
            answer = self._post(body)
            if answer.status == httpx.codes.OK:
                return _rejected(answer.text)
            if answer.status not in RETRIED or attempt == ATTEMPTS - 1:
                raise self._failed(f"it answered with HTTP {answer.status}")
            time.sleep(_wait(answer, attempt))
        raise self._failed("it was asked too often")

    def _post(self, body: bytes) -> _Answer:
        client = httpx.Client(headers=self._headers, timeout=self._seconds, trust_env=False)
        try:
            with client, client.stream("POST", self.place, content=body) as answer:
                told = answer.headers.get("retry-after", "")
                return _Answer(answer.status_code, self._text(answer), told)
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as fault:
            raise self._failed(f"it cannot be reached ({type(fault).__name__})") from fault

    def _text(self, answer: httpx.Response) -> str:
        """Read an answer as it comes over the wire, which packs it in nothing: so much, and so long."""
        until, read = time.monotonic() + self._seconds, bytearray()
        for part in answer.iter_raw():
            read += part
            if len(read) > MOST_BYTES or time.monotonic() > until:
                return ""
        try:
            return read.decode()
        except UnicodeDecodeError:
            return ""

    def _failed(self, why: str) -> HouseError:
        return HouseError(
            (
                Issue(
                    code="collector_unusable",
                    message=f"The collector took no spans: {why}.",
                    place=self.place,
                    next_step="Set [export] otlp to an OTLP/HTTP endpoint, or write a file with --out.",
                ),
            )
        )


def _wait(answer: _Answer, attempt: int) -> float:
    asked = answer.retry_after if _is_count(answer.retry_after) else ""
    return min(float(asked or 0.5 * 2**attempt), _MOST_WAIT)


def _rejected(text: str) -> int:
    """Return the spans that a collector refused, by its partial success; a body that is none refuses none.

    OTLP writes the number as a text of digits; a whole JSON number is taken, too.
    """
    found = read_json_text(text, "answer")
    said: object = None if isinstance(found, list) else found.data
    for key in ("partialSuccess", "rejectedSpans"):
        said = said.get(key) if isinstance(said, Mapping) else None
    digits = str(said) if isinstance(said, int | str) and not isinstance(said, bool) else ""
    return int(digits) if _is_count(digits) else 0


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
