"""A time column as the first day of its bucket, and the window as half-open bounds."""

from collections.abc import Callable
from datetime import date, datetime, time

from sqlglot import exp

from metric_layer.calendar import WEEK_START, Calendar
from metric_layer.compile.predicate import literal
from metric_layer.definitions import ColumnType
from metric_layer.plan import Grain

_UNITS: dict[Grain, str] = {
    "week": "WEEK",
    "month": "MONTH",
    "quarter": "QUARTER",
    "year": "YEAR",
    "fiscal_quarter": "QUARTER",
    "fiscal_year": "YEAR",
}
_MONDAY_WEEK = {"bigquery": "ISOWEEK"}


def bucket_of(
    column: Callable[[], exp.Expr], kind: ColumnType, grain: Grain, calendar: Calendar, dialect: str
) -> exp.Expr:
    """Return the first day, a DATE, of the bucket a column's value falls into."""
    day = column() if kind == "date" else as_date(column())
    if grain == "day":
        return day
    if grain == "week":
        shift = -WEEK_START[calendar.rules.week_start] % 7
        week = _MONDAY_WEEK.get(dialect, "WEEK")
        return as_date(_shifted(_truncated(_shifted(day, shift, "DAY"), week), -shift, "DAY"))
    offset = calendar.offset(grain)
    return as_date(_shifted(_truncated(_shifted(day, -offset, "MONTH"), _UNITS[grain]), offset, "MONTH"))


def window_of(column: Callable[[], exp.Expr], kind: ColumnType, start: date, end: date) -> list[exp.Expr]:
    """Return `column >= start` and `column < end` in the column's own type."""
    low, high = (
        literal(datetime.combine(day, time()) if kind == "timestamp" else day) for day in (start, end)
    )
    return [exp.GTE(this=column(), expression=low), exp.LT(this=column(), expression=high)]


def as_date(value: exp.Expr) -> exp.Expr:
    """Return a value as a DATE."""
    return exp.Cast(this=value, to=exp.DataType(this=exp.DataType.Type.DATE, nested=False))


def _truncated(day: exp.Expr, unit: str) -> exp.Expr:
    return exp.DateTrunc(this=day, unit=exp.Literal.string(unit))  # type: ignore[no-untyped-call]


def _shifted(day: exp.Expr, count: int, unit: str) -> exp.Expr:
    if count == 0:
        return day
    kind = exp.Add if count > 0 else exp.Sub
    step = exp.Interval(this=exp.Literal.string(str(abs(count))), unit=exp.Var(this=unit))
    return kind(this=day, expression=step)
