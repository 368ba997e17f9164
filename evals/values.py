"""One equality for every set, key, shelf and check: a value's canonical form."""

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, time
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Any
from uuid import UUID

SIGNIFICANT = 12
"""Digits that count in a number with a fraction; integral values are exact at any size."""

NOT_A_NUMBER = ("nan",)
_WIDE = Context(prec=400, rounding=ROUND_HALF_UP)


def canonical(value: Any, decimals: int | None = None) -> Any:
    """Return a hashable form; two values are equal if and only if their forms are.

    Integers, floats, decimals and truth values are one kind; a date is its midnight; aware moments are taken
    to UTC; text is kept as delivered; no other kinds mix. With `decimals`, numbers with a fraction are first
    rounded to it.
    """
    if value is None or isinstance(value, (str, int, bytes)):
        return value
    if isinstance(value, (float, Decimal)):
        return _number(value, decimals)
    if isinstance(value, datetime):
        return value.astimezone(UTC).replace(tzinfo=None) if value.tzinfo is not None else value
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day)
    if isinstance(value, time):
        return ("time", value.isoformat())
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, Mapping):
        return ("struct", _each(value.values(), decimals))
    if isinstance(value, (bytearray, memoryview)):
        return bytes(value)
    if isinstance(value, (list, tuple)):
        return ("list", _each(value, decimals))
    return value


def _each(values: Iterable[Any], decimals: int | None) -> tuple[Any, ...]:
    return tuple(canonical(value, decimals) for value in values)


def _number(value: float | Decimal, decimals: int | None) -> Any:
    if value != value:
        return NOT_A_NUMBER
    if value in (float("inf"), float("-inf")):
        return float(value)
    if value == int(value):
        return int(value)
    exact = value if isinstance(value, Decimal) else Decimal(repr(value))
    if decimals is not None:
        exact = _rounded(exact, -decimals)
    exact = _rounded(exact, min(exact.adjusted() - SIGNIFICANT + 1, 0))
    return int(exact) if exact == int(exact) else exact


def _rounded(value: Decimal, exponent: int) -> Decimal:
    """Round half away from zero to a power of ten, where the value is finer than that."""
    if int(value.as_tuple().exponent) >= exponent:
        return value
    return value.quantize(Decimal(1).scaleb(exponent), context=_WIDE)
