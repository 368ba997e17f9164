"""Bounded worker threads for blocking questions; a caller who leaves cancels theirs."""

import asyncio
import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple, TypeVar, cast

from gateway.cancellation import Cancellation
from gateway.doors.fair_queue import NOBODY, FairQueue, Places, Seat
from gateway.doors.pace import Begun
from gateway.doors.threads import Ended, Threads
from gateway.reply import Finding
from traces.records import Caller

Result = TypeVar("Result")


class _Place(NamedTuple):
    """A place that somebody has; for a question since when, and what says whether its query ran."""

    seat: Seat
    begun: Begun | None
    cancellation: Cancellation | None


class Workers:
    """At most `threads` questions at once and `queue` waiting, shared fairly; one more is refused at once.

    Shared by every door of a process, so that no door can get round the limit of another. `who` names the
    caller of the running request where a call does not. `seconds` bounds the wait; `tenant` and `user` how
    many questions of one of them run at once, 0 as many as there are threads; `stretch` how many times as
    long as alone a question may take.
    """

    def __init__(
        self,
        threads: int,
        queue: int,
        *,
        seconds: float = 10.0,
        tenant: int = 0,
        user: int = 0,
        stretch: float = 0.0,
        who: Callable[[], Caller | None] = lambda: None,
    ) -> None:
        self._queue = FairQueue(Places(threads, queue, seconds, tenant, user, stretch))
        self._places = threads
        self._running = 0
        self._who = who
        self._threads = Threads("question")
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def inside(self) -> int:
        """How many requests run or wait now."""
        return self._queue.inside + self._queue.waiting

    @property
    def full(self) -> bool:
        """Whether every place is taken: only then need anybody be refused who has no limit of their own."""
        return self._queue.inside >= self._places

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

    def refuses(self, caller: Caller) -> bool:
        """Say whether a call of theirs would raise Busy at once. On the loop's thread."""
        return self._queue.refuses(Seat(caller.tenant, caller.user))

    async def call(
        self,
        work: Callable[[], Result],
        cancellation: Cancellation | None = None,
        *,
        caller: Caller | None = None,
    ) -> Result:
        """Return what `work` returns, from a thread.

        When the awaiting task is cancelled, so is `cancellation`; the thread keeps its place until it ends.
        Only what has a cancellation is a question, whose time counts for how many may wait if its query ran.
        Raises Busy when there is no place left, or none came free in time.
        """
        asking = caller or self._who()
        seat = Seat(asking.tenant, asking.user) if asking else NOBODY
        loop = self._loop = asyncio.get_running_loop()
        await self._queue.enter(seat)
        pace = self._queue.pace if cancellation is not None else None
        begun = pace.begin(time.monotonic(), self._running + 1) if pace else None
        place = _Place(seat, begun, cancellation)
        told: asyncio.Future[Result] = loop.create_future()
        try:
            self._threads.run(work, partial(self._leave, place, told), loop, self._running + 1)
        except RuntimeError:
            self._give_back(place, time.monotonic(), ran=False)
            raise
        self._running += 1
        try:
            return await told
        except asyncio.CancelledError:
            if cancellation is not None:
                cancellation.cancel()
            raise

    def close(self) -> None:
        """Take no more work, refuse who waits, wait for what runs. Not from the thread of the loop."""
        if self._loop is not None and self._loop.is_running():
            self._loop.call_soon_threadsafe(self._queue.close)
        self._threads.close()

    def _leave(self, place: _Place, told: "asyncio.Future[Result]", ended: Ended[Result]) -> None:
        """Give the place back, and say what came of the work to whoever still waits for it."""
        self._running -= 1
        ran = place.cancellation is not None and place.cancellation.ran
        self._give_back(place, ended.at, ran=ran)
        if told.done():
            return
        if ended.fault is not None:
            told.set_exception(ended.fault)
        else:
            told.set_result(cast(Result, ended.result))

    def _give_back(self, place: _Place, now: float, *, ran: bool) -> None:
        if place.begun is not None:
            self._queue.pace.end(place.begun, now, ran=ran)
        self._queue.leave(place.seat)
