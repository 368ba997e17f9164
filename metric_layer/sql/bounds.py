"""Bounds, literal or relative to now, that a condition puts on a base column of dates."""

from collections.abc import Sequence
from datetime import datetime

from sqlglot import exp

from metric_layer.sql.literals import TRUNCATIONS, UNITS, WRAPPERS, moment_of, shifted, truncated, unit_of
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
        use, units = _column(node.this, uses)
        low, high = moment_of(node.args.get("low"), now), moment_of(node.args.get("high"), now)
        if node.args.get("symmetric") and low is not None and high is not None:
            low, high = min(low, high), max(low, high)
        return _counted(conjunct, use, low, _end(high, units, whole=True))
    if not isinstance(node, (exp.GT, exp.GTE, exp.LT, exp.LTE, exp.EQ)):
        return None
    kind: type[exp.Expr] = type(node)
    (use, units), value = _column(node.this, uses), node.expression
    if use is None:
        (use, units), value, kind = _column(node.expression, uses), node.this, FLIPPED.get(kind, kind)
    moment = moment_of(value, now)
    if moment is None:
        return None
    if kind is exp.EQ:
        return _counted(conjunct, use, moment, _end(shifted(moment, 1, "DAY"), units, whole=True))
    if kind in (exp.GT, exp.GTE):
        return _counted(conjunct, use, moment, None)
    return _counted(conjunct, use, None, _end(moment, units, whole=kind is exp.LTE))


def _end(moment: datetime | None, units: Sequence[str], *, whole: bool) -> datetime | None:
    """Return where a column ends whose truncations end at `moment`: the last unit may run to its own end.

    Only the start of a unit, where it is not `whole`ly let in itself, ends the column right there.
    """
    for unit in units:
        if moment is not None and (whole or unit == "WEEK" or truncated(moment, unit) != moment):
            moment = shifted(moment, 1, unit)
    return moment


def _counted(
    conjunct: Conjunct, use: Use | None, low: datetime | None, high: datetime | None
) -> Comparison | None:
    if use is None or use.field.origin is None or use.source is None:
        return None
    if use.source.relation.table is None or conjunct.kind not in ("WHERE", "INNER"):
        return None
    return use, low, high


def _column(node: exp.Expr, uses: dict[int, Use]) -> tuple[Use | None, tuple[str, ...]]:
    """Return the column that is compared and the units it is truncated to, through casts that keep the order.

    A unit longer than a year bounds nothing: there is no column then.
    """
    units: list[str] = []
    while isinstance(node, (*WRAPPERS, *TRUNCATIONS)) or _is_date_part(node):
        if isinstance(node, TRUNCATIONS):
            units.append(unit_of(node.args.get("unit")))
        node = node.expression if isinstance(node, exp.Extract) else node.this
    known = isinstance(node, exp.Column) and all(unit in UNITS for unit in units)
    return (uses.get(id(node)) if known else None), tuple(units)


def _is_date_part(node: exp.Expr) -> bool:
    """Say whether a node is BigQuery's EXTRACT(DATE FROM ...), which cuts off the time of day."""
    return isinstance(node, exp.Extract) and node.this.name.upper() == "DATE"
