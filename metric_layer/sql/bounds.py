"""Bounds that a condition puts on a base column of dates: literal or relative to now, for the required date filter."""

from datetime import datetime, timedelta

from sqlglot import exp

from metric_layer.sql.literals import TRUNCATIONS, WRAPPERS, moment_of
from metric_layer.sql.scope import Conjunct, Origin, Use

Bound = tuple[Origin, datetime | None, datetime | None]
FLIPPED: dict[type[exp.Expr], type[exp.Expr]] = {exp.GT: exp.LT, exp.GTE: exp.LTE, exp.LT: exp.GT, exp.LTE: exp.GTE}


def bound_of(conjunct: Conjunct, uses: dict[int, Use], now: datetime) -> Bound | None:
    """Return the column, the lower and the (exclusive) upper bound of a conjunct; None when it is no such bound.

    The ON of an outer join restricts only the side that may be missing.
    """
    node = conjunct.node
    if isinstance(node, exp.Between):
        use = _column(node.this, uses)
        low, high = moment_of(node.args.get("low"), now), moment_of(node.args.get("high"), now)
        return _counted(conjunct, use, low, high)
    if not isinstance(node, (exp.GT, exp.GTE, exp.LT, exp.LTE, exp.EQ)):
        return None
    kind: type[exp.Expr] = type(node)
    use, value = _column(node.this, uses), node.expression
    if use is None:
        use, value, kind = _column(node.expression, uses), node.this, FLIPPED.get(kind, kind)
    moment = moment_of(value, now)
    if moment is None:
        return None
    if kind is exp.EQ:
        return _counted(conjunct, use, moment, moment + timedelta(days=1))
    return _counted(conjunct, use, *((moment, None) if kind in (exp.GT, exp.GTE) else (None, moment)))


def _counted(conjunct: Conjunct, use: Use | None, low: datetime | None, high: datetime | None) -> Bound | None:
    if use is None or use.field.origin is None or use.source is None:
        return None
    if use.source.relation.table is None and not use.field.movable:
        return None
    if conjunct.kind != "WHERE" and not _restricts(conjunct, use):
        return None
    return use.field.origin, low, high


def _restricts(conjunct: Conjunct, use: Use) -> bool:
    if conjunct.kind == "INNER":
        return True
    if conjunct.kind == "LEFT":
        return use.source is conjunct.right
    return conjunct.kind == "RIGHT" and use.source is not conjunct.right


def _column(node: exp.Expr, uses: dict[int, Use]) -> Use | None:
    """Return the column that is compared, through casts and truncations, which keep the order."""
    while isinstance(node, (*WRAPPERS, *TRUNCATIONS)):
        node = node.this
    return uses.get(id(node)) if isinstance(node, exp.Column) else None
