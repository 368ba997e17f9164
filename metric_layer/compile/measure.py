"""What a leaf measures over its rows, as one aggregate."""

from collections.abc import Mapping
from decimal import Decimal
from functools import partial

from sqlglot import exp

from metric_layer.compile.collation import byte_order
from metric_layer.compile.tables import Joins
from metric_layer.compile.zone import Build
from metric_layer.definitions import ColumnType
from metric_layer.expression import column_of
from metric_layer.expression_division import divide
from metric_layer.layer import Layer
from metric_layer.resolved import Leaf

_PLAIN: Mapping[str, type[exp.Func]] = {"sum": exp.Sum, "min": exp.Min, "max": exp.Max}
_HALF = Decimal("0.5")
_HAIR = Decimal("1e-12")


def measured(leaf: Leaf, layer: Layer, joins: Joins, dialect: str) -> exp.Expr:
    """Return a leaf's aggregate. A median is the mean of the middle two values, a percentile one of them.

    PostgreSQL sums REAL as REAL: floats are double there before they are summed, as they are on every engine.
    """
    if leaf.counted is not None:
        return _distinct(column_of(leaf.counted.column, joins.alias(leaf.counted.path)))
    if not leaf.expression:
        return exp.Count(this=exp.Star(), big_int=True)
    scalar = layer.scalars[leaf.dataset, leaf.expression]
    value = partial(scalar.over, joins.root, dialect)
    if dialect == "postgres" and leaf.type == "float":
        value = partial(_double, value)
    return _measured(leaf, value, dialect, scalar.type)


def _measured(leaf: Leaf, value: Build, dialect: str, kind: ColumnType) -> exp.Expr:
    match leaf.aggregate:
        case "count":
            return exp.Count(this=value(), big_int=True)
        case "count_distinct":
            return _distinct(value())
        case "approx_count_distinct":
            return _distinct(value()) if dialect == "postgres" else exp.ApproxDistinct(this=value())
        case "avg":
            if kind == "float":
                return exp.Avg(this=value())
            total, count = exp.Sum(this=value()), exp.Count(this=value(), big_int=True)
            return divide(total, count, exact=True, dialect=dialect, whole=True)
        case "percentile":
            return _at(value, leaf.fraction or _HALF, dialect)
        case "median":
            return _median(value, dialect)
    return _PLAIN[leaf.aggregate](this=byte_order(value(), dialect) if kind == "string" else value())


def _double(value: Build) -> exp.Expr:
    return exp.Cast(this=value(), to=exp.DataType(this=exp.DType.DOUBLE, nested=False))


def _median(value: Build, dialect: str) -> exp.Expr:
    lower = _at(value, _HALF, dialect)
    if dialect == "bigquery":
        return lower
    return exp.Add(this=_half(lower), expression=_half(_at(value, _HALF, dialect, desc=True)))


def _half(value: exp.Expr) -> exp.Expr:
    return exp.Mul(this=value, expression=exp.Literal.number("0.5"))


def _distinct(value: exp.Expr) -> exp.Expr:
    return exp.Count(this=exp.Distinct(expressions=[value]), big_int=True)


def _at(value: Build, fraction: Decimal, dialect: str, *, desc: bool = False) -> exp.Expr:
    """Return the value below which a fraction of the rows lies; BigQuery aggregates it only roughly."""
    if dialect == "bigquery":
        top, parts = fraction.as_integer_ratio()
        quantiles = exp.ApproxQuantiles(this=value(), expression=exp.Literal.number(parts))
        return exp.Bracket(this=quantiles, expressions=[exp.Literal.number(top)], offset=0, safe=False)
    rank = fraction
    if dialect == "postgres" and Decimal(float(fraction)) > fraction:
        rank -= _HAIR  # it multiplies floats there: 0.07 * 100 comes out above 7, which is the eighth row
    at = exp.Literal.number(format(rank, "f"))
    ordered = [exp.Ordered(this=value(), desc=desc, nulls_first=False)]
    if dialect == "duckdb":  # its own spelling: sqlglot changes a tree of the other one while it writes it
        return exp.PercentileDisc(this=value(), expression=exp.Order(this=at, expressions=ordered))
    return exp.WithinGroup(this=exp.PercentileDisc(this=at), expression=exp.Order(expressions=ordered))
