"""What was made of plans: one that was asked before costs a look-up, not a compile and two parses."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

MOST = 512
T = TypeVar("T")


class Statements(Generic[T]):
    """The last statements of one house: compiling and reading are pure, so one plan gives one statement.

    Every check still judges the reading each time it is asked for.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._kept: OrderedDict[Hashable, T] = OrderedDict()

    def of(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what was made for a key, made by `make` where it was not asked before."""
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
                return found
        made = make()
        with self._lock:
            self._kept[key] = made
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return made
