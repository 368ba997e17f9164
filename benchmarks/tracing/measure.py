"""What the trace log costs: durable traces a second, beside one fdatasync for each record on the same disk.

python benchmarks/traces.py [--quick] [--json] [--folder DIR]
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from benchmarks.tracing.indexing import TRACES, indexed
from benchmarks.tracing.records import question
from traces.chain import Verified
from traces.checkpoint import name_of_project
from traces.formats import encode
from traces.frame import ChainKey
from traces.records import Close, Open
from traces.signed_note import NoteSigner
from traces.store.files import FileTraceStore
from traces.store.keeper import CheckpointKeeper

CALLERS = (1, 64, 1000)
KEY = ChainKey("bench", bytes(32))
RESERVED = 256 * 1024
QUICK_TRACES = 4_000


def main() -> None:
    """Run the benchmark and print one table, or one JSON object."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quick", action="store_true")
    options.add_argument("--json", action="store_true")
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
            for callers in CALLERS:
                note(taken, durable(folder / str(callers), callers, seconds))
            note(taken, verified(folder / "64"))
    note(taken, encoding())
    with scratch(place) as folder:
        note(taken, indexed(folder / "index", KEY, traces))
    figures: dict[str, Any] = {name: round(median(values), 1) for name, values in taken.items()}
    figures["cpu_ms_per_question"] = round(median(taken["cpu_us_64"]) / 1000, 3)
    figures["times_one_sync"] = round(median(_ratios(taken)), 1)
    return figures


def note(taken: dict[str, list[float]], found: dict[str, float]) -> None:
    """Add one round's figures to those of the rounds before."""
    for name, value in found.items():
        taken.setdefault(name, []).append(value)


def _ratios(taken: dict[str, list[float]]) -> list[float]:
    pairs = zip(taken["durable_64_per_s"], taken["one_sync_each_per_s"], strict=True)
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
    """Have so many callers write whole traces, as a question does: room first, `open`, a durable `close`."""
    store = FileTraceStore(folder, KEY, keeper=_keeper())
    first = question("first")
    write(store, *first)
    stop, counts = threading.Event(), [0] * callers
    sample, go = question("sample"), threading.Barrier(callers + 1)

    def ask(caller: int) -> None:
        opened, closed = sample
        go.wait()
        while not stop.is_set():
            trace_id = {"trace_id": f"{caller}-{counts[caller]}"}
            write(store, opened.model_copy(update=trace_id), closed.model_copy(update=trace_id))
            counts[caller] += 1

    threads = [threading.Thread(target=ask, args=(caller,)) for caller in range(callers)]
    for thread in threads:
        thread.start()
    go.wait()
    began, spent = time.perf_counter(), time.process_time()
    time.sleep(seconds)
    stop.set()
    for thread in threads:
        thread.join()
    took, cpu = time.perf_counter() - began, time.process_time() - spent
    store.close()
    done = sum(counts)
    found = {f"durable_{callers}_per_s": done / took, f"cpu_us_{callers}": cpu / done * 1e6}
    if callers == 1:
        size = sum(file.stat().st_size for file in folder.glob("*.jsonl"))
        found["bytes_per_trace"] = size / (done + 1)
    return found


def write(store: FileTraceStore, opened: Open, closed: Close) -> None:
    """Write one trace."""
    with store.reserve(RESERVED):
        store.append(opened, durable=False)
        store.append(closed, durable=True)


def verified(folder: Path) -> dict[str, float]:
    """Verify what was written, the checkpoint included."""
    store = FileTraceStore(folder, KEY, keeper=_keeper())
    began = time.perf_counter()
    (verdict,) = store.verify()
    took = time.perf_counter() - began
    if not isinstance(verdict, Verified):
        raise SystemExit(f"the log is damaged: {verdict.message}")
    return {"verify_per_s": verdict.records / took}


def encoding() -> dict[str, float]:
    """Encode both records of a question."""
    opened, closed = question("encoded")
    return {"encode_us": _best(lambda: (encode(opened), encode(closed)))}


def _best(call: Callable[[], object], count: int = 500, rounds: int = 9) -> float:
    spent = []
    for _ in range(rounds):
        began = time.thread_time()
        for _ in range(count):
            call()
        spent.append((time.thread_time() - began) / count * 1e6)
    return median(spent)


def _keeper() -> CheckpointKeeper:
    signer = NoteSigner(name_of_project("bench"), Ed25519PrivateKey.from_private_bytes(bytes(32)))
    return CheckpointKeeper(signer, [signer.verifier], lambda: datetime.now(UTC))
