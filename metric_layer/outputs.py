"""What a result looks like and what it rests on: its columns, its order, the definitions used."""

from collections.abc import Mapping

from metric_layer.clock import Clocks
from metric_layer.definitions import Dimension, Metric
from metric_layer.expand import formula_type
from metric_layer.layer import Layer
from metric_layer.plan import MetricPlan
from metric_layer.resolved import Arithmetic, Leaf, OutputColumn, PathColumn, Used


def outputs_of(
    plan: MetricPlan, layer: Layer, metrics: tuple[tuple[str, Arithmetic], ...], leaves: tuple[Leaf, ...]
) -> tuple[OutputColumn, ...]:
    """Return the columns of the result: the time bucket, the dimensions, the metrics, each as asked."""
    grain = plan.time.grain if plan.time else None
    columns: list[OutputColumn] = []
    if grain is not None:
        label = grain.replace("_", " ").capitalize()
        columns.append(OutputColumn(name=grain, kind="time", type="date", label=label, grain=grain))
    columns.extend(_dimension_output(layer.dimensions[name], layer) for name in plan.dimensions)
    types = {leaf.id: leaf.type for leaf in leaves}
    for name, formula in metrics:
        metric = layer.metrics[name]
        columns.append(
            OutputColumn(
                name=name,
                kind="metric",
                type=formula_type(formula, types),
                label=metric.label or name,
                unit=metric.unit or ("fraction" if metric.display.style == "percent" else ""),
                display=metric.display,
                description=metric.description,
                version=metric.version,
                synonyms=metric.synonyms,
            )
        )
    return tuple(columns)


def _dimension_output(dimension: Dimension, layer: Layer) -> OutputColumn:
    return OutputColumn(
        name=dimension.name,
        kind="dimension",
        type=layer.dimension_type(dimension),
        label=dimension.label or dimension.name,
        description=dimension.description,
        synonyms=dimension.synonyms,
    )


def order_of(plan: MetricPlan, outputs: tuple[OutputColumn, ...]) -> tuple[tuple[str, bool], ...]:
    """Return the asked order, then every group column, so that equal rows keep one order on every engine."""
    asked = ((plan.order.by, plan.order.dir == "desc"),) if plan.order else ()
    rest = tuple(
        (o.name, False) for o in outputs if o.kind != "metric" and (not plan.order or o.name != plan.order.by)
    )
    return (*asked, *rest)


def used_of(
    plan: MetricPlan, layer: Layer, metrics: Mapping[str, Metric], leaves: tuple[Leaf, ...], clocks: Clocks
) -> tuple[Used, ...]:
    """Every definition the numbers rest on, in one fixed order whatever the order of the plan."""
    columns: list[PathColumn] = [c for leaf in leaves for c in leaf.groups]
    columns += [each.column for leaf in leaves for each in leaf.filters]
    columns += [leaf.time for leaf in leaves if leaf.time is not None]
    hops = [hop for column in columns for hop in column.path]
    dimensions = {*plan.dimensions, *(d.name for d in clocks.fields.values())}
    dimensions |= {each.name for leaf in leaves for each in leaf.filters}
    datasets = {leaf.dataset for leaf in leaves} | {hop.to_dataset for hop in hops}
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
            for name in sorted({hop.relationship for hop in hops})
        ),
    )


def _used_metric(layer: Layer, metric: Metric) -> Used:
    digest = layer.digest_of("metric", metric.name)
    return Used(kind="metric", name=metric.name, version=metric.version, owner=metric.owner, digest=digest)


def _used_dimension(layer: Layer, name: str) -> Used:
    dimension = layer.dimensions[name]
    digest = layer.digest_of("dimension", name)
    return Used(kind="dimension", name=name, version=dimension.version, owner=dimension.owner, digest=digest)
