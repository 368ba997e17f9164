"""What a metric is made of: the other metrics that its definition names."""

from metric_layer.arithmetic import names_in
from metric_layer.definitions import (
    Aggregate,
    Conversion,
    Cumulative,
    Derived,
    Filtered,
    Metric,
    PeriodOverPeriod,
    Ratio,
)
from metric_layer.resolved import Arithmetic


def parts_of(metric: Metric, formula: Arithmetic | None) -> tuple[tuple[str, str], ...]:
    """Return (key, name) of each metric that a metric is made of, as it names them.

    `formula` is the parsed expression of a derived metric; without one it names nothing.
    """
    match metric:
        case Aggregate():
            return ()
        case Ratio():
            return (("numerator", metric.numerator), ("denominator", metric.denominator))
        case Derived():
            return () if formula is None else tuple(("expression", name) for name in names_in(formula))
        case Filtered() | Cumulative() | PeriodOverPeriod():
            return (("metric", metric.metric),)
        case Conversion():
            return (("base", metric.base), ("conversion", metric.conversion))
