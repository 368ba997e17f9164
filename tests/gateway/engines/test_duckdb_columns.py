"""Values come out of a worker's pipe as the driver gives them; bytes that are no rows do no harm."""

import math
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal

import duckdb
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gateway.engines.base import EngineBusy, EngineCancelled, EngineError, EngineTimeout, Limits, Rows
from gateway.engines.duckdb_columns import decode_rows
from gateway.engines.duckdb_cursor import bound
from gateway.engines.duckdb_rows import CARRIED, take_rows
from gateway.engines.duckdb_wire import (
    LENGTH,
    Message,
    fault_in,
    fault_message,
    frame,
    rows_in,
    rows_message,
    unframe,
)
from gateway.engines.flights import Flight

LITERALS = {
    "BOOLEAN": ("true", "false"),
    "TINYINT": ("-128", "127"),
    "SMALLINT": ("-32768", "32767"),
    "INTEGER": ("-2147483648", "2147483647"),
    "BIGINT": ("-9223372036854775808", "9223372036854775807"),
    "HUGEINT": (
        "-170141183460469231731687303715884105728",
        "170141183460469231731687303715884105727",
        "-1",
        "7",
    ),
    "UTINYINT": ("0", "255"),
    "USMALLINT": ("0", "65535"),
    "UINTEGER": ("0", "4294967295"),
    "UBIGINT": ("0", "18446744073709551615"),
    "UHUGEINT": ("0", "340282366920938463463374607431768211455"),
    "FLOAT": ("0.1", "'-inf'"),
    "DOUBLE": ("0.1", "-0.0", "'inf'"),
    "DECIMAL(4,2)": ("-1.25", "0.00"),
    "DECIMAL(18,0)": ("-999999999999999999", "0"),
    "DECIMAL(18,6)": ("1.000001", "-123456789012.5"),
    "DECIMAL(38,3)": ("-12345678901234567890123456789012345.678", "-0.001"),
    "VARCHAR": ("''", "'line' || chr(10) || 'break'", "'Größe 😀'", "'a,b\"c'"),
    "JSON": ("'{\"a\": [1]}'", "'null'"),
    "ENUM('north', 'süd')": ("'north'", "'süd'"),
    "UUID": ("'ac48b32c-14fb-42cd-b95f-cda5240b83c2'",),
    "DATE": ("'0001-01-01'", "'1969-12-31'", "'9999-12-31'"),
    "TIME": ("'00:00:00'", "'23:59:59.999999'"),
    "TIME_NS": ("'10:00:00.123456789'",),
    "TIMESTAMP": ("'0001-01-01'", "'1969-12-31 23:59:59.999999'", "'9999-12-31 23:59:59.999999'"),
    "TIMESTAMP_S": ("'1969-12-31 23:59:59'", "'2024-02-29'"),
    "TIMESTAMP_MS": ("'1969-12-31 23:59:59.123'", "'2024-02-29'"),
    "TIMESTAMP_NS": ("'1970-01-01 00:00:00.123456789'", "'2024-02-29'"),
    "TIMESTAMP WITH TIME ZONE": ("'1969-12-31 23:59:59.5+02'", "'2024-02-29 12:00+00'"),
}
"""For each type that a result can carry, values at its edges."""


@pytest.fixture(scope="module")
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.execute("SET GLOBAL TimeZone='UTC'")
        yield connection


def _taken(
    database: duckdb.DuckDBPyConnection,
    sql: str,
    beside: str = "",
    rows: int = 10_000,
    size: int = 10**7,
) -> Rows:
    """Send a result through a pipe."""
    limits = Limits(rows=rows, bytes=size, seconds=30, memory_mb=512, spill_mb=0)
    flight = Flight("", cancelled=False)
    with database.cursor() as cursor:
        ahead = take_rows(bound(cursor, beside), flight, limits, time.monotonic()) if beside else None
        taken = take_rows(bound(cursor, sql), flight, limits, time.monotonic())
    return rows_in(unframe(frame(rows_message(taken, ahead))[LENGTH:]))


