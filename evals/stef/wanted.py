"""What a typed plan asks for, in terms of columns: the specification that a query is judged by."""

from collections.abc import Iterator

from evals.stef.judge import Wanted
from evals.stef.rulebook import FilterRule, Rulebook
from metric_layer.definitions import Aggregate, Cumulative, Filtered, Metric, PeriodOverPeriod
from metric_layer.layer import Layer, scalar_text
from metric_layer.parts import parts_of
from metric_layer.plan import Filter, MetricFilter, MetricPlan
from metric_layer.sql.features import SqlFilter, folded_value

SAID_ALIKE = frozenset({"sum", "count", "count_distinct", "min", "max"})
"""Aggregates that SQL calls by the same name on every engine; of others only the columns are looked for."""


def wanted_of_plan(plan: MetricPlan, layer: Layer, rules: Rulebook) -> tuple[Wanted, Rulebook]:
    """Return what a plan asks for, and the rules with what its definitions add by design as benign.

    `explained` is the share of the plan's names that the definitions know.
    """
    metrics = [layer.metrics[name] for name in plan.metrics if name in layer.metrics]
    leaves = [leaf for metric in metrics for leaf in _tree(metric, layer)]
    named = (*plan.metrics, *plan.dimensions, *(f.field for f in plan.filters if isinstance(f, Filter)))
    known = sum(name in layer.metrics or name in layer.dimensions for name in named)
    times = _time_columns(plan, metrics, layer)
    wanted = Wanted(
        metrics=tuple(
            dict.fromkeys(_aggregate(leaf, layer) for leaf in leaves if isinstance(leaf, Aggregate))
        ),
        dimensions=(
            *(layer.dimensions[name].column for name in plan.dimensions if name in layer.dimensions),
            *(times if plan.time and plan.time.grain else ()),
        ),
        filters=tuple(_filters(plan, times, layer)),
        grain=plan.time.grain or "" if plan.time else "",
        ordered=plan.order is not None,
        # The statement fetches one row more than was asked for, to say whether more follow.
        limit=plan.limit + 1 if plan.limit else None,
        explained=known / len(named),
    )
    benign = (*rules.benign_filters, *_own_rules(plan, leaves, times, layer))
    return wanted, rules.model_copy(update={"benign_filters": benign})


def _tree(metric: Metric, layer: Layer) -> Iterator[Metric]:
    yield metric
    for _, part in parts_of(metric, layer.formulas.get(metric.name)):
        yield from _tree(layer.metrics[part], layer)


def _aggregate(leaf: Aggregate, layer: Layer) -> tuple[str, tuple[str, ...]]:
    of = layer.scalars[leaf.dataset, scalar_text(leaf)].columns
    alike = leaf.type in SAID_ALIKE and leaf.snapshot is None
    return (leaf.type if alike else ""), tuple(sorted(column.casefold() for column in of))


def _time_columns(plan: MetricPlan, metrics: list[Metric], layer: Layer) -> tuple[str, ...]:
    if plan.time is None:
        return ()
    fields = [plan.time.field] if plan.time.field else [metric.time_field for metric in metrics]
    named = [field for name in fields if name for field in _clock(name, layer)]
    columns = (layer.dimensions[field].column for field in named if field in layer.dimensions)
    return tuple(dict.fromkeys(columns))


def _clock(name: str, layer: Layer) -> tuple[str, ...]:
    return layer.clocks[name].fields if name in layer.clocks else (name,)


def _filters(plan: MetricPlan, times: tuple[str, ...], layer: Layer) -> Iterator[SqlFilter]:
    for each in plan.filters:
        if isinstance(each, Filter) and each.field in layer.dimensions:
            yield from _filter(each, layer.dimensions[each.field].column)
    if plan.time is not None:
        for column in times:
            yield SqlFilter(column=column, op="ge", values=(plan.time.from_.isoformat(),))
            yield SqlFilter(column=column, op="le", values=(plan.time.to.isoformat(),))


def _filter(each: Filter, column: str) -> Iterator[SqlFilter]:
    values = tuple(folded_value(str(value)) for value in each.values)
    match each.op:
        case "between":
            yield SqlFilter(column=column, op="ge", values=values[:1])
            yield SqlFilter(column=column, op="le", values=values[1:])
        case "is_null":
            yield SqlFilter(column=column, op="is", values=("null",))
        case "not_null":
            yield SqlFilter(column=column, op="not_is", values=("null",))
        case _:
            yield SqlFilter(column=column, op=each.op, values=values)


def _own_rules(
    plan: MetricPlan, leaves: list[Metric], times: tuple[str, ...], layer: Layer
) -> Iterator[FilterRule]:
    """Filters that definitions bring; windows that a comparison or a running metric moves."""
    for leaf in leaves:
        if isinstance(leaf, (Aggregate, Filtered)):
            for each in leaf.filters:
                if each.field in layer.dimensions:
                    column = layer.dimensions[each.field].column
                    yield FilterRule(column=column, values=tuple(str(value) for value in each.values))
    if any(isinstance(each, MetricFilter) for each in plan.filters):
        yield FilterRule(column="")
    moved = plan.compare or any(isinstance(leaf, (Cumulative, PeriodOverPeriod)) for leaf in leaves)
    if moved:
        yield from (FilterRule(column=column) for column in times)
