"""A running DuckDB result -> rows up to the caps, every value one that a result can carry."""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import duckdb

from gateway.engines.base import EngineError, Limits, Rows
from gateway.engines.duckdb_errors import timed_out
from gateway.engines.duckdb_flights import Flight
from traces.records import Actual, Value

BATCH = 256
FIXED = 8
EXACT = frozenset(
    {
        "BOOLEAN",
        "TINYINT",
        "SMALLINT",
        "INTEGER",
        "BIGINT",
        "HUGEINT",
        "UTINYINT",
        "USMALLINT",
        "UINTEGER",
        "UBIGINT",
        "UHUGEINT",
        "FLOAT",
        "DOUBLE",
        "DECIMAL",
        "VARCHAR",
        "JSON",
        "ENUM",
        "DATE",
        "TIMESTAMP",
        "TIMESTAMP_S",
        "TIMESTAMP_MS",
        "TIMESTAMP_NS",
        "TIMESTAMP WITH TIME ZONE",
        "NULL",
    }
)
AS_TEXT = frozenset({"UUID", "TIME", "TIME_NS", "TIME WITH TIME ZONE"})

Row = tuple[Value, ...]


def read_rows(cursor: duckdb.DuckDBPyConnection, flight: Flight, limits: Limits, started: float) -> Rows:
    """Stream the result up to the row and byte caps; one row more is read to know whether it was cut.

    Raises EngineTimeout and EngineCancelled between batches too, and EngineError for a column of a type that
    a result cannot carry. The byte cap counts text as UTF-8 and 8 for every other value.
    """
    names = tuple(str(column[0]) for column in cursor.description)
    types = tuple(str(column[1]).strip('"') for column in cursor.description)
    convert = _converter(names, types)
    kept: list[Row] = []
    size, limit_source = 0, ""
    for row in _stream(cursor, flight, limits, started):
        size += _size(row)
        if len(kept) == limits.rows:
            limit_source = "rows"
        elif size > limits.bytes:
            limit_source = "bytes"
        if limit_source:
            break
        kept.append(convert(row))
    elapsed = (time.monotonic() - started) * 1000
    return Rows(
        names=names,
        types=types,
        rows=tuple(kept),
        truncated=bool(limit_source),
        limit_source=limit_source,
        actual=Actual(rows=len(kept), ms=round(elapsed, 3)),
    )


def _stream(
    cursor: duckdb.DuckDBPyConnection, flight: Flight, limits: Limits, started: float
) -> Iterator[tuple[Any, ...]]:
    """DuckDB counts its time limit while it works; this also counts the time between its batches."""
    wanted = limits.rows + 1
    while wanted > 0:
        flight.check()
        if time.monotonic() - started > limits.seconds:
            raise timed_out(limits.seconds)
        batch = cursor.fetchmany(min(BATCH, wanted))
        if not batch:
            return
        wanted -= len(batch)
        yield from batch


def _size(row: Sequence[Any]) -> int:
    return sum(_text_size(value) if isinstance(value, str) else FIXED for value in row)


def _text_size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())


def _converter(names: tuple[str, ...], types: tuple[str, ...]) -> Callable[[tuple[Any, ...]], Row]:
    """Return what turns a driver's row into values of ours; rows that need nothing are left as they are."""
    kinds = tuple(_kind(type_) for type_ in types)
    described = zip(names, types, kinds, strict=True)
    strange = [f"{name} ({type_})" for name, type_, kind in described if kind is None]
    if strange:
        raise EngineError(
            "value_type",
            f"a result cannot carry these columns: {', '.join(strange)}",
            next_step="Select single values, or cast to a number, a date or text.",
        )
    changes = tuple((place, kind) for place, kind in enumerate(kinds) if kind and kind is not _same)
    if not changes:
        return tuple

    def convert(row: tuple[Any, ...]) -> Row:
        values = list(row)
        for place, kind in changes:
            values[place] = None if values[place] is None else kind(values[place])
        return tuple(values)

    return convert


def _kind(type_: str) -> Callable[[Any], Value] | None:
    if type_.endswith("]"):
        return None
    name = type_.split("(", 1)[0]
    if name in EXACT:
        return _same
    if name in AS_TEXT:
        return str
    return None


def _same(value: Any) -> Value:
    unchanged: Value = value
    return unchanged
