"""Rows go through a worker's pipe and come out the same; bytes that are no rows do no harm."""

import math
from datetime import UTC
from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gateway.engines.base import EngineBusy, EngineCancelled, EngineError, EngineTimeout, Rows
from gateway.engines.duckdb_columns import decode_rows, encode_rows
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
from traces.records import Actual, Value

KINDS = (
    st.booleans(),
    st.integers(-(2**128), 2**128),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.text(),
    st.decimals(allow_nan=False, allow_infinity=False),
    st.dates(),
    st.datetimes(),
    st.datetimes(timezones=st.just(UTC)),
)
CELLS = st.one_of(*KINDS)


@st.composite
def tables(draw: st.DrawFn) -> tuple[tuple[Value, ...], ...]:
    """Draw columns of one kind each, or of any kinds, with and without NULLs."""
    kinds = draw(st.lists(st.sampled_from((*KINDS, CELLS)), min_size=1, max_size=5))
    row = st.tuples(*(st.none() | kind for kind in kinds))
    return tuple(draw(st.lists(row, max_size=20)))


def _through_a_pipe(rows: tuple[tuple[Value, ...], ...], beside: tuple[tuple[Value, ...], ...] = ()) -> Rows:
    width = len(rows[0]) if rows else 1
    sent = Rows(
        names=tuple(f"c{n}" for n in range(width)),
        types=("ANY",) * width,
        rows=rows,
        truncated=True,
        limit_source="rows",
        actual=Actual(rows=len(rows), ms=1.5),
        beside=beside,
    )
    received = rows_in(unframe(frame(rows_message(sent))[LENGTH:]))
    assert received == sent
    return received


@given(tables(), tables())
@example(((None,), (None,)), ())
@example(((2**64,), (1,)), ((True,), (None,)))
@example((("line\nbreak", Decimal("-0.00")), ("", Decimal("1E+5"))), ())
def test_rows_come_out_as_they_went_in(
    rows: tuple[tuple[Value, ...], ...], beside: tuple[tuple[Value, ...], ...]
) -> None:
    received = _through_a_pipe(rows, beside)
    for before, after in zip(rows, received.rows, strict=True):
        assert list(map(type, before)) == list(map(type, after))
        assert list(map(str, before)) == list(map(str, after))


def test_what_is_no_number_stays_one() -> None:
    ((value,),) = decode_rows(*encode_rows(((math.nan,),)), 1, 1)
    assert isinstance(value, float)
    assert math.isnan(value)


@given(st.lists(st.tuples(st.sampled_from(("int", "str", "decimal", "date", "datetime", "mixed", "odd")),
                          st.lists(st.integers(-2, 5), max_size=3), st.integers(-2, 30)), max_size=3),
       st.binary(max_size=60), st.integers(0, 5), st.integers(0, 3))  # fmt: skip
@example([("int", [1], 0)], b"", 1, 0)
def test_bytes_that_are_no_rows_are_refused_or_read_as_values(
    heads: list[tuple[str, list[int], int]], data: bytes, height: int, width: int
) -> None:
    try:
        rows = decode_rows(heads, data, height, width)
    except (ValueError, KeyError, TypeError, ArithmeticError):
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
