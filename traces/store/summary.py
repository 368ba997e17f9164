"""One line about a question, out of its records."""

from datetime import UTC, datetime

from traces.errors import TraceDamaged
from traces.records import Trace
from traces.store.base import Summary


def summary_of(trace_id: str, at: datetime, trace: Trace | None) -> Summary:
    """Return the line for a list; without a trace, the one for a question that cannot be read."""
    if trace is None:
        return Summary(trace_id=trace_id, at=at, readable=False)
    opened = trace.opened
    return Summary(
        trace_id=trace_id,
        at=opened.at,
        subject=opened.subject,
        role=opened.role,
        tenant=opened.tenant,
        origin=opened.origin,
        outcome=trace.closed.outcome if trace.closed else None,
        metrics=opened.ask.plan.metrics if opened.ask.plan else (),
        attempts=len(trace.attempts),
        holds=len(trace.holds),
    )


def moment_of(text: str) -> datetime:
    """Return a record's time; one that is none any more sorts as the oldest."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def no_open(trace_id: str, place: str) -> TraceDamaged:
    """Return the error for a question whose opening record is gone."""
    return TraceDamaged(
        "trace_no_open",
        f"trace {trace_id} has records but none that opens it",
        place=place,
        next_step="run `cellbound trace verify`",
    )
