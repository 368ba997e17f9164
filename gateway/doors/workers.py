"""Bounded worker threads for blocking questions; a caller who leaves cancels theirs."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from gateway.cancellation import Cancellation
from gateway.errors import Busy
from metric_layer.issues import Issue

Result = TypeVar("Result")


class Workers:
    """At most `threads` questions at once and `queue` waiting; one more is refused at once, in words.

    Shared by every door of a process, so that no door can get round the limit of another.
    """

    def __init__(self, threads: int, queue: int) -> None:
        self._places = threads + queue
        self._inside = 0
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="question")

    @property
    def inside(self) -> int:
        """How many requests run or wait now."""
        return self._inside

    async def call(self, work: Callable[[], Result], cancellation: Cancellation | None = None) -> Result:
        """Return what `work` returns, from a thread.

        When the awaiting task is cancelled, so is `cancellation`; the thread keeps its place until it ends.
        Raises Busy when there is no place left.
        """
        if self._inside >= self._places:
            raise Busy((_BUSY,))
        self._inside += 1
        running = asyncio.get_running_loop().run_in_executor(self._threads, work)
        running.add_done_callback(self._leave)
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            if cancellation is not None:
                cancellation.cancel()
            raise

    def close(self) -> None:
        """Take no more work and wait for what runs."""
        self._threads.shutdown(wait=True, cancel_futures=True)

    def _leave(self, finished: asyncio.Future[Result]) -> None:
        self._inside -= 1
        if not finished.cancelled():
            finished.exception()


_BUSY = Issue(
    code="busy",
    message="Too many questions at once.",
    next_step="Try again in a few seconds.",
)
