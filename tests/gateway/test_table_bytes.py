"""A table through bytes and back: every value exactly."""

import zlib
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from gateway.stores.table_bytes import pack, unpack
from metric_layer.definitions import Display
from metric_layer.resolved import OutputColumn
from traces.records import Table, Value

ZONES = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**127), 2**127),
    st.floats(),
    st.decimals(),
    st.dates(),
    st.datetimes(timezones=st.one_of(st.none(), ZONES)),
    st.text(),
)
COLUMN = OutputColumn(
    name="net_revenue",
    kind="metric",
    type="decimal",
    label="Net revenue",
    unit="EUR",
    display=Display(style="currency", decimals=2),
    synonyms=("umsatz",),
)


def _marks(value: Value) -> tuple[str, str]:
    """Tell apart what `==` does not: 1, 1.0, True and Decimal 1.0, negative zero, NaN."""
    return type(value).__name__, repr(value)


@given(st.lists(st.lists(VALUES, min_size=2, max_size=2), max_size=8))
def test_every_value_comes_back_as_it_was(rows: list[list[Value]]) -> None:
    table = Table.model_construct(
        columns=(COLUMN, COLUMN), rows=tuple(map(tuple, rows)), truncated=False, limit_source=""
    )
    back = unpack(pack(table))
    assert [list(map(_marks, row)) for row in back.rows] == [list(map(_marks, row)) for row in rows]


def test_columns_and_cut_come_back() -> None:
    table = Table(columns=(COLUMN,), rows=((Decimal("12.50"),),), truncated=True, limit_source="rows")
    assert unpack(pack(table)) == table


def test_a_date_and_a_time_at_midnight_stay_apart() -> None:
    row = (date(2026, 1, 1), datetime(2026, 1, 1), datetime(2026, 1, 1, tzinfo=UTC))
    table = Table.model_construct(columns=(), rows=(row,), truncated=False, limit_source="")
    assert list(map(type, unpack(pack(table)).rows[0])) == [date, datetime, datetime]


def test_a_large_table_is_compressed_and_comes_back() -> None:
    rows = tuple((Decimal(number),) for number in range(5_000))
    table = Table(columns=(COLUMN,), rows=rows)
    packed = pack(table)
    assert len(packed) < 5_000 * len('["n","4999"]')
    assert unpack(packed) == table


def test_a_small_table_that_an_older_version_compressed_comes_back() -> None:
    table = Table(columns=(COLUMN,), rows=((Decimal("12.50"),),))
    assert unpack(zlib.compress(pack(table))) == table
