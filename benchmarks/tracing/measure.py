"""What the trace log costs: durable traces a second, beside one fdatasync for each record on the same disk.

python benchmarks/traces.py [--quick] [--json] [--folder DIR]

`durable_64_per_s` is 64 callers of one process, `durable_64_in_2_per_s` the same 64 over two processes with a
log each. `bare_64_per_s` is what the same callers come to where encoding, hashing, writing and syncing is all
that is done for them: the floor of one interpreter. `cpu_us_*` are of the log alone; `cpu_ms_per_question` is
with the sealing.
"""

import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks import options_of
from benchmarks.tracing.asking import KEY, asked, opened_store
from benchmarks.tracing.bare import bare
from benchmarks.tracing.indexing import TRACES, indexed
from benchmarks.tracing.processes import asked_in_processes
from benchmarks.tracing.records import question
from traces.chain import Verified
from traces.formats import encode
from traces.keys import KeyStore
from traces.private import Private
from traces.seal import seal
from traces.sealing import sealed

CALLERS = (1, 64, 1000)
SPREAD = 64
PROCESSES = 2
QUICK_TRACES = 4_000


def main() -> None:
    """Run the benchmark and print one table, or one JSON object."""
    options = options_of(__doc__)
    options.add_argument("--folder", type=Path, default=Path("var/bench"), help="on the disk to measure")
    chosen = options.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    rounds, seconds, traces = (3, 1.0, QUICK_TRACES) if chosen.quick else (7, 3.0, TRACES)
    figures = measure(chosen.folder, rounds, seconds, traces)
    if chosen.json:
        sys.stdout.write(json.dumps(figures) + "\n")
        return
    for name, value in figures.items():
        sys.stdout.write(f"{name:>24}  {value}\n")


def measure(place: Path, rounds: int, seconds: float, traces: int) -> dict[str, Any]:
    """Return the medians of rounds in which floor and log take turns, so that the disk's mood hits both."""
    taken: dict[str, list[float]] = {}
    for _ in range(rounds):
        with scratch(place) as folder:
            note(taken, one_sync_each(folder / "floor", seconds))
            note(taken, bare(folder / "bare", SPREAD, seconds))
            for callers in CALLERS:
                note(taken, durable(folder / str(callers), callers, seconds))
            note(taken, verified(folder / str(SPREAD)))
            note(taken, spread(folder / "spread", seconds))
            verified(folder / "spread")
    note(taken, encoding())
    with scratch(place) as folder:
        note(taken, sealing(folder / "keys.json"))
        note(taken, indexed(folder / "index", KEY, traces))
    figures: dict[str, Any] = {name: round(median(values), 1) for name, values in taken.items()}
    own = median(taken["cpu_us_64"]) + median(taken["seal_us"])
    figures["cpu_ms_per_question"] = round(own / 1000, 3)
    figures["times_one_sync"] = round(median(_ratios(taken, "one_sync_each_per_s")), 1)
    figures["times_bare"] = round(median(_ratios(taken, f"bare_{SPREAD}_per_s")), 2)
    return figures


def note(taken: dict[str, list[float]], found: dict[str, float]) -> None:
    """Add one round's figures to those of the rounds before."""
    for name, value in found.items():
        taken.setdefault(name, []).append(value)


def _ratios(taken: dict[str, list[float]], floor: str) -> list[float]:
    pairs = zip(taken[f"durable_{SPREAD}_per_s"], taken[floor], strict=True)
    return [ours / floor for ours, floor in pairs]


@contextmanager
def scratch(place: Path) -> Iterator[Path]:
    """Give an empty folder on the measured disk."""
    folder = Path(tempfile.mkdtemp(prefix="traces-", dir=place))
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def one_sync_each(path: Path, seconds: float) -> dict[str, float]:
    """Write closing records into one file, each with a plain write and a fdatasync of its own."""
    body = encode(question("floor")[1])
    handle = os.open(path, os.O_CREAT | os.O_WRONLY)
    count, began = 0, time.perf_counter()
    try:
        while time.perf_counter() - began < seconds:
            os.write(handle, body)
            os.fdatasync(handle)
            count += 1
    finally:
        os.close(handle)
    took = time.perf_counter() - began
    return {"one_sync_each_per_s": count / took, "one_sync_ms": took / count * 1000}


def durable(folder: Path, callers: int, seconds: float) -> dict[str, float]:
    """Have so many callers of one process write whole traces."""
    found = asked(folder, callers, seconds)
    figures = {
        f"durable_{callers}_per_s": found.traces / found.seconds,
        f"cpu_us_{callers}": found.cpu_seconds / found.traces * 1e6,
    }
    if callers == 1:
        size = sum(file.stat().st_size for file in folder.glob("*.jsonl"))
        figures["bytes_per_trace"] = size / (found.traces + 1)
    return figures


def spread(folder: Path, seconds: float) -> dict[str, float]:
    """Have the same callers write from several processes at once."""
    shares = asked_in_processes(folder, SPREAD, PROCESSES, seconds)
    traces = sum(share.traces for share in shares)
    name = f"{SPREAD}_in_{PROCESSES}"
    return {
        f"durable_{name}_per_s": sum(share.traces / share.seconds for share in shares),
        f"cpu_us_{name}": sum(share.cpu_seconds for share in shares) / traces * 1e6,
    }


def verified(folder: Path) -> dict[str, float]:
    """Verify what was written, the checkpoints included."""
    store = opened_store(folder)
    began = time.perf_counter()
    verdicts = store.verify()
    took = time.perf_counter() - began
    records = 0
    for verdict in verdicts:
        if not isinstance(verdict, Verified):
            raise SystemExit(f"the log is damaged: {verdict.message}")
        records += verdict.records
    return {"verify_per_s": records / took}


def encoding() -> dict[str, float]:
    """Encode both records of a question."""
    opened, closed = question("encoded")
    return {"encode_us": _best(lambda: (encode(opened), encode(closed)))}


def sealing(place: Path) -> dict[str, float]:
    """Seal both records of a question, and its two texts, as the gateway does before the log has them."""
    keys, private = KeyStore.open(place), Private("u_1")
    records = question("sealed")

    def call() -> None:
        for record in records:
            sealed(record, private, lambda _: True, keys)
            seal(keys, private.subject, "Net revenue was 12.50 in the north last month.")

    return {"seal_us": _best(call)}


def _best(call: Callable[[], object], count: int = 500, rounds: int = 9) -> float:
    spent = []
    for _ in range(rounds):
        began = time.thread_time()
        for _ in range(count):
            call()
        spent.append((time.thread_time() - began) / count * 1e6)
    return median(spent)
