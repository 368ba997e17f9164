"""Two sets of rows, equal whatever their order and however an engine types its numbers."""

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

DIGITS = Decimal("0.000001")


def same_rows(found: Sequence[Sequence[Any]], truth: Sequence[Sequence[Any]]) -> bool:
    """Compare as multisets; numbers to six digits behind the point."""
    return Counter(map(_row, found)) == Counter(map(_row, truth))


def _row(values: Sequence[Any]) -> tuple[object, ...]:
    return tuple(map(_value, values))


def _value(value: Any) -> object:
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        return Decimal(str(value)).quantize(DIGITS)
    if isinstance(value, datetime):
        return value.isoformat(sep="T")
    if isinstance(value, date):
        return value.isoformat()
    return _number(value) if isinstance(value, str) else value


def _number(text: str) -> object:
    """A reply's decimals travel as text."""
    try:
        return Decimal(text).quantize(DIGITS)
    except ArithmeticError:
        return text
