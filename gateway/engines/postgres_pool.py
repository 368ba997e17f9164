"""The open sessions, few per login and so many in all; one goes from a user to the next only when clean."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from functools import partial

from gateway.engines.base import EngineCancelled
from gateway.engines.blocking import apart, waited
from gateway.engines.event_loop import Overdue
from gateway.engines.flights import Flight
from gateway.engines.postgres_session import Session
from gateway.engines.refusals import unreachable
from gateway.engines.turnstile import Turnstile

IDLE_SECONDS = 60.0
LIFE_SECONDS = 600.0

Open = Callable[[str, float], Session]
"""Open a session of a login within so many seconds."""


class Pool:
    """At most `size` sessions at once, lent and idle; who waits for one waits at a turnstile.

    A login's sessions are never another login's. One that is idle for a minute or ten minutes old is closed,
    so that a login taken back or a credential changed counts soon.
    """

    def __init__(self, open_session: Open, patience: float, size: int, turnstile: Turnstile) -> None:
        """Open nothing yet. `patience` is for how many seconds a session may take to open."""
        self._open = open_session
        self._patience = patience
        self._size = size
        self._turnstile = turnstile
        self._lock = threading.Lock()
        self._idle: deque[tuple[float, Session]] = deque()
        self._lent = 0

    @contextmanager
    def session(self, login: str, flight: Flight) -> Iterator[Session]:
        """Lend a session of the login.

        Raises EngineBusy when the queue is full or nothing came free in time, EngineCancelled when the flight
        was stopped meanwhile, EngineError when no session can be opened before its deadline.
        """
        with ExitStack() as place:
            place.enter_context(self._turnstile.inside(flight.check, flight.deadline))
            back: list[Session] = []
            session = self._take(login)
            place.callback(self._give_back, back)
            if session is None:
                session = self._opened(login, flight, place)
            back.append(session)
            yield session

    def close(self) -> None:
        """Close what is idle; what is lent is closed when it comes back or when its time is up."""
        with self._lock:
            idle, self._idle = self._idle, deque()
        for _, session in idle:
            session.connection.close()

    def _opened(self, login: str, flight: Flight, place: ExitStack) -> Session:
        """Open a session. One that nobody waits for any more keeps its place until it is closed again."""
        until = min(flight.deadline, time.monotonic() + self._patience)
        opening = apart("postgres-login", partial(self._open, login, until - time.monotonic()))
        try:
            return waited(opening, flight, until)
        except Overdue:
            opening.add_done_callback(partial(_unwanted, place.pop_all()))
            raise unreachable() from None
        except EngineCancelled:
            opening.add_done_callback(partial(_unwanted, place.pop_all()))
            raise

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

    def _give_back(self, sessions: list[Session]) -> None:
        with self._lock:
            self._lent -= 1
            self._idle.extend((time.monotonic(), session) for session in sessions if session.usable())


def _unwanted(place: ExitStack, opening: "Future[Session]") -> None:
    with place:
        if opening.exception() is None:
            opening.result().connection.close()
