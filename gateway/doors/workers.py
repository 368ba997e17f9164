"""Bounded worker threads for blocking questions; a caller who leaves cancels theirs."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from gateway.cancellation import Cancellation
from gateway.doors.fair_queue import NOBODY, FairQueue, Places, Seat
from gateway.reply import Finding
from traces.records import Caller

Result = TypeVar("Result")


class Workers:
    """At most `threads` questions at once and `queue` waiting, shared fairly; one more is refused at once.

    Shared by every door of a process, so that no door can get round the limit of another. `who` names the
    caller of the running request where a call does not. `seconds` bounds the wait; `tenant` and `user` how
    many questions of one of them run at once, 0 as many as there are threads.
    """

    def __init__(
        self,
        threads: int,
        queue: int,
        *,
        seconds: float = 10.0,
        tenant: int = 0,
        user: int = 0,
        who: Callable[[], Caller | None] = lambda: None,
    ) -> None:
        self._queue = FairQueue(Places(threads, queue, seconds, tenant, user))
        self._places = threads
        self._running = 0
        self._who = who
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="question")
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def inside(self) -> int:
        """How many requests run or wait now."""
        return self._queue.inside + self._queue.waiting

    def lost(self) -> tuple[Finding, ...]:
        """Say that places are taken in which nothing runs: they never come back. On the loop's thread."""
        lost = self._queue.inside - self._queue.called - self._running
        if not lost:
            return ()
        return (
            Finding(
                name="places",
                ok=False,
                needed=lost >= self._places,
                detail=f"{lost} of {self._places} places for questions are taken and nothing runs in them",
                next_step="Restart this process, and report it: it is a defect of cellbound.",
            ),
        )

    async def call(
        self,
        work: Callable[[], Result],
        cancellation: Cancellation | None = None,
        *,
        caller: Caller | None = None,
    ) -> Result:
        """Return what `work` returns, from a thread.

        When the awaiting task is cancelled, so is `cancellation`; the thread keeps its place until it ends.
        Raises Busy when there is no place left, or none came free in time.
        """
        asking = caller or self._who()
        seat = Seat(asking.tenant, asking.user) if asking else NOBODY
        self._loop = asyncio.get_running_loop()
        await self._queue.enter(seat)
        try:
            running = self._loop.run_in_executor(self._threads, work)
        except RuntimeError:
            self._queue.leave(seat)
            raise
        self._running += 1
        running.add_done_callback(partial(self._leave, seat))
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            if cancellation is not None:
                cancellation.cancel()
            raise

    def close(self) -> None:
        """Take no more work, refuse who waits, wait for what runs. Not from the thread of the loop."""
        if self._loop is not None and self._loop.is_running():
            self._loop.call_soon_threadsafe(self._queue.close)
        self._threads.shutdown(wait=True, cancel_futures=True)

    def _leave(self, seat: Seat, finished: "asyncio.Future[Result]") -> None:
        if not finished.cancelled():
            finished.exception()
        self._running -= 1
        self._queue.leave(seat)
