"""A transaction that stays open between the prices of a question and its run: all read one snapshot."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager

from gateway.engines.base import Identity
from gateway.engines.postgres_session import KEPT_SECONDS, Part, Session

Lend = Callable[[], AbstractContextManager[Session]]


class KeptSession:
    """The session that one question keeps from its first price until it has run. One thread at a time.

    What goes wrong ends the transaction; what comes after begins another one, with a snapshot of its own.
    """

    def __init__(self) -> None:
        """Hold nothing yet."""
        self._stack = ExitStack()
        self._session: Session | None = None
        self._who: Identity | None = None
        self._rested = 0.0

    @contextmanager
    def lent(self, lend: Lend, who: Identity, *, last: bool) -> Iterator[tuple[Session, Part]]:
        """Give the session out for a part of the question, the `last` one or one that others follow."""
        session, first = self._taken(lend, who)
        try:
            yield session, Part(first=first, last=last)
        except BaseException:
            self.end()
            raise
        self._rested = time.monotonic()
        if last:
            self.end()

    def end(self) -> None:
        """Take everything back that the question left in the session, and give it back."""
        session, self._session = self._session, None
        if session is not None:
            session.roll_back()
        self._stack.close()

    def _taken(self, lend: Lend, who: Identity) -> tuple[Session, bool]:
        """Return the session, and whether its transaction has to begin."""
        session = self._session
        if session is not None:
            # The server ends a transaction that rests for longer.
            rested = time.monotonic() - self._rested
            if who == self._who and rested < KEPT_SECONDS and session.usable():
                return session, False
            self.end()
        session = self._stack.enter_context(lend())
        self._session, self._who = session, who
        return session, True
