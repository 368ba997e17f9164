"""A caller who leaves, or looks on: one flag, the hooks that stop what runs, and who hears of stages."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from metric_layer.issues import Issue

RUN = "run"
"""The stage in which the query runs."""


class Cancellation:
    """Set once by a door when its caller is gone; the running query is stopped at once.

    A limit of the house may set it, too: `because` says which one it was, and is empty for a caller who left.
    `told` hears the name of each stage as the question gets there, on the thread that the question runs on.
    `ran` says whether a query of it was sent to the database.
    """

    def __init__(self, told: Callable[[str], None] | None = None) -> None:
        self.ran = False
        self._told = told
        self._lock = threading.Lock()
        self._cancelled = False
        self._because: tuple[Issue, ...] = ()
        self._hooks: list[Callable[[], None]] = []

    @property
    def cancelled(self) -> bool:
        """Whether the caller is gone."""
        return self._cancelled

    @property
    def because(self) -> tuple[Issue, ...]:
        """Which limit of the house stopped what ran; nothing where the caller left."""
        return self._because

    def cancel(self, because: Sequence[Issue] = ()) -> None:
        """Stop what runs: the caller is gone, or a limit is reached. The first reason counts.

        Safe from any thread, any number of times.
        """
        with self._lock:
            if not self._cancelled:
                self._because = tuple(because)
            self._cancelled = True
            hooks = tuple(self._hooks)
        for hook in hooks:
            hook()

    def reached(self, stage: str) -> None:
        """Say to whoever looks on which stage begins: its name and nothing else."""
        self.ran = self.ran or stage == RUN
        if self._told is not None:
            self._told(stage)

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

    @contextmanager
    def within(self, seconds: float, because: Sequence[Issue]) -> Iterator["Cancellation"]:
        """Give a cancellation for the block that this one sets, and the end of so many seconds."""
        inner = Cancellation(self.reached)
        timer = threading.Timer(seconds, inner.cancel, (because,))
        timer.daemon = True
        timer.start()
        try:
            with self.stopping(inner.cancel):
                yield inner
        finally:
            timer.cancel()
