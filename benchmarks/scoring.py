"""What scoring a result costs: cells per second, memory and shelves, beside two peers on the same tables.

python benchmarks/scoring.py [--quick] [--json]
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from argparse import SUPPRESS
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402
import pyarrow as pa  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402

from benchmarks import options_of  # noqa: E402
from benchmarks.peers import Unavailable, python_of  # noqa: E402
from evals.assign import shelf_cells  # noqa: E402
from evals.bench import Bench  # noqa: E402
from evals.cases import Case  # noqa: E402
from evals.output import score_output  # noqa: E402
from evals.runner import RunPlan, run_plan  # noqa: E402
from evals.subject import Asked, Given  # noqa: E402
from evals.tables import ResultTable, table_from_arrow, table_from_rows  # noqa: E402
from metric_layer.sql.components import Warehouse  # noqa: E402

SIZES = ((100_000, 10), (1_000_000, 5))
DATACOMPY = """
import sys, time, polars as pl, datacompy
one, other = (pl.read_parquet(path) for path in sys.argv[1:3])
started = time.perf_counter()
found = datacompy.PolarsCompare(one, other, join_columns=["c0"])
found.count_matching_rows()
print(time.perf_counter() - started)
"""
IBM_TOOLKIT = """
import sys, time, pandas as pd
from text2sql_eval_toolkit import compare_result_dfs
one, other = (pd.read_parquet(path) for path in sys.argv[1:3])
started = time.perf_counter()
compare_result_dfs(one, other, "SELECT * FROM t")
print(time.perf_counter() - started)
"""
IBM_QUICK_ROWS = 20_000
"""It takes a quarter of a minute for the smaller table: the quick run gives it a fifth of the rows."""


def main() -> None:
    """Run the benchmark and print one table, or one JSON object."""
    options = options_of(__doc__)
    options.add_argument("--child", nargs=3, metavar=("GOLD", "CANDIDATE", "ROUNDS"), help=SUPPRESS)
    chosen = options.parse_args()
    if chosen.child:
        gold, candidate, rounds = chosen.child
        sys.stdout.write(json.dumps(_scored(Path(gold), Path(candidate), int(rounds))))
        return
    figures = measure(1 if chosen.quick else 5)
    if chosen.json:
        sys.stdout.write(json.dumps(figures) + "\n")
        return
    for side, values in figures.items():
        for name, value in values.items():
            sys.stdout.write(f"{side:>6}  {name:<28} {value}\n")


def measure(rounds: int) -> dict[str, dict[str, Any]]:
    """Score tables of two sizes in processes of their own, shelves and small results in this one."""
    ours: dict[str, Any] = {}
    peers: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="cellbound-bench-") as scratch:
        datacompy = _peer("scoring", "datacompy==1.1.0", "polars==1.33.1", "pyarrow==26.0.1")
        ibm = _peer("scoring_ibm", "text2sql-eval-toolkit==1.6.0", "pyarrow==26.0.1")
        for rows, width in SIZES:
            files = _tables(Path(scratch), rows, width)
            name = f"{rows}x{width}"
            ours[name] = _child(files, rounds)
            if datacompy is not None:
                times = [_peer_seconds(datacompy, DATACOMPY, files) for _ in range(rounds)]
                peers[f"datacompy_{name}_s"] = round(median(times), 3)
            if ibm is not None and rounds > 1:
                peers[f"ibm_toolkit_{name}_s"] = round(_peer_seconds(ibm, IBM_TOOLKIT, files), 3)
        if ibm is not None and rounds == 1:
            files = _tables(Path(scratch), IBM_QUICK_ROWS, SIZES[0][1])
            name = f"{IBM_QUICK_ROWS}x{SIZES[0][1]}"
            peers[f"ibm_toolkit_{name}_s"] = round(_peer_seconds(ibm, IBM_TOOLKIT, files), 3)
    large = ours[f"{SIZES[-1][0]}x{SIZES[-1][1]}"]
    ours["strong_key_cells_per_s"] = large["cells_per_s"]
    ours["peak_mb"] = large["peak_mb"]
    ours["shelf_500_ms"] = _shelf_ms(500)
    ours["result_1000_rows_ms"] = _small_ms(1000)
    ours["run_100_cases_s"] = _run_seconds(100)
    return {"ours": ours, "peers": peers}


def _scored(gold: Path, candidate: Path, rounds: int) -> dict[str, float]:
    """Score two files; CPU beside wall seconds, and the memory above what the tables themselves take."""
    tables = [table_from_arrow(pq.read_table(file)) for file in (gold, candidate)]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    score_output(*(table_from_arrow(pq.read_table(file).slice(0, 200)) for file in (gold, candidate)))
    walls, cpus = [], []
    for _ in range(rounds):
        wall, cpu = time.perf_counter(), time.process_time()
        score_output(*tables)
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "wall_s": round(median(walls), 3),
        "cpu_s": round(median(cpus), 3),
        "cells_per_s": round(tables[0].row_count * tables[0].width / median(walls)),
        "cells_per_cpu_s": round(tables[0].row_count * tables[0].width / median(cpus)),
        "peak_mb": round((peak - before) / 1024),
    }


def _child(files: tuple[Path, Path], rounds: int) -> dict[str, float]:
    command = [sys.executable, __file__, "--child", *map(str, files), str(rounds)]
    found: dict[str, float] = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return found


def _tables(folder: Path, rows: int, width: int) -> tuple[Path, Path]:
    """Write a table with a strong key, and the same one shuffled with a tenth of one column changed."""
    draw = np.random.default_rng(7)
    kinds: tuple[Callable[[], Any], ...] = (
        lambda: draw.integers(0, 1000, rows),
        lambda: np.round(draw.random(rows) * 1000, 2),
        lambda: draw.choice(["north", "south", "east", "west"], rows),
        lambda: draw.random(rows) * 1000,
    )
    columns = {f"c{place}": kinds[(place - 1) % len(kinds)]() for place in range(1, width)}
    gold = pa.table({"c0": np.arange(rows), **columns})
    changed = {**columns, "c2": columns["c2"].copy()}
    changed["c2"][: rows // 10] = -1.5
    candidate = pa.table({"c0": np.arange(rows), **changed}).take(pa.array(draw.permutation(rows)))
    files = folder / f"gold_{rows}.parquet", folder / f"candidate_{rows}.parquet"
    for file, table in zip(files, (gold, candidate), strict=True):
        pq.write_table(table, file)
    return files


def _shelf_ms(rows: int) -> float:
    """Arrange one shelf of code rows, a third of them with a changed cell."""
    draw = np.random.default_rng(7)
    gold = [tuple(row) for row in draw.integers(0, 50, (rows, 5)).tolist()]
    candidate = [(*row[:4], 99) if place % 3 == 0 else row for place, row in enumerate(gold)]
    return _milliseconds(lambda: shelf_cells(gold, candidate))


def _small_ms(rows: int) -> float:
    listed = [(row, f"k{row % 7}", row * 1.37, row % 3, row / 3) for row in range(rows)]
    gold, candidate = table_from_rows(listed, 5), table_from_rows(listed[::-1], 5)
    return _milliseconds(lambda: score_output(gold, candidate))


def _run_seconds(cases: int) -> float:
    """Run cases whose answers and gold results cost nothing: what is left is the runner's own."""
    sql = "SELECT city, SUM(amount) FROM stores JOIN sales ON store = id WHERE amount > 0 GROUP BY city"
    shown = table_from_rows([(f"city {place}", place) for place in range(20)], 2)
    warehouse = Warehouse("duckdb", {"stores": ("id", "city"), "sales": ("store", "amount")}, "main")
    asked = tuple(Case(id=f"case {place}", question="?", gold_sql=sql) for place in range(cases))
    bench = Bench(warehouse, lambda _: shown, shown_rows=50)
    plan = RunPlan(known=asked, subject_name="answers")
    return round(_milliseconds(lambda: list(run_plan(plan, _Answers(sql, shown), bench))) / 1000, 3)


class _Answers:
    """A subject that has answered already."""

    def __init__(self, sql: str, shown: ResultTable) -> None:
        self._given = Given("answer", sql=sql, result=shown)

    def answer(self, asked: Asked) -> Given:
        """Give the one answer to whatever is asked."""
        return self._given


def _milliseconds(call: Callable[[], object]) -> float:
    times = []
    for _ in range(9):
        started = time.perf_counter()
        call()
        times.append((time.perf_counter() - started) * 1000)
    return round(median(times), 2)


def _peer(name: str, *pins: str) -> Path | None:
    """Return the Python of a peer's own environment, made on first use; None where it does not install."""
    try:
        return python_of(name, *pins)
    except Unavailable:
        return None


def _peer_seconds(python: Path, script: str, files: tuple[Path, Path]) -> float:
    found = subprocess.run([python, "-c", script, *files], check=True, capture_output=True, text=True)
    return float(found.stdout.split()[-1])


if __name__ == "__main__":
    main()
