"""The queries that are running: who they are, and how one is stopped from another thread."""

import threading
import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

import duckdb

from gateway.engines.base import EngineCancelled, EngineError

INTERRUPT_EVERY = 0.005
GIVE_UP_AFTER = 10.0
REMEMBERED = 256


@dataclass(slots=True)
class Flight:
    """One query; it has a cursor from the moment it can be interrupted."""

    cancelled: bool
    cursor: duckdb.DuckDBPyConnection | None = None
    landed: threading.Event = field(default_factory=threading.Event)

    def check(self) -> None:
        """Raise EngineCancelled once somebody stopped the query."""
        if self.cancelled:
            raise EngineCancelled("query_cancelled", "the query was stopped", next_step="Ask again.")


class Flights:
    """All running queries of an engine, by query id. Safe from any thread."""

    def __init__(self) -> None:
        """Start with nothing running."""
        self._lock = threading.Lock()
        self._flying: dict[str, Flight] = {}
        self._early: OrderedDict[str, None] = OrderedDict()

    @contextmanager
    def flying(self, query_id: str) -> Iterator[Flight]:
        """Make the query stoppable while the block runs. Raises EngineError when the id is in use."""
        with self._lock:
            if query_id in self._flying:
                raise EngineError("duplicate_query", f"a query {query_id} is already running")
            early = query_id in self._early
            self._early.pop(query_id, None)
            flight = self._flying[query_id] = Flight(cancelled=early)
        try:
            yield flight
        finally:
            with self._lock:
                del self._flying[query_id]
            flight.landed.set()

    def stop(self, query_id: str) -> None:
        """Interrupt the query until it has stopped. One that has not begun yet will not begin.

        DuckDB forgets an interrupt that comes before its statement starts, hence the loop. Some list and
        string functions do not listen; after ten seconds the loop ends and the query is left to its limits.
        """
        with self._lock:
            flight = self._flying.get(query_id)
            if flight is None:
                self._remember(query_id)
                return
            flight.cancelled = True
        deadline = time.monotonic() + GIVE_UP_AFTER
        while not flight.landed.wait(INTERRUPT_EVERY) and time.monotonic() < deadline:
            if flight.cursor is not None:
                with suppress(duckdb.ConnectionException):
                    flight.cursor.interrupt()

    def stop_all(self) -> None:
        """Interrupt every running query."""
        with self._lock:
            ids = tuple(self._flying)
        for query_id in ids:
            self.stop(query_id)

    def _remember(self, query_id: str) -> None:
        self._early[query_id] = None
        if len(self._early) > REMEMBERED:
            self._early.popitem(last=False)
