"""Libraries to compare with: each in an environment of its own, made on first use under `var/bench`."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

BENCH = Path(__file__).resolve().parent.parent.parent / "var" / "bench"
PATIENCE = 240


class Unavailable(Exception):
    """A peer that cannot be installed or run here, with the reason."""


def python_of(name: str, *pins: str) -> Path:
    """Return the interpreter of an environment that holds these pinned packages. Raises Unavailable.

    Its stamp is written last: one that was half made, that holds other packages or whose interpreter is gone
    is made again from nothing.
    """
    folder = BENCH / name
    python, done = folder / "bin" / "python", folder / "ready"
    wanted = "\n".join(pins)
    if not (done.is_file() and done.read_text() == wanted and python.is_file()):
        done.unlink(missing_ok=True)
        run([sys.executable, "-m", "venv", "--clear", str(folder)])
        run([str(python), "-m", "pip", "install", "--quiet", *pins])
        draft = done.with_name("ready.draft")
        draft.write_text(wanted)
        draft.replace(done)
    return python


def run(command: Sequence[str], given: str = "") -> str:
    """Run a peer and return what it printed. Raises Unavailable with its last word."""
    free = {name: value for name, value in os.environ.items() if name not in ("PIP_CONSTRAINT", "PYTHONPATH")}
    try:
        ran = subprocess.run(
            command, input=given, capture_output=True, text=True, env=free, timeout=PATIENCE, check=True
        )
    except (OSError, subprocess.TimeoutExpired) as fault:
        raise Unavailable(type(fault).__name__) from fault
    except subprocess.CalledProcessError as fault:
        last = (fault.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise Unavailable(last) from fault
    return ran.stdout
