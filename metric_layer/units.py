"""The unit of a metric: stated, its column's, or what the arithmetic makes of the units of its parts."""

from dataclasses import dataclass

from metric_layer.definitions import COUNTS, Aggregate, Conversion, Derived, Metric, PeriodOverPeriod, Ratio
from metric_layer.layer import Layer
from metric_layer.resolved import Arithmetic


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit by name, or the dimension that holds each row's own; both empty where there is none."""

    name: str = ""
    dimension: str = ""

    def __str__(self) -> str:
        return f"the unit in {self.dimension}" if self.dimension else self.name


NO_UNIT = Unit()


def unit_of(layer: Layer, metric: Metric) -> Unit:
    """Return the unit of a metric's values."""
    return Unit(metric.unit) if metric.unit else unit_of_parts(layer, metric)


def unit_of_parts(layer: Layer, metric: Metric) -> Unit:
    """Return the unit that a metric has by what it is made of, whatever it states itself."""
    match metric:
        case Aggregate():
            return _of_column(layer, metric)
        case Derived():
            return of_formula(layer, layer.formulas[metric.name])
        case Ratio():
            top, bottom = layer.metrics[metric.numerator], layer.metrics[metric.denominator]
            return _quotient(unit_of(layer, top), unit_of(layer, bottom))
        case Conversion():
            return NO_UNIT
        case PeriodOverPeriod(calculation="growth"):
            return NO_UNIT
        case _:
            return unit_of(layer, layer.metrics[metric.metric])


def of_formula(layer: Layer, node: Arithmetic) -> Unit:
    """Return the unit of a parsed expression over metrics; nothing where a product has changed it."""
    if node.op == "leaf":
        return unit_of(layer, layer.metrics[node.leaf])
    if node.left is None or node.right is None:
        return NO_UNIT
    left, right = of_formula(layer, node.left), of_formula(layer, node.right)
    if node.op == "div":
        return _quotient(left, right)
    if node.op == "mul" and left != NO_UNIT and right != NO_UNIT:
        return NO_UNIT
    return right if left == NO_UNIT else left


def _quotient(top: Unit, bottom: Unit) -> Unit:
    return top if bottom == NO_UNIT else NO_UNIT


def _of_column(layer: Layer, metric: Aggregate) -> Unit:
    if metric.unit_dimension is not None:
        return Unit(dimension=metric.unit_dimension)
    if metric.type in COUNTS:
        return NO_UNIT
    columns = layer.datasets[metric.dataset].columns
    return Unit(next((column.unit for column in columns if column.name == metric.column), ""))
