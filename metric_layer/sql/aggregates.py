"""Which aggregates and window functions an expression computes, and which columns it shows."""

from collections.abc import Iterator

from sqlglot import exp

from metric_layer.sql.frames import base_name, is_base, is_opaque, is_query
from metric_layer.sql.predicates import Write, canonical, conjuncts

UNTYPED = frozenset(
    (
        "arg_max_null",
        "arg_min_null",
        "bitstring_agg",
        "entropy",
        "favg",
        "fsum",
        "geomean",
        "geometric_mean",
        "kahan_sum",
        "kurtosis_pop",
        "mad",
        "product",
        "sem",
        "sumkahan",
        "wavg",
        "weighted_avg",
    )
)
"""Aggregates that the parser takes for any other function."""


def aggregates(node: exp.Expr, write: Write) -> Iterator[str]:
    """Yield each aggregate or window function: name, DISTINCT, argument, FILTER, and whether it is windowed.

    A nested query speaks for itself, and what a window is ordered or parted by is no aggregate of the result.
    """
    stack = [node]
    while stack:
        part = stack.pop()
        if is_query(part):
            continue
        if isinstance(part, exp.Window):
            yield _call(part.this, write) + " over"
            stack += _inputs(part.this)
        elif isinstance(part, (exp.Filter, exp.WithinGroup)) or _is_aggregate(part):
            yield _call(part, write)
            stack += _inputs(part)
        else:
            stack += part.iter_expressions()


def value_columns(node: exp.Expr) -> Iterator[str]:
    """Yield the columns whose values an expression shows, as `table.column`; window clauses show none."""
    stack = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, exp.Column):
            if not is_opaque(part):
                yield base_name(part) if is_base(part) else part.name
        elif isinstance(part, exp.Window):
            stack.append(part.this)
        else:
            stack += part.iter_expressions()


def _is_aggregate(node: exp.Expr) -> bool:
    return isinstance(node, exp.AggFunc) or (isinstance(node, exp.Anonymous) and node.name.lower() in UNTYPED)


def _inputs(node: exp.Expr) -> list[exp.Expr]:
    if isinstance(node, (exp.Filter, exp.WithinGroup, exp.IgnoreNulls, exp.RespectNulls)):
        return _inputs(node.this)
    return list(node.iter_expressions())


def _call(node: exp.Expr, write: Write) -> str:
    if isinstance(node, exp.Filter):
        condition = node.args["expression"].this
        parts = sorted({canonical(part, write) for part in conjuncts(condition)} - {""})
        return f"{_call(node.this, write)} filter ({' and '.join(parts)})"
    return write(node)
