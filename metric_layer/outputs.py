"""What a result looks like and what it rests on: its columns, its order, the definitions used."""

from collections.abc import Iterable, Mapping

from metric_layer.additivity import Adding, adding_of
from metric_layer.arithmetic import names_in
from metric_layer.comparison import output_of
from metric_layer.definitions import ColumnType, Dimension, Metric
from metric_layer.expand import LeafSpec, counted_events, event_clock, formula_type
from metric_layer.layer import Layer
from metric_layer.paths import find_path
from metric_layer.plan import Dialect, MetricPlan
from metric_layer.resolved import Additivity, Arithmetic, Leaf, OutputColumn, Used
from metric_layer.safety import Judged
from metric_layer.units import unit_of
from metric_layer.visible import Visible

_ESTIMATED: Mapping[str, tuple[Dialect, ...]] = {
    "approx_count_distinct": ("duckdb", "snowflake", "bigquery"),
    "median": ("bigquery",),
    "percentile": ("bigquery",),
}


def outputs_of(judged: Judged, dialect: Dialect | None, days: str) -> tuple[OutputColumn, ...]:
    """Return the columns of the result: the time bucket, the dimensions, the metrics, each as asked.

    `days` are those that a comparison compares with.
    """
    plan, layer = judged.plan, judged.layer
    grain = plan.time.grain if plan.time else None
    columns: list[OutputColumn] = []
    if grain is not None:
        label = grain.replace("_", " ").capitalize()
        moment: ColumnType = "timestamp" if grain == "hour" else "date"
        columns.append(
            OutputColumn(name=grain, kind="time", type=moment, label=label, grain=grain, additivity="none")
        )
    columns.extend(_dimension_output(layer.dimensions[name], layer) for name in plan.dimensions)
    types = {name: leaf.type for name, (_, leaf) in judged.leaves.items()}
    for name, formula in judged.metrics.items():
        metric, _, compared = name.partition("__")
        kind = formula_type(formula, types)
        if compared:
            asked = next(column for column in columns if column.name == metric)
            columns.append(output_of(asked, name, compared, kind, days))
        else:
            columns.append(_metric_output(judged, layer.metrics[metric], kind, dialect))
    return tuple(columns)


def _metric_output(judged: Judged, metric: Metric, kind: ColumnType, dialect: Dialect | None) -> OutputColumn:
    formula = judged.metrics[metric.name]
    adding = adding_of(formula, judged.leaves)
    unit, unit_column = _unit(judged, metric, formula)
    return OutputColumn(
        name=metric.name,
        kind="metric",
        type=kind,
        label=metric.label or metric.name,
        unit=unit,
        unit_column=unit_column,
        display=metric.display,
        description=metric.description,
        version=metric.version,
        synonyms=metric.synonyms,
        additivity=_limited(adding.kind) if metric.non_additive else adding.kind,
        non_additive=_not_over(judged, metric, formula, adding),
        approximate=any(
            estimated(judged.leaves[name][1], dialect or judged.plan.dialect) for name in names_in(formula)
        ),
    )


def _limited(kind: Additivity) -> Additivity:
    """Return how values add up whose definition names dimensions over which they do not."""
    return "semi" if kind in ("additive", "semi") else "none"


def _unit(judged: Judged, metric: Metric, formula: Arithmetic) -> tuple[str, str]:
    """Return the unit of a metric's values, and the column that holds it where rows differ in it."""
    unit = unit_of(judged.layer, metric)
    if not unit.dimension:
        return unit.name or ("fraction" if metric.display.style == "percent" else ""), ""
    names = {each.name for each in judged.units(formula)}
    if len(names) == 1 and "" not in names:
        return names.pop(), ""
    return "", unit.dimension if unit.dimension in judged.plan.dimensions else ""


def _not_over(judged: Judged, metric: Metric, formula: Arithmetic, adding: Adding) -> tuple[str, ...]:
    """Return the dimensions a metric may not be added up over, as the result's columns are called."""
    if adding.kind == "none":
        return ()
    grain = judged.plan.time.grain if judged.plan.time else None
    clocks = {clock.name for name in names_in(formula) if (clock := judged.clocks.fields.get(name))}
    named = ((grain or name) if name in clocks else name for name in (*adding.over, *metric.non_additive))
    return tuple(dict.fromkeys(named))


