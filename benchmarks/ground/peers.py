"""Other libraries that check numbers, each in an environment of its own, over the same cases as ours."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.peers import python_of, run

HERE = Path(__file__).resolve().parent
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


def judged(peer: Peer, cases: Sequence[Case]) -> tuple[dict[str, bool], list[tuple[float, float]]]:
    """Return, per case id, whether the peer lets the draft pass, and (wall, CPU) milliseconds of each.

    Raises Unavailable.
    """
    given = "".join(json.dumps(as_rows(case)) + "\n" for case in cases)
    python = python_of(peer.pin.replace("==", "-"), peer.pin)
    lines = [
        json.loads(line)
        for line in run([str(python), str(HERE / peer.runner), *peer.options], given).splitlines()
    ]
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
