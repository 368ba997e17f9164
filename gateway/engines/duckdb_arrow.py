"""Arrow's columns, as DuckDB fills them -> bytes for a pipe; no value is made on the way."""

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from gateway.engines.duckdb_columns import ColumnHead, Part

FIXED = 8
"""Bytes that a value counts which is no text."""

_CODES = {
    pa.int8(): "b",
    pa.int16(): "h",
    pa.int32(): "i",
    pa.int64(): "q",
    pa.uint8(): "B",
    pa.uint16(): "H",
    pa.uint32(): "I",
    pa.uint64(): "Q",
    pa.float32(): "f",
    pa.float64(): "d",
}
_CALLED = {"HUGEINT": "wide", "UHUGEINT": "wide_unsigned"}
_NANOSECONDS = {"s": 1_000_000_000, "ms": 1_000_000, "us": 1000, "ns": 1}


@dataclass(frozen=True, slots=True)
class Counted:
    """A column as the byte cap counts it: `places` are the ends of its texts, or nothing."""

    places: Sequence[int]

    def of(self, row: int) -> int:
        """Return the bytes of one value."""
        return self.places[row + 1] - self.places[row] if self.places else FIXED


def plain(batch: pa.RecordBatch) -> list[pa.Array]:
    """Return the columns of a batch, words in place of the numbers of an enumeration."""
    return [
        column.dictionary_decode() if pa.types.is_dictionary(column.type) else column
        for column in batch.columns
    ]


def counted(columns: Sequence[pa.Array], types: Sequence[str]) -> list[Counted]:
    """Return how the byte cap counts columns of these types: a text as UTF-8, all else as 8."""
    return [
        Counted(_ends(column) if pa.types.is_string(column.type) and type_ != "UUID" else ())
        for column, type_ in zip(columns, types, strict=True)
    ]


def size_of(columns: Sequence[pa.Array], counts: Sequence[Counted], height: int) -> int:
    """Return the bytes that the first rows count; a NULL counts like a number."""
    return sum(
        count.places[height] - count.places[0] + FIXED * column.null_count if count.places else FIXED * height
        for column, count in zip(columns, counts, strict=True)
    )


def encode(columns: Sequence[pa.Array], types: Sequence[str], height: int) -> tuple[Part, bytes]:
    """Return what describes the first rows of columns, and their bytes."""
    heads: list[ColumnHead] = []
    pieces: list[bytes] = []
    for column, type_ in zip(columns, types, strict=True):
        kind, scale = _kind(column.type, type_)
        nulls, *parts = _pieces(column, height)
        heads.append((kind, scale, len(nulls), [len(part) for part in parts]))
        pieces.extend((nulls, *parts))
    return (height, heads), b"".join(pieces)


def _kind(arrow: pa.DataType, type_: str) -> tuple[str, int]:
    """Return what a column's bytes are, and its scale: digits of a decimal, nanoseconds of a tick."""
    if arrow in _CODES:
        return _CODES[arrow], 0
    if pa.types.is_decimal128(arrow):
        return _CALLED.get(type_, "decimal"), arrow.scale
    if pa.types.is_timestamp(arrow):
        return "instant" if arrow.tz else "moment", _NANOSECONDS[arrow.unit]
    if pa.types.is_time64(arrow):
        return "clock", _NANOSECONDS[arrow.unit]
    return {"bool": "bits", "string": "text", "date32[day]": "date", "null": "null"}[str(arrow)], 0


def _pieces(column: pa.Array, height: int) -> list[bytes]:
    """Return a column's bits of validity, if it has a NULL, and its buffers, as long as so many rows are."""
    bits = (height + 7) // 8
    if pa.types.is_null(column.type):
        return [bytes(bits)]
    validity, *buffers = column.buffers()
    nulls = b"" if not column.null_count or validity is None else _first(validity, bits)
    if pa.types.is_string(column.type):
        ends = _ends(column)
        text = buffers[1]
        return [nulls, _first(buffers[0], 4 * (height + 1)), _first(text, ends[height]) if text else b""]
    if pa.types.is_boolean(column.type):
        return [nulls, _first(buffers[0], bits)]
    return [nulls, _first(buffers[0], height * column.type.bit_width // 8)]


def _ends(column: pa.Array) -> Sequence[int]:
    return memoryview(column.buffers()[1]).cast("b").cast("i")


def _first(buffer: pa.Buffer, size: int) -> bytes:
    return bytes(memoryview(buffer)[:size])
