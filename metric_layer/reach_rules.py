"""Rules that need paths, for moments, currencies, events and hierarchies: what they name must be reached."""

from collections.abc import Iterator

from metric_layer.definitions import (
    INSTANT_TYPES,
    NUMERIC_TYPES,
    TIME_TYPES,
    Aggregate,
    Column,
    Conversion,
    Dimension,
    Metric,
)
from metric_layer.draft import Draft, Site
from metric_layer.expand import Expansion, counted_events, event_clock
from metric_layer.fault import fault, unknown
from metric_layer.issues import Issue
from metric_layer.layer import Layer, scalar_text
from metric_layer.own_columns import own_column
from metric_layer.paths import find_path
from metric_layer.visible import Visible

EVERYTHING = Visible()


def check_snapshots(draft: Draft, layer: Layer) -> Iterator[Issue]:
    """Moments are read on the fact's own time, once for each of what it reaches to-one."""
    for metric, site in draft.metrics:
        if isinstance(metric, Aggregate) and metric.snapshot is not None:
            yield from _over(metric, metric.snapshot.over, site, layer)
            for index, name in enumerate(metric.snapshot.per):
                place = ("snapshot", "per", index)
                yield from _reached(metric, site, place, name, metric.dataset, layer)
        if metric.time_field is not None:
            yield from _counted_by(metric, site, layer)


def _over(metric: Aggregate, name: str, site: Site, layer: Layer) -> Iterator[Issue]:
    place = ("snapshot", "over")
    dimension = layer.dimensions.get(name)
    if dimension is None:
        yield unknown(metric.name, site, place, "dimension", name, layer.dimensions).issue
    elif dimension.dataset != metric.dataset or dimension.via:
        message = f"{metric.name} reads moments of {name}, which is no column of {metric.dataset} itself."
        step = f"Name a date or timestamp dimension of {metric.dataset}."
        yield fault(metric.name, site, place, "wrong_dataset", message, step).issue
    elif layer.dimension_type(dimension) not in TIME_TYPES:
        message = f"{metric.name} reads moments of {name}, which is not a time dimension."
        yield fault(metric.name, site, place, "wrong_type", message, "Name a date or a timestamp.").issue


def _counted_by(metric: Metric, site: Site, layer: Layer) -> Iterator[Issue]:
    """A metric over a snapshot counts time by the snapshot's own field."""
    expansion = Expansion(layer)
    expansion.of(metric.name)
    for leaf in expansion.specs.values():
        snapshot = leaf.metric.snapshot
        if snapshot is not None and leaf.time_field != snapshot.over:
            message = (
                f"{metric.name} counts time by {leaf.time_field}, its moments are those of {snapshot.over}."
            )
            step = f"Write time_field: {snapshot.over}, or leave it out."
            yield fault(metric.name, site, ("time_field",), "snapshot_clock", message, step).issue


def _reached(
    metric: Metric, site: Site, place: tuple[str | int, ...], name: str, dataset: str, layer: Layer
) -> Iterator[Issue]:
    dimension = layer.dimensions.get(name)
    if dimension is None:
        yield unknown(metric.name, site, place, "dimension", name, layer.dimensions).issue
    elif not isinstance(find_path(layer, dataset, dimension, EVERYTHING), tuple):
        message = f"{metric.name} names {name}, which {dataset} does not reach in one way."
        step = "Name another dimension, or one with `via`."
        yield fault(metric.name, site, place, "unreachable", message, step).issue


def check_units(draft: Draft, layer: Layer) -> Iterator[Issue]:
    """The currency of a row is text that it reaches in one way, and what it stands beside is a number."""
    for metric, site in draft.metrics:
        if not isinstance(metric, Aggregate) or metric.unit_dimension is None:
            continue
        place = ("unit_dimension",)
        yield from _reached(metric, site, place, metric.unit_dimension, metric.dataset, layer)
        dimension = layer.dimensions.get(metric.unit_dimension)
        if dimension is not None and layer.dimension_type(dimension) != "string":
            message = f"{metric.name}: {metric.unit_dimension} holds no names of units."
            yield fault(metric.name, site, place, "wrong_type", message, "Name a dimension of text.").issue
        if layer.scalars[metric.dataset, scalar_text(metric)].type not in NUMERIC_TYPES:
            message = f"{metric.name} is no number, so it has no unit."
            yield fault(metric.name, site, place, "wrong_type", message, "Take unit_dimension out.").issue


