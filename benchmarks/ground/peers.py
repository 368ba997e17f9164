"""Other libraries that check numbers, each in an environment of its own, over the same cases as ours."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
BENCH = HERE.parent.parent / "var" / "bench"
PATIENCE = 240
Case = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Peer:
    """A library as it is installed and run; `options` are words its runner knows."""

    name: str
    pin: str
    runner: str
    options: tuple[str, ...] = ()


PEERS = (
    Peer("figured", "figured==0.4.3", "run_figured.py"),
    Peer("figured strict", "figured==0.4.3", "run_figured.py", ("strict",)),
    Peer("factguard-check", "factguard-check==0.2.1", "run_factguard.py"),
)


class Unavailable(Exception):
    """A peer that cannot be installed or run here, with the reason."""


def judged(peer: Peer, cases: Sequence[Case]) -> tuple[dict[str, bool], list[tuple[float, float]]]:
    """Return, per case id, whether the peer lets the draft pass, and (wall, CPU) milliseconds of each.

    Raises Unavailable.
    """
    given = "".join(json.dumps(as_rows(case)) + "\n" for case in cases)
    command = [str(_python(peer)), str(HERE / peer.runner), *peer.options]
    lines = [json.loads(line) for line in _run(command, given).splitlines()]
    return {line["id"]: line["pass"] for line in lines}, [(line["ms"][0], line["ms"][1]) for line in lines]


def as_rows(case: Case) -> dict[str, Any]:
    """Return a case as a peer takes it: figures in units, and the declared values beside the rows."""
    columns = case["table"]["columns"]
    rows = [
        {column["name"]: _in_units(value, column) for value, column in zip(row, columns, strict=True)}
        for row in case["table"]["rows"]
    ]
    declared = [{"declared": entry["id"], "value": entry["value"]} for entry in case.get("declared") or ()]
    return {"id": case["id"], "draft": case["draft"], "rows": rows, "declared": declared}


def _in_units(value: Any, column: Case) -> Any:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return value * (column.get("scale") or 1) if number else value


def _python(peer: Peer) -> Path:
    """Return the interpreter of the peer's environment; it is made on first use."""
    folder = BENCH / peer.pin.replace("==", "-")
    python, done = folder / "bin" / "python", folder / "ready"
    if not done.is_file():
        _run([sys.executable, "-m", "venv", "--clear", str(folder)], "")
        _run([str(python), "-m", "pip", "install", "--quiet", peer.pin], "")
        done.touch()
    return python


def _run(command: Sequence[str], given: str) -> str:
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
