"""The house in force and those that questions still stand in; an engine closes behind its last question."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from gateway.engines.base import Engine
from gateway.house import House


class Houses:
    """One house is in force at a time; who began under an older one ends under it."""

    def __init__(self, house: House) -> None:
        self._lock = threading.Lock()
        self._house = house
        self._inside: Counter[int] = Counter()
        self._retired: dict[int, Engine] = {}

    @property
    def house(self) -> House:
        """The house in force now."""
        return self._house

    @contextmanager
    def asking(self) -> Iterator[House]:
        """Give the house in force for the length of one question: its engine stays open until then."""
        with self._lock:
            house = self._house
            self._inside[id(house.engine)] += 1
        try:
            yield house
        finally:
            self._leave(id(house.engine))

    def replace(self, house: House) -> None:
        """Put another house in force from the next question on; it may have the old one's engine."""
        with self._lock:
            engine = self._house.engine
            self._house = house
            if engine is house.engine:
                return
            idle = not self._inside[id(engine)]
            if not idle:
                self._retired[id(engine)] = engine
        if idle:
            engine.close()

    def close(self) -> None:
        """Close every engine, whoever still stands in its house."""
        with self._lock:
            engines = (self._house.engine, *self._retired.values())
            self._retired.clear()
        for engine in engines:
            engine.close()

    def _leave(self, engine: int) -> None:
        with self._lock:
            self._inside[engine] -= 1
            if self._inside[engine]:
                return
            del self._inside[engine]
            over = self._retired.pop(engine, None)
        if over is not None:
            over.close()
