"""The least a log of this kind can do in one interpreter: encode, hash, write, one sync for all who wait.

The same records and callers as the trace log's, without what makes it one: no chain, no tree, no segments, no
room set aside, and no caller hears of a fault.
"""

import os
import threading
import time
from hashlib import sha256
from pathlib import Path
from queue import Empty, SimpleQueue

from benchmarks.tracing.records import question
from gateway.operation.memory import settle
from traces.formats import encode
from traces.records import Close


class BareLog:
    """A file that any thread appends to at once, and one thread appends to and syncs for those who wait."""

    def __init__(self, path: Path) -> None:
        self._handle = os.open(path, os.O_CREAT | os.O_WRONLY)
        self._end, self._lock = 0, threading.Lock()
        self._waiting: SimpleQueue[tuple[Close, threading.Lock] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def write(self, data: bytes) -> None:
        """Append bytes."""
        with self._lock:
            os.pwrite(self._handle, data, self._end)
            self._end += len(data)

    def make_durable(self, closed: Close) -> None:
        """Append a record and wait for the sync."""
        latch = threading.Lock()
        latch.acquire()
        self._waiting.put((closed, latch))
        latch.acquire()

    def close(self) -> None:
        """End the thread."""
        self._waiting.put(None)
        self._thread.join()
        os.close(self._handle)

    def _run(self) -> None:
        while batch := self._next_batch():
            self.write(b"".join([hashed(encode(closed)) for closed, _ in batch]))
            os.fdatasync(self._handle)
            for _, latch in batch:
                latch.release()

    def _next_batch(self) -> list[tuple[Close, threading.Lock]]:
        batch = []
        job = self._waiting.get()
        while job is not None:
            batch.append(job)
            try:
                job = self._waiting.get_nowait()
            except Empty:
                break
        return batch


def hashed(body: bytes) -> bytes:
    """Hash a record as a log with a tree must, and return it as it was."""
    sha256(body).digest()
    return body


def bare(path: Path, callers: int, seconds: float) -> dict[str, float]:
    """Have so many callers of one process write whole traces into a bare log."""
    log, stop, counts = BareLog(path), threading.Event(), [0] * callers
    opened, closed = question("bare")
    settle()

    def ask(caller: int) -> None:
        while not stop.is_set():
            log.write(hashed(encode(opened)))
            log.make_durable(closed)
            counts[caller] += 1

    threads = [threading.Thread(target=ask, args=(caller,)) for caller in range(callers)]
    began, spent = time.perf_counter(), time.process_time()
    for thread in threads:
        thread.start()
    time.sleep(seconds)
    stop.set()
    for thread in threads:
        thread.join()
    took, cpu = time.perf_counter() - began, time.process_time() - spent
    log.close()
    return {f"bare_{callers}_per_s": sum(counts) / took, f"bare_cpu_us_{callers}": cpu / sum(counts) * 1e6}
