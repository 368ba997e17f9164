"""A running DuckDB result -> rows up to the caps, every value one that a result can carry."""

import time
from collections.abc import Iterator
from typing import Any

import duckdb

from gateway.engines.base import Limits, Rows
from gateway.engines.capped import Convert, take, unchanged, value_type
from gateway.engines.duckdb_errors import timed_out
from gateway.engines.flights import Flight
from traces.records import Actual

BATCH = 256
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


def read_rows(cursor: duckdb.DuckDBPyConnection, flight: Flight, limits: Limits, started: float) -> Rows:
    """Stream the result up to the row and byte caps.

    Raises EngineTimeout and EngineCancelled between batches too, and EngineError for a column of a type that
    a result cannot carry.
    """
    names = tuple(str(column[0]) for column in cursor.description)
    types = tuple(str(column[1]).strip('"') for column in cursor.description)
    kinds = _kinds(names, types)
    kept, limit_source = take(_stream(cursor, flight, limits, started), kinds, limits)
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
) -> Iterator[list[tuple[Any, ...]]]:
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
        yield batch


def _kinds(names: tuple[str, ...], types: tuple[str, ...]) -> tuple[Convert, ...]:
    """Return what turns each column's values into values of ours; all columns that cannot be at once."""
    kinds = tuple(_kind(type_) for type_ in types)
    described = zip(names, types, kinds, strict=True)
    strange = [f"{name} ({type_})" for name, type_, kind in described if kind is None]
    if strange:
        raise value_type(strange)
    return tuple(kind for kind in kinds if kind is not None)


def _kind(type_: str) -> Convert | None:
    if type_.endswith("]"):
        return None
    name = type_.split("(", 1)[0]
    if name in EXACT:
        return unchanged
    if name in AS_TEXT:
        return str
    return None
