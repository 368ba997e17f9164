"""Lets so many callers in at once; the others wait in order, so many and so long, and then hear `busy`."""

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

    @property
    def queued(self) -> int:
        """How many wait."""
        return len(self._queue)

    @contextmanager
    def inside(self, check: Callable[[], None]) -> Iterator[None]:
        """Wait for a place and keep it while the block runs. `check` may raise to end the wait.

        Raises EngineBusy when the queue is full or no place came free in time.
        """
        self._enter(check)
        try:
            yield
        finally:
            with self._changed:
                self._inside -= 1
                self._changed.notify_all()

    def _enter(self, check: Callable[[], None]) -> None:
        place, deadline = object(), time.monotonic() + self._seconds
        with self._changed:
            if self._inside >= self._size and len(self._queue) >= self._waiting:
                raise self._busy("the queue for the database is full")
            self._queue.append(place)
            try:
                while self._inside >= self._size or self._queue[0] is not place:
                    if time.monotonic() >= deadline:
                        raise self._busy("the database is busy with other questions")
                    self._changed.wait(LOOK_EVERY)
                    check()
                self._inside += 1
            finally:
                self._queue.remove(place)
                self._changed.notify_all()

    def _busy(self, why: str) -> EngineBusy:
        return EngineBusy(
            "database_busy", why, next_step="Ask again in a few seconds.", retry_after=self._seconds
        )
