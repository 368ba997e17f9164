"""A metric plan as one sentence, for somebody who decides about it without reading JSON or SQL."""

from collections.abc import Mapping
from types import MappingProxyType

from metric_layer.plan import Filter, MetricFilter, MetricPlan, Window

SAID = {
    "in": "is",
    "not_in": "is not",
    "eq": "is",
    "ne": "is not",
    "lt": "is below",
    "le": "is at most",
    "gt": "is above",
    "ge": "is at least",
    "between": "is between",
    "is_null": "is missing",
    "not_null": "is there",
}

NO_LABELS: Mapping[str, str] = MappingProxyType({})


def plan_in_words(plan: MetricPlan, labels: Mapping[str, str] = NO_LABELS) -> str:
    """Return what a plan asks for in one sentence; names are the layer's own where there is no label."""
    by = f" by {_listed(plan.dimensions)}" if plan.dimensions else ""
    said = [_listed(tuple(labels.get(name, name) for name in plan.metrics)) + by]
    if plan.time is not None:
        said.append(_window(plan.time))
    if plan.filters:
        said.append("where " + " and ".join(map(_filter, plan.filters)))
    if plan.compare is not None:
        said.append(f"compared with {plan.compare.kind.replace('_', ' ')}")
    if plan.order is not None:
        said.append(
            f"ordered by {plan.order.by}, {'largest' if plan.order.dir == 'desc' else 'smallest'} first"
        )
    if plan.limit is not None:
        said.append(f"{plan.limit:,} rows at most")
    return ", ".join(said) + "."


def _window(window: Window) -> str:
    by = f" by {window.grain.replace('_', ' ')}" if window.grain else ""
    on = f" on {window.field}" if window.field else ""
    return f"from {window.from_} to {window.to}{by}{on}"


def _filter(each: Filter | MetricFilter) -> str:
    name = each.field if isinstance(each, Filter) else each.metric
    joined = " and " if each.op == "between" else " or "
    return f"{name} {SAID.get(each.op, each.op)} {joined.join(map(str, each.values))}".strip()


def _listed(names: tuple[str, ...]) -> str:
    return " and ".join(", ".join(names).rsplit(", ", 1)) if len(names) > 1 else "".join(names)
