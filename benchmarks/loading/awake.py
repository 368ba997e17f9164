"""Keeps every core from sleeping: a core that wakes has lost its caches, and on rented ones its clock too."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_SPIN = "import os; os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))\nwhile True: pass"


@contextmanager
def cores_awake() -> Iterator[None]:
    """Run a loop on each core that gives way to whoever has work."""
    loops = [subprocess.Popen([sys.executable, "-c", _SPIN]) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
