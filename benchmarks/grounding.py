"""Labelled drafts through our answer check and through other libraries that check numbers; chance matches.

python benchmarks/grounding.py [--quick] [--json] [--cases FILE]

A false pass is a draft that should not have left, as a share of those; a false block is a good draft held
back. A case of kind `h_flags` asks only which claims are found and is left out. Peers are told the declared
values; they know neither plan nor units, which is what they are, not what is wrong with them.
"""

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Any, TypeVar

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import options_of  # noqa: E402
from benchmarks.ground.chance import chance_table, random_table  # noqa: E402
from benchmarks.ground.peers import PEERS, Peer, judged  # noqa: E402
from benchmarks.peers import Unavailable  # noqa: E402
from gateway.ground import GroundRules, Scope, ground  # noqa: E402
from tests.corpora.grounding import verdicts  # noqa: E402

CASES = ROOT / "benchmarks" / "cases" / "grounding.jsonl"
LONG_DRAFT = 10_000
Case = Mapping[str, Any]
Spent = tuple[float, float]
T = TypeVar("T")


def main() -> None:
    """Run the benchmark and print one table, or one JSON object."""
    options = options_of(__doc__)
    options.add_argument("--cases", type=Path, default=CASES, metavar="FILE")
    chosen = options.parse_args()
    lines = chosen.cases.read_text(encoding="utf-8").splitlines()
    cases = [case for line in lines if line.strip() and (case := json.loads(line))["kind"] != "h_flags"]
    figures = {
        "cases": len(cases),
        "ours": ours(cases),
        "peers": {peer.name: of_peer(peer, cases) for peer in PEERS},
        "long_draft": long_drafts(2 if chosen.quick else 20),
        "chance": list(chance_table(40 if chosen.quick else 1000)),
    }
    sys.stdout.write(json.dumps(figures) + "\n" if chosen.json else as_text(figures))


def ours(cases: Sequence[Case]) -> dict[str, Any]:
    """Judge every draft as a caller's draft is judged; the times hold the laying out of the table too."""
    passed: dict[str, bool] = {}
    spent: list[Spent] = []
    for case in cases:
        (found,), took = timed(lambda case=case: tuple(verdicts([case])))  # type: ignore[misc]
        spent.append(took)
        passed[case["id"]] = found["verdict"] == "pass"
    return {**rates(cases, passed), **times(spent), "by_kind": by_kind(cases, passed)}


def of_peer(peer: Peer, cases: Sequence[Case]) -> dict[str, Any]:
    """Return a peer's figures, or why there are none."""
    try:
        passed, spent = judged(peer, cases)
    except Unavailable as fault:
        return {"unavailable": str(fault)}
    return {**rates(cases, passed), **times(spent), "by_kind": by_kind(cases, passed)}


def rates(cases: Sequence[Case], passed: Mapping[str, bool]) -> dict[str, float | None]:
    """Return both shares; undefined where there is nothing to be wrong about."""
    good = [passed[case["id"]] for case in cases if case["verdict"] == "pass"]
    bad = [passed[case["id"]] for case in cases if case["verdict"] != "pass"]
    return {
        "false_pass": round(sum(bad) / len(bad), 4) if bad else None,
        "false_block": round(1 - sum(good) / len(good), 4) if good else None,
    }


def by_kind(cases: Sequence[Case], passed: Mapping[str, bool]) -> dict[str, dict[str, float | None]]:
    """Return both shares for each kind of case."""
    kinds = sorted({case["kind"] for case in cases})
    return {kind: rates([case for case in cases if case["kind"] == kind], passed) for kind in kinds}


def timed(call: Callable[[], T]) -> tuple[T, Spent]:
    """Call and return what came back with (wall, CPU) milliseconds."""
    wall, cpu = time.perf_counter(), time.thread_time()
    found = call()
    return found, ((time.perf_counter() - wall) * 1000, (time.thread_time() - cpu) * 1000)


def times(spent: Sequence[Spent]) -> dict[str, float]:
    """Return medians and the 95th percentile in milliseconds."""
    walls, cpus = [wall for wall, _ in spent], [cpu for _, cpu in spent]
    slow = quantiles(walls, n=20)[-1] if len(walls) > 1 else max(walls, default=0.0)
    return {
        "ms": round(median(walls), 3) if walls else 0.0,
        "cpu_ms": round(median(cpus), 3) if cpus else 0.0,
        "p95_ms": round(slow, 3),
    }


def long_drafts(rounds: int) -> dict[str, Any]:
    """Time drafts of 10 kB over 200 rows of 10 figures: one whose numbers are true, one whose are wrong."""
    draw = Random(11)
    table = random_table(draw, 200, 10)
    scope = Scope(today=date(2026, 11, 30), known=False)
    found: dict[str, Any] = {"cells": 2000}
    for name in ("true", "wrong"):
        sentences: list[str] = []
        while sum(map(len, sentences)) + len(sentences) < LONG_DRAFT:
            row, at = draw.choice(table.rows), draw.randrange(1, len(table.columns))
            number = row[at] if name == "true" else Decimal(draw.randrange(10**5, 10**7)) / 100
            sentences.append(f"{table.columns[at].label} in {row[0]} was {number:,.2f}.")
        draft = " ".join(sentences)
        spent = [
            timed(lambda draft=draft: ground(draft, table, scope, (), GroundRules()))[1]  # type: ignore[misc]
            for _ in range(rounds)
        ]
        found[name] = {"characters": len(draft), "numbers": len(sentences), **times(spent)}
    return found


def as_text(figures: Mapping[str, Any]) -> str:
    """Return the figures as lines for people."""
    lines = [f"{figures['cases']} drafts", f"{'':>16}  false pass  false block      ms  CPU ms     p95"]
    for name, found in (("ours", figures["ours"]), *figures["peers"].items()):
        if "unavailable" in found:
            lines.append(f"{name:>16}  not measured: {found['unavailable']}")
            continue
        shares = f"{_percent(found['false_pass']):>10}  {_percent(found['false_block']):>11}"
        lines.append(f"{name:>16}  {shares}  {found['ms']:>6}  {found['cpu_ms']:>6}  {found['p95_ms']:>6}")
    for name in ("true", "wrong"):
        long = figures["long_draft"][name]
        size = f"{long['characters']} characters, {long['numbers']} {name} numbers, 2,000 cells"
        lines.append(f"{size}: {long['ms']} ms ({long['cpu_ms']} ms CPU)")
    lines.append("random numbers that pass, by significant digits shown:")
    for line in figures["chance"]:
        shares = "  ".join(f"{key} {_percent(value)}" for key, value in line.items() if key[-1].isdigit())
        lines.append(f"{line['table']:>8}  {line['wording']:<42} {shares}")
    return "\n".join(lines) + "\n"


def _percent(share: float | None) -> str:
    return "none" if share is None else f"{share * 100:.1f}%"


if __name__ == "__main__":
    main()
