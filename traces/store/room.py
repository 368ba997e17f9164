"""Space that is set aside in the open segment: what is promised to questions, and what is free."""

import threading


class Room:
    """Counts the bytes set aside after the end of a segment. A promise waits for nobody who writes or syncs.

    `free` falls below zero while questions use what was promised to them.
    """

    __slots__ = ("_lock", "_shut", "free", "promised")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._shut = True
        self.free = 0
        self.promised = 0

    def promise(self, size: int) -> bool:
        """Promise so many bytes; False where they are not there."""
        with self._lock:
            if self._shut or self.free < size:
                return False
            self.free -= size
            self.promised += size
            return True

    def release(self, size: int) -> None:
        """Take a promise back."""
        with self._lock:
            self.free += size
            self.promised -= size

    def take(self, size: int) -> bool:
        """Use bytes that are promised to nobody; False where they are not there."""
        with self._lock:
            if self._shut or self.free < size:
                return False
            self.free -= size
            return True

    def measure(self, spare: int) -> None:
        """Count anew and promise again: so many bytes are set aside after the end of the segment."""
        with self._lock:
            self.free, self._shut = spare - self.promised, False

    def shut(self) -> None:
        """Promise nothing until the next measure: there is no segment to keep it."""
        with self._lock:
            self._shut = True
