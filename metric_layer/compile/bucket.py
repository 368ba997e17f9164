"""A time column as the period of the result that its row falls into: its first day, or its hour."""

from collections.abc import Sequence
from itertools import pairwise

from sqlglot import exp

from metric_layer.calendar import MONTHS, WEEK_START, Calendar
from metric_layer.compile.literals import literal
from metric_layer.compile.moves import as_date, hour_of, shifted, truncated
from metric_layer.compile.tables import all_of
from metric_layer.compile.zone import Clock
from metric_layer.plan import Grain
from metric_layer.resolved import Bucket, Frame

_UNITS = {1: "MONTH", 3: "QUARTER", 12: "YEAR"}
_MONDAY_WEEK = {"bigquery": "ISOWEEK"}


def bucket_of(clock: Clock, grain: Grain, frame: Frame | None, calendar: Calendar, dialect: str) -> exp.Expr:
    """Return the first day, a DATE, of the bucket a moment falls into; of an hour its start, a TIMESTAMP.

    A frame moves the moment first.
    """
    months, days = (0, 0) if frame is None else (frame.shift_months, frame.shift_days)
    if grain == "hour":
        return hour_of(shifted(clock.wall(), days, "DAY"), dialect)
    day = clock.wall() if clock.described.type == "date" else as_date(clock.wall())
    if grain == "day":
        return as_date(shifted(day, days, "DAY")) if days else day
    if grain == "week":
        start = -WEEK_START[calendar.rules.week_start] % 7
        week = _MONDAY_WEEK.get(dialect, "WEEK")
        first = truncated(shifted(day, days + start, "DAY"), week, dialect)
        return as_date(shifted(first, -start, "DAY"))
    offset = calendar.offset(grain)
    moved = shifted(shifted(day, days, "DAY"), months - offset, "MONTH")
    return as_date(shifted(truncated(moved, _UNITS[MONTHS[grain]], dialect), offset, "MONTH"))


def listed_bucket(clock: Clock, buckets: Sequence[Bucket]) -> exp.Expr:
    """Return the label of the listed bucket a moment falls into; they are in order and it lies in one."""
    branches = [exp.If(this=clock.before(each.end), true=literal(each.label)) for each in buckets]
    return exp.Case(ifs=branches)


def outside_gaps(clock: Clock, buckets: Sequence[Bucket]) -> list[exp.Expr]:
    """Return the conditions that keep a moment out of the days between listed buckets."""
    return [
        exp.Not(this=exp.Paren(this=all_of(clock.within(before.end, after.start))))
        for before, after in pairwise(buckets)
        if after.start is not None and before.end < after.start
    ]
