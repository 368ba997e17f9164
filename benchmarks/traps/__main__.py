"""python -m benchmarks.traps [--engine duckdb|postgres] [--peer COMMAND] [--json]

Asks every case through the whole gateway and holds the rows against hand-written SQL over the same tables. A
peer is a command that reads one case as JSON on stdin (`question`, `plan`, `choices`, `tables`) and prints
`{"rows": [...]}`, or `{"refused": "why"}`: a refusal of a question that has an answer counts as refused, not
as wrong.
"""

import argparse
import json
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import yaml

from benchmarks.traps.data import Tables, on_duckdb, on_postgres
from benchmarks.traps.project import asked
from benchmarks.traps.rows import same_rows

HERE = Path(__file__).resolve().parent
Case = dict[str, Any]
Verdict = Literal["right", "refused", "wrong"]
PATIENCE = 60


@dataclass(frozen=True, slots=True)
class Found:
    """What came back for a case: rows, or the code of the refusal."""

    rows: list[list[Any]] | None = None
    refused: str = ""


def main() -> None:
    """Run every case and print what was right, refused and wrong."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--engine", choices=("duckdb", "postgres"), default="duckdb")
    options.add_argument("--peer", metavar="COMMAND", default="")
    options.add_argument("--json", action="store_true")
    chosen = options.parse_args()
    cases: list[Case] = yaml.safe_load((HERE / "cases.yml").read_text())
    with tempfile.TemporaryDirectory() as folder:
        open_tables = on_duckdb if chosen.engine == "duckdb" else on_postgres
        with open_tables(Path(folder)) as tables:
            lines = list(judged(cases, tables, chosen.peer))
    figures = {
        "cases": len(lines),
        **{
            verdict: sum(line["verdict"] == verdict for line in lines)
            for verdict in ("right", "refused", "wrong")
        },
        "failures": [line for line in lines if line["verdict"] != "right"],
    }
    sys.stdout.write(json.dumps(figures, default=str) + "\n" if chosen.json else as_text(figures))


def judged(cases: list[Case], tables: Tables, peer: str) -> Iterator[dict[str, Any]]:
    """Yield the verdict on every case."""
    for case in cases:
        tables.reset(case.get("before", ""))
        found = of_peer(case, peer) if peer else of_ours(case, tables)
        truth = tables.rows(case["truth"]) if "truth" in case else None
        yield {
            "id": case["id"],
            "trap": case["trap"],
            "verdict": verdict(case, found, truth),
            **shown(found, truth),
        }


def of_ours(case: Case, tables: Tables) -> Found:
    """Ask the gateway."""
    rows, refused = asked(tables, case["plan"], case.get("choices", {}))
    return Found(rows, refused)


def of_peer(case: Case, command: str) -> Found:
    """Ask another layer."""
    given = {
        **{key: case.get(key) for key in ("id", "question", "plan", "choices", "before")},
        "tables": str(HERE / "tables.sql"),
    }
    ran = subprocess.run(
        shlex.split(command),
        input=json.dumps(given, default=str),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    return Found(**json.loads(ran.stdout))


def verdict(case: Case, found: Found, truth: list[list[Any]] | None) -> Verdict:
    """Say whether the rows are the true ones, or the refusal is the one that was due."""
    if truth is None:
        return "right" if found.rows is None and case["refuse"] in found.refused else "wrong"
    if found.rows is None:
        return "refused"
    return "right" if same_rows(found.rows, truth) else "wrong"


def shown(found: Found, truth: list[list[Any]] | None) -> dict[str, Any]:
    """Return both sides for the list of failures."""
    return {"found": found.refused or found.rows, "truth": truth}


def as_text(figures: dict[str, Any]) -> str:
    """Return the figures as lines a person reads."""
    head = "{cases} cases: {right} right, {refused} refused, {wrong} wrong\n".format(**figures)
    lines = [
        f"{f['verdict']:8} {f['id']}: {f['trap']}\n  found {f['found']}\n  truth {f['truth']}\n"
        for f in figures["failures"]
    ]
    return head + "".join(lines)


if __name__ == "__main__":
    main()
