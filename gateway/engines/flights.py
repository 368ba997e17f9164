"""The queries that are running: who they are, and how one is stopped from another thread."""

import itertools
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from gateway.engines.base import EngineCancelled, EngineError, Limits
from gateway.engines.refusals import timed_out

GIVE_UP_AFTER = 10.0
REMEMBERED = 256


def _held() -> threading.Lock:
    lock = threading.Lock()
    lock.acquire(blocking=False)
    return lock


@dataclass(slots=True)
class Flight:
    """One query, which is over at `deadline` (monotonic), whatever it waits for.

    `interrupt` is there for as long as something runs that it can stop. `air` is held until it has landed.
    """

    query_id: str
    cancelled: bool
    deadline: float = math.inf
    interrupt: Callable[[], None] | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)
    air: threading.Lock = field(default_factory=_held)

    def check(self) -> None:
        """Raise EngineCancelled once somebody stopped the query."""
        if self.cancelled:
            raise EngineCancelled("query_cancelled", "the query was stopped", next_step="Ask again.")

    def left(self, limits: Limits) -> Limits:
        """Return limits with the seconds that are left. Raises EngineTimeout for none, EngineCancelled."""
        self.check()
        seconds = self.deadline - time.monotonic()
        if seconds <= 0:
            raise timed_out(limits.whole)
        return limits.leaving(min(limits.seconds, seconds))

    @contextmanager
    def stoppable(self, interrupt: Callable[[], None]) -> Iterator[None]:
        """Let `interrupt` be called while the block runs; none is under way any more when it has ended.

        Raises EngineCancelled when the query was stopped before.
        """
        self.check()
        with self.lock:
            self.interrupt = interrupt
        try:
            yield
        finally:
            with self.lock:
                self.interrupt = None


class Flights:
    """All running queries of an engine, by query id. Safe from any thread.

    `every` says after how many seconds a query that has not stopped is interrupted again: an interrupt that
    comes before its statement starts is lost.
    """

    def __init__(self, every: float) -> None:
        """Start with nothing running."""
        self._every = every
        self._lock = threading.Lock()
        self._flying: dict[str, Flight] = {}
        self._early: OrderedDict[str, None] = OrderedDict()
        self._unnamed = itertools.count()

    @contextmanager
    def flying(self, query_id: str = "", seconds: float = math.inf) -> Iterator[Flight]:
        """Make the query stoppable while the block runs, by its id or with all others.

        Its time begins here: it has so many seconds for all that it waits for. Raises EngineError when the id
        is in use.
        """
        name = query_id or f"unnamed {next(self._unnamed)}"
        with self._lock:
            if name in self._flying:
                raise EngineError("duplicate_query", f"a query {query_id} is already running")
            early = name in self._early
            self._early.pop(name, None)
            deadline = time.monotonic() + seconds
            flight = self._flying[name] = Flight(query_id, cancelled=early, deadline=deadline)
        try:
            yield flight
        finally:
            with self._lock:
                del self._flying[name]
            flight.air.release()

    def stop(self, query_id: str) -> None:
        """Interrupt the query until it has stopped. One that has not begun yet will not begin.

        After ten seconds the loop ends, and a query that does not listen is left to its limits.
        """
        with self._lock:
            flight = self._flying.get(query_id)
            if flight is None:
                self._remember(query_id)
                return
            flight.cancelled = True
        deadline = time.monotonic() + GIVE_UP_AFTER
        while flight.air.locked() and time.monotonic() < deadline:
            with flight.lock:
                if flight.interrupt is not None:
                    flight.interrupt()
            if flight.air.acquire(timeout=self._every):
                flight.air.release()

    def stop_all(self) -> None:
        """Interrupt every running query."""
        with self._lock:
            ids = tuple(self._flying)
            for flight in self._flying.values():
                flight.cancelled = True
        for query_id in ids:
            self.stop(query_id)

    def _remember(self, query_id: str) -> None:
        self._early[query_id] = None
        if len(self._early) > REMEMBERED:
            self._early.popitem(last=False)
