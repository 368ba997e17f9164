"""A DuckDB statement -> its rows up to the caps, in Arrow's layout: no value becomes one of Python's here."""

import time
from collections.abc import Iterator, Sequence

import duckdb
import pyarrow as pa

from gateway.engines.base import Limits
from gateway.engines.capped import value_type
from gateway.engines.duckdb_arrow import FIXED, Counted, counted, encode, plain, size_of
from gateway.engines.duckdb_columns import Taken
from gateway.engines.duckdb_cursor import Statement
from gateway.engines.duckdb_errors import as_stream_error
from gateway.engines.flights import Flight
from gateway.engines.refusals import timed_out

BATCH = 1024
CARRIED = frozenset(
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
        "UUID",
        "DATE",
        "TIME",
        "TIME_NS",
        "TIMESTAMP",
        "TIMESTAMP_S",
        "TIMESTAMP_MS",
        "TIMESTAMP_NS",
        "TIMESTAMP WITH TIME ZONE",
        "NULL",
    }
)
"""Types whose values a result can carry; Arrow forgets the zone of a TIME WITH TIME ZONE."""


def take_rows(statement: Statement, flight: Flight, limits: Limits, started: float) -> Taken:
    """Run one SELECT and take rows up to the row and byte caps.

    Raises EngineTimeout and EngineCancelled between batches too, and EngineError for a column of a type that
    a result cannot carry.
    """
    names, types = statement.names, statement.types
    if strange := [f"{name} ({type_})" for name, type_ in zip(names, types, strict=True) if not _fits(type_)]:
        raise value_type(strange)
    words = tuple(type_.split("(", 1)[0] for type_ in types)
    parts, pieces, limit_source = [], [], ""
    rows_left, bytes_left = limits.rows, limits.bytes
    for batch in _stream(statement.relation, flight, limits, started):
        columns = plain(batch)
        counts = counted(columns, words)
        height, size = batch.num_rows, size_of(columns, counts, batch.num_rows)
        if height > rows_left or size > bytes_left:
            height, limit_source = _fitting(columns, counts, height, rows_left, bytes_left)
        part, data = encode(columns, words, height)
        parts.append(part)
        pieces.append(data)
        if limit_source:
            break
        rows_left, bytes_left = rows_left - height, bytes_left - size
    elapsed = round((time.monotonic() - started) * 1000, 3)
    return Taken(names, types, tuple(parts), b"".join(pieces), limit_source, elapsed)


def _stream(
    relation: duckdb.DuckDBPyRelation, flight: Flight, limits: Limits, started: float
) -> Iterator[pa.RecordBatch]:
    """DuckDB counts its time limit while it works; this also counts the time between its batches."""
    flight.check()
    with relation.to_arrow_reader(min(BATCH, limits.rows + 1)) as reader:
        while True:
            flight.check()
            if time.monotonic() - started > limits.seconds:
                raise timed_out(limits.seconds)
            try:
                batch = reader.read_next_batch()
            except StopIteration:
                return
            except (pa.ArrowException, OSError) as fault:
                raise as_stream_error(fault) from None
            if batch.num_rows:
                yield batch


def _fitting(
    columns: Sequence[pa.Array], counts: Sequence[Counted], height: int, rows: int, size: int
) -> tuple[int, str]:
    """Return how many rows of a batch that does not fit do, and which cap the next one meets."""
    nulls = [column.is_valid().to_pylist() if column.null_count else () for column in columns]
    fits = 0
    while fits < min(rows, height):
        size -= sum(
            count.of(fits) if not there or there[fits] else FIXED
            for count, there in zip(counts, nulls, strict=True)
        )
        if size < 0:
            return fits, "bytes"
        fits += 1
    return fits, "rows"


def _fits(type_: str) -> bool:
    return not type_.endswith("]") and type_.split("(", 1)[0] in CARRIED
