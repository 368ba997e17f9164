"""What a query asks for, without any schema: shown columns, aggregates, filters, groups, order and limit."""

import sqlglot
from sqlglot import exp

from metric_layer.plan import Dialect
from metric_layer.record import Record
from metric_layer.sql.components import BROKEN, Unread, Warehouse, parse_select, read_components

OPERATORS: dict[type[exp.Expr], str] = {
    exp.EQ: "eq",
    exp.NEQ: "ne",
    exp.LT: "lt",
    exp.LTE: "le",
    exp.GT: "gt",
    exp.GTE: "ge",
    exp.In: "in",
    exp.Like: "like",
    exp.Is: "is",
}


class SqlFilter(Record):
    """A condition on one column: `column op values`, negated where `op` begins with `not_`.

    A condition that is none on one column has the operator `other` and its text as value.
    """

    column: str
    op: str
    values: tuple[str, ...] = ()


class SqlFeatures(Record):
    """What a query asks for; columns by their bare names, aliases and CTEs resolved.

    `aggregates` are (function, columns it is over), `grains` the units that groups are cut to. `by_name` says
    that a CTE or window was only followed by its names.
    """

    shown: tuple[str, ...] = ()
    aggregates: tuple[tuple[str, tuple[str, ...]], ...] = ()
    filters: tuple[SqlFilter, ...] = ()
    groups: tuple[str, ...] = ()
    grains: tuple[str, ...] = ()
    ordered: bool = False
    limit: int | None = None
    by_name: bool = False


def read_features(sql: str, dialect: Dialect) -> SqlFeatures | None:
    """Return the features of one SELECT; None for a text that is none or cannot be read."""
    tree = parse_select(sql, dialect)
    found = read_components(sql, Warehouse(dialect, {}, ""))
    if isinstance(tree, Unread) or isinstance(found, Unread):
        return None
    try:
        return SqlFeatures(
            shown=tuple(_bare(name) for name in found.origins or () if name),
            aggregates=tuple(_aggregate(text, dialect) for text in sorted(found.aggregations)),
            filters=tuple(_filter(text, dialect) for text in sorted(found.filters)),
            groups=tuple(sorted({name for text in found.group_by for name in _columns(text, dialect)})),
            grains=tuple(sorted({unit for text in found.group_by for unit in _grains(text, dialect)})),
            ordered=tree.args.get("order") is not None,
            limit=_limit(tree),
            by_name=bool(tree.find(exp.CTE, exp.Window)),
        )
    except BROKEN:
        return None


def _aggregate(text: str, dialect: Dialect) -> tuple[str, tuple[str, ...]]:
    name = text.partition("(")[0].strip().lower()
    distinct = "(distinct" in text.lower()
    inside = text.rpartition(" over")[0] if text.endswith(" over") else text.partition(" filter (")[0]
    return (f"{name}_distinct" if distinct else name), _columns(inside or text, dialect)


def _filter(text: str, dialect: Dialect) -> SqlFilter:
    node = sqlglot.parse_one(f"SELECT 1 WHERE {text}", read=dialect).find(exp.Where)
    condition = node.this if node is not None else None
    negated = isinstance(condition, exp.Not)
    if isinstance(condition, exp.Not):
        condition = condition.this
    op = OPERATORS.get(type(condition)) if condition is not None else None
    if condition is None or op is None or not isinstance(condition.this, exp.Column):
        return SqlFilter(column="", op="other", values=(folded_value(text),))
    given = condition.expressions if isinstance(condition, exp.In) else [condition.expression]
    if not all(isinstance(value, (exp.Literal, exp.Neg, exp.Null, exp.Boolean)) for value in given):
        return SqlFilter(column="", op="other", values=(folded_value(text),))
    values = tuple(
        folded_value(value.name if isinstance(value, exp.Literal) else value.sql(dialect)) for value in given
    )
    return SqlFilter(column=condition.this.name.casefold(), op=f"not_{op}" if negated else op, values=values)


def _columns(text: str, dialect: Dialect) -> tuple[str, ...]:
    tree = sqlglot.parse_one(f"SELECT {text}", read=dialect)
    return tuple(sorted({column.name.casefold() for column in tree.find_all(exp.Column)}))


def _grains(text: str, dialect: Dialect) -> tuple[str, ...]:
    tree = sqlglot.parse_one(f"SELECT {text}", read=dialect)
    cut = tree.find_all(exp.DateTrunc, exp.TimestampTrunc, exp.DatetimeTrunc)
    return tuple(unit.name.casefold() for node in cut if (unit := node.args.get("unit")) is not None)


def _limit(tree: exp.Expr) -> int | None:
    limit = tree.args.get("limit")
    value = limit.expression if isinstance(limit, exp.Limit) else None
    return int(value.name) if isinstance(value, exp.Literal) and value.name.isdigit() else None


def _bare(name: str) -> str:
    return name.rpartition(".")[2]


def folded_value(text: str) -> str:
    """Return a value as values are compared: case and blanks do not count."""
    return " ".join(text.casefold().split())
