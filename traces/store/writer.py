"""The one thread that writes a log: it takes what is waiting, writes it at once and syncs once for all."""

import queue
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol

from traces.errors import TraceUnwritable
from traces.store.log import MOST_UNSYNCED, Entry
from traces.store.refusal import too_slow, writer_gone

MOST_AT_ONCE = 512


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


class _Job:
    """An entry and the latch its caller waits at; a plain lock, the cheapest latch there is."""

    __slots__ = ("_latch", "entry", "error", "settled")

    def __init__(self, entry: Entry) -> None:
        self.entry = entry
        self.error: TraceUnwritable | None = None
        self.settled = False
        self._latch = threading.Lock()
        self._latch.acquire()

    def settle(self, error: TraceUnwritable | None = None) -> None:
        if not self.settled:
            self.error, self.settled = error, True
            self._latch.release()

    def wait(self, seconds: float) -> bool:
        return self._latch.acquire(timeout=seconds)


class Writer:
    """Appends for any number of threads. `patience` is how many seconds a caller waits for the disk."""

    def __init__(self, log: WritableLog, place: Path | str, patience: float) -> None:
        self._log = log
        self._place = place
        self._patience = patience
        self._queue: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._closing = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="trace-writer", daemon=True)
        self._thread.start()

    def append(self, entry: Entry) -> Entry:
        """Wait until the entry is written, or durable where it asks for that; raises TraceUnwritable."""
        if not entry.durable and not self._closed and self._log.write_at_once(entry):
            return entry
        job = _Job(entry)
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
        durable: Sequence[_Job] = ()
        last = False
        try:
            while durable or not last:
                batch, last = self._next_batch(last, wait=not durable)
                try:
                    durable = self._commit(batch, durable)
                finally:
                    _settle(set(batch).difference(durable), writer_gone(self._place))
        finally:
            self._closed = True
            _settle(durable)

    def _next_batch(self, last: bool, *, wait: bool) -> tuple[list[_Job], bool]:
        batch: list[_Job] = []
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

    def _commit(self, batch: list[_Job], durable: Sequence[_Job]) -> Sequence[_Job]:
        """Write a batch and sync it; return who of it may be told so after the next batch is written.

        Those of the batch before, who are `durable`, are told between write and sync: they then work while
        this thread waits for the disk, and not while it needs the interpreter to itself.
        """
        try:
            written = self._write(batch)
        finally:
            _settle(durable)
        _settle(job for job in written if not job.entry.durable)
        waiting = [job for job in written if job.entry.durable]
        if not waiting and self._log.unsynced_bytes < MOST_UNSYNCED:
            return ()
        try:
            self._log.sync()
        except TraceUnwritable as error:
            _settle(waiting, error)
            return ()
        return waiting

    def _write(self, batch: list[_Job]) -> list[_Job]:
        """Write a batch; where it does not fit as a whole, each record is tried alone."""
        if not batch:
            return []
        try:
            self._log.write([job.entry for job in batch])
        except TraceUnwritable as error:
            if len(batch) == 1:
                _settle(batch, error)
                return []
            return [job for one in batch for job in self._write([one])]
        return batch


def _settle(jobs: Iterable[_Job], error: TraceUnwritable | None = None) -> None:
    for job in jobs:
        job.settle(error)
