"""What grows with processes, metrics and traces: CPU per question, memory, disk.

python benchmarks/scaling.py [--quick] [--json]

CPU is that of the gateway's own processes for each question answered; the database's workers are processes of
their own. The driver shares the machine's cores, so `per_s` is that of server, database and driver together.
The floor of a load of definitions is PyYAML reading the same text.
"""

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from argparse import SUPPRESS
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import options_of  # noqa: E402
from benchmarks.load import http_request, over_http_became  # noqa: E402
from benchmarks.loading.driver import Wire, closed_loop  # noqa: E402
from benchmarks.loading.served import Served, gateway_at, project  # noqa: E402
from metric_layer.load import load_text  # noqa: E402

PROCESSES = (1, 2, 4)
METRICS = (10, 100, 1_000)
CALLERS = 4
HEAD = """
datasets:
  - name: sales
    relation: sales
    owner: shop
    description: One row per sale.
    primary_key: [sale_id]
    columns:
      - {name: sale_id, type: integer, nullable: false}
      - {name: region, type: string}
      - {name: sold_on, type: date}
      - {name: amount, type: decimal}
dimensions:
  - {name: region, dataset: sales, column: region, label: Region}
  - {name: sold_on, dataset: sales, column: sold_on, label: Sold on}
metrics:
"""
METRIC = """
  - name: takings_{n}
    type: sum
    version: 1
    owner: shop
    label: Takings {n}
    description: What was sold, by the rules of department {n}.
    dataset: sales
    column: amount
    time_field: sold_on
    unit: EUR
    display: {{style: currency, decimals: 2}}
"""


def main() -> None:
    """Run the benchmark and print one table, or one JSON object."""
    options = options_of(__doc__)
    options.add_argument("--load", type=int, default=0, help=SUPPRESS)
    chosen = options.parse_args()
    if chosen.load:
        sys.stdout.write(json.dumps(loaded(chosen.load)))
        return
    figures = measure(2.0 if chosen.quick else 10.0)
    if chosen.json:
        sys.stdout.write(json.dumps(figures) + "\n")
        return
    for part, found in figures.items():
        for name, row in found.items():
            sys.stdout.write(f"{part:>10} {name:>6}  {json.dumps(row)}\n")


def measure(seconds: float) -> dict[str, Any]:
    """Return the figures by processes and by metrics; those of traces are per question."""
    processes, traces = {}, {}
    for count in PROCESSES:
        with tempfile.TemporaryDirectory(prefix="cellbound-scaling-") as scratch:
            folder = project(Path(scratch) / "shop")
            with gateway_at(folder, {"processes": str(count), "workers": "2"}) as served:
                processes[str(count)] = asyncio.run(asked(served, seconds))
            traces[str(count)] = kept(folder, processes[str(count)]["answered"])
    return {"processes": processes, "traces": traces, "metrics": {str(n): of_metrics(n) for n in METRICS}}


async def asked(served: Served, seconds: float) -> dict[str, float]:
    """Let a few callers ask one after the other, once all is warm."""
    wire = Wire(served.port, CALLERS)
    warm = await closed_loop(wire, http_request(), over_http_became, CALLERS, min(seconds, 2.0))
    before = served.cpu_ms()
    seen = await closed_loop(wire, http_request(), over_http_became, CALLERS, seconds)
    spent = served.cpu_ms() - before
    wire.close()
    return {
        "cpu_ms": round(spent / max(len(seen.answered), 1), 2),
        "per_s": round(len(seen.answered) / seen.seconds, 1),
        "resident_mb": served.resident_mb(),
        "answered": len(seen.answered) + len(warm.answered),
        "lost": seen.lost + warm.lost,
    }


def kept(folder: Path, questions: float) -> dict[str, float]:
    """Return what a question leaves on disk, in bytes."""
    sizes = {
        name: sum(file.stat().st_size for file in (folder / "var").rglob("*") if name in str(file))
        for name in ("traces", "results.sqlite", "state.sqlite")
    }
    return {f"{name.split('.')[0]}_bytes": round(size / max(questions, 1)) for name, size in sizes.items()}


def of_metrics(count: int) -> dict[str, float]:
    """Return what so many definitions take in a process of their own."""
    command = [sys.executable, __file__, "--load", str(count)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout))


def loaded(count: int) -> dict[str, float]:
    """Load so many metrics here, and the same text with PyYAML alone."""
    text = HEAD + "".join(METRIC.format(n=n) for n in range(count))
    load_text(HEAD + METRIC.format(n=0))
    began = time.process_time()
    layer = load_text(text)
    took = time.process_time() - began
    began = time.process_time()
    yaml.load(text, Loader=yaml.CSafeLoader)
    floor = time.process_time() - began
    assert len(layer.metrics) == count
    return {"load_cpu_ms": round(took * 1000, 1), "yaml_cpu_ms": round(floor * 1000, 1)}


if __name__ == "__main__":
    main()
