"""Rows as JSON carries them without loss: decimals, dates and integers beyond 2**53 become strings."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from itertools import repeat
from typing import Any

from pydantic import SerializeAsAny

from traces.records import Value

SAFE_INTEGER = 2**53 - 1
JsonCell = SerializeAsAny[bool | int | float | str | None]
"""A cell as JSON carries it, written as what it is: to try its kinds in turn takes ten times as long."""
_AS_THEY_ARE = frozenset((str, bool, float, type(None)))


def json_rows(rows: Sequence[Sequence[Value]]) -> tuple[tuple[JsonCell, ...], ...]:
    """Return rows with values that JSON carries without loss, written column by column."""
    if not rows or not rows[0]:
        return tuple(() for _ in rows)
    return tuple(zip(*map(_column, zip(*rows, strict=True)), strict=True))


def json_cell(value: Value) -> JsonCell:
    """Return a cell as JSON."""
    if isinstance(value, str) or value is None:
        return value
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, int) and not -SAFE_INTEGER <= value <= SAFE_INTEGER:
        return str(value)
    return value


def _column(values: Sequence[Any]) -> Iterable[JsonCell]:
    """Return the cells of a column, whose values are mostly of one kind."""
    kinds = set(map(type, values))
    if kinds <= _AS_THEY_ARE:
        return values
    if kinds == {int} and min(values) >= -SAFE_INTEGER and max(values) <= SAFE_INTEGER:
        return values
    write = _WRITTEN.get(kinds.pop()) if len(kinds) == 1 else None
    return map(json_cell, values) if write is None else write(values)


_WRITTEN: Mapping[type, Callable[[Sequence[Any]], Iterable[str]]] = {
    Decimal: lambda values: map(format, values, repeat("f")),
    date: partial(map, date.isoformat),
    datetime: partial(map, datetime.isoformat),
}
"""How a column is written whose values are of one kind."""
