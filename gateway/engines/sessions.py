"""The sessions of a database's askers, so many lent at once; an idle one is kept a minute for its asker."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, Protocol, TypeVar

from gateway.engines.base import Identity
from gateway.engines.flights import Flight
from gateway.engines.turnstile import Turnstile

IDLE_SECONDS = 60.0
LIFE_SECONDS = 600.0


class Lendable(Protocol):
    """One asker's session. `born` is on the monotonic clock."""

    who: Identity
    born: float

    def usable(self) -> bool:
        """Say whether its asker may have it again."""
        ...

    def close(self) -> None:
        """End it; nobody waits for that."""
        ...


S = TypeVar("S", bound=Lendable)


class Sessions(Generic[S]):
    """Every session that is lent or idle. One is never another asker's.

    One that is idle for a minute or ten minutes old is closed, so that a login taken back, a role revoked
    or a credential changed counts soon.
    """

    def __init__(self, make: Callable[[Identity], S], turnstile: Turnstile, most_idle: int) -> None:
        """Open nothing yet."""
        self._make = make
        self._turnstile = turnstile
        self._most_idle = most_idle
        self._lock = threading.Lock()
        self._idle: deque[tuple[float, S]] = deque()

    @contextmanager
    def lent(self, who: Identity, flight: Flight) -> Iterator[S]:
        """Lend a session of the asker.

        Raises EngineBusy when the queue is full or nothing came free in time, EngineCancelled when the flight
        was stopped meanwhile.
        """
        with self._turnstile.inside(flight.check, flight.deadline):
            session = self._reused(who) or self._make(who)
            try:
                yield session
            finally:
                self._give_back(session)

    def close(self) -> None:
        """Close what is idle; what is lent is closed when it is too many."""
        with self._lock:
            idle, self._idle = self._idle, deque()
        for _, session in idle:
            session.close()

    def _reused(self, who: Identity) -> S | None:
        """Return the asker's latest idle session that is fresh; close what is old."""
        now, found = time.monotonic(), None
        kept = deque[tuple[float, S]]()
        with self._lock:
            for since, session in reversed(self._idle):
                if now - since >= IDLE_SECONDS or now - session.born >= LIFE_SECONDS:
                    session.close()
                elif found is None and session.who == who:
                    found = session
                else:
                    kept.appendleft((since, session))
            self._idle = kept
        return found

    def _give_back(self, session: S) -> None:
        if not session.usable():
            session.close()
            return
        with self._lock:
            self._idle.append((time.monotonic(), session))
            late = self._idle.popleft()[1] if len(self._idle) > self._most_idle else None
        if late is not None:
            late.close()
