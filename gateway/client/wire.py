"""Requests on the wire: sent again where that is safe, and what came back read into the house's records."""

import json
import time
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from typing import Any, TypeVar

import httpx
from pydantic import ValidationError

from gateway.client.errors import NotReached, RequestRefused
from gateway.reply import Refusal, ReplyIssue
from metric_layer.record import Record

R = TypeVar("R", bound=Record)

AGAIN = frozenset((429, 503))
"""Statuses that say: not now."""
NOTHING_DONE = frozenset(("busy", "rate_limited", "too_many_connections"))
"""Codes of the gateway that stand for requests it did not begin; no status says as much."""
PROBLEM = "application/problem+json"
LONGEST_PAUSE = 30.0
PAUSE = 0.2


class Wire:
    """One connection pool to one gateway, as the holder of one token."""

    def __init__(
        self,
        url: str,
        token: str,
        *,
        seconds: float,
        retries: int,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._retries = retries
        self._sleep = sleep
        self._seconds = seconds
        try:
            self._http = httpx.Client(
                base_url=url,
                headers={"Authorization": f"Bearer {token}", "Accept": "application/json"},
                timeout=seconds,
                transport=transport,
            )
        except (httpx.InvalidURL, ValueError) as fault:
            raise NotReached(f"{url!r} is no address, or the token is no text for a header.") from fault

    def get(self, path: str, params: Mapping[str, Any] | None = None, waits: float = 0.0) -> httpx.Response:
        """Send a GET; `waits` is added to the time allowed."""
        return self._sent("GET", path, waits, params=params)

    def post(self, path: str, body: object, key: str = "") -> httpx.Response:
        """Send JSON. Without an idempotency `key` it is sent again only where nothing of it was begun."""
        headers = {"Idempotency-Key": key} if key else {}
        content = json.dumps(body, default=_written).encode()
        headers["Content-Type"] = "application/json"
        return self._sent("POST", path, 0.0, again=bool(key), content=content, headers=headers)

    def close(self) -> None:
        """Give the connections back."""
        self._http.close()

    def _sent(self, verb: str, path: str, waits: float, *, again: bool = True, **sent: Any) -> httpx.Response:
        for left in range(self._retries, -1, -1):
            pause = PAUSE * 2 ** (self._retries - left)
            try:
                got = self._http.request(verb, path, timeout=self._seconds + waits, **sent)
            except (httpx.InvalidURL, httpx.UnsupportedProtocol) as fault:
                raise NotReached(f"{path} at {self._http.base_url} is no address of a gateway.") from fault
            except httpx.RequestError as fault:
                if not left or not (again or isinstance(fault, httpx.ConnectError)):
                    raise NotReached(f"{self._http.base_url} was not reached: {fault}") from fault
            else:
                if not left or not _not_now(got, again):
                    return got
                pause = _retry_after(got) or pause
                if pause > LONGEST_PAUSE:
                    return got
            self._sleep(pause)
        raise NotReached(f"{self._http.base_url} was not reached.")


def record_of(got: httpx.Response, *models: type[R]) -> R:
    """Return a response as the first of these records that it is; keys that are newer than this client go.

    Raises RequestRefused for a problem, NotReached for what no gateway says.
    """
    if _is_problem(got):
        raise refused(got)
    for model in models:
        try:
            return model.model_validate_json(got.content, extra="ignore", by_alias=True, by_name=True)
        except ValidationError:
            continue
    raise NotReached(f"{got.request.url} answered {got.status_code}, and no gateway answers like that.")


def refused(got: httpx.Response) -> RequestRefused:
    """Return what a problem says."""
    try:
        refusal = Refusal.model_validate_json(got.content, extra="ignore")
    except ValidationError:
        issue = ReplyIssue(
            code="not_a_gateway",
            message=f"Status {got.status_code}, and a problem that says nothing.",
            stage="input",
            next_step="Look at the address: is it a gateway's, and what stands in front of it?",
        )
        refusal = Refusal(issues=(issue,))
    return RequestRefused(got.status_code, refusal, _retry_after(got))


def _not_now(got: httpx.Response, again: bool) -> bool:
    """Say whether a request that got this may be sent once more; `again` where it may run twice."""
    if got.status_code not in AGAIN:
        return False
    if again or not _is_problem(got):
        return again
    return any(issue.code in NOTHING_DONE for issue in refused(got).refusal.issues)


def _is_problem(got: httpx.Response) -> bool:
    media: str = got.headers.get("content-type", "")
    return media.partition(";")[0] == PROBLEM


def _retry_after(got: httpx.Response) -> float | None:
    said = got.headers.get("retry-after", "")
    return float(said) if said.isdecimal() else None


def _written(value: object) -> object:
    """Return what JSON has no form for: an exact number where a float is the same, else its text."""
    if isinstance(value, Decimal):
        return float(value) if Decimal(repr(float(value))) == value else str(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} cannot be sent.")
