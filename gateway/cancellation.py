"""A caller who leaves: one flag, and the hooks that stop what is running."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Cancellation:
    """Set once by a door when its caller is gone; the running query is stopped at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cancelled = False
        self._hooks: list[Callable[[], None]] = []

    @property
    def cancelled(self) -> bool:
        """Whether the caller is gone."""
        return self._cancelled

    def cancel(self) -> None:
        """Say that the caller is gone and stop what runs. Safe from any thread, any number of times."""
        with self._lock:
            self._cancelled = True
            hooks = tuple(self._hooks)
        for hook in hooks:
            hook()

    @contextmanager
    def stopping(self, hook: Callable[[], None]) -> Iterator[None]:
        """Call `hook` if the caller leaves while the block runs, or has left before it began."""
        with self._lock:
            self._hooks.append(hook)
            gone = self._cancelled
        if gone:
            hook()
        try:
            yield
        finally:
            with self._lock:
                self._hooks.remove(hook)
