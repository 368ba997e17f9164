"""Small tables for the scorer's tests: worked ones, and families of drawn ones full of ties."""

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from evals.tables import ResultTable, table_from_rows

Rows = Sequence[tuple[Any, ...]]

CELLS = st.sampled_from(
    [None, 0, 1, 2, 0.5, Decimal("0.50"), "a", "b", date(2025, 1, 1), datetime(2025, 1, 1)]
)
TYPED = (
    st.sampled_from([None, 0, 1, 2, 3]),
    st.sampled_from([None, 0.1, 0.30000000000000004, 1.0, 2.5, 1e-9, 123456789.125]),
    st.sampled_from([None, Decimal("0.10"), Decimal("2.50"), Decimal("1.00")]),
    st.sampled_from([None, "a", "b", ""]),
    st.sampled_from([None, date(2025, 1, 1), date(2025, 1, 2)]),
    st.sampled_from([None, datetime(2025, 1, 1), datetime(2025, 1, 2, 3)]),
)


def table(rows: Rows, width: int | None = None, origins: Sequence[str | None] | None = None) -> ResultTable:
    known = None if origins is None else tuple(origins)
    return table_from_rows(rows, len(rows[0]) if width is None else width, origins=known)


@st.composite
def tables(draw: st.DrawFn, widths: tuple[int, int] = (1, 3), rows: tuple[int, int] = (0, 6)) -> ResultTable:
    """Draw a table over few values, so that columns and rows often tie."""
    width = draw(st.integers(*widths))
    drawn = draw(st.lists(st.tuples(*[CELLS] * width), min_size=rows[0], max_size=rows[1]))
    return table(drawn, width)


@st.composite
def typed_pairs(draw: st.DrawFn) -> tuple[ResultTable, ResultTable]:
    """Draw two tables whose columns each hold one kind of value, as a database returns them."""
    return draw(_typed()), draw(_typed())


@st.composite
def _typed(draw: st.DrawFn) -> ResultTable:
    kinds = draw(st.lists(st.sampled_from(TYPED), min_size=1, max_size=4))
    return table(draw(st.lists(st.tuples(*kinds), max_size=8)), len(kinds))


def rows_of(table_: ResultTable) -> list[tuple[Any, ...]]:
    return list(zip(*table_.columns, strict=True)) if table_.row_count else []


def shuffled(source: ResultTable, rows: Sequence[int], columns: Sequence[int]) -> ResultTable:
    """Return the same table with rows and columns in another order."""
    moved = tuple(tuple(source.columns[column][row] for row in rows) for column in columns)
    origins = None if source.origins is None else tuple(source.origins[column] for column in columns)
    return ResultTable(moved, source.row_count, origins)
