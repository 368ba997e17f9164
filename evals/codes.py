"""Columns of Arrow or Python values as integer codes, kind by kind, without touching single cells."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evals.numbers import as_floats
from evals.plain import encode
from evals.sides import NULL

Codes = NDArray[np.int32]


@dataclass(frozen=True)
class _Column:
    """A column as plain Arrow values of one kind; every kind has its own codes."""

    kind: str
    values: pa.Array


def encode_columns(columns: Sequence[Any], decimals: int | None) -> tuple[list[Codes], int]:
    """Return the columns of both sides as codes of equal meaning, and how many codes there are. NULL is 0.

    Where a column holds what Arrow cannot compare as we do, all columns go through the canonical form of single
    values; the codes mean the same either way.
    """
    read = [_read(column, decimals) for column in columns]
    typed = [column for column in read if column is not None]
    if len(typed) < len(read):
        return _encode_values(columns, decimals)
    codes: list[Codes] = [np.zeros(0, np.int32)] * len(typed)
    size = NULL + 1
    for kind in sorted({column.kind for column in typed}):
        members = [place for place, column in enumerate(typed) if column.kind == kind]
        whole = pa.chunked_array([typed[place].values for place in members]).combine_chunks().dictionary_encode()
        flat = whole.indices.fill_null(NULL - size).to_numpy(zero_copy_only=False).astype(np.int32) + np.int32(size)
        lengths = [len(typed[place].values) for place in members]
        for place, part in zip(members, np.split(flat, np.cumsum(lengths)[:-1]), strict=True):
            codes[place] = part
        size += len(whole.dictionary)
    return codes, size


def _encode_values(columns: Sequence[Any], decimals: int | None) -> tuple[list[Codes], int]:
    known: dict[Any, int] = {None: NULL}
    python = (column.to_pylist() if hasattr(column, "to_pylist") else column for column in columns)
    return [np.array(column, dtype=np.int32) for column in encode(python, known, decimals)], len(known)


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
            return pa.array(column)
        except (pa.ArrowException, OverflowError, ValueError, TypeError):
            return None
    values = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if isinstance(values, pa.ChunkedArray):
        return None
    return values.dictionary_decode() if pa.types.is_dictionary(values.type) else values


def _moments(values: pa.Array) -> pa.Array:
    """Return dates and timestamps as microseconds of UTC; Arrow keeps an aware moment in UTC already."""
    if pa.types.is_timestamp(values.type):
        return pc.cast(values, pa.timestamp("us", tz=values.type.tz), safe=False).cast(pa.int64())
    return values.cast(pa.timestamp("us")).cast(pa.int64())
