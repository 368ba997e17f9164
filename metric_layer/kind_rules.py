"""Rules for metrics over other metrics that need no paths: running figures, comparisons, conversions."""

from collections.abc import Iterator

from metric_layer.definitions import (
    GRAINS,
    Aggregate,
    Conversion,
    Cumulative,
    Filtered,
    Metric,
    PeriodOverPeriod,
)
from metric_layer.draft import Draft, Site
from metric_layer.fault import Fault, fault, is_broken, unknown

_EVENT_TYPES = ("count", "count_distinct")
_UNIFORM = ("day", "week", "month", "quarter", "year")


def check_running(draft: Draft) -> Iterator[Fault]:
    """A running figure has one way to begin, and does not run over what has its own reading of time."""
    for metric, site in draft.metrics:
        if not isinstance(metric, Cumulative):
            continue
        if metric.window is not None and metric.to_date is not None:
            message = f"{metric.name} has a window and to_date."
            yield fault(
                metric.name, site, ("to_date",), "window_and_to_date", message, "Keep one of the two."
            )
        if metric.to_date in GRAINS[:2]:
            message = f"{metric.name} begins anew with each {metric.to_date}, which adds nothing up."
            step = f"Write one of: {', '.join(GRAINS[2:])}."
            yield fault(metric.name, site, ("to_date",), "wrong_values", message, step)
        for part in _below(metric, draft):
            if isinstance(part, Cumulative | PeriodOverPeriod):
                yield _nested(metric, site, part, "reads time its own way")
            elif isinstance(part, Aggregate) and part.snapshot is not None:
                yield _nested(metric, site, part, "is read at moments and not added up over time")


def check_comparisons(draft: Draft) -> Iterator[Fault]:
    """A comparison of periods does not rest on another one."""
    for metric, site in draft.metrics:
        if not isinstance(metric, PeriodOverPeriod):
            continue
        for part in _below(metric, draft):
            if isinstance(part, PeriodOverPeriod):
                yield _nested(metric, site, part, "compares periods already")


def _nested(metric: Metric, site: Site, part: Metric, why: str) -> Fault:
    message = f"{metric.name} rests on {part.name}, which {why}."
    step = "Name the metric under it, or define another one."
    return fault(metric.name, site, ("metric",), "wrong_nesting", message, step)


def _below(metric: Metric, draft: Draft) -> Iterator[Metric]:
    """Yield every metric a metric rests on, however far away, each once."""
    seen = {metric.name}
    waiting = list(draft.parts_of(metric.name))
    while waiting:
        name = waiting.pop(0)
        part = draft.metric_by_name.get(name)
        if part is not None and name not in seen:
            seen.add(name)
            waiting.extend(draft.parts_of(name))
            yield part


def check_events(draft: Draft) -> Iterator[Fault]:
    """A conversion counts rows and looks for rows: both its metrics are counts, filtered or not."""
    for metric, site in draft.metrics:
        if not isinstance(metric, Conversion):
            continue
        for key, name in (("base", metric.base), ("conversion", metric.conversion)):
            below = _event(name, draft)
            if below is None:
                continue
            counts = isinstance(below, Aggregate) and below.type in _EVENT_TYPES
            if not counts or (isinstance(below, Aggregate) and below.snapshot):
                message = f"{metric.name}: {name} is no count of events."
                step = "Name a count or count_distinct without a snapshot, or one under filters."
                yield fault(metric.name, site, (key,), "wrong_type", message, step)
        if metric.window is not None and metric.window.unit not in _UNIFORM:
            message = f"{metric.name}: a conversion's window is counted in {', '.join(_UNIFORM)}."
            yield fault(
                metric.name, site, ("window", "unit"), "wrong_values", message, "Write days, weeks or months."
            )


def _event(name: str, draft: Draft) -> Metric | None:
    """Return what a metric filters, at the end; None where that has issues of its own."""
    seen: set[str] = set()
    metric = draft.metric_by_name.get(name)
    while isinstance(metric, Filtered) and metric.name not in seen:
        seen.add(metric.name)
        metric = draft.metric_by_name.get(metric.metric)
    return None if isinstance(metric, Filtered) else metric


def check_successors(draft: Draft) -> Iterator[Fault]:
    """What to ask instead of a metric exists and is not deprecated itself."""
    for metric, site in draft.metrics:
        name = metric.successor
        if name is None or is_broken(draft, "metrics", name):
            continue
        after = draft.metric_by_name.get(name)
        if after is None:
            yield unknown(metric.name, site, ("successor",), "metric", name, draft.metric_by_name)
        elif after.status == "deprecated" or after.name == metric.name:
            message = f"{metric.name} is to be replaced by {name}, which is deprecated or the same."
            step = "Name a metric that is in use."
            yield fault(metric.name, site, ("successor",), "wrong_successor", message, step)
