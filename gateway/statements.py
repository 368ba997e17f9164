"""Readings of governed statements: a plan asked before costs a look-up, not a compile and two parses."""

import threading
from collections import OrderedDict
from collections.abc import Callable

from metric_layer.resolved import ResolvedPlan
from metric_layer.sql import Reading

MOST = 512
Key = tuple[str, ResolvedPlan]


class Statements:
    """The last statements of one house: compiling and reading are pure, so one plan gives one reading.

    Every check still judges the reading each time it is asked for.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._kept: OrderedDict[Key, Reading] = OrderedDict()

    def reading(self, role: str, plan: ResolvedPlan, read: Callable[[], Reading]) -> Reading:
        """Return the reading of a role's plan, made by `read` where it was not asked before."""
        key = (role, plan)
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
                return found
        made = read()
        with self._lock:
            self._kept[key] = made
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return made
