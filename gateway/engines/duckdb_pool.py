"""An engine's share of the workers: so many at work at once, each with the session that its query needs."""

import secrets
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gateway.engines.base import EngineError, Limits
from gateway.engines.duckdb_fleet import FLEET
from gateway.engines.duckdb_process import Size, Worker
from gateway.engines.duckdb_spill import PREFIX, sweep
from gateway.engines.flights import Flight
from gateway.engines.turnstile import Turnstile


class Pool:
    """Lends workers with a session open in them. `token` begins the names of this engine's sessions."""

    def __init__(self, turnstile: Turnstile, size: Size, spill: Path) -> None:
        """Start nothing yet. Workers spill into folders of their own under `spill`, if at all."""
        self.token = secrets.token_hex(8)
        self._turnstile = turnstile
        self._size = size
        self._spill = spill
        self._lock = threading.Lock()
        self._lent: set[Worker] = set()
        self._opened = False

    @contextmanager
    def worker(
        self, session: str, opening: Mapping[str, Any], flight: Flight, limits: Limits
    ) -> Iterator[Worker]:
        """Lend a worker that holds the session, opened with `opening` where it has to be.

        The flight can be stopped all the while. Raises EngineBusy, EngineCancelled, EngineTimeout, and
        EngineError when the session cannot be opened.
        """
        with self._turnstile.inside(flight.check, flight.deadline):
            worker = self._hire(session)
            try:
                worker.wait_until_ready(lambda: flight.left(limits))
                with flight.stoppable(worker.interrupt):
                    if worker.holds != session:
                        self._open(worker, session, opening, flight.left(limits))
                    flight.check()
                    yield worker
            except EngineError:
                # A process that was killed because it did not stop has nothing to say of its own.
                flight.check()
                raise
            finally:
                with self._lock:
                    self._lent.discard(worker)
                FLEET.release(worker)

    def _open(self, worker: Worker, session: str, opening: Mapping[str, Any], limits: Limits) -> None:
        worker.holds = ""
        spill = self._spill / f"{PREFIX}{worker.pid}"
        worker.spills.add(spill)
        worker.order("open", {**opening, "spill": str(spill)}, limits)
        worker.holds = session

    def forget(self) -> None:
        """Close the sessions of who is not at work."""
        FLEET.shut(self.token)

    def close(self) -> None:
        """Kill who is at work and close the sessions of who is not."""
        with self._lock:
            opened, self._opened = self._opened, False
            for worker in self._lent:
                worker.kill()
        self.forget()
        if opened:
            FLEET.close(self._size)

    def _hire(self, session: str) -> Worker:
        with self._lock:
            if not self._opened:
                self._opened = True
                sweep(self._spill)
                FLEET.open(self._size)
        worker = FLEET.hire(self._size, session)
        with self._lock:
            self._lent.add(worker)
        return worker
