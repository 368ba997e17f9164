"""Notices a caller who hangs up while the question runs, and stops it."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from starlette.requests import Request
from starlette.types import Receive

from gateway.cancellation import Cancellation
from gateway.doors.workers import Workers

Result = TypeVar("Result")
WATCHED_AFTER = 0.1
"""Seconds until a request is watched: most are answered sooner, and a watch costs more than their turn."""


async def unless_left(
    request: Request,
    workers: Workers,
    work: Callable[[], Result],
    cancellation: Cancellation | None = None,
) -> Result | None:
    """Return what `work` returns, or None when the caller left first. The body must have been read."""
    with UnlessLeft(request.receive):
        return await workers.call(work, cancellation)
    return None


class UnlessLeft:
    """Cancels what its block waits for once the caller hangs up, and then ends the block in silence.

    The body must have been read: whatever is received from here on is that the caller left.
    """

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._watching: asyncio.Task[None] | None = None
        self._left = False

    def __enter__(self) -> None:
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("a request is answered in a task")
        self._task, self._cancelling = task, task.cancelling()
        self._begins = asyncio.get_running_loop().call_later(WATCHED_AFTER, self._watch)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> bool:
        self._begins.cancel()
        if self._watching is not None:
            self._watching.cancel()
        if not self._left:
            return False
        return self._task.uncancel() <= self._cancelling and kind is asyncio.CancelledError

    def _watch(self) -> None:
        self._watching = asyncio.ensure_future(self._until_left())

    async def _until_left(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            continue
        self._left = True
        self._task.cancel()
