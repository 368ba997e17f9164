"""Bounds, literal or relative to now, that a condition puts on a base column of dates."""

from datetime import datetime, timedelta

from sqlglot import exp

from metric_layer.sql.literals import TRUNCATIONS, WRAPPERS, moment_of
from metric_layer.sql.scope import Conjunct, Origin, Source, Use

Bound = tuple[Origin, datetime | None, datetime | None]
Comparison = tuple[Use, datetime | None, datetime | None]
FLIPPED: dict[type[exp.Expr], type[exp.Expr]] = {
    exp.GT: exp.LT,
    exp.GTE: exp.LTE,
    exp.LT: exp.GT,
    exp.LTE: exp.GTE,
}


def bound_of(conjunct: Conjunct, uses: dict[int, Use], sources: list[Source], now: datetime) -> Bound | None:
    """Return column, lower and (exclusive) upper bound of a conjunct; None when it is no such bound.

    Only a base column of the scope's own `sources` counts, in WHERE or in the ON of an inner join.
    """
    found = _bound(conjunct, uses, now)
    if found is None or found[0].source not in sources:
        return None
    use, low, high = found
    return (use.field.origin, low, high) if use.field.origin is not None else None


def _bound(conjunct: Conjunct, uses: dict[int, Use], now: datetime) -> Comparison | None:
    node = conjunct.node
    if isinstance(node, exp.Between):
        use = _column(node.this, uses)
        low, high = moment_of(node.args.get("low"), now), moment_of(node.args.get("high"), now)
        if node.args.get("symmetric") and low is not None and high is not None:
            low, high = min(low, high), max(low, high)
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


def _counted(
    conjunct: Conjunct, use: Use | None, low: datetime | None, high: datetime | None
) -> Comparison | None:
    if use is None or use.field.origin is None or use.source is None:
        return None
    if use.source.relation.table is None or conjunct.kind not in ("WHERE", "INNER"):
        return None
    return use, low, high


def _column(node: exp.Expr, uses: dict[int, Use]) -> Use | None:
    """Return the column that is compared, through casts and truncations, which keep the order."""
    while isinstance(node, (*WRAPPERS, *TRUNCATIONS)) or _is_date_part(node):
        node = node.expression if isinstance(node, exp.Extract) else node.this
    return uses.get(id(node)) if isinstance(node, exp.Column) else None


def _is_date_part(node: exp.Expr) -> bool:
    """Say whether a node is BigQuery's EXTRACT(DATE FROM ...), which cuts off the time of day."""
    return isinstance(node, exp.Extract) and node.this.name.upper() == "DATE"
