"""The asked metrics with what the plan's comparison adds to each: earlier value, change, growth."""

from collections.abc import Iterator, Mapping

from metric_layer.definitions import NUMERIC_TYPES, ColumnType, Display
from metric_layer.expand import COMPARED, Expansion, change, formula_type
from metric_layer.issues import Issue
from metric_layer.plan import MetricPlan
from metric_layer.resolved import Arithmetic, OutputColumn

PREVIOUS, CHANGE, GROWTH = "previous", "change", "growth"
_LABELS = {PREVIOUS: "previous period", CHANGE: "change", GROWTH: "growth"}


def compared_name(metric: str, kind: str) -> str:
    """Return the name of a comparison column."""
    return f"{metric}__{kind}"


def columns_of(plan: MetricPlan) -> tuple[str, ...]:
    """Return the names of the metric columns of the result, as asked."""
    found: list[str] = []
    for name in plan.metrics:
        found.append(name)
        if plan.compare is not None:
            found.extend(compared_name(name, kind) for kind in _LABELS)
    return tuple(found)


def asked_of(plan: MetricPlan, name: str, expansion: Expansion) -> Iterator[tuple[str, Arithmetic]]:
    """Yield the columns of an asked metric with their arithmetic."""
    now = expansion.of(name)
    yield name, now
    if plan.compare is not None:
        earlier = expansion.of(name, COMPARED)
        yield compared_name(name, PREVIOUS), earlier
        yield compared_name(name, CHANGE), change(now, earlier, growth=False)
        yield compared_name(name, GROWTH), change(now, earlier, growth=True)


def compared_twice(plan: MetricPlan, expansion: Expansion) -> Iterator[Issue]:
    """Yield the metrics that compare periods themselves, in a plan that does so too."""
    if plan.compare is not None and expansion.twice:
        message = "The metrics asked for compare periods already; a plan cannot compare them once more."
        step = "Leave compare out, or ask the metric under it."
        yield Issue(
            code="compared_twice",
            message=message,
            path="/compare",
            seen=", ".join(name for name in expansion.twice if name in plan.metrics),
            next_step=step,
        )


def without_difference(
    plan: MetricPlan, metrics: Mapping[str, Arithmetic], types: Mapping[str, ColumnType]
) -> Iterator[Issue]:
    """Yield the metrics of a plan that compares periods whose values are no numbers: they have no change."""
    for index, name in enumerate(plan.metrics if plan.compare is not None else ()):
        kind = formula_type(metrics[name], types) if name in metrics else "decimal"
        if kind not in NUMERIC_TYPES:
            yield Issue(
                code="wrong_type",
                message=f"{name} is a {kind} and no number: it has no change and no growth.",
                path=f"/metrics/{index}",
                seen=name,
                next_step="Leave compare out, or compare metrics that are numbers.",
            )


def output_of(asked: OutputColumn, name: str, kind: str, value_type: ColumnType, days: str) -> OutputColumn:
    """Return the described column of a comparison; `days` are those compared with."""
    growth = kind == GROWTH
    return asked.model_copy(
        update={
            "name": name,
            "type": value_type,
            "label": f"{asked.label}, {_LABELS[kind]}",
            "description": f"{asked.label}: {_LABELS[kind]} against {days}.",
            "unit": "fraction" if growth else asked.unit,
            "unit_column": "" if growth else asked.unit_column,
            "display": Display(style="percent", decimals=1) if growth else asked.display,
            "additivity": asked.additivity if kind == PREVIOUS else "none",
            "non_additive": asked.non_additive if kind == PREVIOUS else (),
            "synonyms": (),
            "compared": asked.name,
        }
    )
