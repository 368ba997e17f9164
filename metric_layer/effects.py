"""Which metrics a change reaches although their own definitions stand: through what they are made of."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from metric_layer.change import DefinitionChange, compare_definitions
from metric_layer.definitions import (
    INSTANT_TYPES,
    Aggregate,
    Conversion,
    Cumulative,
    Filtered,
    Metric,
    PeriodOverPeriod,
    Span,
)
from metric_layer.layer import Layer, scalar_text
from metric_layer.parts import parts_of
from metric_layer.paths import find_filter_path
from metric_layer.plan import Grain
from metric_layer.record import Record
from metric_layer.visible import Visible

Touched = Literal["metric", "dimension", "column", "dataset", "relationship", "clock", "calendar"]
Touch = tuple[Touched, str]

FISCAL: tuple[Grain, ...] = ("fiscal_month", "fiscal_quarter", "fiscal_year")
CUTS: Mapping[str, tuple[Grain, ...]] = {
    "week_start": ("week",),
    "fiscal_start_month": ("fiscal_quarter", "fiscal_year"),
    "fiscal_named_by": FISCAL,
    "fiscal_years": FISCAL,
}
"""The grains whose periods, or the names of them, follow each rule of the calendar."""


class Reason(Record):
    """What a metric rests on that is not what it was: `kind name why`. A column is named `dataset.column`."""

    kind: Touched
    name: str
    why: str


class Affected(Record):
    """A metric that may give another number although its own definition stands."""

    metric: str
    because: tuple[Reason, ...]


class LayerChange(Record):
    """Two versions of a layer side by side. `grains` are those whose periods are cut or named otherwise."""

    old: str
    new: str
    definitions: tuple[DefinitionChange, ...] = ()
    affected: tuple[Affected, ...] = ()
    grains: tuple[Grain, ...] = ()

    @property
    def slips(self) -> tuple[DefinitionChange, ...]:
        """The definitions whose version does not say what happened to them."""
        return tuple(change for change in self.definitions if change.slip)


def compare_layers(old: Layer, new: Layer) -> LayerChange:
    """Return what changed, what that reaches, and where a version was forgotten."""
    changes = compare_definitions(old, new)
    affected = tuple(_affected(old, new, changes))
    reached = {each.metric for each in affected}
    rules = {field.field for change in changes if change.kind == "calendar" for field in change.fields}
    return LayerChange(
        old=old.digest,
        new=new.digest,
        definitions=tuple(_deserved(change, reached) for change in changes),
        affected=affected,
        grains=tuple(
            dict.fromkeys(grain for rule, grains in CUTS.items() if rule in rules for grain in grains)
        ),
    )


def _deserved(change: DefinitionChange, reached: set[str]) -> DefinitionChange:
    """A new version is deserved where something that the metric is made of changed."""
    if change.slip == "version_without_change" and change.kind == "metric" and change.name in reached:
        return change.model_copy(update={"slip": ""})
    return change


def _affected(old: Layer, new: Layer, changes: Sequence[DefinitionChange]) -> Iterator[Affected]:
    moved = frozenset(_moved(changes))
    found: dict[str, tuple[Reason, ...]] = {}
    for name in new.metrics:
        if name in old.metrics:
            reasons = _reasons(name, old, new, moved, found)
            if reasons:
                yield Affected(metric=name, because=reasons)


def _moved(changes: Iterable[DefinitionChange]) -> Iterator[Touch]:
    """Yield all that a number may rest on and that is not what it was."""
    for change in changes:
        if change.kind == "hierarchy" or change.kind == "asking" or change.how == "added" or not change.moves:
            continue
        if change.kind == "calendar":
            yield from (("calendar", field.field) for field in change.fields)
        elif change.kind == "dataset" and change.how == "changed":
            yield from _moved_in_dataset(change)
        else:
            yield change.kind, change.was or change.name


def _moved_in_dataset(change: DefinitionChange) -> Iterator[Touch]:
    for field in change.fields:
        section, _, rest = field.field.partition(".")
        if field.meaning and section == "columns":
            yield "column", f"{change.name}.{rest.partition('.')[0]}"
        elif field.meaning:
            yield "dataset", change.name


def _reasons(
    name: str, old: Layer, new: Layer, moved: frozenset[Touch], found: dict[str, tuple[Reason, ...]]
) -> tuple[Reason, ...]:
    if name in found:
        return found[name]
    touches = {**touches_of(old.metrics[name], old), **touches_of(new.metrics[name], new)}
    reasons = [
        Reason(kind=kind, name=of, why=why) for (kind, of), why in touches.items() if (kind, of) in moved
    ]
    for (kind, part), why in touches.items():
        inner = kind == "metric" and part in old.metrics and part in new.metrics and (kind, part) not in moved
        if inner and _reasons(part, old, new, moved, found):
            reasons.append(Reason(kind="metric", name=part, why=f"{why}, which is affected itself"))
    found[name] = tuple(reasons)
    return found[name]


def touches_of(metric: Metric, layer: Layer) -> Mapping[Touch, str]:
    """Return all that a metric's own definition rests on, and in which way."""
    touches: dict[Touch, str] = {}
    for _, part in parts_of(metric, layer.formulas.get(metric.name)):
        touches["metric", part] = "is a part of it"
    for name, why in _dimensions(metric):
        touches.update(_through(name, why, layer))
        touches.update(_ways(metric, name, layer))
    for name in _clocks(metric, layer):
        touches.update(_through(name, "says when its rows count", layer))
    if metric.time_field in layer.clocks:
        touches["clock", str(metric.time_field)] = "says when its rows count"
    if isinstance(metric, Aggregate):
        touches.update(_fact(metric, layer))
    for rule, why in _rules(metric, layer):
        touches["calendar", rule] = why
    return touches


