"""Rules that need paths: filters, time fields and allowed dimensions must reach, and units must fit."""

from collections.abc import Iterator

from metric_layer.definitions import NUMERIC_TYPES, TIME_TYPES, Derived, Metric
from metric_layer.draft import Draft, Site
from metric_layer.expand import Expansion, LeafSpec, leaf_type
from metric_layer.fault import fault, unknown
from metric_layer.issues import Issue
from metric_layer.layer import Layer
from metric_layer.paths import ManyPaths, NoPath, find_filter_path, find_path
from metric_layer.plan import Filter
from metric_layer.resolved import Arithmetic
from metric_layer.units import NO_UNIT, of_formula, unit_of_parts
from metric_layer.values import NEGATIVE, ValueFault, type_values
from metric_layer.visible import Visible

EVERYTHING = Visible()


def leaves_of(layer: Layer, name: str) -> tuple[LeafSpec, ...]:
    """Return the aggregates a metric is made of."""
    expansion = Expansion(layer)
    expansion.of(name)
    return tuple(expansion.specs.values())


def check_metric_filters(draft: Draft, layer: Layer) -> Iterator[Issue]:
    """A definition's own filters reach from every aggregate under it in one way, with fitting values."""
    for metric, site in draft.metrics:
        for index, asked in enumerate(getattr(metric, "filters", ())):
            yield from _filter(metric, site, index, asked, layer)


def _filter(metric: Metric, site: Site, index: int, asked: Filter, layer: Layer) -> Iterator[Issue]:
    place: tuple[str | int, ...] = ("filters", index, "field")
    dimension = layer.dimensions.get(asked.field)
    if dimension is None:
        yield unknown(metric.name, site, place, "dimension", asked.field, layer.dimensions).issue
        return
    try:
        type_values(asked.op, asked.values, layer.dimension_type(dimension))
    except ValueFault as found:
        message = f"{metric.name}, filter on {asked.field}: {found.message}"
        yield fault(
            metric.name, site, ("filters", index, "values"), found.code, message, "Mend the values."
        ).issue
    for dataset in {leaf.metric.dataset for leaf in leaves_of(layer, metric.name)}:
        path = find_filter_path(layer, dataset, dimension, EVERYTHING)
        if isinstance(path, NoPath):
            message = f"{metric.name} filters by {asked.field}, which {dataset} does not reach."
            yield fault(metric.name, site, place, "unreachable", message, "Declare the relationship.").issue
        elif isinstance(path, ManyPaths):
            ways = ", ".join(option.name for option in path.options)
            message = (
                f"{metric.name} filters by {asked.field}, which {dataset} reaches in several ways: {ways}."
            )
            yield fault(
                metric.name, site, place, "ambiguous_path", message, "Use a dimension with `via`."
            ).issue
        elif asked.op in NEGATIVE and any(hop.to_many for hop in path):
            message = (
                f"{metric.name}: `{asked.op}` over {asked.field} has no one meaning, one {dataset} has many."
            )
            yield fault(
                metric.name, site, place, "fan_out_filter", message, "Say which values to keep."
            ).issue


def check_time_fields(draft: Draft, layer: Layer) -> Iterator[Issue]:
    """A default time field is a time dimension that every aggregate under the metric reaches in one way."""
    for metric, site in draft.metrics:
        name = metric.time_field
        if name is None:
            continue
        dimension = layer.dimensions.get(name)
        if dimension is None:
            yield unknown(metric.name, site, ("time_field",), "dimension", name, layer.dimensions).issue
            continue
        if layer.dimension_type(dimension) not in TIME_TYPES:
            message = f"{metric.name} counts time by {name}, which is not a time dimension."
            yield fault(
                metric.name, site, ("time_field",), "wrong_type", message, "Name a date or timestamp."
            ).issue
        for leaf in leaves_of(layer, metric.name):
            if not isinstance(find_path(layer, leaf.metric.dataset, dimension, EVERYTHING), tuple):
                fact = leaf.metric.dataset
                message = f"{metric.name} counts time by {name}, which {fact} does not reach in one way."
                step = "Name another field, or a dimension with `via`."
                yield fault(metric.name, site, ("time_field",), "unreachable", message, step).issue


def check_allowed_dimensions(draft: Draft, layer: Layer) -> Iterator[Issue]:
    """Allowed dimensions exist and are reached, by one way or by several to choose from."""
    for metric, site in draft.metrics:
        for index, name in enumerate(metric.dimensions or ()):
            dimension = layer.dimensions.get(name)
            if dimension is None:
                yield unknown(
                    metric.name, site, ("dimensions", index), "dimension", name, layer.dimensions
                ).issue
                continue
            for dataset in sorted({leaf.metric.dataset for leaf in leaves_of(layer, metric.name)}):
                if isinstance(find_filter_path(layer, dataset, dimension, EVERYTHING), NoPath):
                    message = f"{metric.name} allows {name}, which {dataset} does not reach."
                    step = "Take it out, or declare the relationship."
                    yield fault(metric.name, site, ("dimensions", index), "unreachable", message, step).issue


def check_currencies(draft: Draft, layer: Layer) -> Iterator[Issue]:
    """Amounts of different units are not added or subtracted, and no unit is stated over changing ones."""
    for metric, site in draft.metrics:
        if isinstance(metric, Derived):
            for left, right in _sums(layer.formulas[metric.name]):
                units = {of_formula(layer, left), of_formula(layer, right)} - {NO_UNIT}
                if len(units) > 1:
                    message = f"{metric.name} adds or subtracts {' and '.join(sorted(map(str, units)))}."
                    step = "Convert one of them by a metric of its own."
                    yield fault(metric.name, site, ("expression",), "mixed_units", message, step).issue
        if metric.unit and unit_of_parts(layer, metric).dimension:
            message = f"{metric.name} states {metric.unit}, but its rows bring units of their own."
            step = "Leave unit out: it is told from the rows."
            yield fault(metric.name, site, ("unit",), "mixed_units", message, step).issue


def _sums(node: Arithmetic) -> Iterator[tuple[Arithmetic, Arithmetic]]:
    if node.left is None or node.right is None:
        return
    if node.op in ("add", "sub"):
        yield node.left, node.right
    yield from _sums(node.left)
    yield from _sums(node.right)


def check_numbers(draft: Draft, layer: Layer) -> Iterator[Issue]:
    """Arithmetic, and zero in place of nothing, only make sense for numbers."""
    for metric, site in draft.metrics:
        expansion = Expansion(layer)
        formula = expansion.of(metric.name)
        types = {leaf.id: leaf_type(layer, leaf.metric) for leaf in expansion.specs.values()}
        odd = sorted(leaf for leaf, kind in types.items() if kind not in NUMERIC_TYPES)
        if odd and (formula.op != "leaf" or metric.null_as_zero):
            message = f"{metric.name} counts with {odd[0]}, which is a {types[odd[0]]} and no number."
            yield fault(
                metric.name, site, ("type",), "wrong_type", message, "Use metrics that are numbers."
            ).issue


def check_drafts(draft: Draft, layer: Layer) -> Iterator[Issue]:
    """A certified metric does not rest on a draft."""
    for metric, site in draft.metrics:
        for part in draft.parts_of(metric.name):
            if metric.status == "certified" and layer.metrics[part].status == "draft":
                message = f"{metric.name} is certified, but {part}, which it is made of, is a draft."
                yield fault(
                    metric.name, site, ("status",), "rests_on_draft", message, f"Certify {part} first."
                ).issue