def _of_driver(database: duckdb.DuckDBPyConnection, sql: str) -> list[tuple[object, ...]]:
    """Return the driver's rows, what no result carries as its text."""
    with database.cursor() as cursor:
        rows = cursor.execute(sql).fetchall()
    kept = (bool, int, float, str, date, Decimal, type(None))
    return [
        tuple(value if isinstance(value, kept) or _is_decimal(value) else str(value) for value in row)
        for row in rows
    ]


def _is_decimal(value: object) -> bool:
    return type(value).__name__ == "Decimal"


def _alike(ours: object, theirs: object) -> bool:
    if isinstance(theirs, datetime) and theirs.tzinfo is not None:
        theirs = theirs.astimezone(UTC)
    return type(ours) is type(theirs) and str(ours) == str(theirs)


def test_every_type_that_is_carried_is_compared_with_the_driver() -> None:
    assert {type_.split("(", 1)[0] for type_ in LITERALS} == CARRIED - {"NULL"}


@st.composite
def columns(draw: st.DrawFn) -> list[tuple[str, list[str]]]:
    """Draw columns of one length: a type, and literals of it or NULLs."""
    height = draw(st.integers(0, 20))
    kinds = draw(st.lists(st.sampled_from(sorted(LITERALS)), min_size=1, max_size=5))
    return [
        (kind, draw(st.lists(st.sampled_from(("NULL", *LITERALS[kind])), min_size=height, max_size=height)))
        for kind in kinds
    ]


@given(columns())
@example([(kind, ["NULL", *values, "NULL"]) for kind, values in LITERALS.items() if len(values) == 2])
@example([(kind, list(values)) for kind, values in LITERALS.items() if len(values) == 2])
def test_rows_come_out_as_the_driver_gives_them(
    database: duckdb.DuckDBPyConnection, drawn: list[tuple[str, list[str]]]
) -> None:
    height = len(drawn[0][1])
    lists = ", ".join(
        f"unnest([{', '.join(f'CAST({value} AS {kind})' for value in values)}]::{kind}[]) AS c{number}"
        for number, (kind, values) in enumerate(drawn)
    )
    sql = f"SELECT {lists}"
    theirs = _of_driver(database, sql)
    ours = _taken(database, sql, beside="SELECT 1 AS n").rows
    assert len(ours) == len(theirs) == height
    for our_row, their_row in zip(ours, theirs, strict=True):
        assert all(map(_alike, our_row, their_row)), (our_row, their_row)


def test_a_column_of_nothing_and_what_is_no_number_are_carried(database: duckdb.DuckDBPyConnection) -> None:
    rows = _taken(database, "SELECT NULL AS nothing, 'nan'::DOUBLE AS odd FROM range(9)").rows
    assert [row[0] for row in rows] == [None] * 9
    assert all(isinstance(row[1], float) and math.isnan(row[1]) for row in rows)


def test_many_batches_and_the_rows_beside_them_keep_their_order(database: duckdb.DuckDBPyConnection) -> None:
    sql = "SELECT i, if(i % 7 = 0, NULL, 'n' || i) AS name FROM range(5000) AS t(i) ORDER BY i"
    found = _taken(database, sql, beside="SELECT 'ahead' AS word, 1.5 AS share")
    assert list(found.rows) == _of_driver(database, sql)
    assert [tuple(map(str, row)) for row in found.beside] == [("ahead", "1.5")]
    assert (found.names, found.types, found.truncated) == (("i", "name"), ("BIGINT", "VARCHAR"), False)


@pytest.mark.parametrize(
    ("rows", "size", "kept", "cut_by"),
    [
        (3000, 10**7, 3000, "rows"),
        (5000, 10**7, 5000, ""),
        (5000, 8 * 1500, 1000, "bytes"),
        (1000, 12 * 1000, 1000, "rows"),
        (10, 11, 0, "bytes"),
    ],
)
def test_a_result_is_cut_at_the_row_that_meets_a_cap(
    database: duckdb.DuckDBPyConnection, rows: int, size: int, kept: int, cut_by: str
) -> None:
    sql = "SELECT i, 'text' AS word FROM range(5000) AS t(i) ORDER BY i"
    found = _taken(database, sql, rows=rows, size=size)
    assert (len(found.rows), found.limit_source, found.truncated) == (kept, cut_by, bool(cut_by))
    assert [row[0] for row in found.rows] == list(range(kept))


