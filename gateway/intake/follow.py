"""A follow-up as a change of the plan before it: what is said replaces its like, what is not said stays."""

from collections.abc import Sequence
from dataclasses import dataclass

from gateway.intake.said import Kept, Said
from metric_layer.plan import Filter, Grain, MetricFilter, MetricPlan, Order

MARKERS = frozenset(("about", "same", "instead", "add", "drop"))


@dataclass(frozen=True, slots=True)
class Scope:
    """The parts of a plan that a follow-up inherits or changes; the window is settled apart."""

    metrics: tuple[str, ...]
    dimensions: tuple[str, ...]
    grain: Grain | None
    filters: tuple[Filter | MetricFilter, ...]
    order: Order | None
    limit: int | None


def follows(said: Said, previous: MetricPlan | None) -> bool:
    """Tell whether a question only makes sense on top of the plan before it."""
    if previous is None:
        return False
    whole = said.has_metric and (bool(said.windows) or bool(said.strangers))
    return said.leads_on or bool(said.flags & MARKERS) or bool(said.dropped) or not whole


def inherit(said: Said, grain: Grain | None, previous: MetricPlan) -> Scope:
    """Return the parts of the plan before, changed by what was said."""
    dropped = set(said.dropped)
    metrics = tuple(name for name in previous.metrics if name not in dropped)
    if said.metrics:
        keeps = said.adds or len(metrics) < len(previous.metrics)
        metrics = tuple(dict.fromkeys((*(metrics if keeps else ()), *said.metrics)))
    dimensions, kept_grain = _breakdown(said, grain, previous, dropped)
    order, limit = _order(previous, metrics, (*dimensions, *((kept_grain,) if kept_grain else ())))
    return Scope(metrics, dimensions, kept_grain, _filters(said, previous, metrics), order, limit)


def _breakdown(
    said: Said, grain: Grain | None, previous: MetricPlan, dropped: set[str]
) -> tuple[tuple[str, ...], Grain | None]:
    had = previous.time.grain if previous.time else None
    if had is not None and f"grain:{had.removeprefix('fiscal_')}" in dropped:
        had = None
    dimensions = tuple(name for name in previous.dimensions if name not in dropped)
    if "overall" in said.flags and not (said.metrics or said.breakdown or grain):
        return (), None
    if said.breakdown:
        keeps = said.adds or len(dimensions) < len(previous.dimensions)
        if "instead" in said.flags and not previous.dimensions and not grain:
            had = None
        dimensions = tuple(dict.fromkeys((*(dimensions if keeps else ()), *said.breakdown)))
    elif grain and "instead" in said.flags and had is None:
        dimensions = ()
    return dimensions, grain or had


def _filters(said: Said, previous: MetricPlan, metrics: Sequence[str]) -> tuple[Filter | MetricFilter, ...]:
    free = set(said.everything) | set(said.dropped)
    if "everywhere" in said.flags:
        free |= {each.field for each in previous.filters if isinstance(each, Filter)}
    kept = [
        each
        for each in previous.filters
        if (each.metric in metrics if isinstance(each, MetricFilter) else each.field not in free)
    ]
    for dimension in dict.fromkeys(each.dimension for each in said.kept):
        kept = _changed(kept, dimension, [k for k in said.kept if k.dimension == dimension], said)
    return tuple(kept)


def _changed(
    filters: list[Filter | MetricFilter], dimension: str, said_of: list[Kept], said: Said
) -> list[Filter | MetricFilter]:
    """Return filters with one dimension's changed: a value replaces, "also" adds, "except" takes away."""
    mine = [each for each in filters if isinstance(each, Filter) and each.field == dimension]
    others = [each for each in filters if each not in mine]
    wanted = [k.value for k in said_of if not k.negated]
    unwanted = [k.value for k in said_of if k.negated]
    had_in = [str(v) for each in mine if each.op == "in" for v in each.values]
    had_out = [str(v) for each in mine if each.op == "not_in" for v in each.values]
    if wanted and said.adds and (had_in or had_out):
        keep = [*had_in, *wanted] if had_in else []
        out = [value for value in had_out if value not in wanted]
    elif wanted:
        keep, out = wanted, []
    else:
        keep, out = had_in, had_out
    if unwanted and keep:
        left = [value for value in keep if value not in unwanted]
        if not left or len(left) == len(keep):
            said.ask("ambiguous_value", unwanted[0], tuple(f"{dimension}:{value}" for value in keep))
        keep = left
    elif unwanted:
        out = [*out, *unwanted]
    if keep:
        others.append(Filter(field=dimension, op="in", values=tuple(dict.fromkeys(keep))))
    if out:
        others.append(Filter(field=dimension, op="not_in", values=tuple(dict.fromkeys(out))))
    return others


def _order(
    previous: MetricPlan, metrics: tuple[str, ...], columns: tuple[str, ...]
) -> tuple[Order | None, int | None]:
    order = previous.order
    if order is None or order.by in metrics or order.by in columns:
        return order, previous.limit
    if order.by in previous.metrics and len(metrics) == 1 and columns:
        return Order(by=metrics[0], dir=order.dir), previous.limit
    return None, None
