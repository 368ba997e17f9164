"""What the gateway adds to a question: milliseconds per step, beside the bare engine running the same SQL.

python benchmarks/overhead.py [--quick] [--json]
"""

import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any, TypeVar

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import options_of  # noqa: E402
from gateway.demo.shop_data import write_shop  # noqa: E402
from gateway.engines.base import Engine, Identity, Limits  # noqa: E402
from gateway.house import limits_of  # noqa: E402
from gateway.operation.memory import settle  # noqa: E402
from gateway.scaffold.project import templates  # noqa: E402
from gateway.service import Gateway  # noqa: E402
from gateway.wiring import open_gateway  # noqa: E402
from traces.records import Caller  # noqa: E402

PLAN = {
    "metrics": ["shipping_fees", "gross_revenue"],
    "dimensions": ["region"],
    "time": {"field": "order_date", "from": "2026-07-01", "to": "2026-09-30", "grain": "month"},
}
ANA = Caller(user="ana", roles=("analyst",), tenant="shop")
T = TypeVar("T")


@dataclass
class Spent:
    """Milliseconds of wall time, of CPU of the calling thread, and of CPU of the whole process."""

    wall: float = 0.0
    thread: float = 0.0
    process: float = 0.0


class Meter:
    """Adds up what the calls that go through it spend."""

    def __init__(self) -> None:
        self._spent = Spent()

    def run(self, call: Callable[[], T]) -> T:
        """Call and add what it took."""
        before = time.perf_counter(), time.thread_time(), time.process_time()
        try:
            return call()
        finally:
            self._spent.wall += (time.perf_counter() - before[0]) * 1000
            self._spent.thread += (time.thread_time() - before[1]) * 1000
            self._spent.process += (time.process_time() - before[2]) * 1000

    def take(self) -> Spent:
        """Return what was spent so far and start again."""
        taken, self._spent = self._spent, Spent()
        return taken


class Metered:
    """Any object with some of its methods metered; everything else passes through."""

    def __init__(self, inner: object, meter: Meter, names: tuple[str, ...]) -> None:
        self._inner = inner
        self._meter = meter
        self._names = names

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if name not in self._names:
            return found
        return lambda *args, **kwargs: self._meter.run(lambda: found(*args, **kwargs))


def main() -> None:
    """Run the benchmark and print one table, or one JSON object."""
    chosen = options_of(__doc__).parse_args()
    rounds = 60 if chosen.quick else 400
    with tempfile.TemporaryDirectory(prefix="cellbound-bench-") as scratch:
        project = Path(scratch) / "shop"
        _project(project)
        figures = measure(project, rounds)
    if chosen.json:
        sys.stdout.write(json.dumps(figures) + "\n")
        return
    for name, value in figures.items():
        shown = ", ".join(f"{k} {v}" for k, v in value.items()) if isinstance(value, dict) else value
        sys.stdout.write(f"{name:>16}  {shown}\n")


def _project(folder: Path) -> None:
    """Make the demo shop with a small events table; the plan measured here does not read it."""
    shutil.copytree(templates() / "shop", folder)
    write_shop(folder / "var" / "shop.duckdb", events=100_000)


def measure(project: Path, rounds: int) -> dict[str, Any]:
    """Ask the same two-metric plan `rounds` times and return medians in milliseconds."""
    gateway = open_gateway(project)
    engine, disk = Meter(), Meter()
    settle()
    house = replace(
        gateway.house,
        engine=Metered(gateway.house.engine, engine, ("explain", "run", "pin")),
    )
    metered = Gateway(
        house,
        Metered(gateway.traces.inner, disk, ("append", "reserve")),
        gateway.results,
        gateway.state,
        gateway.attestations,
    )
    try:
        reply = metered.ask(ANA, PLAN)
        if reply.outcome != "answered":
            raise SystemExit(f"the plan was not answered: {reply.outcome} {reply.issues}")
        sample = [_once(metered, engine, disk, 1000 + number) for number in range(rounds)]
        seen = [_once(metered, engine, disk, 1000) for _ in range(rounds)]
        drafts = [_timed(lambda: metered.check_answer(ANA, reply.answer, [reply.trace_id])) for _ in range(2)]
        bare = [_timed(lambda: _bare(gateway.house.engine, gateway, reply.sql)) for _ in range(rounds)]
        steps = {name: round(median(s[0][name] for s in sample), 3) for name in sample[0][0]}
    finally:
        gateway.close()
    return {
        "steps_ms": steps,
        "own_cpu_ms": round(median(s[1] for s in sample), 3),
        "own_cpu_asked_before_ms": round(median(s[1] for s in seen), 3),
        "whole_ms": round(median(s[2] for s in sample), 3),
        "engine_ms": round(median(s[3] for s in sample), 3),
        "disk_wait_ms": round(median(s[4] for s in sample), 3),
        "draft_check_ms": round(median(drafts), 3),
        "bare_ms": round(median(bare), 3),
        "rounds": rounds,
    }


def _once(
    gateway: Gateway, engine: Meter, disk: Meter, limit: int
) -> tuple[dict[str, float], float, float, float, float]:
    """Ask once: step milliseconds, our own CPU, the whole, the engine's share and the wait for the disk.

    Every round asks for another `limit`, so that nothing seen before helps.
    """
    engine.take()
    disk.take()
    wall, cpu = time.perf_counter(), time.thread_time()
    reply = gateway.ask(ANA, {**PLAN, "limit": limit})
    whole, own = (time.perf_counter() - wall) * 1000, (time.thread_time() - cpu) * 1000
    at_engine, at_disk = engine.take(), disk.take()
    trace = gateway.traces.read(reply.trace_id)
    closed = trace.closed if trace else None
    steps = {name: micro / 1000 for name, micro in closed.steps_us.items()} if closed else {}
    steps["trace"] = at_disk.wall
    own += at_disk.process - at_disk.thread - at_engine.thread
    return steps, own, whole, at_engine.wall, max(at_disk.wall - at_disk.process, 0.0)


def _bare(engine: Engine, gateway: Gateway, sql: str) -> object:
    role = gateway.house.entitlements.of(ANA)
    limits: Limits = limits_of(role.caps) if role else Limits(1, 1, 1.0, 64, 0)
    return engine.run(sql, Identity(user="ana", role="analyst"), limits, "bare")


def _timed(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1000


if __name__ == "__main__":
    main()
