"""Several ways to do the same, in turns: what each takes, in milliseconds of wall time and of CPU."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from statistics import mean, median
from typing import NamedTuple

TURN = 5
NAMED = {"run": "", "priced": "priced_", "again": "again_"}
"""What the ratios of each way are called by."""

Call = Callable[[], object]
Clock = Callable[[], float]


class Taken(NamedTuple):
    """Milliseconds per call: the median of the wall time, the mean of the CPU, the median of each turn."""

    ms: float
    cpu_ms: float
    turns: tuple[float, ...]


def in_turns(ways: Mapping[str, Call], rounds: int, cpu: Clock = time.process_time) -> dict[str, Taken]:
    """Time every way in turns, so that a busy machine is as unkind to each.

    `cpu` tells the seconds of CPU so far. A turn is a few calls after one that only warms the processor's
    caches: two processes over the same tables hold them twice, and asked call by call each would find the
    other's.
    """
    walls: dict[str, list[list[float]]] = {name: [] for name in ways}
    cpus: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(-(-rounds // TURN)):
        for name, call in ways.items():
            call()
            before = cpu()
            walls[name].append([milliseconds(call) for _ in range(TURN)])
            cpus[name].append((cpu() - before) * 1000 / TURN)
    return {
        name: Taken(
            ms=round(median(each for turn in walls[name] for each in turn), 3),
            cpu_ms=round(mean(cpus[name]), 3),
            turns=tuple(map(median, walls[name])),
        )
        for name in ways
    }


def milliseconds(call: Call) -> float:
    """Return what a call takes on the wall."""
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1000


def cpu_of(pid: int) -> float:
    """Return the seconds of CPU that a process has used; one that is gone has used none."""
    return _seconds(_status(pid)[11:13])


def cpu_of_family(pid: int) -> float:
    """Return the seconds of CPU of a process and of all its children, those that have ended too."""
    living = (_status(int(each.name)) for each in Path("/proc").iterdir() if each.name.isdigit())
    return _seconds(_status(pid)[11:15]) + sum(
        _seconds(status[11:13]) for status in living if status[1:2] == [str(pid)]
    )


def _status(pid: int) -> list[str]:
    """Return the fields of /proc/PID/stat behind the name; none of a process that is gone."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()
    return []


def _seconds(ticks: Sequence[str]) -> float:
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def summary(queries: Mapping[str, Mapping[str, Taken]]) -> dict[str, object]:
    """Return how every other way compares with `bare`, over all queries and for each."""
    ways = [way for way in next(iter(queries.values())) if way != "bare"]
    return {
        **{f"sf_{NAMED[way]}ratio": ratio(queries, way) for way in ways},
        **{f"sf_{NAMED[way]}cpu_ratio": cpu_ratio(queries, way) for way in ways},
        "queries": {
            name: {f"{way}_ms": taken.ms for way, taken in query.items()} for name, query in queries.items()
        },
    }


def ratio(queries: Mapping[str, Mapping[str, Taken]], way: str) -> float:
    """Return the wall time of the queries in one way over the bare way: the median of the turns' ratios.

    What stands in one ratio was measured within seconds of each other, whatever the machine did later.
    """
    ours, bare = (
        [sum(turn) for turn in zip(*(query[name].turns for query in queries.values()), strict=True)]
        for name in (way, "bare")
    )
    return round(float(median(one / other for one, other in zip(ours, bare, strict=True))), 3)


def cpu_ratio(queries: Mapping[str, Mapping[str, Taken]], way: str) -> float:
    """Return the CPU of the queries in one way over that in the bare way."""
    ours, bare = (sum(query[name].cpu_ms for query in queries.values()) for name in (way, "bare"))
    return round(ours / bare, 3)
