"""Turn what the reader could not read into findings of the check that reports it."""

from collections.abc import Iterator

from metric_layer.sql.reading import Fault
from policies.facts import Finding, SqlFacts


def faults_of(facts: SqlFacts, check: str) -> Iterator[Finding]:
    """Yield one hard finding per fault that this check reports."""
    return (_finding(fault) for fault in facts.reading.faults if fault.check == check)


def _finding(fault: Fault) -> Finding:
    return Finding(
        "hard",
        fault.message,
        seen=fault.seen,
        place=fault.code,
        span=fault.span,
        candidates=fault.candidates,
        next_step=fault.next_step,
        retry=fault.retry,
    )
