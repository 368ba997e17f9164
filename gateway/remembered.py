"""What was made before and need not be made again: so much of it, the least lately used goes first."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")

MOST = 512
OF_STATEMENTS = 4096
"""How many statements an engine knows something of from their price on: it is little for each."""


class Remembered(Generic[K, V]):
    """Values by key, of the latest keys that were put or found. Safe from any thread."""

    def __init__(self, most: int = MOST) -> None:
        """Know nothing yet."""
        self._most = most
        self._lock = threading.Lock()
        self._known: OrderedDict[K, V] = OrderedDict()

    def of(self, key: K, make: Callable[[], V]) -> V:
        """Return the value of a key, made by `make` where none is known."""
        found = self.found(key)
        if found is not None:
            return found
        return self.put(key, make())

    def found(self, key: K) -> V | None:
        """Return the value of a key, or None."""
        with self._lock:
            found = self._known.get(key)
            if found is not None:
                self._known.move_to_end(key)
            return found

    def put(self, key: K, value: V) -> V:
        """Keep a value, instead of the one that was there, and return it."""
        with self._lock:
            self._known[key] = value
            self._known.move_to_end(key)
            if len(self._known) > self._most:
                self._known.popitem(last=False)
        return value
