"""A row that a later event follows: the event is looked up, so a row counts at most once."""

from functools import partial

from sqlglot import exp

from metric_layer.compile.moves import as_date, shifted
from metric_layer.compile.predicate import conditions_of, exists_where
from metric_layer.compile.tables import Datasets, Joins
from metric_layer.compile.zone import Clock
from metric_layer.expression import column_of
from metric_layer.resolved import Followed


def followed_by(asked: Followed, joins: Joins, datasets: Datasets, zone: str, dialect: str) -> exp.Expr:
    """Return EXISTS over the events of the same entity at or after the row's own time, within the window."""
    events = Joins(datasets, asked.dataset, taken=joins.taken)
    since = Clock(partial(column_of, asked.since.column, joins.root), asked.since, zone, dialect)
    time = Clock(partial(column_of, asked.time.column, events.root), asked.time, zone, dialect)
    tests: list[exp.Expr] = [
        exp.EQ(this=column_of(theirs, events.root), expression=column_of(ours, joins.root))
        for ours, theirs in asked.pairs
    ]
    tests.append(exp.GTE(this=time.column(), expression=since.column()))
    for count, unit in ((asked.window_months, "MONTH"), (asked.window_days, "DAY")):
        if count:
            tests.append(_before(time, since, count, unit))
    tests.extend(conditions_of(asked.filters, events, datasets, zone))
    return exists_where(events, tests)


def _before(time: Clock, since: Clock, count: int, unit: str) -> exp.Expr:
    """Return that an event lies before the end of a row's window; its days are those of the plan's zone."""
    if since.described.type == "timestamptz":
        return time.before_wall(shifted(since.wall(), count, unit))
    end = shifted(since.column(), count, unit)
    return exp.LT(this=time.column(), expression=as_date(end) if since.described.type == "date" else end)
