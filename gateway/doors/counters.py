"""Counts and times of what left each door and of what questions came to, as Prometheus text."""

import json
import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from gateway.reply import Reply

Labels = tuple[tuple[str, str], ...]
Dump = Callable[[], str]
OUR_FAULT = "second_opinion"

HELP = {
    "cellbound_results_total": "Results by door and outcome.",
    "cellbound_disagreements_total": "Questions that ended as database and gateway read SQL differently.",
    "cellbound_http_responses_total": "HTTP responses by status.",
    "cellbound_questions_total": "Questions closed on the record, by outcome and origin.",
    "cellbound_check_firings_total": "Findings of checks, by check and verdict; what allowed is not counted.",
    "cellbound_budget_bytes_total": "Bytes that questions were estimated to read, and did read.",
    "cellbound_budget_rows_total": "Rows that questions were estimated to read, and that answers had.",
    "cellbound_spans_total": "Questions whose spans were sent live, dropped or refused.",
}
TIMES = {
    "cellbound_question_seconds": "From the opening of a question to its closing record, by outcome.",
    "cellbound_step_seconds": "Time in each step; `explain` and `run` are the database's.",
}
GAUGES = {
    "cellbound_requests_inside": "Requests that run or wait.",
    "cellbound_processes": "Processes that these figures are of.",
}
BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)


def alone(dump: Dump) -> tuple[str, ...]:
    """Return the dump of a process that serves by itself."""
    return (dump(),)


class Counters:
    """Counters of one process. They hold no name of a user, a metric or a trace."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[tuple[str, Labels]] = Counter()
        self._times: dict[tuple[str, Labels], list[float]] = {}

    def result(self, door: str, outcome: str) -> None:
        """Count one result of the house."""
        self.add("cellbound_results_total", (("door", door), ("outcome", outcome)))

    def told(self, door: str, found: object) -> None:
        """Count one record that the house tells: by its outcome, and as a fault of ours where it says so."""
        self.result(door, getattr(found, "outcome", type(found).__name__))
        if isinstance(found, Reply) and any(issue.code == OUR_FAULT for issue in found.issues):
            self.add("cellbound_disagreements_total", (("door", door),))

    def response(self, status: int) -> None:
        """Count one HTTP response."""
        self.add("cellbound_http_responses_total", (("status", str(status)),))

    def add(self, name: str, labels: Labels, amount: int = 1) -> None:
        """Count something that HELP names."""
        with self._lock:
            self._counts[name, labels] += amount

    def took(self, name: str, labels: Labels, seconds: float) -> None:
        """Note a time that TIMES names."""
        key = name, labels
        with self._lock:
            kept = self._times.get(key)
            if kept is None:
                kept = self._times[key] = [0.0] * (len(BOUNDS) + 2)
            kept[bisect_left(BOUNDS, seconds)] += 1
            kept[-1] += seconds

    def dump(self, inside: int) -> str:
        """Return everything as text that `text` of another process takes in."""
        with self._lock:
            counts = [[name, labels, count] for (name, labels), count in self._counts.items()]
            times = [[name, labels, kept] for (name, labels), kept in self._times.items()]
            return json.dumps({"inside": inside, "counts": counts, "times": times})

    def text(self, inside: int, told: Callable[[Dump], Iterable[str]] = alone) -> str:
        """Return the sum of the dumps that `told` makes of this one's; `inside` run or wait here."""
        counts: Counter[tuple[str, Labels]] = Counter()
        times: dict[tuple[str, Labels], list[float]] = {}
        processes, requests = 0, 0
        for each in map(json.loads, told(lambda: self.dump(inside))):
            processes += bool(each.get("alive", True))
            requests += each["inside"]
            for name, labels, count in each["counts"]:
                counts[name, _key(labels)] += count
            for name, labels, kept in each["times"]:
                known = times.setdefault((name, _key(labels)), [0.0] * len(kept))
                known[:] = [one + other for one, other in zip(known, kept, strict=True)]
        gauges = {"cellbound_requests_inside": requests, "cellbound_processes": processes}
        return "\n".join((*_counted(counts), *_timed(times), *_gauged(gauges))) + "\n"


def _key(labels: Sequence[Sequence[str]]) -> Labels:
    return tuple((name, value) for name, value in labels)


def _counted(counts: Counter[tuple[str, Labels]]) -> Iterable[str]:
    for name, text in HELP.items():
        yield from (f"# HELP {name} {text}", f"# TYPE {name} counter")
        for (found, labels), count in sorted(counts.items()):
            if found == name:
                yield f"{name}{_labels(labels)} {count}"


def _timed(times: dict[tuple[str, Labels], list[float]]) -> Iterable[str]:
    for name, text in TIMES.items():
        yield from (f"# HELP {name} {text}", f"# TYPE {name} histogram")
        for (found, labels), kept in sorted(times.items()):
            if found == name:
                yield from _buckets(name, labels, kept)


def _buckets(name: str, labels: Labels, kept: Sequence[float]) -> Iterable[str]:
    so_far = 0
    for bound, count in zip((*map(str, BOUNDS), "+Inf"), kept, strict=False):
        so_far += int(count)
        yield f"{name}_bucket{_labels((*labels, ('le', bound)))} {so_far}"
    yield f"{name}_sum{_labels(labels)} {kept[-1]:.6f}"
    yield f"{name}_count{_labels(labels)} {so_far}"


def _gauged(gauges: dict[str, int]) -> Iterable[str]:
    for name, text in GAUGES.items():
        yield from (f"# HELP {name} {text}", f"# TYPE {name} gauge", f"{name} {gauges[name]}")


def _labels(labels: Iterable[tuple[str, str]]) -> str:
    return "{" + ",".join(f'{key}="{value}"' for key, value in labels) + "}"
