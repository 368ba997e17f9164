"""The question that ran, as the answer check needs it: window, filters, metric names, words for values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from gateway.ground.table.asked import Scope
from metric_layer.calendar import Calendar
from metric_layer.layer import Layer
from metric_layer.plan import Filter, MetricFilter, MetricPlan


@dataclass(frozen=True, slots=True)
class LayerWords:
    """The words people use for a layer's metrics and for values of its dimensions, gathered once."""

    metrics: Mapping[str, tuple[str, ...]]
    values: Mapping[str, tuple[str, str]]
    calendar: Calendar
    counts_by: str = ""


def words_of(layer: Layer) -> LayerWords:
    """Gather a layer's words. Values are keyed in lower case and give (dimension, value)."""
    metrics = {
        name: tuple(dict.fromkeys(w for w in (name.replace("_", " "), metric.label, *metric.synonyms) if w))
        for name, metric in layer.metrics.items()
    }
    values = {
        word.casefold(): (dimension.name, value.value)
        for dimension in layer.dimensions.values()
        for value in dimension.values
        for word in (value.value, value.label, *value.synonyms)
        if word
    }
    counts_by = "fiscal" if layer.asking.default_calendar == "fiscal" else ""
    return LayerWords(metrics=metrics, values=values, calendar=layer.calendar, counts_by=counts_by)


def scope_of(plan: MetricPlan | None, words: LayerWords, today: date, rows: Sequence[Filter] = ()) -> Scope:
    """Return the scope of a plan that ran; without a plan nothing is known about it.

    `rows` are the row rules of the role it ran as: they narrow the result like filters the caller wrote.
    """
    if plan is None:
        return Scope(today=today, known=False, calendar=words.calendar, counts_by=words.counts_by)
    asked = set(plan.metrics)
    window = plan.time
    having = (f for f in plan.filters if isinstance(f, MetricFilter))
    kept = (*(f for f in plan.filters if isinstance(f, Filter)), *rows)
    return Scope(
        today=today,
        start=window.from_ if window else None,
        end=window.to + timedelta(days=1) if window else None,
        filters=tuple((f.field, f.op, tuple(map(str, f.values))) for f in kept),
        having=tuple((f.metric, f.op, tuple(map(str, f.values))) for f in having),
        metrics=tuple(word for name in plan.metrics for word in words.metrics.get(name, (name,))),
        other_metrics=tuple(
            word for name, said in words.metrics.items() if name not in asked for word in said
        ),
        vocabulary=words.values,
        calendar=words.calendar,
        counts_by=words.counts_by,
    )
