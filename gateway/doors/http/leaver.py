"""Notices a caller who hangs up while the question runs, and stops it."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from starlette.requests import Request

from gateway.cancellation import Cancellation
from gateway.doors.workers import Workers

Result = TypeVar("Result")


async def unless_left(
    request: Request, workers: Workers, work: Callable[[], Result], cancellation: Cancellation
) -> Result | None:
    """Return what `work` returns, or None when the caller left first. The body must have been read."""
    running = asyncio.ensure_future(workers.call(work, cancellation))
    leaving = asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait({running, leaving}, return_when=asyncio.FIRST_COMPLETED)
        return running.result() if running.done() else None
    finally:
        running.cancel()
        leaving.cancel()


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        continue
