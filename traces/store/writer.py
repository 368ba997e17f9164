"""The one thread that writes a log: it takes what is waiting, writes it at once and syncs once for all."""

import queue
import threading
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol

from pydantic_core import PydanticSerializationError

from traces.errors import TraceUnwritable
from traces.store.log import MOST_UNSYNCED, Entry
from traces.store.refusal import too_slow, writer_gone

MOST_AT_ONCE = 512
TOLD_AT_ONCE = 2
"""Callers that the writing thread tells itself: where one is late to get a core, the other tells the rest."""
LONG_SYNC = 0.003
"""Seconds; while a sync takes longer, callers have the time to work out their bytes themselves."""
Fault = TraceUnwritable | PydanticSerializationError
"""Why an entry is not in the log: it could not be written, or it is nothing that has a spelling."""


class WritableLog(Protocol):
    """A log that one thread appends to."""

    @property
    def unsynced_bytes(self) -> int:
        """How much was written that no sync has made durable yet."""
        ...

    def write(self, entries: Sequence[Entry]) -> None:
        """Write entries in order; all are written or none, and then TraceUnwritable is raised."""
        ...

    def write_at_once(self, entry: Entry) -> bool:
        """Write an entry that need not be durable, on any thread; False where the writing thread has to."""
        ...

    def sync(self) -> None:
        """Make everything written so far durable; raises TraceUnwritable."""
        ...


class Job:
    """An entry and the latch its caller waits at; a plain lock, the cheapest latch there is.

    `others` are settled with it and not told yet. Whoever wakes tells one of them first: callers who all woke
    at once would stand in line for the interpreter, and keep the writing thread out of it.
    """

    __slots__ = ("_latch", "_left", "entry", "error", "others", "settled")

    def __init__(self, entry: Entry) -> None:
        self.entry = entry
        self.error: Fault | None = None
        self.settled = False
        self.others: list[Job] = []
        self._left = False
        self._latch = threading.Lock()
        self._latch.acquire()

    def tell(self) -> bool:
        """Let the caller go on; False where it may have left, and so tells none of the others."""
        self._latch.release()
        return not self._left

    def wait(self, seconds: float) -> bool:
        """Return whether the entry was settled in time; a caller that leaves says so and then looks again."""
        told = False
        try:
            told = self._latch.acquire(timeout=seconds)
        finally:
            self._left = not told
            _tell_next(self.others)
        return told


class Writer:
    """Appends for any number of threads. `patience` is how many seconds a caller waits for the disk."""

    def __init__(self, log: WritableLog, place: Path | str, patience: float) -> None:
        self._log = log
        self._place = place
        self._patience = patience
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._closing = threading.Lock()
        self._closed = False
        self._long_sync = False
        self._thread = threading.Thread(target=self._run, name="trace-writer", daemon=True)
        self._thread.start()

    def append(self, entry: Entry) -> Entry:
        """Wait until the entry is written, or durable where it asks for that; raises TraceUnwritable.

        On a fast disk the writing thread works out the bytes of whoever has to wait for it: they cost less
        one after another in one thread than in as many threads that pass the interpreter on.
        """
        if self._long_sync or not entry.durable:
            entry.encode()
        if not entry.durable and not self._closed and self._log.write_at_once(entry):
            return entry
        job = Job(entry)
        with self._closing:
            if self._closed:
                raise writer_gone(self._place)
            self._queue.put(job)
        if not job.wait(self._patience):
            raise too_slow(self._patience, self._place)
        if job.error is not None:
            raise job.error
        return entry

    def close(self) -> None:
        """Write what is waiting and end the thread; raises TraceUnwritable when the disk holds it up."""
        with self._closing:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join(self._patience)
        if self._thread.is_alive():
            raise too_slow(self._patience, self._place)

    def _run(self) -> None:
        durable: Sequence[Job] = ()
        last = False
        try:
            while durable or not last:
                batch, last = self._next_batch(last, wait=not durable)
                try:
                    durable = self._commit(batch, durable)
                finally:
                    settle(set(batch).difference(durable), writer_gone(self._place))
        finally:
            self._closed = True
            settle(durable)

    def _next_batch(self, last: bool, *, wait: bool) -> tuple[list[Job], bool]:
        batch: list[Job] = []
        if last:
            return batch, last
        try:
            job = self._queue.get(wait)
            while job is not None:
                batch.append(job)
                if len(batch) == MOST_AT_ONCE:
                    return batch, False
                job = self._queue.get_nowait()
        except queue.Empty:
            return batch, False
        return batch, True

    def _commit(self, batch: list[Job], durable: Sequence[Job]) -> Sequence[Job]:
        """Write a batch and sync it; return who of it may be told so after the next batch is written.

        Those of the batch before, who are `durable`, are told between write and sync: they then work while
        this thread waits for the disk, and not while it needs the interpreter to itself.
        """
        try:
            written = self._write(_encoded(batch))
        finally:
            settle(durable)
        settle(job for job in written if not job.entry.durable)
        waiting = [job for job in written if job.entry.durable]
        if not waiting and self._log.unsynced_bytes < MOST_UNSYNCED:
            return ()
        began = time.monotonic()
        try:
            self._log.sync()
        except TraceUnwritable as error:
            settle(waiting, error)
            return ()
        self._long_sync = time.monotonic() - began > LONG_SYNC
        return waiting

    def _write(self, batch: list[Job]) -> list[Job]:
        """Write a batch; where it does not fit as a whole, each record is tried alone."""
        if not batch:
            return []
        try:
            self._log.write([job.entry for job in batch])
        except TraceUnwritable as error:
            if len(batch) == 1:
                settle(batch, error)
                return []
            return [job for one in batch for job in self._write([one])]
        return batch


def _encoded(batch: list[Job]) -> list[Job]:
    """Return those of a batch that have bytes, once they are given them; the others are told why not."""
    encoded: list[Job] = []
    for job in batch:
        try:
            job.entry.encode()
        except PydanticSerializationError as error:
            settle([job], error)
        else:
            encoded.append(job)
    return encoded


def settle(jobs: Iterable[Job], error: Fault | None = None) -> None:
    """Have the callers told what became of their entries, those that were not told before."""
    waiting = [job for job in jobs if not job.settled]
    waiting.reverse()
    for job in waiting:
        job.error, job.settled, job.others = error, True, waiting
    for _ in range(TOLD_AT_ONCE):
        _tell_next(waiting)


def _tell_next(waiting: list[Job]) -> None:
    """Tell the next caller, or the one after it where that one left; to tell one too many harms nobody."""
    while waiting:
        try:
            job = waiting.pop()
        except IndexError:  # another caller was faster
            return
        if job.tell():
            return
