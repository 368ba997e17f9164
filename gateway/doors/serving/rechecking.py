"""Looks for personal data again while a project is served: in a process of its own, as discovery's login.

What it finds is kept for the data owners and told; it changes nothing.
"""

import fcntl
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

from gateway.discovery.drift import mark_of
from gateway.discovery.kept import last_look, recheck_of
from gateway.doors.opened import Opened
from gateway.errors import HouseError

Tell = Callable[[str], None]
LOOK_SECONDS = 60.0
"""How often it is seen whether a look is due."""
LONGEST_LOOK = 3600.0
SLICE_SECONDS = 0.5
PASSWORD = "CELLBOUND_DISCOVERY_PASSWORD"
"""The variable with the password of discovery's login, where `serve` looks again."""
DRIFTED = 3
PROGRAM = ("-P", "-B", "-c", "from gateway.doors.cli.main import main; main()")


@contextmanager
def rechecking(house: Opened, tell: Tell, every: float = LOOK_SECONDS) -> Iterator[None]:
    """Look again while the block runs, as often as the settings say; never where they say nothing."""
    if not house.settings.discovery.recheck_hours:
        yield
        return
    ended = threading.Event()
    recheck = Recheck(house, tell, ended)
    thread = threading.Thread(target=recheck.run, args=(every,), name="recheck", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


class Recheck:
    """Looks when it is due; of several processes that serve a project one looks."""

    def __init__(self, house: Opened, tell: Tell, ended: threading.Event) -> None:
        discovery = house.settings.discovery
        self._gateway = house.gateway
        self._folder = house.settings.folder.resolve()
        self._file = house.settings.at(house.settings.paths.discovery)
        self._period = timedelta(hours=discovery.recheck_hours)
        self._tell = tell
        self._ended = ended
        self._not_before: datetime | None = None
        self._told = ""

    def run(self, every: float) -> None:
        """See every so many seconds whether a look is due, until it ends."""
        while not self._ended.is_set():
            try:
                self._when_due()
            except (HouseError, OSError) as fault:
                self._say(f"not looked for personal data: {fault}")
            self._ended.wait(every)

    def _when_due(self) -> None:
        now = self._gateway.house.now()
        if self._not_before is not None and now < self._not_before:
            return
        if last_look(self._file) is None:
            self._say("nobody looked for personal data yet, so it is not looked again: cellbound discover")
            return
        with _alone(self._file) as alone:
            if alone and now >= self._due():
                self._not_before = now + self._period
                self._look(now)

    def _due(self) -> datetime:
        looks = filter(None, map(last_look, (self._file, recheck_of(self._file))))
        return max(each.at for each in looks) + self._period

    def _look(self, now: datetime) -> None:
        status, said = _run(("discover", "--drift", "--project", str(self._folder)), self._ended)
        if self._ended.is_set():
            return
        if status not in (0, DRIFTED):
            self._say(f"not looked for personal data: {said or f'status {status}'}")
            return
        found = last_look(recheck_of(self._file))
        if found is not None and found.drift:
            self._tell(f"columns not as they were: {len(found.drift)} (cellbound discover --drift)")
            if self._gateway.notices is not None:
                self._gateway.notices.tell_drift(mark_of(found.drift), now)
        if found is not None and found.unread:
            self._say(f"not looked at for personal data: {len(found.unread)} (cellbound discover --drift)")
        else:
            self._told = ""

    def _say(self, message: str) -> None:
        """Tell what stands in the way once, however often it does."""
        if message != self._told:
            self._tell(message)
        self._told = message


def environment_of_a_look(served: Mapping[str, str]) -> dict[str, str]:
    """Return what a look is started with: discovery's own password, and none of the stores'."""
    own = served.get(PASSWORD)
    return {
        **{name: value for name, value in served.items() if name not in ("PGPASSWORD", PASSWORD)},
        **({"PGPASSWORD": own} if own else {}),
    }


def _run(arguments: tuple[str, ...], ended: threading.Event) -> tuple[int, str]:
    """Run a verb in a process of its own; return its status and what it said was wrong.

    It is stopped as soon as the server ends, or when it takes too long.
    """
    process = subprocess.Popen(
        [sys.executable, *PROGRAM, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        env=environment_of_a_look(os.environ),
    )
    until = time.monotonic() + LONGEST_LOOK
    with process:
        while True:
            try:
                _, said = process.communicate(timeout=SLICE_SECONDS)
            except subprocess.TimeoutExpired:
                if ended.is_set() or time.monotonic() > until:
                    process.kill()
            else:
                return process.returncode, " ".join(said.split())


@contextmanager
def _alone(file: Path) -> Iterator[bool]:
    """Say whether nobody else looks now; the last look itself is the lock."""
    lock = os.open(file, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        yield False
    else:
        yield True
    finally:
        os.close(lock)