def test_a_null_counts_like_a_number_and_a_text_in_its_bytes(database: duckdb.DuckDBPyConnection) -> None:
    sql = "SELECT if(i = 1, NULL, 'süd') AS word FROM range(4) AS t(i) ORDER BY i"
    assert [len(_taken(database, sql, size=size).rows) for size in (3, 4, 11, 12, 16, 19, 20)] == [
        0,
        1,
        1,
        2,
        3,
        3,
        4,
    ]


@pytest.mark.parametrize(
    "value",
    [
        "'infinity'::DATE",
        "'-infinity'::TIMESTAMP",
        "DATE '0044-03-15 (BC)'",
        "DATE '20000-01-01'",
        "TIMESTAMP '20000-01-01'",
        "'infinity'::TIMESTAMPTZ",
    ],
)
def test_a_time_that_python_cannot_hold_is_refused_and_not_bent(
    database: duckdb.DuckDBPyConnection, value: str
) -> None:
    with pytest.raises(EngineError) as refused:
        _taken(database, f"SELECT {value} AS day")
    assert refused.value.code == "value_out_of_range"


@pytest.mark.parametrize("value", ["[1, 2]", "{'a': 1}", "TIMETZ '10:00:00+02'", "INTERVAL 1 DAY"])
def test_a_type_that_a_result_cannot_carry_is_named_before_anything_runs(
    database: duckdb.DuckDBPyConnection, value: str
) -> None:
    with pytest.raises(EngineError) as refused:
        _taken(database, f"SELECT 1 AS fine, {value} AS strange FROM range(1000000000000)")
    assert refused.value.code == "value_type"
    assert "strange (" in str(refused.value)


NUMBERS = st.integers(-2, 40)
HEADS = st.tuples(
    st.sampled_from(
        ("b", "q", "d", "text", "bits", "decimal", "wide", "date", "moment", "clock", "null", "odd")
    ),
    st.integers(-3, 10**9),
    NUMBERS,
    st.lists(NUMBERS, max_size=3),
)


@given(
    st.lists(st.tuples(st.integers(-2, 10**12), st.lists(HEADS, max_size=3)), max_size=3),
    st.binary(max_size=60),
    st.integers(0, 3),
)
@example([(10**12, [("null", 0, 1, [])])], b"\0", 1)
@example([(1, [("moment", "x", 0, [8])])], b"\xff" * 8, 1)
@example([(1, [("q", 0, 0, [])])], b"", 1)
def test_bytes_that_are_no_rows_are_refused_or_read_as_values(
    parts: list[tuple[int, list[tuple[str, int, int, list[int]]]]], data: bytes, width: int
) -> None:
    try:
        rows = decode_rows(parts, data, width)
    except (ValueError, LookupError, TypeError, ArithmeticError, EngineError):
        return
    assert all(len(row) == width for row in rows)


@pytest.mark.parametrize(
    "error",
    [
        EngineError("bad_sql", "no such column", next_step="Mend it."),
        EngineTimeout("query_timeout", "too late", retryable=True, next_step="Ask less."),
        EngineCancelled("query_cancelled", "stopped"),
    ],
)
def test_an_error_keeps_its_kind_and_its_words(error: EngineError) -> None:
    told = fault_in(unframe(frame(fault_message(error))[LENGTH:]).head)
    assert type(told) is type(error)
    assert told is not None
    assert (told.code, str(told), told.retryable, told.next_step) == (
        error.code,
        str(error),
        error.retryable,
        error.next_step,
    )


def test_an_answer_without_a_fault_is_none() -> None:
    assert fault_in(Message({"estimate": {}}).head) is None


def test_an_error_of_no_known_kind_is_no_answer() -> None:
    with pytest.raises(KeyError):
        fault_in({"fault": EngineBusy.__name__})
    with pytest.raises(KeyError):
        fault_in({"fault": "SystemExit"})


@given(st.binary(max_size=40))
def test_a_frame_that_is_none_is_refused(body: bytes) -> None:
    try:
        message = unframe(body)
    except (ValueError, TypeError):
        return
    assert isinstance(message.head, dict)
