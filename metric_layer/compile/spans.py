"""Periods whose days overlap: a list of them, which every row joins as often as it counts in one."""

from collections.abc import Sequence

from sqlglot import exp

from metric_layer.compile.listing import listed
from metric_layer.compile.tables import all_of
from metric_layer.compile.zone import Clock, moment_in
from metric_layer.expression import column_of
from metric_layer.resolved import Bucket

LABEL, START, END = "bucket", "start", "end"


def joined_spans(clock: Clock, buckets: Sequence[Bucket], alias: str) -> exp.Join:
    """Return the join of a fact with the listed buckets whose days hold its moment."""
    ever = buckets[0].start is None
    names = (LABEL, END) if ever else (LABEL, START, END)
    rows = [
        [each.label, *(moment_in(day, clock.described, clock.zone) for day in (each.start, each.end) if day)]
        for each in buckets
    ]
    held: list[exp.Expr] = [exp.LT(this=clock.column(), expression=column_of(END, alias))]
    if not ever:
        held.insert(0, exp.GTE(this=clock.column(), expression=column_of(START, alias)))
    return exp.Join(this=listed(names, rows, alias, clock.dialect), on=all_of(held))
