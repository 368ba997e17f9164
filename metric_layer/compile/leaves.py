"""Leaves put together where they read the same rows, and the branch that reads them."""

from collections.abc import Sequence

from metric_layer.compile.branch import Branch, aggregated, grouped_by
from metric_layer.compile.moments import moments_of, picked_branch
from metric_layer.compile.predicate import conditions_of
from metric_layer.compile.rows import filters_of, followed_on
from metric_layer.compile.tables import Joins
from metric_layer.compile.timing import timing_of
from metric_layer.layer import Layer
from metric_layer.resolved import Leaf, ResolvedPlan

RowsRead = tuple[object, ...]


def rows_read(leaf: Leaf) -> RowsRead:
    """Return all that decides which rows a leaf reads and how they are grouped: equal for equal rows."""
    rows = (leaf.filters, leaf.pick, leaf.followed)  # as text: Python's 1 equals True, a database's does not
    return leaf.dataset, leaf.groups, leaf.time, leaf.frame, repr(rows)


def shared_branches(leaves: Sequence[Leaf]) -> list[list[Leaf]]:
    """Put leaves together that read the same rows under the same groups: one scan, and still one grain."""
    found: dict[tuple[RowsRead, bool], list[Leaf]] = {}
    for leaf in leaves:
        found.setdefault((rows_read(leaf), moments_of(leaf) is None), []).append(leaf)
    return list(found.values())


def build_branch(leaves: Sequence[Leaf], plan: ResolvedPlan, layer: Layer, dialect: str) -> Branch:
    """Build the branch of leaves that share their rows."""
    first = leaves[0]
    pick = moments_of(first)
    if pick is not None:
        return picked_branch(leaves, pick, plan, layer, dialect)
    joins = Joins(layer.datasets, first.dataset)
    timing = timing_of(first, plan, layer, dialect, joins)
    groups = grouped_by(first, plan, timing.bucket, joins)
    where = [*timing.where, *conditions_of(filters_of(first), joins, layer.datasets, plan.zone)]
    where.extend(followed_on(first, plan, layer, dialect, joins))
    aggregates = aggregated(leaves, layer, joins, dialect)
    return Branch(groups, aggregates, joins.source, (*joins.nodes, *timing.joins), where)
