"""The worker processes of this process: who is idle, a spare that is warm, and one thread that keeps them."""

import atexit
import os
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress

from gateway.engines.base import EngineError, Limits
from gateway.engines.duckdb_process import Size, Worker

LOOK_EVERY = 2.0
SHUT = Limits(rows=0, bytes=0, seconds=1.0, memory_mb=0, spill_mb=0)
IDLE_SECONDS = 60.0
START_SECONDS = 30.0
END_SECONDS = 5.0


class Fleet:
    """Idle workers, lent one by one; a worker serves the engines of this process one after the other.

    Every worker is started and ended by one thread that lives as long as the process: the kernel kills a
    worker when the thread that started it is gone. While an engine has asked, a warm spare is kept.
    """

    def __init__(self) -> None:
        """Start nothing yet."""
        self._lock = threading.Lock()
        self._idle: list[Worker] = []
        self._alive: set[Worker] = set()
        self._engines: Counter[Size] = Counter()
        self._tasks: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._keeper: threading.Thread | None = None

    @property
    def idle(self) -> tuple[Worker, ...]:
        """Who waits for work, whoever waits longest first."""
        with self._lock:
            return tuple(self._idle)

    def hire(self, size: Size, session: str) -> Worker:
        """Return a worker that may take so much, a new one where none is idle.

        At best it is the one that holds the session, else one that holds none, else the one idle for longest.
        Raises EngineError `worker_not_started`.
        """
        with self._lock:
            fitting = [worker for worker in self._idle if worker.size == size and worker.fit]
            holding = [worker for worker in fitting if worker.holds == session]
            empty = [worker for worker in fitting if not worker.holds]
            for worker in (*reversed(holding), *empty, *fitting):
                self._idle.remove(worker)
                return worker
        return self._start(size)

    def release(self, worker: Worker) -> None:
        """Take a worker back. One that lost its way is ended, and replaced, in the background."""
        if not worker.fit:
            self._do(lambda: self._replace(worker))
            return
        worker.idle_since = time.monotonic()
        with self._lock:
            self._idle.append(worker)

    def open(self, size: Size) -> None:
        """Note that an engine needs workers of that size from now on."""
        with self._lock:
            self._engines[size] += 1

    def close(self, size: Size) -> None:
        """Note that an engine needs none any more."""
        with self._lock:
            self._engines[size] -= 1

    def shut(self, sessions: str) -> None:
        """Close the sessions of idle workers whose names begin like that."""
        with self._lock:
            held = [worker for worker in self._idle if worker.holds.startswith(sessions)]
            self._idle = [worker for worker in self._idle if worker not in held]
        for worker in held:
            self._shut(worker)
            self.release(worker)

    def end(self) -> None:
        """End every worker."""
        if self._keeper is None:
            return
        ended = threading.Event()
        self._do(lambda: self._end_all(ended))
        ended.wait(END_SECONDS)

    def abandon(self) -> None:
        """Forget every worker: in a child of this process they are still the parent's."""
        self._lock = threading.Lock()
        self._idle, self._alive, self._engines = [], set(), Counter()
        self._tasks, self._keeper = queue.SimpleQueue(), None

    def _shut(self, worker: Worker) -> None:
        worker.holds = ""
        try:
            worker.order("shut", {}, SHUT)
        except EngineError:
            worker.kill()

    def _start(self, size: Size) -> Worker:
        started: Future[Worker] = Future()
        self._do(lambda: self._add(size, started))
        try:
            return started.result(START_SECONDS)
        except (OSError, TimeoutError) as fault:
            raise EngineError(
                "worker_not_started",
                f"no process for the database could be started ({type(fault).__name__})",
                retryable=True,
                next_step="See that the machine has memory and processes to spare.",
            ) from fault

    def _do(self, task: Callable[[], None]) -> None:
        """Have the keeper do something, in the order asked."""
        with self._lock:
            if self._keeper is None or not self._keeper.is_alive():
                self._keeper = threading.Thread(target=self._keep, name="duckdb-workers", daemon=True)
                self._keeper.start()
        self._tasks.put(task)

    def _keep(self) -> None:
        looked = time.monotonic()
        while True:
            with suppress(queue.Empty):
                self._tasks.get(timeout=LOOK_EVERY)()
            if time.monotonic() - looked >= LOOK_EVERY:
                self._look()
                looked = time.monotonic()

    def _add(self, size: Size, started: "Future[Worker]") -> None:
        try:
            worker = Worker(size)
        except OSError as fault:
            started.set_exception(fault)
            return
        with self._lock:
            self._alive.add(worker)
        started.set_result(worker)

    def _replace(self, worker: Worker) -> None:
        self._end(worker)
        self._spare()

    def _end(self, worker: Worker) -> None:
        with self._lock:
            self._alive.discard(worker)
        worker.end()

    def _end_all(self, ended: threading.Event) -> None:
        with self._lock:
            alive, self._alive = self._alive, set()
            self._idle.clear()
        for worker in alive:
            worker.end()
        ended.set()

    def _look(self) -> None:
        """End who died or idled for long, and see that a spare is there."""
        old = time.monotonic() - IDLE_SECONDS
        with self._lock:
            latest = {worker.size: worker for worker in self._idle if self._engines[worker.size] > 0}
            over = [
                worker
                for worker in self._idle
                if not worker.fit or (worker.idle_since < old and latest.get(worker.size) is not worker)
            ]
            self._idle = [worker for worker in self._idle if worker not in over]
        for worker in over:
            self._end(worker)
        self._spare()

    def _spare(self) -> None:
        """Start one worker of each size that an open engine needs and nobody idle has."""
        with self._lock:
            needed = {size for size, engines in self._engines.items() if engines > 0}
            needed -= {worker.size for worker in self._idle if worker.fit}
        for size in needed:
            started: Future[Worker] = Future()
            self._add(size, started)
            if started.exception() is None:
                self.release(started.result())


FLEET = Fleet()
atexit.register(FLEET.end)
os.register_at_fork(after_in_child=FLEET.abandon)
