"""Plan to SQL text, warm and in process: our layer beside other ones, and a layer of 1,000 metrics.

python benchmarks/compile.py [--quick] [--json]

One question everywhere: a figure of orders and one of order lines, by the customer's region. The limit
differs from call to call, so that nobody answers from a cache. Medians of (wall, CPU) milliseconds.
`postgres_N_kinds` are plans over N facts with figures of every type in turn, the longest on PostgreSQL.
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import options_of  # noqa: E402
from benchmarks.peers import Unavailable, python_of, run  # noqa: E402
from benchmarks.peers.many import OURS, many_metrics  # noqa: E402
from metric_layer.compile import compile_plan  # noqa: E402
from metric_layer.layer import Layer  # noqa: E402
from metric_layer.load import load_layer  # noqa: E402
from metric_layer.parse import parse_plan  # noqa: E402
from metric_layer.plan import Dialect, MetricPlan  # noqa: E402
from metric_layer.resolve import resolve  # noqa: E402
from metric_layer.resolved import ResolvedPlan  # noqa: E402
from metric_layer.visible import Visible  # noqa: E402
from tests.metric_layer.many_facts import asked, many_facts  # noqa: E402

PEERS = Path(__file__).resolve().parent / "peers"
TODAY = date(2026, 11, 30)
WARM = 10
STEPS = (1, 5, 20, 40)
Spent = tuple[float, float]


def main() -> None:
    """Run the benchmark and print one table, or one JSON object."""
    chosen = options_of(__doc__).parse_args()
    rounds = 60 if chosen.quick else 500
    with tempfile.TemporaryDirectory() as folder:
        figures = {"rounds": rounds, "ours": ours(Path(folder), rounds), "peers": peers(rounds)}
    sys.stdout.write(json.dumps(figures) + "\n" if chosen.json else as_text(figures))


def ours(folder: Path, rounds: int) -> dict[str, float]:
    """Time our layer: the small model, the same question in a layer of 1,000 metrics, and plans that grow."""
    small = _layer(folder / "small", OURS.read_text())
    started = time.perf_counter()
    large = _layer(folder / "large", many_metrics(1000))
    loaded = time.perf_counter() - started
    two, two_large = ["shipping", "gross"], ["shipping_7", "gross_8"]
    growing = {n: compiled(large, [f"gross_{fact}" for fact in range(n)], rounds // 5) for n in STEPS}
    kinds = {n: _of_every_kind(n, rounds // 5) for n in STEPS}
    return {
        **_named("two_facts", compiled(small, two, rounds)),
        **_named("two_facts_1000_metrics", compiled(large, two_large, rounds)),
        "load_1000_metrics_s": round(loaded, 3),
        **{key: ms for n, spent in growing.items() for key, ms in _named(f"{n}_metrics", spent).items()},
        **{key: ms for n, spent in kinds.items() for key, ms in _named(f"postgres_{n}_kinds", spent).items()},
    }


def _of_every_kind(facts: int, rounds: int) -> Spent:
    return compiled(many_facts(facts), asked("mixed", facts)["metrics"], rounds, "postgres")


def compiled(layer: Layer, metrics: Sequence[str], rounds: int, dialect: Dialect = "duckdb") -> Spent:
    """Return the median of resolving, compiling and writing one question."""

    def once(number: int) -> None:
        plan = parse_plan({"metrics": list(metrics), "dimensions": ["region"], "limit": 100 + number})
        assert isinstance(plan, MetricPlan), plan
        resolved = resolve(plan, layer, visible=Visible(), choices={}, today=TODAY, dialect=dialect)
        assert isinstance(resolved, ResolvedPlan), resolved
        compile_plan(resolved, layer, dialect, 10_000).sql(dialect=dialect)

    return _medians([_timed(once, number) for number in range(rounds + WARM)][WARM:])


def peers(rounds: int) -> dict[str, Any]:
    """Time the other layers over the same model, each inside its own environment."""
    given = (
        ("metricflow", ("dbt-metricflow==0.15.0", "dbt-core<1.12"), "metricflow"),
        ("azem", ("azem==0.2.0",), "ossie.yaml"),
    )
    return {name: _peer(name, pins, PEERS / "models" / model, rounds) for name, pins, model in given}


def _peer(name: str, pins: tuple[str, ...], model: Path, rounds: int) -> dict[str, Any]:
    try:
        python = python_of(name, *pins)
        printed = run([str(python), str(PEERS / f"run_{name}.py"), str(model), str(rounds + WARM)])
    except Unavailable as fault:
        return {"unavailable": str(fault)}
    lines = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
    return _named("two_facts", _medians([tuple(line["ms"]) for line in lines[WARM:]]))


def _layer(folder: Path, text: str) -> Layer:
    folder.mkdir()
    (folder / "layer.yml").write_text(text)
    return load_layer(folder)


def _timed(call: Callable[[int], None], number: int) -> Spent:
    wall, cpu = time.perf_counter(), time.thread_time()
    call(number)
    return (time.perf_counter() - wall) * 1000, (time.thread_time() - cpu) * 1000


def _medians(spent: Sequence[Spent]) -> Spent:
    return round(median(wall for wall, _ in spent), 3), round(median(cpu for _, cpu in spent), 3)


def _named(name: str, spent: Spent) -> dict[str, float]:
    return {f"{name}_ms": spent[0], f"{name}_cpu_ms": spent[1]}


def as_text(figures: dict[str, Any]) -> str:
    """Return the figures as lines a person reads."""
    mine = figures["ours"]
    lines = [f"{name:32} {value:>9}" for name, value in mine.items()]
    for name, found in figures["peers"].items():
        if "unavailable" in found:
            lines.append(f"{name:32} unavailable: {found['unavailable']}")
            continue
        times = found["two_facts_ms"] / mine["two_facts_ms"]
        lines.append(f"{name + ' two_facts_ms':32} {found['two_facts_ms']:>9}   {times:.1f} times ours")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
