"""Bytes as a worker sends them, columns in Arrow's layout -> rows of values; reading them runs no code."""

import sys
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Context, Decimal
from itertools import pairwise, repeat
from typing import Any

from gateway.engines.base import EngineError
from traces.data_records import Value

Row = tuple[Value, ...]
ColumnHead = tuple[str, int, int, Sequence[int]]
"""The kind of a column, its scale, and the lengths of its bits of validity and of its pieces, in bytes."""
Part = tuple[int, Sequence[ColumnHead]]
"""So many rows, and their columns."""

EXACT = Context(prec=80)
"""More digits than any decimal has, so that moving its point rounds nothing."""
FIRST_DAY = date(1970, 1, 1).toordinal()
FIRST_MOMENT = datetime(1970, 1, 1)
NUMBERS = frozenset("bhiqBHIQfd")
_TRUE = "1"


@dataclass(frozen=True, slots=True)
class Taken:
    """Rows as a worker sends them: what describes them part by part, their bytes, and which cap cut them."""

    names: tuple[str, ...]
    types: tuple[str, ...]
    parts: tuple[Part, ...]
    data: bytes
    limit_source: str
    ms: float

    @property
    def height(self) -> int:
        """How many rows there are."""
        return sum(height for height, _ in self.parts)


def decode_rows(parts: Iterable[Part], data: bytes, width: int) -> tuple[Row, ...]:
    """Return the rows of all parts.

    Raises ValueError, LookupError, TypeError or ArithmeticError for what is none, and EngineError
    `value_out_of_range` for a date or time that Python cannot hold.
    """
    rows: list[Row] = []
    view, at = memoryview(data), 0
    for height, heads in parts:
        columns = []
        for kind, scale, nulls, sizes in heads:
            pieces = []
            for size in map(int, (nulls, *sizes)):
                pieces.append(view[at : at + size].tobytes())
                at += size
            columns.append(_column(kind, int(scale), pieces, height))
        if len(columns) != width or any(len(column) != height for column in columns):
            raise ValueError("the columns are not as many or as long as they were said to be")
        rows.extend(zip(*columns, strict=True))
    return tuple(rows)


def _column(kind: str, scale: int, pieces: Sequence[bytes], height: int) -> Sequence[Value]:
    nulls, *buffers = pieces
    if kind == "null":
        return [None for _ in _bits(nulls, height)]
    raw = _raw(kind, buffers, height)
    if not nulls:
        return _values(kind, scale, raw)
    # What stands under a NULL is nothing, so no value may be made of it.
    there = _bits(nulls, height)
    values = iter(
        _values(kind, scale, [value for value, bit in zip(raw, there, strict=True) if bit == _TRUE])
    )
    return [next(values) if bit == _TRUE else None for bit in there]


def _raw(kind: str, buffers: Sequence[bytes], height: int) -> Sequence[Any]:
    """Return the values of a column as it holds them: numbers, texts, or '0' and '1'."""
    if kind in NUMBERS:
        return _numbers(kind, buffers[0])
    match kind:
        case "text":
            return _texts(buffers[0], buffers[1])
        case "bits":
            return _bits(buffers[0], height)
        case "date":
            return _numbers("i", buffers[0])
        case "moment" | "instant" | "clock":
            return _numbers("q", buffers[0])
    return _wide(buffers[0], signed=kind != "wide_unsigned")


def _values(kind: str, scale: int, raw: Sequence[Any]) -> Sequence[Value]:
    """Return the values of a column out of what it holds."""
    match kind:
        case "bits":
            return [bit == _TRUE for bit in raw]
        case "decimal":
            return list(map(EXACT.scaleb, raw, repeat(-scale)) if scale else map(Decimal, raw))
        case "date":
            return _dates(raw)
        case "moment":
            return _moments(raw, scale)
        case "instant":
            return [moment.replace(tzinfo=UTC) for moment in _moments(raw, scale)]
        case "clock":
            return [str(moment.time()) for moment in _moments(raw, scale)]
        case "text" | "wide" | "wide_unsigned":
            return raw
    if kind in NUMBERS:
        return raw
    raise ValueError(f"there is no kind of column {kind}")


def _dates(days: Sequence[int]) -> list[date]:
    try:
        return list(map(date.fromordinal, map(FIRST_DAY.__add__, days)))
    except (ValueError, OverflowError):
        raise _out_of_range("date") from None


def _moments(ticks: Sequence[int], scale: int) -> list[datetime]:
    try:
        return [FIRST_MOMENT + timedelta(microseconds=tick * scale // 1000) for tick in ticks]
    except OverflowError:
        raise _out_of_range("time") from None


def _numbers(code: str, data: bytes) -> list[Any]:
    found: array[Any] = array(code)
    found.frombytes(data)
    return found.tolist()


def _wide(data: bytes, *, signed: bool) -> list[int]:
    """Return whole numbers of 16 bytes; where all of them need eight, only eight are looked at."""
    if len(data) % 16:
        raise ValueError("a number is not whole")
    halves = _numbers("q", data)
    low, high = halves[::2], halves[1::2]
    if signed and high == [number >> 63 for number in low]:
        return low
    wide = [data[at : at + 16] for at in range(0, len(data), 16)]
    return [int.from_bytes(each, sys.byteorder, signed=signed) for each in wide]


def _texts(ends: bytes, data: bytes) -> list[str]:
    places = pairwise(_numbers("i", ends))
    if data.isascii():
        letters = data.decode("ascii")
        return [letters[begin:end] for begin, end in places]
    return [data[begin:end].decode() for begin, end in places]


def _bits(data: bytes, height: int) -> str:
    """Return as many bits as there are rows, the first one first."""
    bits = f"{int.from_bytes(data, 'little'):0{8 * len(data)}b}"[::-1]
    return bits[:height]


def _out_of_range(what: str) -> EngineError:
    return EngineError(
        "value_out_of_range",
        f"a {what} of the result lies outside the years 1 to 9999",
        next_step="Ask without that column, or ask the owner of the definition to leave such rows out.",
    )
