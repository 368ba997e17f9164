"""Traces as the people who may read them see them: no rows, and words for those who may read words."""

from gateway.record.entitled import CHANGED
from gateway.reply import TraceLine, TraceView
from metric_layer.record import Record
from traces.errors import Unsealable
from traces.keys import KeyStore
from traces.records import Trace
from traces.seal import unseal_any
from traces.store.base import Summary

SEALED = "(sealed: `cellbound trace unseal` opens it, on record)"
ERASED = "(erased)"


def trace_line(summary: Summary) -> TraceLine:
    """Return a trace as one line of a list."""
    return TraceLine(
        trace_id=summary.trace_id,
        at=summary.at.isoformat(timespec="seconds"),
        outcome=summary.outcome or ("unfinished" if summary.readable else "damaged"),
        metrics=summary.metrics,
        role=summary.role,
    )


def trace_view(trace: Trace, keys: KeyStore, *, withheld: bool = False, words: bool = False) -> TraceView:
    """Return a trace with its question and answer opened, for its asker.

    `withheld` is for an asker whose access has changed: no text, no cited values, no ranges of columns.
    `words` adds every other text: drafts, SQL as it was sent, the reasons of reviewers.
    """
    shown = _without_values(trace) if withheld else trace
    sealed = shown.closed.sealed_answer if shown.closed else ""
    return TraceView(
        trace_id=trace.trace_id,
        outcome=shown.closed.outcome if shown.closed else "unfinished",
        records=tuple(_open(record, keys if words else None) for record in _records(shown)),
        question=_opened(keys, trace.opened.sealed_question),
        answer=f"({CHANGED}.)" if withheld and sealed else _opened(keys, sealed),
    )


def masked_view(masked: Trace) -> TraceView:
    """Return a masked trace for somebody who may read headers and steps only."""
    closed, words = masked.closed, ERASED if masked.erased else SEALED
    return TraceView(
        trace_id=masked.trace_id,
        outcome=closed.outcome if closed else "unfinished",
        records=tuple(_open(record, None) for record in _records(masked)),
        question=words if masked.opened.sealed_question else "",
        answer=words if closed and closed.sealed_answer else "",
    )


def _records(trace: Trace) -> tuple[Record, ...]:
    closed = (trace.closed,) if trace.closed else ()
    return (trace.opened, *trace.holds, *trace.judgements, *closed, *trace.attempts)


def _opened(keys: KeyStore, sealed: str) -> str:
    """Return a sealed text; empty where there is none."""
    try:
        return unseal_any(keys, sealed)
    except Unsealable:
        return ERASED


def _without_values(trace: Trace) -> Trace:
    closed = trace.closed and trace.closed.model_copy(update={"answer": (), "shape": None})
    attempts = tuple(attempt.model_copy(update={"citations": ()}) for attempt in trace.attempts)
    return trace.model_copy(update={"closed": closed, "attempts": attempts})


def _open(record: Record, keys: KeyStore | None) -> dict[str, object]:
    """Return a record's fields; its sealed texts are left out, or with `keys` opened under their own name."""
    fields: dict[str, object] = record.model_dump(mode="json")
    shown = {key: value for key, value in fields.items() if not key.startswith("sealed")}
    if keys is not None:
        texts = {key: str(value) for key, value in fields.items() if key.startswith("sealed_") and value}
        shown |= {key.removeprefix("sealed_"): _opened(keys, text) for key, text in texts.items()}
    return shown
