"""The dimensions and grains that each definition allows, held against those that a plan asks for."""

from collections.abc import Iterator, Mapping

from metric_layer.definitions import Metric
from metric_layer.issues import Issue
from metric_layer.plan import Filter, MetricPlan
from metric_layer.reach import Reach


def not_allowed(plan: MetricPlan, metrics: Mapping[str, Metric], reach: Reach) -> list[Issue]:
    """Hold the asked dimensions and grain against what each definition allows."""
    issues: list[Issue] = []
    layer, visible = reach.layer, reach.visible
    grain = plan.time.grain if plan.time else None
    for metric in metrics.values():
        told = visible.called(metric.name)
        for place, name in _sliced(plan, metric, reach):
            if metric.dimensions is not None and name not in metric.dimensions:
                allowed = tuple(d for d in metric.dimensions if visible.dimension(layer.dimensions[d]))
                issues.append(_not_allowed("dimension", told, name, place, allowed))
        if grain is not None and grain not in metric.grains:
            issues.append(_not_allowed("grain", told, grain, "/time/grain", metric.grains))
    return issues


def _sliced(plan: MetricPlan, metric: Metric, reach: Reach) -> Iterator[tuple[str, str]]:
    """Yield (place, name) of every dimension the plan slices a metric by, its own time field left out."""
    for index, name in enumerate(plan.dimensions):
        if reach.known(name) is not None:
            yield f"/dimensions/{index}", name
    for index, asked in enumerate(plan.filters):
        if isinstance(asked, Filter) and reach.known(asked.field) is not None:
            yield f"/filters/{index}/field", asked.field
    clock = (plan.time.field or reach.choices.get("time")) if plan.time else None
    if clock and clock != metric.time_field and reach.known(clock) is not None:
        yield "/time/field", clock


def _not_allowed(kind: str, metric: str, seen: str, place: str, allowed: tuple[str, ...]) -> Issue:
    return Issue(
        code=f"{kind}_not_allowed",
        message=f"The definition of {metric} does not allow the {kind} {seen}.",
        path=place,
        seen=seen,
        candidates=allowed[:10],
        next_step=f"Allowed: {', '.join(allowed)}." if allowed else f"Leave the {kind} out.",
    )
