"""A metric taken apart: arithmetic over aggregate leaves, each with its filters and time field."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from metric_layer.arithmetic import filled
from metric_layer.definitions import Aggregate, ColumnType, Derived, Filtered, Metric, Ratio
from metric_layer.expression import widest
from metric_layer.layer import Layer, scalar_text
from metric_layer.plan import Filter
from metric_layer.resolved import Arithmetic


@dataclass(frozen=True, slots=True)
class LeafSpec:
    """An aggregate as a metric needs it: own and inherited filters, and the time field it counts by."""

    id: str
    metric: Aggregate
    filters: tuple[Filter, ...]
    time_field: str | None


class Expansion:
    """Collects the leaves that the metrics of one plan need; equal leaves are shared."""

    def __init__(self, layer: Layer) -> None:
        self._layer = layer
        self._by_key: dict[tuple[object, ...], LeafSpec] = {}
        self.specs: dict[str, LeafSpec] = {}
        self.metrics: dict[str, Metric] = {}

    def of(self, name: str, filters: tuple[Filter, ...] = (), time_field: str | None = None) -> Arithmetic:
        """Return the arithmetic of a metric over leaf ids."""
        metric = self._layer.metrics[name]
        self.metrics[name] = metric
        clock = time_field or metric.time_field
        if isinstance(metric, Aggregate):
            found = Arithmetic("leaf", leaf=self._leaf(metric, (*filters, *metric.filters), clock))
        elif isinstance(metric, Ratio):
            top, bottom = (
                self.of(metric.numerator, filters, clock),
                self.of(metric.denominator, filters, clock),
            )
            found = Arithmetic("div", left=top, right=bottom)
        elif isinstance(metric, Filtered):
            found = self.of(metric.metric, (*filters, *metric.filters), clock)
        else:
            found = self._derived(metric, filters, clock)
        return replace(found, null_as_zero=True) if metric.null_as_zero else found

    def _derived(self, metric: Derived, filters: tuple[Filter, ...], clock: str | None) -> Arithmetic:
        return filled(self._layer.formulas[metric.name], lambda name: self.of(name, filters, clock))

    def _leaf(self, metric: Aggregate, filters: tuple[Filter, ...], time_field: str | None) -> str:
        unique = {(each.field, each.op, repr(each.values)): each for each in filters}
        key = (metric.dataset, metric.type, scalar_text(metric), tuple(sorted(unique)), time_field)
        known = self._by_key.get(key)
        if known is None:
            kept = tuple(unique[one] for one in sorted(unique))
            known = LeafSpec(self._free_id(metric.name), metric, kept, time_field)
            self._by_key[key] = self.specs[known.id] = known
        return known.id

    def _free_id(self, name: str) -> str:
        found, number = name, 1
        while found in self.specs:
            number += 1
            found = f"{name}__{number}"
        return found


def leaf_datasets(layer: Layer, name: str) -> frozenset[str]:
    """Return the datasets whose rows a metric aggregates."""
    expansion = Expansion(layer)
    expansion.of(name)
    return frozenset(spec.metric.dataset for spec in expansion.specs.values())


def leaf_type(layer: Layer, metric: Aggregate) -> ColumnType:
    """Return the type of an aggregate's value."""
    if metric.type in ("count", "count_distinct"):
        return "integer"
    kind = layer.scalars[metric.dataset, scalar_text(metric)].type
    return widest((kind, "decimal")) if metric.type == "avg" else kind


def formula_type(node: Arithmetic, leaves: Mapping[str, ColumnType]) -> ColumnType:
    """Return the type of a finished metric: whole numbers stay whole, divisions are decimal, floats stay."""
    if node.op == "leaf":
        return leaves[node.leaf]
    if node.left is None or node.right is None:
        return "decimal" if "." in node.number else "integer"
    kinds = [formula_type(node.left, leaves), formula_type(node.right, leaves)]
    return widest([*kinds, "decimal"] if node.op == "div" else kinds)
