"""Typed values as SQL literals."""

from datetime import date, datetime
from decimal import Decimal

from sqlglot import exp

from metric_layer.values import TypedValue


def literal(value: TypedValue) -> exp.Expr:
    """Return a typed literal; a moment with a zone is an instant."""
    if isinstance(value, bool):
        return exp.Boolean(this=value)
    if isinstance(value, str):
        return exp.Literal.string(value)
    if isinstance(value, datetime):
        kind = exp.DataType.Type.TIMESTAMP if value.tzinfo is None else exp.DataType.Type.TIMESTAMPTZ
        return _cast(value.isoformat(sep=" "), kind)
    if isinstance(value, date):
        return _cast(value.isoformat(), exp.DataType.Type.DATE)
    text = format(abs(value), "f") if isinstance(value, Decimal) else str(abs(value))
    number = exp.Literal.number(text)
    return exp.Neg(this=number) if value < 0 else number


def _cast(text: str, kind: exp.DataType.Type) -> exp.Expr:  # type: ignore[valid-type]
    return exp.Cast(this=exp.Literal.string(text), to=exp.DataType(this=kind, nested=False))
