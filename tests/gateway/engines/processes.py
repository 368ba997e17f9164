"""The worker processes of a process, as the system sees them."""

import os
import time
from collections.abc import Callable
from pathlib import Path

PROGRAM = b"gateway.engines.duckdb_worker"


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


def wait_until(true: Callable[[], bool], seconds: float = 10.0) -> bool:
    """Say whether something comes true in time."""
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True
