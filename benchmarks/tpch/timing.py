"""Several ways to do the same, in turns: what each takes, in milliseconds of wall time and of CPU."""

import time
from collections.abc import Callable, Mapping
from statistics import mean, median
from typing import NamedTuple

TURN = 5

Call = Callable[[], object]
Clock = Callable[[], float]


class Taken(NamedTuple):
    """Milliseconds per call: the median of the wall time, the mean of the CPU."""

    ms: float
    cpu_ms: float


def in_turns(ways: Mapping[str, Call], rounds: int, cpu: Clock = time.process_time) -> dict[str, Taken]:
    """Time every way in turns, so that a busy machine is as unkind to each.

    `cpu` tells the seconds of CPU so far. A turn is a few calls after one that only warms the processor's
    caches: two processes over the same tables hold them twice, and asked call by call each would find the
    other's.
    """
    walls: dict[str, list[float]] = {name: [] for name in ways}
    cpus: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(-(-rounds // TURN)):
        for name, call in ways.items():
            call()
            before = cpu()
            walls[name].extend(milliseconds(call) for _ in range(TURN))
            cpus[name].append((cpu() - before) * 1000 / TURN)
    return {name: Taken(round(median(walls[name]), 3), round(mean(cpus[name]), 3)) for name in ways}


def milliseconds(call: Call) -> float:
    """Return what a call takes on the wall."""
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1000


def summary(queries: Mapping[str, Mapping[str, Taken]]) -> dict[str, object]:
    """Return how the ways `run` and `priced` compare with `bare`, over all queries and for each."""
    return {
        "sf_ratio": ratio(queries, "run"),
        "sf_priced_ratio": ratio(queries, "priced"),
        "queries": {
            name: {f"{way}_ms": taken.ms for way, taken in query.items()} for name, query in queries.items()
        },
    }


def ratio(queries: Mapping[str, Mapping[str, Taken]], way: str, clock: int = 0) -> float:
    """Return the sum over the queries in one way over the sum in the bare way; clock 1 is CPU."""
    ours, bare = (sum(query[name][clock] for query in queries.values()) for name in (way, "bare"))
    return round(ours / bare, 3)
