"""What questions of a class usually cost: the median of the recent ones, with how many they are."""

from collections.abc import Iterator
from math import isfinite
from statistics import median
from typing import Literal

from gateway.reviews.view import UsualMeasure
from traces.records import Estimate, Origin, Trace
from traces.store.base import TraceStore

RECENT = 60
"""How many of a class's newest questions count."""
LOOKED_AT = 400
"""How many of a tenant's newest traces are looked through for them."""
RAN = ("answered", "no_rows", "partial")
MEASURES: tuple[Literal["bytes", "rows", "cost"], ...] = ("bytes", "rows", "cost")


def usual_measures(traces: TraceStore, trace: Trace, estimate: Estimate) -> tuple[UsualMeasure, ...]:
    """Return each measure of an estimate beside the median of the recent questions of its class that ran.

    The class is the origin of the question in its tenant: plans, or free SQL. A measure that the engine does
    not give is left out; a median without questions is None.
    """
    recent = tuple(_estimates(traces, trace.opened.tenant, trace.opened.origin, trace.trace_id))
    return tuple(
        _measure(name, float(seen), [found for each in recent if (found := _value(each, name)) is not None])
        for name in MEASURES
        if (seen := _value(estimate, name)) is not None
    )


def _estimates(traces: TraceStore, tenant: str, origin: Origin, but: str) -> Iterator[Estimate]:
    found = 0
    for summary in traces.list(LOOKED_AT, tenant=tenant):
        if found >= RECENT:
            return
        if summary.outcome not in RAN or summary.origin != origin or summary.trace_id == but:
            continue
        trace = traces.read(summary.trace_id)
        if trace is not None and trace.closed is not None and trace.closed.estimate is not None:
            found += 1
            yield trace.closed.estimate_alone or trace.closed.estimate


def _measure(name: Literal["bytes", "rows", "cost"], seen: float, others: list[float]) -> UsualMeasure:
    middle = median(others) if others else None
    return UsualMeasure(
        measure=name,
        seen=seen,
        median=middle,
        n=len(others),
        times=seen / middle if middle else None,
    )


def _value(estimate: Estimate, name: str) -> float | None:
    value = getattr(estimate, name)
    return float(value) if value is not None and isfinite(value) else None
