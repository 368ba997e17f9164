"""A metric taken apart: arithmetic over aggregate leaves, each with its filters, time field and reading."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from metric_layer.arithmetic import filled
from metric_layer.definitions import (
    COUNTS,
    Aggregate,
    ColumnType,
    Conversion,
    Cumulative,
    Derived,
    Filtered,
    Metric,
    PeriodOverPeriod,
    Ratio,
)
from metric_layer.expression import widest
from metric_layer.frames import AS_ASKED, Reading
from metric_layer.layer import Layer, scalar_text
from metric_layer.plan import Filter
from metric_layer.resolved import Arithmetic


@dataclass(frozen=True, slots=True)
class LeafSpec:
    """An aggregate as a metric needs it: own and inherited filters, the time field it counts by, its reading.

    With `conversion` only the rows count that an event follows, as that metric says.
    """

    id: str
    metric: Aggregate
    filters: tuple[Filter, ...]
    time_field: str | None
    reading: Reading = AS_ASKED
    conversion: Conversion | None = None


@dataclass(frozen=True, slots=True)
class Within:
    """What a metric hands down to the parts it is made of."""

    filters: tuple[Filter, ...] = ()
    time_field: str | None = None
    reading: Reading = AS_ASKED
    conversion: Conversion | None = None


ALONE = Within()
COMPARED = Within(reading=Reading(compared=True))


class Expansion:
    """Collects the leaves that the metrics of one plan need; equal leaves are shared.

    `twice` gathers metrics that hold periods against each other where the plan compares periods already.
    """

    def __init__(self, layer: Layer) -> None:
        self._layer = layer
        self._by_key: dict[tuple[object, ...], LeafSpec] = {}
        self.specs: dict[str, LeafSpec] = {}
        self.metrics: dict[str, Metric] = {}
        self.twice: dict[str, None] = {}

    def of(self, name: str, within: Within = ALONE) -> Arithmetic:
        """Return the arithmetic of a metric over leaf ids."""
        metric = self._layer.metrics[name]
        self.metrics[name] = metric
        inner = replace(within, time_field=within.time_field or metric.time_field)
        found = self._taken_apart(metric, inner)
        return replace(found, null_as_zero=True) if metric.null_as_zero else found

    def _taken_apart(self, metric: Metric, within: Within) -> Arithmetic:
        match metric:
            case Aggregate():
                return Arithmetic("leaf", leaf=self._leaf(metric, within))
            case Ratio():
                top, bottom = self.of(metric.numerator, within), self.of(metric.denominator, within)
                return Arithmetic("div", left=top, right=bottom)
            case Filtered():
                return self.of(metric.metric, replace(within, filters=(*within.filters, *metric.filters)))
            case Derived():
                return filled(self._layer.formulas[metric.name], lambda name: self.of(name, within))
            case Cumulative():
                return self.of(metric.metric, replace(within, reading=_running(within.reading, metric)))
            case PeriodOverPeriod():
                return self._held_against(metric, within)
            case Conversion():
                return self._converted(metric, within)

    def _held_against(self, metric: PeriodOverPeriod, within: Within) -> Arithmetic:
        if within.reading.earlier:
            self.twice[metric.name] = None
        back = replace(within, reading=replace(within.reading, offset=metric.offset))
        earlier = self.of(metric.metric, back)
        if metric.calculation == "value":
            return earlier
        return change(self.of(metric.metric, within), earlier, growth=metric.calculation == "growth")

    def _converted(self, metric: Conversion, within: Within) -> Arithmetic:
        event = self._layer.metrics[metric.conversion]
        self.metrics[event.name] = event
        while isinstance(event, Filtered):
            event = self._layer.metrics[event.metric]
            self.metrics[event.name] = event
        found = self.of(metric.base, replace(within, conversion=metric))
        if metric.calculation == "count":
            return found
        # a group without a row that led on has a rate of zero, as long as it has rows at all
        found = replace(found, null_as_zero=True)
        return Arithmetic("div", left=found, right=self.of(metric.base, within))

    def _leaf(self, metric: Aggregate, within: Within) -> str:
        unique = {
            (each.field, each.op, repr(each.values)): each for each in (*within.filters, *metric.filters)
        }
        clock = within.time_field or (metric.snapshot.over if metric.snapshot else None)
        key = (
            metric.dataset,
            metric.type,
            scalar_text(metric),
            metric.percentile,
            metric.snapshot and (metric.snapshot, repr(metric.filters)),
            (metric.non_additive, metric.unit_dimension),
            tuple(sorted(unique)),
            clock,
            within.reading,
            within.conversion.name if within.conversion else "",
        )
        known = self._by_key.get(key)
        if known is None:
            kept = tuple(unique[one] for one in sorted(unique))
            known = LeafSpec(
                self._free_id(metric.name), metric, kept, clock, within.reading, within.conversion
            )
            self._by_key[key] = self.specs[known.id] = known
        return known.id

    def _free_id(self, name: str) -> str:
        found, number = name, 1
        while found in self.specs:
            number += 1
            found = f"{name}__{number}"
        return found


def _running(reading: Reading, metric: Cumulative) -> Reading:
    ever = metric.window is None and metric.to_date is None
    return replace(reading, window=metric.window, to_date=metric.to_date, ever=ever)


def change(now: Arithmetic, earlier: Arithmetic, *, growth: bool) -> Arithmetic:
    """Return the difference from an earlier value, or that as a fraction of the earlier value."""
    difference = Arithmetic("sub", left=now, right=earlier)
    return Arithmetic("div", left=difference, right=earlier) if growth else difference


def counted_events(layer: Layer, name: str) -> tuple[Aggregate, tuple[Filter, ...]] | None:
    """Return the count of rows under a metric and all filters on it; None where it is something else."""
    filters: tuple[Filter, ...] = ()
    metric = layer.metrics[name]
    while isinstance(metric, Filtered):
        filters, metric = (*filters, *metric.filters), layer.metrics[metric.metric]
    if not isinstance(metric, Aggregate) or metric.type not in COUNTS[:2] or metric.snapshot:
        return None
    return metric, (*filters, *metric.filters)


def event_clock(layer: Layer, name: str) -> str | None:
    """Return the time field that a metric counts by: its own, or that of what it filters."""
    metric = layer.metrics[name]
    while metric.time_field is None and isinstance(metric, Filtered):
        metric = layer.metrics[metric.metric]
    return metric.time_field


def leaf_datasets(layer: Layer, name: str) -> frozenset[str]:
    """Return the datasets whose rows a metric aggregates or looks for as events."""
    expansion = Expansion(layer)
    expansion.of(name)
    events = {spec.conversion.conversion for spec in expansion.specs.values() if spec.conversion}
    found = frozenset(spec.metric.dataset for spec in expansion.specs.values())
    return found.union(*(leaf_datasets(layer, event) for event in events))


def leaf_type(layer: Layer, metric: Aggregate) -> ColumnType:
    """Return the type of an aggregate's value."""
    if metric.snapshot is not None and metric.snapshot.pick == "average":
        return widest((_plain_type(layer, metric), "decimal"))
    return _plain_type(layer, metric)


def _plain_type(layer: Layer, metric: Aggregate) -> ColumnType:
    if metric.type in COUNTS:
        return "integer"
    kind = layer.scalars[metric.dataset, scalar_text(metric)].type
    return widest((kind, "decimal")) if metric.type in ("avg", "median") else kind


def formula_type(node: Arithmetic, leaves: Mapping[str, ColumnType]) -> ColumnType:
    """Return the type of a finished metric: whole numbers stay whole, divisions are decimal, floats stay."""
    if node.op == "leaf":
        return leaves[node.leaf]
    if node.left is None or node.right is None:
        return "decimal" if "." in node.number else "integer"
    kinds = [formula_type(node.left, leaves), formula_type(node.right, leaves)]
    return widest([*kinds, "decimal"] if node.op == "div" else kinds)
