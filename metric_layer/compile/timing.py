"""When a leaf's rows happened: the conditions of its days, and the period that each row falls into."""

from dataclasses import dataclass
from functools import partial

from sqlglot import exp

from metric_layer.compile.bucket import bucket_of, listed_bucket, outside_gaps
from metric_layer.compile.rows import days_of
from metric_layer.compile.spans import LABEL, joined_spans
from metric_layer.compile.tables import Joins
from metric_layer.compile.zone import Build, Clock
from metric_layer.expression import column_of
from metric_layer.layer import Layer
from metric_layer.resolved import Leaf, ResolvedPlan


@dataclass(frozen=True, slots=True)
class Timing:
    """The bucket of each row (None without a grain), the conditions of its days, what the bucket joins."""

    bucket: Build | None
    where: tuple[exp.Expr, ...]
    joins: tuple[exp.Join, ...] = ()


UNTIMED = Timing(None, ())


def timing_of(leaf: Leaf, plan: ResolvedPlan, layer: Layer, dialect: str, joins: Joins) -> Timing:
    """Return how a leaf's time column restricts its rows and sorts them into the periods of the result."""
    if leaf.time is None:
        return UNTIMED
    column = partial(column_of, leaf.time.column, joins.alias(leaf.time.path))
    clock = Clock(column, leaf.time, plan.zone, dialect)
    frame, (start, end) = leaf.frame, days_of(leaf, plan)
    where = clock.within(start, end)
    if plan.grain is None:
        return Timing(None, tuple(where))
    if frame is not None and frame.overlapping:
        spans = joins.named("spans")
        join = joined_spans(clock, frame.buckets, spans)
        return Timing(partial(column_of, LABEL, spans), tuple(where), (join,))
    if frame is not None and frame.buckets:
        gaps = outside_gaps(clock, frame.buckets)
        return Timing(partial(listed_bucket, clock, frame.buckets), (*where, *gaps))
    return Timing(partial(bucket_of, clock, plan.grain, frame, layer.calendar, dialect), tuple(where))
