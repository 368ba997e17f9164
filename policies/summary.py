"""A result summed up column by column: counts, ends and totals, which go also where its rows do not."""

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from itertools import repeat
from types import NoneType
from typing import Any

from metric_layer.record import Record
from metric_layer.resolved import OutputColumn, ResolvedPlan
from policies.mask import MASK
from traces.records import Table, Value

_NO_NUMBERS = frozenset((str, bool, date, datetime))


class ColumnSummary(Record):
    """A column of the whole result: counts of values, ends of numbers and dates, total of an additive metric.

    `hidden` counts the values that the reader may not see; they are in none of the other figures. `total` is
    empty where the column cannot be added up or the result is not whole.
    """

    name: str
    nulls: int
    hidden: int
    distinct: int
    low: str = ""
    high: str = ""
    total: str = ""


class Summary(Record):
    """A result without its rows. `whole` is false where a cap cut it or a figure is hidden."""

    rows: int
    whole: bool
    columns: tuple[ColumnSummary, ...]


def summarize(table: Table, plan: ResolvedPlan | None) -> Summary:
    """Sum up a protected table, column by column."""
    asked_part = plan is not None and plan.limit is not None and len(table.rows) >= plan.limit
    whole = plan is not None and not table.truncated and not asked_part
    values = zip(*table.rows, strict=True) if table.rows else repeat(())
    columns = tuple(
        _column(column, cells, whole=whole) for column, cells in zip(table.columns, values, strict=False)
    )
    return Summary(rows=len(table.rows), whole=not table.truncated, columns=columns)


def adds_up(column: OutputColumn, *, missing: bool) -> bool:
    """Say whether a metric's values over disjoint groups add up to the value over all, in one unit."""
    if column.kind != "metric" or column.unit_column:
        return False
    return column.additivity == "additive" or (column.additivity == "where_known" and not missing)


def _column(column: OutputColumn, values: Sequence[Value], *, whole: bool) -> ColumnSummary:
    kinds = set(map(type, values))  # a comparison of a decimal with a text is dear
    nulls = values.count(None) if NoneType in kinds else 0
    hidden = values.count(MASK) if any(issubclass(kind, str) for kind in kinds) else 0
    there = [value for value in values if value is not None and value != MASK] if nulls or hidden else values
    figures, others = _apart(there)
    moments = [value.isoformat() for value in others if isinstance(value, date)]
    low, high = _ends(figures) if figures else (min(moments, default=""), max(moments, default=""))
    total = whole and adds_up(column, missing=bool(nulls)) and figures and not others and not hidden
    return ColumnSummary(
        name=column.name,
        nulls=nulls,
        hidden=hidden,
        distinct=len(set(figures)) + len(set(others)),
        low=low,
        high=high,
        total=format(sum(figures, Decimal(0)), "f") if total else "",
    )


def _apart(values: Sequence[Any]) -> tuple[Sequence[Decimal], Sequence[bool | date | str]]:
    """Return the numbers among the values of a column, which are mostly of one kind, and the others."""
    kinds = set(map(type, values))
    if kinds <= _NO_NUMBERS:
        return (), values
    if kinds == {Decimal} and all(map(Decimal.is_finite, values)):
        return values, ()
    figures: list[Decimal] = []
    others: list[bool | date | str] = []
    for value in values:
        if isinstance(value, (str, date, bool)):
            others.append(value)
            continue
        number = value if isinstance(value, Decimal) else Decimal(str(value))
        figures.append(number) if number.is_finite() else others.append(str(number))
    return figures, others


def _ends(figures: Sequence[Decimal]) -> tuple[str, str]:
    return format(min(figures), "f"), format(max(figures), "f")
