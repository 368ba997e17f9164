"""One event loop in a thread of its own, for a driver that waits without threads; callers wait in theirs."""

import asyncio
import threading
import time
from collections.abc import Coroutine
from concurrent.futures import CancelledError, Future
from typing import Any, TypeVar

from gateway.engines.flights import Flight

T = TypeVar("T")
END_SECONDS = 2.0


class Overdue(Exception):
    """The work had not ended at its deadline; it was told to stop, and nobody waits for it any more."""


class EventLoop:
    """Started by the first work, stopped by `close`, started again by work that comes later."""

    def __init__(self) -> None:
        """Start nothing yet."""
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def wait(self, work: Coroutine[Any, Any, T], flight: Flight, deadline: float) -> T:
        """Return what the work returns. `deadline` is on the monotonic clock.

        Raises what the work raises, EngineCancelled when the flight is stopped, Overdue at the deadline.
        """
        if flight.cancelled:
            work.close()
            flight.check()
        future = self.begin(work)

        def stop() -> None:
            future.cancel()

        try:
            with flight.stoppable(stop):
                return future.result(max(0.0, deadline - time.monotonic()))
        except TimeoutError:
            if future.done():
                raise
            raise Overdue from None
        except CancelledError:
            flight.check()
            raise Overdue from None
        finally:
            future.cancel()

    def begin(self, work: Coroutine[Any, Any, T]) -> "Future[T]":
        """Start work that nobody has to wait for."""
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name="driver", daemon=True)
                self._thread.start()
            return asyncio.run_coroutine_threadsafe(work, self._loop)

    def close(self) -> None:
        """Let work under way end, for two seconds at most, and stop the thread."""
        with self._lock:
            loop, thread = self._loop, self._thread
            self._loop = self._thread = None
        if loop is None or thread is None:
            return
        asyncio.run_coroutine_threadsafe(_ended(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _ended() -> None:
    """Wait for every other task, then cancel those that have not ended."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    if others:
        _, late = await asyncio.wait(others, timeout=END_SECONDS)
        for task in late:
            task.cancel()
        if late:
            await asyncio.wait(late, timeout=END_SECONDS / 10)
