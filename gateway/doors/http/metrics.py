"""GET /metrics: the counters of all processes that serve together, for whom the settings let read them."""

import hmac
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal

from fastapi import FastAPI, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import PlainTextResponse, Response

from gateway.doors.counters import Counters, Dump, alone
from gateway.doors.http.problem import problem
from gateway.reply import ReplyIssue

MEDIA_TYPE = "text/plain; version=0.0.4"


@dataclass(frozen=True, slots=True)
class Metering:
    """What is counted, who may read it, and how this process's dump becomes those of all that serve."""

    counters: Counters = field(default_factory=Counters)
    readers: Literal["off", "token", "open"] = "open"
    token: str = ""
    told: Callable[[Dump], Iterable[str]] = alone

    def may_read(self, authorization: str) -> bool:
        """Say whether a request with this header may read."""
        if self.readers != "token":
            return self.readers == "open"
        sent = f"Bearer {self.token}".encode()
        return bool(self.token) and hmac.compare_digest(authorization.encode("utf-8", "replace"), sent)


def add_metrics(app: FastAPI, metering: Metering, inside: Callable[[], int]) -> None:
    """Give an application its /metrics, and `state.dump`: what other processes need to tell of this one."""

    app.state.dump = lambda: metering.counters.dump(inside())

    @app.get("/metrics", operation_id="counters", response_class=PlainTextResponse)
    async def metrics(request: Request) -> Response:
        """Return what was counted since the server began, as Prometheus text."""
        if metering.readers == "off":
            return problem(404, (_OFF,))
        if not metering.may_read(request.headers.get("authorization", "")):
            return problem(401, (_NO_TOKEN,), {"WWW-Authenticate": "Bearer"})
        text = await run_in_threadpool(lambda: metering.counters.text(inside(), metering.told))
        return PlainTextResponse(text, media_type=MEDIA_TYPE)


_OFF = ReplyIssue(
    code="metrics_off",
    message="This server tells no metrics.",
    stage="input",
    next_step='Set `metrics` under [server] in cellbound.toml to "token" or "open".',
)
_NO_TOKEN = ReplyIssue(
    code="no_metrics_token",
    message="No metrics token, or not the one of this server.",
    stage="input",
    next_step="Send `Authorization: Bearer TOKEN` with what CELLBOUND_METRICS_TOKEN of the server holds.",
)
