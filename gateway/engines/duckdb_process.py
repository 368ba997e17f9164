"""A worker process as the gateway holds it: one order at a time, a deadline for each, and a sure end."""

import fcntl
import os
import select
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gateway.engines.base import EngineError, Limits
from gateway.engines.duckdb_wire import LENGTH, Message, fault_in, frame, limits_head, unframe
from gateway.engines.refusals import timed_out

STUBBORN_AFTER = 0.2
"""Seconds that a query may take to obey when it is told to stop."""

GRACE = 0.5
"""Seconds beyond its deadline in which a query should have stopped by itself."""

ANSWER_BYTES = 1 << 24
"""The longest answer that is no result."""

GIVES_WAY = 5
"""How much nicer a query is than the gateway, which answers everybody while it runs."""

START_SECONDS = 30.0
END_SECONDS = 5.0
LOOK_EVERY = 0.05

_PROGRAM = "gateway.engines.duckdb_worker"
_PIPE_BYTES = 1 << 20
_FIRST_BYTES = 1 << 16
"""As much is asked for at first: most answers are shorter, and come whole at once."""
_F_SETPIPE_SZ = 1031
_KEPT = ("LD_LIBRARY_PATH",)


@dataclass(frozen=True, slots=True)
class Size:
    """What a process may take: memory, and files for spilling."""

    memory_mb: int
    spill_mb: int


