"""Several processes on one port: each serves alone, one that dies is replaced, all end together."""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from types import FrameType

Serve = Callable[[Callable[[], None]], None]
"""Serves until a signal ends it; calls what it is given once it is ready."""
Tell = Callable[[str], None]
LOOK_SECONDS = 0.5
SHORT_LIFE = 5.0
LONGEST_PAUSE = 30.0
END_SLACK = 10.0
"""Seconds beyond the grace after which a process that does not end is killed."""


@dataclass(slots=True)
class Member:
    """One process, and the pipe on which it says that it is ready."""

    number: int
    process: ForkProcess
    said: Connection
    began: float
    ready: bool = False


class Processes:
    """Runs `count` processes until a signal ends them. Make it before any thread is started: it forks."""

    def __init__(self, count: int, serve: Serve, grace: float, tell: Tell) -> None:
        self._count = count
        self._serve = serve
        self._grace = grace
        self._tell = tell
        self._fork = multiprocessing.get_context("fork")
        self._members: dict[int, Member] = {}
        self._due: dict[int, float] = dict.fromkeys(range(count), 0.0)
        self._short: dict[int, int] = {}
        self._ending = False
        self._ever_ready = False
        self._alive, self._held = os.pipe()

    def run(self, ready: Callable[[], None]) -> int:
        """Serve until SIGTERM or SIGINT; `ready` is called once, when the first all are. Returns a status.

        Where the first of them end by themselves, nothing can be served, and the status is theirs.
        """
        before = {each: signal.signal(each, self._end) for each in (signal.SIGTERM, signal.SIGINT)}
        try:
            status = self._look_after(ready)
        finally:
            self._stop()
            for each, handler in before.items():
                signal.signal(each, handler)
        return status

    def _look_after(self, ready: Callable[[], None]) -> int:
        while not self._ending:
            self._start_due()
            self._listen()
            for member in tuple(self._members.values()):
                if member.process.exitcode is None:
                    continue
                if not self._ever_ready and member.process.exitcode > 0:
                    return member.process.exitcode
                self._bury(member)
            if not self._ever_ready and self._all_ready():
                self._ever_ready = True
                ready()
        return 0

    def _start_due(self) -> None:
        now = time.monotonic()
        for number, due in tuple(self._due.items()):
            if due <= now:
                del self._due[number]
                self._members[number] = self._start(number)

    def _start(self, number: int) -> Member:
        said, saying = self._fork.Pipe(duplex=False)
        process = self._fork.Process(target=self._member, args=(saying,), name=f"cellbound-{number}")
        process.start()
        saying.close()
        return Member(number, process, said, time.monotonic())

    def _listen(self) -> None:
        """Wait until a member says something or dies, for a moment at most."""
        silent = [each.said for each in self._members.values() if not each.ready]
        ends = [each.process.sentinel for each in self._members.values()]
        heard = wait([*silent, *ends], LOOK_SECONDS)
        for member in self._members.values():
            if member.said in heard and not member.ready:
                with suppress(EOFError):
                    member.ready = bool(member.said.recv())

    def _bury(self, member: Member) -> None:
        """Take a dead member out and name the time for the next; who dies young waits longer each time."""
        member.said.close()
        del self._members[member.number]
        young = time.monotonic() - member.began < SHORT_LIFE
        times = self._short[member.number] = self._short.get(member.number, 0) + 1 if young else 0
        pause = min(2.0 ** (times - 1), LONGEST_PAUSE) if times else 0.0
        self._due[member.number] = time.monotonic() + pause
        self._tell(f"process {member.process.pid} ended ({_how(member.process)}); another takes its place")

    def _all_ready(self) -> bool:
        return len(self._members) == self._count and all(each.ready for each in self._members.values())

    def _member(self, saying: Connection) -> None:
        """Serve in the child. It ends with its parent, however that goes."""
        for each in (signal.SIGTERM, signal.SIGINT):
            signal.signal(each, _unwind)
        os.close(self._held)
        threading.Thread(target=_end_with_parent, args=(self._alive,), daemon=True).start()
        self._serve(lambda: saying.send(True))

    def _stop(self) -> None:
        """Tell every member to end, wait for its grace, and kill who is still there."""
        members = tuple(self._members.values())
        for member in members:
            member.process.terminate()
        until = time.monotonic() + self._grace + END_SLACK
        for member in members:
            member.process.join(max(0.0, until - time.monotonic()))
            if member.process.exitcode is None:
                self._tell(f"process {member.process.pid} did not end in time and was killed")
                member.process.kill()
                member.process.join()
            member.said.close()
        os.close(self._alive)
        os.close(self._held)

    def _end(self, number: int, frame: FrameType | None) -> None:
        self._ending = True


def _end_with_parent(alive: int) -> None:
    os.read(alive, 1)
    os.kill(os.getpid(), signal.SIGTERM)


def _unwind(number: int, frame: FrameType | None) -> None:
    raise SystemExit(0)


def _how(process: ForkProcess) -> str:
    code = process.exitcode or 0
    return f"signal {-code}" if code < 0 else f"status {code}"