def _dimensions(metric: Metric) -> Iterator[tuple[str, str]]:
    if isinstance(metric, Aggregate | Filtered):
        yield from ((each.field, "filters it") for each in metric.filters)
    if isinstance(metric, Aggregate) and metric.snapshot:
        yield from (
            (name, "says which moments it reads") for name in (metric.snapshot.over, *metric.snapshot.per)
        )
    if isinstance(metric, Aggregate) and metric.unit_dimension:
        yield metric.unit_dimension, "gives its unit"
    if isinstance(metric, Conversion):
        yield from ((name, "matches its events") for name in (metric.entity, *metric.constant))


def _clocks(metric: Metric, layer: Layer) -> tuple[str, ...]:
    """Return the time dimensions that a metric counts by."""
    name = metric.time_field or ""
    if name in layer.clocks:
        return layer.clocks[name].fields
    return (name,) if name in layer.dimensions else ()


def _through(name: str, why: str, layer: Layer) -> Mapping[Touch, str]:
    dimension = layer.dimensions.get(name)
    if dimension is None:
        return {}
    of, column = f"{why} ({name})", f"{dimension.dataset}.{dimension.column}"
    return {("dimension", name): why, ("column", column): of, ("dataset", dimension.dataset): of}


def _ways(metric: Metric, name: str, layer: Layer) -> Mapping[Touch, str]:
    """Return the relationships that lead from the metric's facts to a dimension it names."""
    dimension = layer.dimensions.get(name)
    paths = (
        find_filter_path(layer, fact, dimension, Visible()) for fact in _facts(metric, layer) if dimension
    )
    return {
        ("relationship", hop.relationship): f"leads to {name}, which it names"
        for path in paths
        if isinstance(path, tuple)
        for hop in path
    }


def _facts(metric: Metric, layer: Layer) -> frozenset[str]:
    if isinstance(metric, Aggregate):
        return frozenset((metric.dataset,))
    parts = parts_of(metric, layer.formulas.get(metric.name))
    return frozenset().union(*(_facts(layer.metrics[part], layer) for _, part in parts))


def _fact(metric: Aggregate, layer: Layer) -> Mapping[Touch, str]:
    scalar = layer.scalars[metric.dataset, scalar_text(metric)]
    columns: dict[Touch, str] = {
        ("column", f"{metric.dataset}.{column}"): "is what it is computed from" for column in scalar.columns
    }
    joins: dict[Touch, str] = {
        ("relationship", edge.name): "joins it to what it may be grouped by"
        for edge in layer.relationships.values()
        if metric.dataset in layer.to_one_sources[edge.from_dataset]
    }
    return {("dataset", metric.dataset): "holds its rows", **columns, **joins}


def _rules(metric: Metric, layer: Layer) -> Iterator[tuple[str, str]]:
    if any(_instant(name, layer) for name in _clocks(metric, layer)):
        yield "time_zone", "puts its rows on local days"
    grains = {
        *_units(metric.window if isinstance(metric, Cumulative | Conversion) else None),
        *_units(metric.offset if isinstance(metric, PeriodOverPeriod) else None),
        *((metric.to_date,) if isinstance(metric, Cumulative) and metric.to_date else ()),
    }
    for rule, cut in CUTS.items():
        if grains & set(cut):
            yield rule, "cuts the periods it reads"


def _units(span: Span | None) -> tuple[str, ...]:
    return (span.unit,) if span and span.unit in FISCAL else ()


def _instant(name: str, layer: Layer) -> bool:
    dimension = layer.dimensions[name]
    column = next(c for c in layer.datasets[dimension.dataset].columns if c.name == dimension.column)
    return column.type in INSTANT_TYPES
