"""What a caller may ask for, as lists and cards: never a name outside their entitlement."""

from collections.abc import Sequence

from gateway.reply import DimensionLine, MetricCard, MetricLine, MetricList, Refusal, issue_of
from metric_layer.definitions import (
    TIME_TYPES,
    Aggregate,
    Conversion,
    Cumulative,
    Derived,
    Dimension,
    Filtered,
    Metric,
    PeriodOverPeriod,
    Ratio,
)
from metric_layer.issues import Issue
from metric_layer.layer import Layer
from metric_layer.meaning_rules import leaves_of
from metric_layer.plan import Grain
from metric_layer.telling import told
from metric_layer.units import unit_of
from metric_layer.visible import Visible
from metric_layer.vocabulary import near, near_terms
from policies.visible import sources_of


def list_metrics(layer: Layer, visible: Visible, search: str, limit: int) -> MetricList:
    """Return metrics whose name, label, synonym, description or dimension the search names, best first."""
    metrics = [metric for name, metric in sorted(layer.metrics.items()) if visible.metric(name)]
    dimensions = [d for _, d in sorted(layer.dimensions.items()) if visible.dimension(d)]
    if search:
        metrics = _matching(search, metrics, dimensions, layer)
    lines = tuple(
        MetricLine(
            name=metric.name,
            label=metric.label or metric.name,
            description=metric.description,
            unit=str(unit_of(layer, metric)),
            version=metric.version,
            owner=metric.owner,
            status=metric.status,
        )
        for metric in metrics[: max(limit, 0)]
    )
    names = tuple(dimension.name for dimension in dimensions)
    return MetricList(metrics=lines, dimensions=names, left_off=max(len(metrics) - len(lines), 0))


def _matching(search: str, metrics: list[Metric], dimensions: list[Dimension], layer: Layer) -> list[Metric]:
    words = [word for word in search.casefold().split() if word]

    def text(metric: Metric) -> str:
        of = _goes_with(layer, metric, dimensions)
        around = (word for d in of for word in (d.name, d.label, *d.synonyms))
        parts = (metric.name, metric.label, metric.description, *metric.synonyms, *around)
        return " ".join(parts).casefold().replace("_", " ")

    found = [metric for metric in metrics if all(word.replace("_", " ") in text(metric) for word in words)]
    if found:
        return found
    terms = {term: m.name for m in metrics for term in (m.name, m.label, *m.synonyms) if term}
    close = near_terms(search, terms)
    return [metric for metric in metrics if metric.name in close]


def describe_metric(layer: Layer, visible: Visible, name: str) -> MetricCard | Refusal:
    """Return the card of a metric; a hidden one is answered like one that does not exist."""
    metric = layer.metrics.get(name)
    if metric is None or not visible.metric(name):
        seen = tuple(known for known in layer.metrics if visible.metric(known))
        issue = Issue(
            code="unknown_metric",
            message=f"No metric {name!r} is known.",
            path="/name",
            seen=name,
            candidates=near(name, seen),
            next_step="List what there is with list_metrics.",
        )
        return Refusal(issues=(issue_of(issue, "input"),))
    shown = [d for _, d in sorted(layer.dimensions.items()) if visible.dimension(d)]
    dimensions = tuple(_line(d, layer) for d in _goes_with(layer, metric, shown))
    return MetricCard(
        name=metric.name,
        version=metric.version,
        owner=metric.owner,
        status=metric.status,
        label=metric.label or metric.name,
        description=metric.description,
        type=metric.type,
        formula=formula(metric),
        unit=str(unit_of(layer, metric)),
        synonyms=metric.synonyms,
        time_field=metric.time_field or "",
        grains=_grains(layer, metric),
        dimensions=dimensions,
        example=_example(metric, dimensions),
    )


def dimensions_of(layer: Layer, visible: Visible) -> dict[str, tuple[str, ...]]:
    """Return each metric a caller may see with the dimensions they may ask it by."""
    shown = [d for _, d in sorted(layer.dimensions.items()) if visible.dimension(d)]
    return {
        name: tuple(d.name for d in _goes_with(layer, metric, shown))
        for name, metric in sorted(layer.metrics.items())
        if visible.metric(name)
    }


def formula(metric: Metric) -> str:
    """Return a metric's definition in one line."""
    match metric:
        case Aggregate():
            return _aggregate(metric)
        case Ratio():
            return f"{metric.numerator} / {metric.denominator}"
        case Derived():
            return metric.expression
        case Filtered():
            return f"{metric.metric} where {' and '.join(map(told, metric.filters))}"
        case Cumulative():
            return f"{metric.metric} {_reach(metric)}"
        case PeriodOverPeriod():
            return f"{metric.calculation} of {metric.metric} against {told(metric.offset)} earlier"
        case Conversion():
            within = f" within {told(metric.window)}" if metric.window else ""
            event = f"{metric.conversion} of the same {metric.entity}{within}"
            return f"{metric.calculation} of {metric.base} followed by {event}"


def _aggregate(metric: Aggregate) -> str:
    body = metric.expression or metric.column or "rows"
    what = metric.type.replace("_", " ")
    which = f" {metric.percentile}" if metric.percentile is not None else ""
    where = f" where {' and '.join(map(told, metric.filters))}" if metric.filters else ""
    moment = f", {metric.snapshot.pick} over {metric.snapshot.over}" if metric.snapshot else ""
    return f"{what}{which} of {body} in {metric.dataset}{where}{moment}"


def _grains(layer: Layer, metric: Metric) -> tuple[Grain, ...]:
    """Return the grains that a metric allows and its own clock can tell: a date knows no hours."""
    leaves = leaves_of(layer, metric.name)
    clocks = [layer.dimensions.get(leaf.time_field or "") for leaf in leaves]
    dated = any(clock is not None and layer.dimension_type(clock) == "date" for clock in clocks)
    no_hours = dated or any(leaf.reading.cumulative for leaf in leaves)
    return tuple(grain for grain in metric.grains if grain != "hour" or not no_hours)


def _reach(metric: Cumulative) -> str:
    if metric.window:
        return f"over the last {told(metric.window)}"
    return f"since the start of the {metric.to_date.replace('_', ' ')}" if metric.to_date else "since ever"


def _goes_with(layer: Layer, metric: Metric, dimensions: Sequence[Dimension]) -> list[Dimension]:
    """Return the dimensions that every part of a metric reaches over many-to-one steps and that it allows."""
    datasets, _ = sources_of(metric.name, layer)
    return [
        dimension
        for dimension in dimensions
        if datasets <= layer.to_one_sources[dimension.dataset]
        and (metric.dimensions is None or dimension.name in metric.dimensions)
    ]


def _line(dimension: Dimension, layer: Layer) -> DimensionLine:
    return DimensionLine(
        name=dimension.name,
        label=dimension.label or dimension.name,
        type=layer.dimension_type(dimension),
        description=dimension.description,
        values=tuple(value.value for value in dimension.values[:20]),
        synonyms=dimension.synonyms,
    )


def _example(metric: Metric, dimensions: tuple[DimensionLine, ...]) -> dict[str, object]:
    by = [d.name for d in dimensions if d.type not in TIME_TYPES][:1]
    plan: dict[str, object] = {"metrics": [metric.name], "dimensions": by}
    if metric.time_field and "month" in metric.grains:
        plan["time"] = {
            "field": metric.time_field,
            "from": "2026-07-01",
            "to": "2026-09-30",
            "grain": "month",
        }
    return plan
