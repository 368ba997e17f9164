"""Columns of Arrow or Python values as integer codes, kind by kind, without touching single cells."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evals.numbers import as_floats
from evals.plain import encode
from evals.sides import NULL

Codes = NDArray[np.int32]

MIXED_IN = {
    pa.string().id: str,
    pa.large_string().id: str,
    pa.date32().id: date,
    pa.timestamp("us").id: datetime,
}
"""Arrow types into which values of another kind are taken, and the kind that belongs there."""

CLOSE = 1e11
"""Hundredths below this are told apart exactly by a float64."""


@dataclass(frozen=True)
class _Column:
    """A column as plain Arrow values of one kind; every kind has its own codes."""

    kind: str
    values: pa.Array


@dataclass(frozen=True)
class Coded:
    """A column as codes from `first` on, `known` of them in use by all columns of its kind; NULL is 0."""

    codes: Codes
    first: int
    known: int


def encode_columns(columns: Sequence[Any], decimals: int | None) -> list[Coded]:
    """Return the columns of both sides as codes: equal values have equal codes, kinds never share one.

    Where a column holds what Arrow cannot compare as we do, all columns go through the canonical form of
    single values; the codes mean the same either way.
    """
    read = [_read(column, decimals) for column in columns]
    typed = [column for column in read if column is not None]
    if len(typed) < len(read):
        return _encode_values(columns, decimals)
    coded: dict[int, Coded] = {}
    size = NULL + 1
    for kind in sorted({column.kind for column in typed}):
        members = [place for place, column in enumerate(typed) if column.kind == kind]
        whole = pa.chunked_array([typed[place].values for place in members]).combine_chunks()
        flat, known = _numbered(whole, size)
        lengths = [len(typed[place].values) for place in members]
        for place, part in zip(members, np.split(flat, np.cumsum(lengths)[:-1]), strict=True):
            coded[place] = Coded(part, size, known)
        size += max(known, 1)
    return [coded[place] for place in range(len(typed))]


def _numbered(values: pa.Array, first: int) -> tuple[Codes, int]:
    """Return one code per distinct value from `first` on, NULL left at its own, and how many codes there are.

    Whole numbers, then hundredths, that lie close together are their own codes; what is left is looked up.
    """
    left = values.is_valid().to_numpy(zero_copy_only=False)
    codes = np.full(len(values), NULL, dtype=np.int32)
    known = 0
    if pa.types.is_floating(values.type):
        numbers = values.fill_null(np.nan).to_numpy(zero_copy_only=False)
        for scale in (1.0, 100.0):
            known += _code_close(numbers, scale, codes, left, first + known)
    rest = values.filter(pa.array(left)).dictionary_encode()
    codes[left] = rest.indices.to_numpy(zero_copy_only=False) + np.int32(first + known)
    return codes, known + len(rest.dictionary)


def _code_close(
    numbers: NDArray[np.float64], scale: float, codes: Codes, left: NDArray[np.bool_], first: int
) -> int:
    """Code multiples of 1/scale where they lie close together; return how many codes that took."""
    with np.errstate(invalid="ignore", over="ignore"):
        units = np.rint(numbers * scale)
        chosen = left & (np.abs(units) < CLOSE) & (units / scale == numbers)
    places = units[chosen]
    if not len(places):
        return 0
    low, size = places.min(), int(places.max() - places.min()) + 1
    if size > 2 * len(numbers):
        return 0
    codes[chosen] = (places - low).astype(np.int32) + np.int32(first)
    left &= ~chosen
    return size


def _encode_values(columns: Sequence[Any], decimals: int | None) -> list[Coded]:
    known: dict[Any, int] = {None: NULL}
    python = (column.to_pylist() if hasattr(column, "to_pylist") else column for column in columns)
    codes = [np.array(column, dtype=np.int32) for column in encode(python, known, decimals)]
    return [Coded(column, NULL + 1, len(known) - 1) for column in codes]


def _read(column: Any, decimals: int | None) -> _Column | None:
    """Return a column as comparable Arrow values, or None where single values have to be looked at."""
    values = _arrow(column)
    if values is None:
        return None
    kind = values.type
    if pa.types.is_null(kind):
        return _Column("null", values)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return _Column("text", values.cast(pa.large_string()))
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        return _Column("moment", _moments(values))
    numbers = as_floats(values, decimals)
    return None if numbers is None else _Column("number", numbers)


def _arrow(column: Any) -> pa.Array | None:
    if not hasattr(column, "to_pylist"):
        try:
            made = pa.array(column)
        except (pa.ArrowException, OverflowError, ValueError, TypeError):
            return None
        # Arrow takes a number among moments for a moment, a moment among days for its day, bytes for text.
        alone = MIXED_IN.get(made.type.id)
        return made if alone is None or set(map(type, column)) <= {alone, type(None)} else None
    values = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if isinstance(values, pa.ChunkedArray):
        return None
    return values.dictionary_decode() if pa.types.is_dictionary(values.type) else values


def _moments(values: pa.Array) -> pa.Array:
    """Return dates and timestamps as microseconds of UTC; Arrow keeps an aware moment in UTC already."""
    if pa.types.is_timestamp(values.type):
        return pc.cast(values, pa.timestamp("us", tz=values.type.tz), safe=False).cast(pa.int64())
    return values.cast(pa.timestamp("us")).cast(pa.int64())
