"""A thread of its own for a driver that blocks; callers wait in theirs, and leave when they have to."""

import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from gateway.engines.event_loop import Overdue
from gateway.engines.flights import Flight

T = TypeVar("T")


class Blocking:
    """Does one work after the other. What somebody left behind goes on: it has to end by itself."""

    def __init__(self, name: str) -> None:
        """Start nothing yet."""
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)

    def wait(self, work: Callable[[], T], flight: Flight, deadline: float) -> T:
        """Return what the work returns. `deadline` is on the monotonic clock.

        Raises what the work raises, EngineCancelled when the flight is stopped, Overdue at the deadline.
        """
        flight.check()
        return waited(self._thread.submit(work), flight, deadline)

    def close(self) -> None:
        """Take no more work; nobody waits for what is under way."""
        self._thread.shutdown(wait=False)


def apart(name: str, work: Callable[[], T]) -> "Future[T]":
    """Begin work in a thread of its own, which ends with it."""
    thread = ThreadPoolExecutor(1, thread_name_prefix=name)
    begun = thread.submit(work)
    thread.shutdown(wait=False)
    return begun


def waited(work: "Future[T]", flight: Flight, deadline: float) -> T:
    """Return what work gives that goes on elsewhere. `deadline` is on the monotonic clock.

    Raises what the work raises, EngineCancelled when the flight is stopped, Overdue at the deadline.
    """
    seen: Future[T] = Future()

    def stop() -> None:
        seen.cancel()

    try:
        with flight.stoppable(stop):
            work.add_done_callback(partial(_tell, seen))
            return seen.result(max(0.0, deadline - time.monotonic()))
    except TimeoutError:
        if seen.done():
            raise
        raise Overdue from None
    except CancelledError:
        flight.check()
        raise


def _tell(seen: Future[T], done: Future[T]) -> None:
    """Pass on what came out, unless nobody waits for it any more."""
    if not seen.set_running_or_notify_cancel():
        return
    fault = done.exception()
    if fault is None:
        seen.set_result(done.result())
    else:
        seen.set_exception(fault)
