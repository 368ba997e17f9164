"""Sends spans to an OpenTelemetry collector: OTLP over HTTP, as JSON."""

import json
import time
from collections.abc import Mapping

import httpx

from gateway.errors import HouseError
from metric_layer.issues import Issue

PATH = "/v1/traces"
RETRIED = frozenset((429, 502, 503, 504))
"""The statuses after which OTLP has a client try again."""
ATTEMPTS = 4
_MOST_WAIT = 30.0


class Collector:
    """An OTLP endpoint (http://collector:4318). `token` goes out as a bearer token; nothing is followed."""

    def __init__(self, endpoint: str, token: str = "", seconds: float = 10.0) -> None:
        self.place = endpoint.rstrip("/") + PATH
        self._headers = {"content-type": "application/json"}
        if token:
            self._headers["authorization"] = f"Bearer {token}"
        self._seconds = seconds

    def send(self, request: Mapping[str, object]) -> int:
        """Send one request; return how many of its spans were refused. Raises HouseError."""
        body = json.dumps(request, separators=(",", ":")).encode()
        for attempt in range(ATTEMPTS):
            answer = self._post(body)
            if answer.status_code == httpx.codes.OK:
                return _rejected(answer)
            if answer.status_code not in RETRIED or attempt == ATTEMPTS - 1:
                raise self._failed(f"it answered with HTTP {answer.status_code}")
            time.sleep(_wait(answer, attempt))
        raise self._failed("it was asked too often")

    def _post(self, body: bytes) -> httpx.Response:
        try:
            return httpx.post(
                self.place, content=body, headers=self._headers, timeout=self._seconds, trust_env=False
            )
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as fault:
            raise self._failed(f"it cannot be reached ({type(fault).__name__})") from fault

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


def _wait(answer: httpx.Response, attempt: int) -> float:
    asked = answer.headers.get("retry-after", "")
    return min(float(asked) if asked.isdigit() else 0.5 * 2**attempt, _MOST_WAIT)


def _rejected(answer: httpx.Response) -> int:
    """Return the spans that a collector refused, by its partial success; a body that is none refuses none."""
    try:
        found = answer.json().get("partialSuccess", {}).get("rejectedSpans", 0)
        return int(found)
    except (ValueError, AttributeError, TypeError):
        return 0
