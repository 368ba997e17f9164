"""The worker processes of a process, as the system sees them."""

import os
import time
from collections.abc import Callable
from pathlib import Path

PROGRAM = b"gateway.engines.duckdb_worker"
PATIENCE = 60.0
"""Seconds that a test waits for what has to come: a machine with other work is slow, and not at fault."""
AT_WORK = 0.1
"""Seconds of a processor: more than an idle worker spends between two questions."""


def workers_of(parent: int | None = None) -> dict[int, str]:
    """Return the state of each worker (`R`, `S`, `Z`, ...) that a process started, by its id."""
    wanted, found = str(parent or os.getpid()), {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            state, owner = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
            if owner == wanted and (state == "Z" or PROGRAM in (folder / "cmdline").read_bytes()):
                found[int(folder.name)] = state
        except OSError:
            continue
    return found


def computes(worker: int) -> bool:
    """Say whether a worker that had nothing to do is at work now: its time on the processors grows."""
    before = _busy(worker)
    return wait_until(lambda: _busy(worker) >= before + AT_WORK)


def _busy(worker: int) -> float:
    """Return the seconds that a process has spent on the processors so far."""
    words = (Path("/proc") / str(worker) / "stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def wait_until(true: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    """Say whether something comes true, long before a crowded machine would be to blame."""
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True
