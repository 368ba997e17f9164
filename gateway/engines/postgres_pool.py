"""The open sessions, few per login and so many in all; one goes from a user to the next only when clean."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gateway.engines.base import EngineBusy
from gateway.engines.postgres_session import Session

IDLE_SECONDS = 60.0
LIFE_SECONDS = 600.0
LOOK_EVERY = 0.1

Open = Callable[[str], Session]


class Pool:
    """At most `size` sessions at once, at most `waiting` callers in the queue, each for at most `seconds`.

    A login's sessions are never another login's. One that is idle for a minute or ten minutes old is closed,
    so that a login taken back or a credential changed counts soon.
    """

    def __init__(self, open_session: Open, size: int, waiting: int, seconds: float) -> None:
        """Open nothing yet."""
        self._open = open_session
        self._size = size
        self._waiting = waiting
        self._seconds = seconds
        self._changed = threading.Condition()
        self._idle: deque[tuple[float, Session]] = deque()
        self._taken = 0
        self._queue: deque[object] = deque()

    @contextmanager
    def session(self, login: str, check: Callable[[], None]) -> Iterator[Session]:
        """Lend a session of the login. `check` is called while waiting and may raise to end the wait.

        Raises EngineBusy when the queue is full or nothing came free in time.
        """
        session = self._take(login, check)
        try:
            if session is None:
                session = self._open(login)
            yield session
        finally:
            self._give_back(session)

    def close(self) -> None:
        """Close what is idle; what is lent is closed when it comes back or when its time is up."""
        with self._changed:
            idle, self._idle = self._idle, deque()
        for _, session in idle:
            session.connection.close()

    def _take(self, login: str, check: Callable[[], None]) -> Session | None:
        """Return an idle session of the login, or None for the right to open one."""
        place, deadline = object(), time.monotonic() + self._seconds
        with self._changed:
            if self._taken >= self._size and len(self._queue) >= self._waiting:
                raise self._busy("the queue for the database is full")
            self._queue.append(place)
            try:
                while self._taken >= self._size or self._queue[0] is not place:
                    if time.monotonic() >= deadline:
                        raise self._busy("no session of the database came free")
                    self._changed.wait(LOOK_EVERY)
                    check()
                self._taken += 1
                return self._reuse(login)
            finally:
                self._queue.remove(place)
                self._changed.notify_all()

    def _reuse(self, login: str) -> Session | None:
        """Return the login's latest idle session that lives; close what is old and what is too many."""
        now, kept = time.monotonic(), deque[tuple[float, Session]]()
        found: Session | None = None
        for since, session in reversed(self._idle):
            fresh = now - since < IDLE_SECONDS and now - session.born < LIFE_SECONDS
            if not fresh or not session.usable():
                session.connection.close()
            elif found is None and session.login == login:
                found = session
            else:
                kept.appendleft((since, session))
        while len(kept) + self._taken > self._size:
            kept.popleft()[1].connection.close()
        self._idle = kept
        return found

    def _give_back(self, session: Session | None) -> None:
        with self._changed:
            self._taken -= 1
            if session is not None and session.usable():
                self._idle.append((time.monotonic(), session))
            self._changed.notify_all()

    def _busy(self, why: str) -> EngineBusy:
        return EngineBusy(
            "database_busy", why, next_step="Ask again in a few seconds.", retry_after=self._seconds
        )
