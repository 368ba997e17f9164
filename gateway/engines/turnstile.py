"""Lets so many callers in at once; the others wait in order, so many and so long, and then hear `busy`."""

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gateway.engines.base import EngineBusy

LOOK_EVERY = 0.1


class Turnstile:
    """At most `size` callers inside, at most `waiting` in the queue, each there for at most `seconds`."""

    def __init__(self, size: int, waiting: int, seconds: float) -> None:
        """Start with nobody inside."""
        self._size = size
        self._waiting = waiting
        self._seconds = seconds
        self._changed = threading.Condition()
        self._inside = 0
        self._queue: deque[object] = deque()

    @contextmanager
    def inside(self, check: Callable[[], None], deadline: float = math.inf) -> Iterator[None]:
        """Wait for a place and keep it while the block runs. `check` may raise to end the wait.

        `deadline` is on the monotonic clock. Raises EngineBusy when the queue is full or no place came free
        in time.
        """
        self._enter(check, deadline)
        try:
            yield
        finally:
            with self._changed:
                self._inside -= 1
                self._changed.notify_all()

    def _enter(self, check: Callable[[], None], deadline: float = math.inf) -> None:
        place, until = object(), min(deadline, time.monotonic() + self._seconds)
        with self._changed:
            if self._inside >= self._size and len(self._queue) >= self._waiting:
                raise self._busy("its queue is full")
            self._queue.append(place)
            try:
                while self._inside >= self._size or self._queue[0] is not place:
                    left = until - time.monotonic()
                    if left <= 0:
                        raise self._busy("it is busy with other questions")
                    self._changed.wait(min(LOOK_EVERY, left))
                    check()
                self._inside += 1
            finally:
                self._queue.remove(place)
                self._changed.notify_all()

    def _busy(self, why: str) -> EngineBusy:
        return EngineBusy(
            "database_busy",
            f"the database has no free place: {why}",
            next_step="Ask again in a few seconds.",
            retry_after=self._seconds,
        )
