"""Threads for blocking work of an event loop: one per place, started when it is first needed."""

import asyncio
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from typing import Generic, NamedTuple, TypeVar

Result = TypeVar("Result")


class Ended(NamedTuple, Generic[Result]):
    """What came of a piece of work, a result or a fault, and when it ended."""

    at: float
    result: Result | None = None
    fault: BaseException | None = None


class Threads:
    """Runs work in threads, and tells its end on the loop that asked, with one wake-up.

    Whoever asks sees to it that no more runs at once than there is room for: nothing waits for a thread.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._work: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._started: list[threading.Thread] = []
        self._closed = False

    def run(
        self,
        work: Callable[[], Result],
        told: Callable[[Ended[Result]], None],
        loop: asyncio.AbstractEventLoop,
        running: int,
    ) -> None:
        """Run work as one of so many; `told` hears of its end, on the loop.

        Raises RuntimeError once closed.
        """
        if self._closed:
            raise RuntimeError("these threads have ended")
        if len(self._started) < running:
            thread = threading.Thread(target=self._serve, name=self._name, daemon=True)
            thread.start()
            self._started.append(thread)
        self._work.put(partial(_finish, work, told, loop))

    def close(self) -> None:
        """Take no more work and wait for what runs."""
        self._closed = True
        for _ in self._started:
            self._work.put(None)
        for thread in self._started:
            thread.join()

    def _serve(self) -> None:
        while (work := self._work.get()) is not None:
            work()
            del work


def _finish(
    work: Callable[[], Result], told: Callable[[Ended[Result]], None], loop: asyncio.AbstractEventLoop
) -> None:
    """Do the work and hand its end to the loop; one that is closed wants no answer."""
    ended = _done(work)
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(told, ended)


def _done(work: Callable[[], Result]) -> Ended[Result]:
    try:
        result = work()
    except BaseException as fault:
        return Ended(time.monotonic(), fault=fault)
    return Ended(time.monotonic(), result)
