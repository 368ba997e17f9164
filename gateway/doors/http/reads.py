"""Runs a verb of the house for a request on a worker thread, and says how what it found leaves."""

from collections.abc import Callable
from hashlib import sha256
from typing import NamedTuple

from fastapi import Request
from starlette.responses import Response

from gateway.cancellation import Cancellation
from gateway.doors.counters import Counters
from gateway.doors.http.cached import has, same, tag_of, tagged
from gateway.doors.http.leaver import unless_left
from gateway.doors.http.problem import problem
from gateway.doors.status import OUTCOMES, status_of
from gateway.doors.workers import Workers
from gateway.reply import Refusal, Reply
from metric_layer.record import Record


class _Found(NamedTuple):
    tag: str
    record: Record | None


class Reads:
    """The worker threads and the counters as every route uses them."""

    def __init__(self, workers: Workers, counters: Counters) -> None:
        self.workers = workers
        self.counters = counters

    async def told(
        self, request: Request, work: Callable[[], Record], cancellation: Cancellation | None = None
    ) -> Response:
        """Return what `work` found; a caller who hangs up stops it."""
        found = await unless_left(request, self.workers, work, cancellation)
        return self.left() if found is None else self.counted(found)

    async def tagged(self, request: Request, work: Callable[[], Record]) -> Response:
        """Return what `work` found, or 304 where the client has that already."""
        response = await self.told(request, work)
        tag = tag_of(request, sha256(bytes(response.body)).hexdigest())
        return same(tag) if response.status_code == 200 and has(request, tag) else tagged(response, tag)

    async def stamped(
        self, request: Request, stamp: Callable[[], str], work: Callable[[], Record]
    ) -> Response:
        """Return what `work` finds, or 304 without asking where all that it hangs on is as it was."""

        def found() -> _Found:
            tag = tag_of(request, stamp())
            return _Found(tag, None if has(request, tag) else work())

        read = await unless_left(request, self.workers, found)
        if read is None:
            return self.left()
        return same(read.tag) if read.record is None else tagged(self.counted(read.record), read.tag)

    def counted(self, found: Record) -> Response:
        """Return what was found, and count it by its outcome."""
        self.counters.told("http", found)
        return respond(found)

    def left(self) -> Response:
        """Return what nobody reads, and count it: the caller hung up."""
        self.counters.result("http", "left")
        return Response(status_code=OUTCOMES["left"].http)


def respond(result: Record) -> Response:
    """Return the same object as over MCP, or a problem where the request names nothing."""
    status = status_of(result).http
    if isinstance(result, Refusal):
        return problem(status, result.issues)
    wait = (
        {"Retry-After": str(result.retry_after)} if isinstance(result, Reply) and result.retry_after else {}
    )
    text = result.as_json if isinstance(result, Reply) else result.model_dump_json(by_alias=True)
    return Response(text, status, wait, "application/json")
