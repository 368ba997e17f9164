"""The names of a plan: each must be known to the caller, in effect, and written once."""

from collections.abc import Iterator
from datetime import date

from metric_layer.definitions import Metric
from metric_layer.expand import leaf_datasets
from metric_layer.issues import Issue
from metric_layer.layer import Layer
from metric_layer.plan import Dialect, MetricFilter, MetricPlan
from metric_layer.visible import Visible
from metric_layer.vocabulary import near, near_terms


def check_names(
    plan: MetricPlan, layer: Layer, visible: Visible, today: date, dialect: Dialect | None
) -> Iterator[Issue]:
    """Yield every name of the plan that the caller cannot use, with near names the caller may see."""
    if dialect and plan.dialect and plan.dialect != dialect:
        message = f"The plan is written for {plan.dialect}; this project runs on {dialect}."
        yield Issue(
            code="wrong_dialect", message=message, path="/dialect", seen=plan.dialect, candidates=(dialect,)
        )
    for index, name in enumerate(plan.metrics):
        yield from _metric_issues(name, f"/metrics/{index}", layer, visible, today)
    for index, name in enumerate(plan.dimensions):
        yield from _dimension_issues(name, f"/dimensions/{index}", layer, visible)
    yield from _filter_issues(plan, layer, visible)
    yield from _repeated(plan)
    yield from _order_issues(plan)


def metric_visible(layer: Layer, name: str, visible: Visible) -> bool:
    """Say whether a metric exists for a caller: its name and every dataset it aggregates may be seen."""
    if name not in layer.metrics or not visible.metric(name):
        return False
    return visible.datasets is None or leaf_datasets(layer, name) <= visible.datasets


def visible_metrics(layer: Layer, visible: Visible) -> tuple[str, ...]:
    """Return the names of the metrics that exist for a caller."""
    return tuple(name for name in layer.metrics if metric_visible(layer, name, visible))


def visible_dimensions(layer: Layer, visible: Visible) -> tuple[str, ...]:
    """Return the names of the dimensions that exist for a caller."""
    return tuple(name for name, dimension in layer.dimensions.items() if visible.dimension(dimension))


def _metric_issues(name: str, place: str, layer: Layer, visible: Visible, today: date) -> Iterator[Issue]:
    if not metric_visible(layer, name, visible):
        yield _unknown("metric", name, place, layer, visible)
        return
    metric = layer.metrics[name]
    if metric.status == "draft":
        message = f"{name} is a draft: {metric.owner} has not certified it."
        yield Issue(
            code="draft_definition",
            message=message,
            path=place,
            seen=name,
            next_step="Ask its owner to certify it.",
        )
    if not _in_effect(metric, today):
        span = f"{metric.effective_from or 'the beginning'} to {metric.effective_to or 'further notice'}"
        message = f"The definition of {name} is in effect from {span}; today is {today}."
        yield Issue(
            code="not_effective", message=message, path=place, seen=name, next_step=f"Ask {metric.owner}."
        )


def _in_effect(metric: Metric, today: date) -> bool:
    begun = metric.effective_from is None or metric.effective_from <= today
    return begun and (metric.effective_to is None or today <= metric.effective_to)


def _dimension_issues(name: str, place: str, layer: Layer, visible: Visible) -> Iterator[Issue]:
    dimension = layer.dimensions.get(name)
    if dimension is None or not visible.dimension(dimension):
        yield _unknown("dimension", name, place, layer, visible)


def _filter_issues(plan: MetricPlan, layer: Layer, visible: Visible) -> Iterator[Issue]:
    for index, asked in enumerate(plan.filters):
        if not isinstance(asked, MetricFilter):
            yield from _dimension_issues(asked.field, f"/filters/{index}/field", layer, visible)
        elif asked.metric not in plan.metrics:
            yield Issue(
                code="metric_not_asked",
                message=f"A metric filter names {asked.metric!r}, which the plan does not ask for.",
                path=f"/filters/{index}/metric",
                seen=asked.metric,
                candidates=near(asked.metric, plan.metrics),
                next_step="Name the metric in metrics too.",
            )


def _repeated(plan: MetricPlan) -> Iterator[Issue]:
    for key, names in (("metrics", plan.metrics), ("dimensions", plan.dimensions)):
        for index, name in enumerate(names):
            if name in names[:index]:
                message = f"{name!r} is asked twice."
                yield Issue(
                    code="repeated_name",
                    message=message,
                    path=f"/{key}/{index}",
                    seen=name,
                    next_step="Name it once.",
                )


def _order_issues(plan: MetricPlan) -> Iterator[Issue]:
    grain = (plan.time.grain,) if plan.time and plan.time.grain else ()
    known = (*grain, *plan.dimensions, *plan.metrics)
    if plan.order and plan.order.by not in known:
        yield Issue(
            code="unknown_order",
            message=f"The result has no column {plan.order.by!r} to order by.",
            path="/order/by",
            seen=plan.order.by,
            candidates=near(plan.order.by, known) or known[:5],
            next_step=f"Columns: {', '.join(known)}.",
        )


def _unknown(kind: str, name: str, place: str, layer: Layer, visible: Visible) -> Issue:
    """The same words for a name that is hidden and a name that does not exist."""
    metrics, dimensions = visible_metrics(layer, visible), visible_dimensions(layer, visible)
    mine, other = (metrics, dimensions) if kind == "metric" else (dimensions, metrics)
    if name in other:
        noun = "dimension" if kind == "metric" else "metric"
        step = (
            f"{name} is a {noun}; put it under {noun}s."
            if "/filters" not in place
            else "Write {metric, op, values}."
        )
        message = f"{name!r} is a {noun}, not a {kind}."
        return Issue(code=f"unknown_{kind}", message=message, path=place, seen=name, next_step=step)
    if (
        kind == "dimension"
        and name in layer.clocks
        and all(one in dimensions for one in layer.clocks[name].fields)
    ):
        message, step = f"{name!r} is a clock, not a dimension.", f"Send time.field {name} with a grain."
        return Issue(code=f"unknown_{kind}", message=message, path=place, seen=name, next_step=step)
    candidates = near_terms(name, {term: known for term, known in layer.terms.items() if known in mine})
    step = f"Did you mean {candidates[0]}?" if candidates else "List what there is with list_metrics."
    return Issue(
        code=f"unknown_{kind}",
        message=f"There is no {kind} {name!r}.",
        path=place,
        seen=name,
        candidates=candidates,
        next_step=step,
    )
