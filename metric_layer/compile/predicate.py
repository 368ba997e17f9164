"""Filters as SQL conditions; a filter that looks into the rows below a fact's row becomes EXISTS."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from decimal import Decimal

from sqlglot import exp

from metric_layer.compile.tables import Datasets, Joins, all_of, joined_on
from metric_layer.expression import column_of
from metric_layer.paths import Path
from metric_layer.plan import Operator
from metric_layer.resolved import ResolvedFilter
from metric_layer.values import TypedValue

_COMPARISONS: dict[Operator, type[exp.Binary]] = {
    "eq": exp.EQ,
    "ne": exp.NEQ,
    "lt": exp.LT,
    "le": exp.LTE,
    "gt": exp.GT,
    "ge": exp.GTE,
}


def literal(value: TypedValue) -> exp.Expr:
    """Return a typed literal."""
    if isinstance(value, bool):
        return exp.Boolean(this=value)
    if isinstance(value, str):
        return exp.Literal.string(value)
    if isinstance(value, datetime):
        return _cast(value.isoformat(sep=" "), exp.DataType.Type.TIMESTAMP)
    if isinstance(value, date):
        return _cast(value.isoformat(), exp.DataType.Type.DATE)
    text = format(abs(value), "f") if isinstance(value, Decimal) else str(abs(value))
    number = exp.Literal.number(text)
    return exp.Neg(this=number) if value < 0 else number


def condition(
    column: exp.Expr, op: Operator, values: Sequence[TypedValue], *, keep_missing: bool
) -> exp.Expr:
    """Return `column op values`. With `keep_missing`, `ne` and `not_in` also keep rows without a value."""
    if op in ("is_null", "not_null"):
        missing = exp.Is(this=column, expression=exp.Null())
        return missing if op == "is_null" else exp.Not(this=missing)
    literals = [literal(value) for value in values]
    if op == "between":
        return exp.Between(this=column, low=literals[0], high=literals[1])
    if op == "in":
        return exp.In(this=column, expressions=literals)
    if op == "not_in":
        found: exp.Expr = exp.Not(this=exp.In(this=column, expressions=literals))
    else:
        found = _COMPARISONS[op](this=column, expression=literals[0])
    if op in ("ne", "not_in") and keep_missing:
        return exp.Paren(
            this=exp.Or(this=exp.Is(this=column.copy(), expression=exp.Null()), expression=found)
        )
    return found


def conditions_of(filters: Iterable[ResolvedFilter], joins: Joins, datasets: Datasets) -> list[exp.Expr]:
    """Return one condition per to-one filter, and one EXISTS per way down with all filters on that way."""
    found: list[exp.Expr] = []
    below: dict[Path, list[ResolvedFilter]] = {}
    for each in filters:
        down = way_down(each.column.path)
        if down:
            below.setdefault(down, []).append(each)
        else:
            column = column_of(each.column.column, joins.alias(each.column.path))
            found.append(condition(column, each.op, each.values, keep_missing=True))
    found.extend(exists(each, joins, datasets, keep_missing=True) for each in below.values())
    return found


def way_down(path: Path) -> Path:
    """Return the part of a path up to and with its last to-many hop."""
    last = max((index for index, hop in enumerate(path) if hop.to_many), default=-1)
    return path[: last + 1]


def exists(
    filters: Sequence[ResolvedFilter], joins: Joins, datasets: Datasets, *, keep_missing: bool
) -> exp.Expr:
    """Return EXISTS over the first hop's dataset: one row there has to meet all the filters."""
    first = filters[0].column.path[0]
    inner = Joins(datasets, first.to_dataset, side=None, taken=joins.taken)
    tests = [joined_on(first, joins.root, inner.root)]
    for each in filters:
        column = column_of(each.column.column, inner.alias(each.column.path[1:]))
        tests.append(condition(column, each.op, each.values, keep_missing=keep_missing))
    inside = exp.Select(
        expressions=[exp.Literal.number(1)],
        from_=exp.From(this=inner.source),
        joins=inner.nodes,
        where=exp.Where(this=all_of(tests)),
    )
    return exp.Exists(this=inside)


def _cast(text: str, kind: exp.DataType.Type) -> exp.Expr:  # type: ignore[valid-type]
    return exp.Cast(this=exp.Literal.string(text), to=exp.DataType(this=kind, nested=False))
