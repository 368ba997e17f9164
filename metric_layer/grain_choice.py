"""Grouping by a moment: a plan that does has to say which grain it means."""

from collections.abc import Mapping, Sequence

from metric_layer.definitions import GRAINS, INSTANT_TYPES, Dimension, Metric
from metric_layer.issues import Issue, Option
from metric_layer.layer import Layer
from metric_layer.plan import Grain, MetricPlan
from metric_layer.visible import Visible

TERM = "grain"
_WORDS: Mapping[Grain, str] = {
    "hour": "one row per hour of the clock",
    "day": "one row per day",
    "week": "one row per week",
    "month": "one row per calendar month",
    "quarter": "one row per calendar quarter",
    "year": "one row per calendar year",
    "fiscal_month": "one row per month of the fiscal year",
    "fiscal_quarter": "one row per fiscal quarter",
    "fiscal_year": "one row per fiscal year",
}


def with_grain(
    plan: MetricPlan, layer: Layer, visible: Visible, choices: Mapping[str, str]
) -> tuple[MetricPlan, list[Issue]]:
    """Return the plan with a chosen grain in the place of a moment it groups by, or the question for one."""
    asked = [layer.dimensions[name] for name in plan.dimensions if name in layer.dimensions]
    moments = [
        dimension
        for dimension in asked
        if visible.dimension(dimension) and layer.dimension_type(dimension) in INSTANT_TYPES
    ]
    if not moments:
        return plan, []
    allowed = _grains([layer.metrics[name] for name in plan.metrics if name in layer.metrics])
    grain = next((each for each in allowed if each == choices.get(TERM)), None)
    free = plan.time is not None and plan.time.grain is None
    if len(moments) == 1 and grain and free and _takes(plan, moments[0]):
        return _grouped(plan, moments[0].name, grain), []
    return plan, [
        _question(plan, dimension, allowed, choices.get(TERM, ""), known=grain is not None)
        for dimension in moments
    ]


def _grains(metrics: Sequence[Metric]) -> tuple[Grain, ...]:
    return tuple(grain for grain in GRAINS if all(grain in metric.grains for metric in metrics))


def _takes(plan: MetricPlan, moment: Dimension) -> bool:
    return plan.time is not None and plan.time.field in (None, moment.name)


def _grouped(plan: MetricPlan, name: str, grain: Grain) -> MetricPlan:
    order = plan.order
    if order is not None and order.by == name:
        order = order.model_copy(update={"by": grain})
    return plan.model_copy(
        update={
            "dimensions": tuple(each for each in plan.dimensions if each != name),
            "time": plan.time and plan.time.model_copy(update={"field": name, "grain": grain}),
            "order": order,
        }
    )


def _question(
    plan: MetricPlan, moment: Dimension, grains: tuple[Grain, ...], choice: str, *, known: bool
) -> Issue:
    name = moment.name
    message = f"{name} holds moments: rows grouped by it would stand one by one. Which grain is meant?"
    step = f"Send one option as choices.{TERM}, with time.from and time.to."
    if choice and not known:
        message = f"{choice!r} is no grain these metrics allow for {name}."
    elif known:
        step = f"Give time.from and time.to with time.field {name} and no other grain."
    return Issue(
        code="ambiguous_grain",
        message=message,
        path=f"/dimensions/{plan.dimensions.index(name)}",
        seen=name,
        candidates=grains,
        next_step=step,
        term=TERM,
        options=tuple(Option(name=grain, description=_WORDS[grain]) for grain in grains),
    )
