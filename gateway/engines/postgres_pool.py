"""The open sessions, few per login and so many in all; one goes from a user to the next only when clean."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gateway.engines.postgres_session import Session
from gateway.engines.turnstile import Turnstile

IDLE_SECONDS = 60.0
LIFE_SECONDS = 600.0

Open = Callable[[str], Session]


class Pool:
    """At most `size` sessions at once, lent and idle; who waits for one waits at a turnstile.

    A login's sessions are never another login's. One that is idle for a minute or ten minutes old is closed,
    so that a login taken back or a credential changed counts soon.
    """

    def __init__(self, open_session: Open, size: int, waiting: int, seconds: float) -> None:
        """Open nothing yet."""
        self._open = open_session
        self._size = size
        self._turnstile = Turnstile(size, waiting, seconds)
        self._lock = threading.Lock()
        self._idle: deque[tuple[float, Session]] = deque()
        self._lent = 0

    @contextmanager
    def session(self, login: str, check: Callable[[], None]) -> Iterator[Session]:
        """Lend a session of the login. `check` is called while waiting and may raise to end the wait.

        Raises EngineBusy when the queue is full or nothing came free in time.
        """
        with self._turnstile.inside(check):
            session = self._take(login)
            try:
                if session is None:
                    session = self._open(login)
                yield session
            finally:
                self._give_back(session)

    def close(self) -> None:
        """Close what is idle; what is lent is closed when it comes back or when its time is up."""
        with self._lock:
            idle, self._idle = self._idle, deque()
        for _, session in idle:
            session.connection.close()

    def _take(self, login: str) -> Session | None:
        """Return the login's latest idle session that lives; close what is old and what is too many."""
        now, kept = time.monotonic(), deque[tuple[float, Session]]()
        found: Session | None = None
        with self._lock:
            self._lent += 1
            for since, session in reversed(self._idle):
                fresh = now - since < IDLE_SECONDS and now - session.born < LIFE_SECONDS
                if not fresh or not session.usable():
                    session.connection.close()
                elif found is None and session.login == login:
                    found = session
                else:
                    kept.appendleft((since, session))
            while len(kept) + self._lent > self._size:
                kept.popleft()[1].connection.close()
            self._idle = kept
        return found

    def _give_back(self, session: Session | None) -> None:
        with self._lock:
            self._lent -= 1
            if session is not None and session.usable():
                self._idle.append((time.monotonic(), session))