def check_non_additive(draft: Draft, layer: Layer) -> Iterator[Issue]:
    """What a metric may not be added up over is a dimension."""
    for metric, site in draft.metrics:
        for index, name in enumerate(metric.non_additive):
            if name not in layer.dimensions:
                place = ("non_additive", index)
                yield unknown(metric.name, site, place, "dimension", name, layer.dimensions).issue


def check_hierarchies(draft: Draft, layer: Layer) -> Iterator[Issue]:
    """Every coarser level is reached from the finest one in one way."""
    for hierarchy, site in draft.hierarchies:
        finest = layer.dimensions[hierarchy.levels[-1]]
        for index, name in enumerate(hierarchy.levels[:-1]):
            if not isinstance(find_path(layer, finest.dataset, layer.dimensions[name], EVERYTHING), tuple):
                message = (
                    f"{hierarchy.name}: {finest.dataset}, which holds {finest.name}, does not reach {name}."
                )
                step = "Declare the relationship, or name a dimension with `via`."
                yield fault(hierarchy.name, site, ("levels", index), "unreachable", message, step).issue


def check_conversions(draft: Draft, layer: Layer) -> Iterator[Issue]:
    """Both events hold the entity, the constant dimensions and their time in columns of their own."""
    for metric, site in draft.metrics:
        if not isinstance(metric, Conversion):
            continue
        ends = []
        for key, name in (("base", metric.base), ("conversion", metric.conversion)):
            event = counted_events(layer, name)
            if event is not None:
                ends.append((event[0].dataset, _event_time(metric, site, key, name, event[0].dataset, layer)))
        yield from (issue for _, (issues, _) in ends for issue in issues)
        if len(ends) < 2:
            continue
        datasets = tuple(dataset for dataset, _ in ends)
        times = [column for _, (_, column) in ends]
        if times[0] is not None and times[1] is not None and not _one_clock(times[0], times[1]):
            message = f"{metric.name} compares {times[0].name} with {times[1].name}, of another type or zone."
            step = "Let both events count by dates, or by timestamps of one zone."
            yield fault(metric.name, site, ("conversion",), "wrong_type", message, step).issue
        yield from _shared(metric, site, ("entity",), metric.entity, datasets, layer)
        for index, name in enumerate(metric.constant):
            yield from _shared(metric, site, ("constant", index), name, datasets, layer)


def _event_time(
    metric: Conversion, site: Site, key: str, name: str, dataset: str, layer: Layer
) -> tuple[list[Issue], Column | None]:
    """Return the column an event counts time by, or why there is none on its own rows."""
    clock = event_clock(layer, name)
    dimension = layer.dimensions.get(clock or "")
    if dimension is None or dimension.dataset != dataset or dimension.via:
        message = (
            f"{metric.name}: {name} has no time field on {dataset} itself, so no event comes after another."
        )
        step = f"Give {name} a time_field that is a column of {dataset}."
        return [fault(metric.name, site, (key,), "no_time_field", message, step).issue], None
    return [], _column(layer, dataset, dimension.column)


def _one_clock(one: Column, other: Column) -> bool:
    return one.type == other.type and (one.type not in INSTANT_TYPES or one.time_zone == other.time_zone)


def _column(layer: Layer, dataset: str, name: str) -> Column:
    return next(column for column in layer.datasets[dataset].columns if column.name == name)


def _shared(
    metric: Conversion,
    site: Site,
    place: tuple[str | int, ...],
    name: str,
    datasets: tuple[str, ...],
    layer: Layer,
) -> Iterator[Issue]:
    dimension: Dimension | None = layer.dimensions.get(name)
    if dimension is None:
        yield unknown(metric.name, site, place, "dimension", name, layer.dimensions).issue
        return
    held = {dataset: own_column(layer, dataset, dimension) for dataset in datasets}
    without = [dataset for dataset, column in held.items() if column is None]
    if without:
        message = f"{metric.name}: the rows of {' and '.join(without)} do not hold {name} themselves."
        step = "Name a dimension that stands on the key both events carry, with `via` where it needs one."
        yield fault(metric.name, site, place, "unreachable", message, step).issue
    kinds = {_column(layer, dataset, column).type for dataset, column in held.items() if column is not None}
    if len(kinds) > 1 and not kinds <= {"integer", "decimal"}:
        message = f"{metric.name}: {name} is {' and '.join(sorted(kinds))} on the two events."
        yield fault(metric.name, site, place, "wrong_type", message, "Pair columns of one type.").issue
