"""What the search index costs: traces a second into a new one, and a search over all of them."""

import random
import time
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from statistics import median

from benchmarks.tracing.records import NOON, question
from traces.frame import ChainKey
from traces.keys import KeyStore
from traces.precisions import number_in
from traces.private import Private
from traces.records import AnyRecord
from traces.sealing import sealed
from traces.store.files import FileTraceStore
from traces.store.index import Search, TraceIndex

TRACES = 20_000
SUBJECTS = 50
METRICS = ("net_revenue", "orders", "refunds", "margin")


@dataclass(frozen=True, slots=True)
class Filled:
    """A store of sealed traces, its keys, and a number that one of them cites."""

    store: FileTraceStore
    keys: KeyStore
    cited: Decimal


def indexed(folder: Path, key: ChainKey, traces: int = TRACES) -> dict[str, float]:
    """Write sealed traces, build the index over them, and time searches of each kind."""
    filled = fill(folder, key, traces)
    index = TraceIndex(folder / "index.sqlite", filled.store, filled.keys)
    began, spent = time.perf_counter(), time.process_time()
    built = index.rebuild()
    took, cpu = time.perf_counter() - began, time.process_time() - spent
    if built.traces != traces:
        raise SystemExit(f"{built.traces} of {traces} traces are in the index")
    size = (folder / "index.sqlite").stat().st_size
    searches = (
        Search(tenant="default", definition="margin", version=3, outcome="answered", check="budget"),
        Search(tenant="default", subject="u_7", since=NOON + timedelta(seconds=1000)),
        Search(tenant="default", numbers=(filled.cited,)),
        Search(tenant="default", sql="group by region", limit=50),
    )
    slowest = max(median(_timed(index, search) for _ in range(5)) for search in searches)
    filled.store.close()
    return {
        "index_per_s": traces / took,
        "index_cpu_us": cpu / traces * 1e6,
        "index_bytes_per_trace": size / traces,
        "find_ms": slowest,
    }


def fill(folder: Path, key: ChainKey, traces: int) -> Filled:
    """Write so many traces, each sealed under its asker's key, with three cited numbers of its own."""
    keys = KeyStore.open(folder.with_name(f"{folder.name}.keys.json"))
    store = FileTraceStore(folder, key)
    drawn, cited = random.Random(7), Decimal(0)
    for number in range(traces):
        opened, closed = question(f"{number:032x}")
        subject, metric = f"u_{number % SUBJECTS}", METRICS[number % len(METRICS)]
        cited = Decimal(drawn.randrange(10**9)) / 100
        answer = tuple(
            closed.answer[0].model_copy(update={"value": str(cited * scale), "text": f"{cited * scale:,}"})
            for scale in (1, 3, 7)
        )
        records: tuple[AnyRecord, AnyRecord] = (
            opened.model_copy(
                update={
                    "subject": subject,
                    "at": NOON + timedelta(seconds=number),
                    "ask": opened.ask.model_copy(
                        update={
                            "plan": opened.ask.plan
                            and opened.ask.plan.model_copy(update={"metrics": (metric,)})
                        }
                    ),
                }
            ),
            closed.model_copy(update={"answer": answer}),
        )
        private = Private(subject)
        for record in records:
            store.append(sealed(record, private, _known, keys), durable=False)
    assert number_in(str(cited)) is not None
    return Filled(store, keys, cited)


def _known(_: str) -> bool:
    return True


def _timed(index: TraceIndex, search: Search) -> float:
    began = time.perf_counter()
    index.find(search)
    return (time.perf_counter() - began) * 1000
