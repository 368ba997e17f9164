"""Traces as the people who may read them see them: no rows, no sealed text."""

from collections.abc import Sequence

from gateway.entitled import CHANGED
from gateway.reply import TraceLine, TraceView, Verification
from metric_layer.record import Record
from traces.chain import Damage, Verified
from traces.errors import Unsealable
from traces.keys import KeyStore
from traces.records import Trace
from traces.seal import unseal
from traces.store.base import Summary


def trace_line(summary: Summary) -> TraceLine:
    """Return a trace as one line of a list."""
    return TraceLine(
        trace_id=summary.trace_id,
        at=summary.at.isoformat(timespec="seconds"),
        outcome=summary.outcome or ("unfinished" if summary.readable else "damaged"),
        metrics=summary.metrics,
        role=summary.role,
    )


def trace_view(trace: Trace, keys: KeyStore, *, withheld: bool) -> TraceView:
    """Return a trace with its question and answer opened, for a caller who may read it.

    `withheld` is for an asker whose access has changed: no text, no cited values, no ranges of columns.
    """
    shown = _without_values(trace) if withheld else trace
    closed = shown.closed
    sealed = closed.sealed_answer if closed else ""
    records = (shown.opened, *shown.holds, *shown.judgements, *((closed,) if closed else ()), *shown.attempts)
    return TraceView(
        trace_id=trace.trace_id,
        outcome=closed.outcome if closed else "unfinished",
        records=tuple(_open(record) for record in records),
        question=_opened(trace, keys, trace.opened.sealed_question),
        answer=f"({CHANGED}.)" if withheld and sealed else _opened(trace, keys, sealed),
    )


def _opened(trace: Trace, keys: KeyStore, sealed: str) -> str:
    """Return a sealed text of the trace's subject; empty where there is none."""
    try:
        return unseal(keys, trace.opened.subject, sealed) if sealed else ""
    except Unsealable:
        return "(erased)"


def _without_values(trace: Trace) -> Trace:
    closed = trace.closed and trace.closed.model_copy(update={"answer": (), "shape": None})
    attempts = tuple(attempt.model_copy(update={"citations": ()}) for attempt in trace.attempts)
    return trace.model_copy(update={"closed": closed, "attempts": attempts})


def verification(verdicts: Sequence[Verified | Damage]) -> Verification:
    """Return one verdict over all logs; the first damage is named."""
    damage = next((verdict for verdict in verdicts if isinstance(verdict, Damage)), None)
    sound = [verdict for verdict in verdicts if isinstance(verdict, Verified)]
    return Verification(
        ok=damage is None,
        records=sum(verdict.records for verdict in sound),
        segments=sum(verdict.segments for verdict in sound),
        damage=damage.kind if damage else "",
        place=f"{damage.segment}:{damage.line}" if damage else "",
        seq=damage.seq if damage else None,
    )


def _open(record: Record) -> dict[str, object]:
    fields: dict[str, object] = record.model_dump(mode="json")
    return {key: value for key, value in fields.items() if not key.startswith("sealed_")}
