"""The names of a plan: each must be known to the caller, in effect, and written once."""

from collections.abc import Collection, Iterable, Iterator
from datetime import date
from typing import Literal

from metric_layer.comparison import columns_of
from metric_layer.definitions import Metric
from metric_layer.issues import Issue
from metric_layer.known import visible_dimensions, visible_metrics
from metric_layer.layer import Layer
from metric_layer.plan import MetricFilter, MetricPlan
from metric_layer.settle import Words, ambiguous
from metric_layer.visible import Visible
from metric_layer.vocabulary import near, near_terms


def check_names(plan: MetricPlan, words: Words, today: date, allow: Collection[str]) -> Iterator[Issue]:
    """Yield every name of the plan that the caller cannot use, with near names the caller may see.

    `allow` may hold `draft` and `expired`: definitions that are used although nobody vouches for them now.
    """
    for index, name in enumerate(plan.metrics):
        yield from name_issues("metric", name, f"/metrics/{index}", words)
        if words.is_metric(name):
            yield from out_of_force(words.layer.metrics[name], f"/metrics/{index}", today, allow)
    for index, name in enumerate(plan.dimensions):
        yield from name_issues("dimension", name, f"/dimensions/{index}", words)
    yield from _filter_issues(plan, words)
    yield from _repeated(plan)
    yield from _order_issues(plan)


def name_issues(kind: Literal["metric", "dimension"], name: str, place: str, words: Words) -> Iterator[Issue]:
    """Yield why a caller cannot use a name at a place: it is unknown there, or may mean several things."""
    known = words.is_metric if kind == "metric" else words.is_dimension
    if known(name):
        return
    senses = words.senses(name, known)
    if len(senses) > 1:
        yield ambiguous(kind, name, place, senses, words)
    else:
        yield _unknown(kind, name, place, words.layer, words.visible)


def out_of_force(metric: Metric, place: str, today: date, allow: Collection[str]) -> Iterator[Issue]:
    """Yield why a definition may not be used now: nobody has certified it, or it is not in effect."""
    name = metric.name
    if metric.status == "draft" and "draft" not in allow:
        message = f"{name} is a draft: {metric.owner} has not certified it."
        yield Issue(
            code="draft_definition",
            message=message,
            path=place,
            seen=name,
            next_step="Ask its owner to certify it.",
        )
    if not in_effect(metric, today) and "expired" not in allow:
        message = f"The definition of {name} is in effect from {term_of(metric)}; today is {today}."
        yield Issue(
            code="not_effective", message=message, path=place, seen=name, next_step=f"Ask {metric.owner}."
        )


def out_of_force_names(metrics: Iterable[Metric], today: date, allow: Collection[str]) -> tuple[str, ...]:
    """Return the names of the metrics that may not be used now."""
    return tuple(each.name for each in metrics if any(out_of_force(each, "", today, allow)))


def term_of(metric: Metric) -> str:
    """Return the days a definition is in effect, in words."""
    return f"{metric.effective_from or 'the beginning'} to {metric.effective_to or 'further notice'}"


def in_effect(metric: Metric, today: date) -> bool:
    """Say whether a definition is in effect on a day."""
    begun = metric.effective_from is None or metric.effective_from <= today
    return begun and (metric.effective_to is None or today <= metric.effective_to)


def _filter_issues(plan: MetricPlan, words: Words) -> Iterator[Issue]:
    columns = columns_of(plan)
    for index, asked in enumerate(plan.filters):
        if not isinstance(asked, MetricFilter):
            yield from name_issues("dimension", asked.field, f"/filters/{index}/field", words)
        elif asked.metric not in columns:
            yield Issue(
                code="metric_not_asked",
                message=f"A metric filter names {asked.metric!r}, which the plan does not ask for.",
                path=f"/filters/{index}/metric",
                seen=asked.metric,
                candidates=near(asked.metric, columns),
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
    known = (*grain, *plan.dimensions, *columns_of(plan))
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
    if candidates and (meant := layer.metrics.get(candidates[0])) is not None and meant.status == "draft":
        step += f" It is a draft: {meant.owner} has not certified it, so nobody may ask it yet."
    return Issue(
        code=f"unknown_{kind}",
        message=f"There is no {kind} {name!r}.",
        path=place,
        seen=name,
        candidates=candidates,
        next_step=step,
    )