class Worker:
    """One process. `holds` names the session that is open in it, `spills` are folders that it may have used.

    Make it in a thread that lives as long as the gateway: the kernel ends the process with that thread.
    """

    def __init__(self, size: Size) -> None:
        """Start the process; see `wait_until_ready`. Raises OSError."""
        self.size = size
        self.holds = ""
        self._ready = False
        self._settled = True
        self._killed = False
        self.idle_since = self._started = time.monotonic()
        self.spills: set[Path] = set()
        self._number = 0
        self._told: float | None = None
        control, self._control = os.pipe()
        try:
            self._process = _start(control, size)
        except OSError:
            os.close(self._control)
            raise
        finally:
            os.close(control)
        with suppress(OSError):
            # From here, before it starts a thread: each thread is as nice as the one that started it.
            os.setpriority(os.PRIO_PROCESS, self._process.pid, os.getpriority(os.PRIO_PROCESS, 0) + GIVES_WAY)
        assert self._process.stdin and self._process.stdout
        self._orders, self._replies = self._process.stdin.fileno(), self._process.stdout.fileno()
        with suppress(OSError):
            fcntl.fcntl(self._replies, _F_SETPIPE_SZ, _PIPE_BYTES)
        self._arrival = select.poll()
        self._arrival.register(self._replies, select.POLLIN)
        self._end = select.poll()
        self._end.register(self._replies, 0)
        os.set_blocking(self._orders, False)
        self._room = select.poll()
        self._room.register(self._orders, select.POLLOUT)
        self._ending = threading.Lock()

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    @property
    def fit(self) -> bool:
        """Whether it can take another order: the last one was answered, and it has not ended.

        A process that ended has let go of its pipes: that is seen at less cost than by asking for its status.
        """
        return self._settled and not self._killed and not self._end.poll(0)

    def wait_until_ready(self, check: Callable[[], object]) -> None:
        """Wait until the process takes orders, a quarter of a second after its start.

        `check` may raise to end the wait. Raises EngineError `worker_died` when the process does not come up.
        """
        if self._ready:
            return
        late = worker_died("its process did not start")
        while not self._ready:
            check()
            if self._arrival.poll(LOOK_EVERY * 1000):
                # A spare may have been ready for long before anybody asks it.
                with self._judged(lambda: late):
                    self._hear(time.monotonic() + END_SECONDS, ANSWER_BYTES)
                self._ready = True
            elif time.monotonic() - self._started > START_SECONDS:
                self.kill()
                raise late

    def order(
        self, verb: str, head: Mapping[str, Any], limits: Limits, largest: int = ANSWER_BYTES
    ) -> Message:
        """Return what the process answers within its time and a grace, in at most `largest` bytes.

        A process that is late is killed. Raises the EngineError that it tells of, EngineTimeout when it is
        late, EngineError `worker_died` when it ends or answers what is no answer.
        """
        self._number += 1
        self._told = None
        self._settled = False
        deadline = time.monotonic() + limits.seconds + GRACE
        told = {"verb": verb, "number": self._number, "limits": limits_head(limits), **head}
        with self._judged(lambda: timed_out(limits.whole)):
            self._tell(frame(Message(told)), deadline)
            answer = self._hear(deadline, largest)
            fault = fault_in(answer.head)
        self._settled = True
        if fault is not None:
            raise fault
        return answer

    def interrupt(self) -> None:
        """Tell the process to stop its order; kill it when it was told for a while and did not."""
        now = time.monotonic()
        self._told = self._told or now
        if now - self._told > STUBBORN_AFTER:
            self.kill()
        else:
            with suppress(OSError):
                os.write(self._control, self._number.to_bytes(LENGTH, "big"))

    def kill(self) -> None:
        """Kill the process; whoever waits for its answer hears of it."""
        self._killed = True
        self._process.kill()

    def end(self) -> None:
        """Kill the process, wait until it is gone, and remove what it spilt. Safe to call again."""
        with self._ending:
            self.kill()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(END_SECONDS)
            if self._control >= 0:
                os.close(self._control)
                self._control = -1
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    pipe.close()
        for folder in self.spills:
            shutil.rmtree(folder, ignore_errors=True)

    @contextmanager
    def _judged(self, late: Callable[[], EngineError]) -> Iterator[None]:
        """Kill a process that is late or talks nonsense, and say so."""
        try:
            yield
        except TimeoutError:
            self.kill()
            raise late() from None
        except OSError:
            raise worker_died("its process ended") from None
        except (ValueError, TypeError, KeyError):
            self.kill()
            raise worker_died("its process answered what is no answer") from None

    def _tell(self, body: bytes, deadline: float) -> None:
        view = memoryview(body)
        while view:
            try:
                view = view[os.write(self._orders, view) :]
            except BlockingIOError:
                if not self._room.poll(max(0.0, deadline - time.monotonic()) * 1000):
                    raise TimeoutError from None

    def _hear(self, deadline: float, largest: int) -> Message:
        """Return the one answer that is on its way: nothing else comes before the next order."""
        parts = [self._read(_FIRST_BYTES, deadline)]
        while len(parts[0]) < LENGTH:
            parts[0] += self._read(_FIRST_BYTES, deadline)
        length = int.from_bytes(parts[0][:LENGTH], "big")
        if length > largest:
            raise ValueError("the answer is longer than any answer can be")
        left = LENGTH + length - len(parts[0])
        while left > 0:
            parts.append(self._read(min(left, _PIPE_BYTES), deadline))
            left -= len(parts[-1])
        if left < 0:
            raise ValueError("the answer is longer than it says")
        return unframe(b"".join((parts[0][LENGTH:], *parts[1:])))

    def _read(self, most: int, deadline: float) -> bytes:
        left = deadline - time.monotonic()
        if left <= 0 or not self._arrival.poll(left * 1000):
            raise TimeoutError
        part = os.read(self._replies, most)
        if not part:
            raise BrokenPipeError
        return part


def worker_died(why: str) -> EngineError:
    """Return the error for a query whose process ended, by itself or by what the system did to it."""
    return EngineError(
        "worker_died",
        f"the query was lost: {why}",
        retryable=True,
        next_step="Ask again; if it happens again, ask a shorter window or fewer dimensions.",
    )


def _start(control: int, size: Size) -> subprocess.Popen[bytes]:
    """Start the program with nothing of the gateway's: no open file, no environment, no terminal."""
    places = os.pathsep.join(str(Path(place).resolve()) for place in sys.path)
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    numbers = (control, os.getpid(), size.memory_mb, size.spill_mb)
    return subprocess.Popen(
        [sys.executable, "-S", "-s", "-P", "-B", "-m", _PROGRAM, *map(str, numbers)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        bufsize=0,
        pass_fds=(control,),
        env={"PYTHONPATH": places, "LANG": "C.UTF-8", **kept},
        cwd="/",
        process_group=0,
    )
