"""What each kind of expression says, whatever dialect spelled it."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Protocol

from sqlglot import exp

from metric_layer.expression_division import divided_by
from metric_layer.sql.term import NULL, Term, in_order


class Teller(Protocol):
    """The SELECT that an expression stands in. `owners` marks text whose divisions are made safe later."""

    owners: bool

    def term(self, node: exp.Expr) -> Term:
        """Return what an expression means."""

    def column(self, node: exp.Expr) -> Term:
        """Return what a column means."""

    def exists(self, node: exp.Expr) -> Term:
        """Return the rows that are looked up."""

    def rows(self) -> Term:
        """Return the rows that the SELECT reads."""


def items_of(select: exp.Expr, clause: str) -> list[exp.Expr]:
    """Return the expressions of a clause, none where it is not there."""
    found = select.args.get(clause)
    return list(found.expressions) if found is not None else []


def _inside(scope: Teller, node: exp.Expr) -> Term:
    return scope.term(node.this)


def _cast(scope: Teller, node: exp.Expr) -> Term:
    inner = scope.term(node.this)
    to_date = node.args["to"].this == exp.DataType.Type.DATE and not isinstance(node.this, exp.Literal)
    return _bucket(inner) if to_date and inner != NULL else inner


def _bucket(inner: Term) -> Term:
    """Return a period as its unit, its column, and the months and days it is moved before and after the cut.

    A move back after the cut is where the period begins: a week on Sunday, a fiscal year in July.
    """
    moves, after = Counter[str](), Counter[str]()
    unit, at = "", inner
    while at[0] in ("Add", "Sub", "trunc", "date"):
        if at[0] == "trunc" and not unit:
            unit, at = str(at[1]), at[2]
            moves, after = after, moves
        elif at[0] == "date":
            at = at[1]
        elif at[2][0] == "interval":
            moves[str(at[2][2])] += int(str(at[2][1])) * (1 if at[0] == "Add" else -1)
            at = at[1]
        else:
            break
    if not unit:
        return ("date", inner)
    return ("bucket", unit, at, *(str(each[step]) for each in (moves, after) for step in ("MONTH", "DAY")))


def _literal(_scope: Teller, node: exp.Expr) -> Term:
    return f"'{node.name}" if node.args.get("is_string") else node.name


def _equal(scope: Teller, node: exp.Expr) -> Term:
    return ("EQ", *in_order((scope.term(node.this), scope.term(node.expression))))


def _truncated(scope: Teller, node: exp.Expr) -> Term:
    unit = node.args["unit"].name.upper()
    return ("trunc", "WEEK" if unit == "ISOWEEK" else unit, scope.term(node.this))


def _interval(_scope: Teller, node: exp.Expr) -> Term:
    return ("interval", node.this.name, node.args["unit"].name.upper())


def _zoned(scope: Teller, node: exp.Expr) -> Term:
    """Return a moment moved between zones: from the first to the second where two are named."""
    args = node.args
    zones = [args.get(key) for key in ("source_tz", "zone", "target_tz", "expression")]
    found = scope.term(args.get("timestamp") or node.this)
    for zone in zones:
        if zone is not None:
            found = ("zone", zone.name, found)
    return found


def _ranked(scope: Teller, node: exp.Expr) -> Term:
    parts = [scope.term(each) for each in node.args.get("partition_by") or ()]
    order = [(scope.term(each.this), str(bool(each.args.get("desc")))) for each in items_of(node, "order")]
    return ("window", type(node.this).__name__, tuple(parts), tuple(order), scope.rows())


def _percentile(scope: Teller, node: exp.Expr) -> Term:
    """Return a percentile: DuckDB keeps fraction and order inside, the others around it."""
    inside = isinstance(node, exp.PercentileDisc)
    order = node.expression
    fraction = order.this if inside else node.this.this
    first = order.expressions[0]
    falling = "desc" if first.args.get("desc") else "asc"
    read = {scope.term(each) for each in ((node.this, first.this) if inside else (first.this,))}
    return ("agg", "percentile", scope.term(fraction), falling, in_order(read), scope.rows())


def _quantile(scope: Teller, node: exp.Expr) -> Term:
    parts, at = scope.term(node.this.expression), scope.term(node.expressions[0])
    return ("agg", "quantile", parts, at, (scope.term(node.this.this),), scope.rows())


def _branches(scope: Teller, node: exp.Expr) -> Term:
    ifs = [(scope.term(each.this), scope.term(each.args["true"])) for each in node.args["ifs"]]
    operand, default = node.this, node.args.get("default")
    told = () if operand is None else (scope.term(operand),)
    return ("case", *told, *ifs, NULL if default is None else scope.term(default))


def _chosen(scope: Teller, node: exp.Expr) -> Term:
    otherwise = node.args.get("false")
    choice = (scope.term(node.this), scope.term(node.args["true"]))
    return ("case", choice, NULL if otherwise is None else scope.term(otherwise))


def _divided(scope: Teller, node: exp.Expr) -> Term:
    below = scope.term(node.expression)
    return ("Div", scope.term(node.this), ("Nullif", below, "0") if scope.owners else below)


def _times(scope: Teller, node: exp.Expr) -> Term:
    """Return a product, or the division that it spells."""
    division = divided_by(node)
    if division is not None:
        top, below = division
        return ("Div", scope.term(top), ("Nullif", scope.term(below), "0"))
    return ("Mul", scope.term(node.this), scope.term(node.expression))


TELLERS: Mapping[type[exp.Expr], Callable[[Teller, exp.Expr], Term]] = {
    exp.Column: lambda scope, node: scope.column(node),
    exp.Exists: lambda scope, node: scope.exists(node),
    exp.Literal: _literal,
    exp.Null: lambda _scope, _node: NULL,
    exp.Boolean: lambda _scope, node: "TRUE" if node.this else "FALSE",
    exp.Paren: _inside,
    exp.Collate: _inside,
    exp.Cast: _cast,
    exp.EQ: _equal,
    exp.DateTrunc: _truncated,
    exp.TimestampTrunc: _truncated,
    exp.DatetimeTrunc: _truncated,
    exp.Interval: _interval,
    exp.AtTimeZone: _zoned,
    exp.ConvertTimezone: _zoned,
    exp.Datetime: _zoned,
    exp.Timestamp: _zoned,
    exp.Window: _ranked,
    exp.PercentileDisc: _percentile,
    exp.WithinGroup: _percentile,
    exp.Bracket: _quantile,
    exp.Case: _branches,
    exp.If: _chosen,
    exp.Div: _divided,
    exp.Mul: _times,
}
