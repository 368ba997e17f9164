"""Whose requests are inside now, with the token each came with: in memory, for as long as they run."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Present:
    """The live tokens of the users who are asking at this moment. Nothing of it is kept or shown."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tokens: dict[str, list[str]] = {}

    @contextmanager
    def during(self, user: str, token: str) -> Iterator[None]:
        """Know a user's token while the block runs."""
        with self._lock:
            self._tokens.setdefault(user, []).append(token)
        try:
            yield
        finally:
            with self._lock:
                self._tokens[user].remove(token)
                if not self._tokens[user]:
                    del self._tokens[user]

    def token(self, user: str) -> str:
        """Return the newest token of a user who is asking now; empty where nobody of that name is."""
        with self._lock:
            return self._tokens.get(user, [""])[-1]

    def __repr__(self) -> str:
        """Return how many are inside, and no token."""
        with self._lock:
            return f"Present({len(self._tokens)})"
