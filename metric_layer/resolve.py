"""A plan held against the layer: every name replaced by what it means, or every reason why that cannot be."""

from collections.abc import Iterator, Mapping
from datetime import date, timedelta

from metric_layer.clock import Clocks, choose_clocks
from metric_layer.definitions import Metric
from metric_layer.expand import Expansion, LeafSpec, formula_type, leaf_type
from metric_layer.issues import Issue
from metric_layer.layer import Layer, scalar_text
from metric_layer.naming import check_names, metric_visible
from metric_layer.outputs import order_of, outputs_of, used_of
from metric_layer.plan import Dialect, Filter, MetricFilter, MetricPlan
from metric_layer.reach import Reach
from metric_layer.resolved import (
    Arithmetic,
    HavingFilter,
    Leaf,
    ResolvedFilter,
    ResolvedPlan,
)
from metric_layer.values import ValueFault, type_values
from metric_layer.visible import Visible

Resolved = ResolvedPlan | tuple[Issue, ...]
ONE_DAY = timedelta(days=1)


def resolve(
    plan: MetricPlan,
    layer: Layer,
    *,
    visible: Visible,
    choices: Mapping[str, str],
    today: date,
    dialect: Dialect | None = None,
) -> Resolved:
    """Resolve a plan for a caller who may see `visible`, or return every issue that stands in the way.

    `choices` maps an ambiguous term to the reading the caller chose; `today` decides which definitions are in
    effect.
    """
    issues = [*check_names(plan, layer, visible, today, dialect), *_window_issues(plan)]
    expansion = Expansion(layer)
    metrics = tuple(
        (name, expansion.of(name)) for name in plan.metrics if metric_visible(layer, name, visible)
    )
    if not metrics:
        return tuple(issues)
    reach = Reach(layer, visible, choices)
    issues.extend(_allowed(plan, expansion.metrics, reach))
    chosen = choose_clocks(plan, expansion.specs.values(), layer, visible, choices)
    clocks = Clocks({}) if isinstance(chosen, Issue) else chosen
    leaves = tuple(_leaf(spec, plan, layer, clocks, reach) for spec in expansion.specs.values())
    issues.extend((chosen,) if isinstance(chosen, Issue) else _large(leaves, layer))
    issues.extend(reach.issues)
    having = _having(plan, dict(metrics), leaves, issues)
    if issues:
        return tuple(dict.fromkeys(issues))
    outputs = outputs_of(plan, layer, metrics, leaves)
    return ResolvedPlan(
        plan=plan,
        outputs=outputs,
        leaves=leaves,
        metrics=metrics,
        having=having,
        start=plan.time.from_ if plan.time else None,
        end=plan.time.to + ONE_DAY if plan.time else None,
        grain=plan.time.grain if plan.time else None,
        order=order_of(plan, outputs),
        limit=plan.limit,
        used=used_of(plan, layer, expansion.metrics, leaves, clocks),
        notes=_notes(expansion.metrics, clocks, reach),
    )


def _leaf(spec: LeafSpec, plan: MetricPlan, layer: Layer, clocks: Clocks, reach: Reach) -> Leaf:
    """Resolve one aggregate; what could not be found is left out, and its issues stand in `reach`."""
    groups = [
        reach.group(spec, dimension, f"/dimensions/{index}")
        for index, name in enumerate(plan.dimensions)
        if (dimension := reach.known(name)) is not None
    ]
    filters: list[ResolvedFilter | None] = [reach.owned(spec, each) for each in spec.filters]
    filters.extend(
        reach.filter(spec, asked, f"/filters/{index}")
        for index, asked in enumerate(plan.filters)
        if isinstance(asked, Filter) and reach.known(asked.field) is not None
    )
    clock = clocks.fields.get(spec.id)
    return Leaf(
        id=spec.id,
        dataset=spec.metric.dataset,
        aggregate=spec.metric.type,
        expression=scalar_text(spec.metric),
        type=leaf_type(layer, spec.metric),
        groups=tuple(column for column in groups if column is not None),
        time=reach.group(spec, clock, "/time/field") if clock else None,
        filters=tuple(each for each in filters if each is not None),
    )


def _window_issues(plan: MetricPlan) -> list[Issue]:
    time = plan.time
    if time is None:
        return []
    if time.from_ > time.to:
        seen = f"{time.from_} to {time.to}"
        message = f"The window is reversed: {time.from_} is after {time.to}."
        return [
            Issue(
                code="window_reversed",
                message=message,
                path="/time",
                seen=seen,
                next_step="Swap time.from and time.to.",
            )
        ]
    if time.from_.year < 1000 or time.to.year > 9998:
        message = "A window lies between the years 1000 and 9998."
        return [Issue(code="out_of_range", message=message, path="/time", seen=f"{time.from_} to {time.to}")]
    return []


def _allowed(plan: MetricPlan, metrics: Mapping[str, Metric], reach: Reach) -> list[Issue]:
    """Hold the asked dimensions and grain against what each definition allows."""
    issues: list[Issue] = []
    layer, visible = reach.layer, reach.visible
    grain = plan.time.grain if plan.time else None
    for metric in metrics.values():
        told = metric.name if visible.metric(metric.name) else "a metric it is made of"
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


def _large(leaves: tuple[Leaf, ...], layer: Layer) -> list[Issue]:
    """A large dataset is only asked with a window on its own time column."""
    issues: dict[str, Issue] = {}
    for leaf in leaves:
        dataset = layer.datasets[leaf.dataset]
        bounded = leaf.time is not None and not leaf.time.path and leaf.time.column == dataset.time_column
        if not dataset.large or bounded:
            continue
        fields = tuple(
            d.name
            for d in layer.dimensions.values()
            if (d.dataset, d.column) == (dataset.name, dataset.time_column)
        )
        issues[dataset.name] = Issue(
            code="missing_window",
            message=f"{dataset.name} is large: {leaf.id} needs a window on {', '.join(fields)}.",
            path="/time",
            candidates=fields,
            next_step=f"Give time.from and time.to no more than {dataset.max_window_days} days apart.",
        )
    return list(issues.values())


def _having(
    plan: MetricPlan, metrics: Mapping[str, Arithmetic], leaves: tuple[Leaf, ...], issues: list[Issue]
) -> tuple[HavingFilter, ...]:
    types = {leaf.id: leaf.type for leaf in leaves}
    found: list[HavingFilter] = []
    for index, asked in enumerate(plan.filters):
        if not isinstance(asked, MetricFilter) or asked.metric not in metrics:
            continue
        kind = formula_type(metrics[asked.metric], types)
        try:
            kind = "decimal" if kind == "integer" else kind
            op, values = type_values(asked.op, asked.values, kind)
        except ValueFault as fault:
            message = f"{asked.metric}: {fault.message}"
            issues.append(
                Issue(code=fault.code, message=message, path=f"/filters/{index}/values", seen=fault.seen)
            )
            continue
        found.append(HavingFilter(asked.metric, op, values))
    return tuple(found)


def _notes(metrics: Mapping[str, Metric], clocks: Clocks, reach: Reach) -> tuple[str, ...]:
    old = [
        f"{name} is deprecated." for name, metric in sorted(metrics.items()) if metric.status == "deprecated"
    ]
    return tuple(dict.fromkeys((*old, *clocks.notes, *sorted(reach.notes))))
