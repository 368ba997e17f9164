"""Counts of what left each door, as Prometheus text."""

import threading
from collections import Counter
from collections.abc import Iterable

Labels = tuple[tuple[str, str], ...]

HELP = {
    "cellbound_results_total": "Results by door and outcome.",
    "cellbound_http_responses_total": "HTTP responses by status.",
}


class Counters:
    """Counters of one process. They hold no name of a user, a metric or a trace."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[tuple[str, Labels]] = Counter()

    def result(self, door: str, outcome: str) -> None:
        """Count one result of the house."""
        self._add("cellbound_results_total", (("door", door), ("outcome", outcome)))

    def response(self, status: int) -> None:
        """Count one HTTP response."""
        self._add("cellbound_http_responses_total", (("status", str(status)),))

    def text(self, inside: int) -> str:
        """Return all counters, and `inside` as the gauge of requests that run or wait."""
        with self._lock:
            counts = sorted(self._counts.items())
        lines: list[str] = []
        for name, text in HELP.items():
            lines += [f"# HELP {name} {text}", f"# TYPE {name} counter"]
            lines += [
                f"{name}{_labels(labels)} {count}" for (found, labels), count in counts if found == name
            ]
        gauge = "cellbound_requests_inside"
        lines += [f"# HELP {gauge} Requests that run or wait.", f"# TYPE {gauge} gauge", f"{gauge} {inside}"]
        return "\n".join(lines) + "\n"

    def _add(self, name: str, labels: Labels) -> None:
        with self._lock:
            self._counts[name, labels] += 1


def _labels(labels: Iterable[tuple[str, str]]) -> str:
    return "{" + ",".join(f'{key}="{value}"' for key, value in labels) + "}"