def estimated(leaf: Leaf, dialect: Dialect | None) -> bool:
    """Say whether an engine only estimates an aggregate; without an engine, whether its name says so."""
    engines = _ESTIMATED.get(leaf.aggregate, ())
    return dialect in engines if dialect else leaf.aggregate.startswith("approx_")


def _dimension_output(dimension: Dimension, layer: Layer) -> OutputColumn:
    return OutputColumn(
        name=dimension.name,
        kind="dimension",
        type=layer.dimension_type(dimension),
        label=dimension.label or dimension.name,
        description=dimension.description,
        synonyms=dimension.synonyms,
        additivity="none",
    )


def order_of(plan: MetricPlan, outputs: tuple[OutputColumn, ...]) -> tuple[tuple[str, bool], ...]:
    """Return the asked order, then every group column, so that equal rows keep one order on every engine."""
    asked = ((plan.order.by, plan.order.dir == "desc"),) if plan.order else ()
    rest = tuple(
        (o.name, False) for o in outputs if o.kind != "metric" and (not plan.order or o.name != plan.order.by)
    )
    return (*asked, *rest)


def used_of(judged: Judged, metrics: Mapping[str, Metric]) -> tuple[Used, ...]:
    """Every definition the numbers rest on, in one fixed order whatever the order of the plan."""
    layer = judged.layer
    leaves = tuple(leaf for _, leaf in judged.leaves.values())
    columns = [column for leaf in leaves for column in leaf.columns]
    columns += [each.column for leaf in leaves if leaf.followed for each in leaf.followed.filters]
    hops = [hop for column in columns for hop in column.path]
    shared = {name for spec, _ in judged.leaves.values() for name in _shared(layer, spec)}
    dimensions = {*judged.plan.dimensions, *(d.name for d in judged.clocks.fields.values())}
    dimensions |= {each.name for leaf in leaves for each in leaf.filters}
    dimensions |= {each.name for leaf in leaves if leaf.pick for each in leaf.pick.filters}
    dimensions |= {name for spec, leaf in judged.leaves.values() for name in _named(layer, spec, leaf)}
    datasets = {leaf.dataset for leaf in leaves} | {hop.to_dataset for hop in hops}
    datasets |= {leaf.followed.dataset for leaf in leaves if leaf.followed}
    return (
        *(_used_metric(layer, metrics[name]) for name in sorted(metrics)),
        *(_used_dimension(layer, name) for name in sorted(dimensions)),
        *(
            Used(
                kind="dataset",
                name=name,
                version=1,
                owner=layer.datasets[name].owner,
                digest=layer.digest_of("dataset", name),
            )
            for name in sorted(datasets)
        ),
        *(
            Used(
                kind="relationship",
                name=name,
                version=1,
                owner="",
                digest=layer.digest_of("relationship", name),
            )
            for name in sorted({hop.relationship for hop in hops} | shared)
        ),
    )


def _named(layer: Layer, spec: LeafSpec, leaf: Leaf) -> Iterable[str]:
    """Yield the dimensions that a definition itself names for moments, currencies and events."""
    snapshot, conversion = spec.metric.snapshot, spec.conversion
    if snapshot is not None:
        yield from (snapshot.over, *snapshot.per)
    if spec.metric.unit_dimension is not None:
        yield spec.metric.unit_dimension
    if conversion is not None and leaf.followed is not None:
        yield from (conversion.entity, *conversion.constant)
        yield from (each.name for each in leaf.followed.filters)
        clocks = (event_clock(layer, name) for name in (conversion.base, conversion.conversion))
        yield from (clock for clock in clocks if clock)


def _shared(layer: Layer, spec: LeafSpec) -> Iterable[str]:
    """Yield the relationships whose keys say that two events belong together."""
    if spec.conversion is None:
        return
    for event in (spec.conversion.base, spec.conversion.conversion):
        found = counted_events(layer, event)
        if found is None:
            continue
        for name in (spec.conversion.entity, *spec.conversion.constant):
            path = find_path(layer, found[0].dataset, layer.dimensions[name], Visible())
            yield from (hop.relationship for hop in path) if isinstance(path, tuple) else ()


def _used_metric(layer: Layer, metric: Metric) -> Used:
    digest = layer.digest_of("metric", metric.name)
    return Used(kind="metric", name=metric.name, version=metric.version, owner=metric.owner, digest=digest)


def _used_dimension(layer: Layer, name: str) -> Used:
    dimension = layer.dimensions[name]
    digest = layer.digest_of("dimension", name)
    return Used(kind="dimension", name=name, version=dimension.version, owner=dimension.owner, digest=digest)
