"""A semi-additive branch: moments are picked over the fact alone, then its rows meet groups and filters."""

from collections.abc import Iterable, Sequence
from functools import partial

from sqlglot import exp

from metric_layer.compile.branch import Branch, aggregated, grouped_by
from metric_layer.compile.predicate import conditions_of
from metric_layer.compile.ranks import ranked_names, ranked_rows
from metric_layer.compile.rows import followed_on
from metric_layer.compile.tables import Joins, derived
from metric_layer.compile.zone import Build
from metric_layer.definitions import ADDED
from metric_layer.expression import column_of
from metric_layer.expression_division import divide
from metric_layer.layer import Layer
from metric_layer.resolved import Leaf, Pick, ResolvedPlan

SUMS, MOMENTS = "sums", "_moments"


def moments_of(leaf: Leaf) -> Pick | None:
    """Return how a leaf picks moments; what cannot be averaged over moments reads the rows of all of them."""
    average = leaf.pick is not None and leaf.pick.pick == "average"
    return None if average and leaf.aggregate not in ADDED else leaf.pick


def picked_branch(
    leaves: Sequence[Leaf], pick: Pick, plan: ResolvedPlan, layer: Layer, dialect: str
) -> Branch:
    """Build the branch of leaves that share their rows and their moments."""
    first = leaves[0]
    joins = Joins(layer.datasets, first.dataset)
    names = ranked_names(first, layer)
    timed = first.time is not None and plan.grain is not None
    groups = grouped_by(first, plan, partial(column_of, names.bucket, joins.root) if timed else None, joins)
    moment = partial(column_of, names.moment, joins.root)
    where = conditions_of(first.filters, joins, layer.datasets, plan.zone)
    where.extend(followed_on(first, plan, layer, dialect, joins))
    if pick.pick != "average":
        where.insert(0, exp.EQ(this=moment(), expression=exp.Literal.number(1)))
    aggregates = aggregated(leaves, layer, joins, dialect)
    written = [build() for build in (*(build for _, build in groups), *aggregates.values())]
    used = _columns([*written, *where, *joins.nodes], joins.root)
    needed = [name for name in used if name not in (names.bucket, names.moment)]
    source = ranked_rows(first, pick, plan, layer, dialect, needed, joins.root)
    branch = Branch(groups, aggregates, source, joins.nodes, where)
    if pick.pick != "average":
        return branch
    averaged = _averaged_each if pick.per else _averaged
    return averaged(branch, leaves, moment, dialect)


def _averaged(branch: Branch, leaves: Sequence[Leaf], moment: Build, dialect: str) -> Branch:
    """Divide every sum by the number of moments, which all rows of a period share."""
    sums = branch.aggregates

    def average(leaf: Leaf) -> exp.Expr:
        exact = leaf.type != "float"
        return divide(sums[leaf.id](), exp.Max(this=moment()), exact=exact, dialect=dialect, whole=True)

    averages = {leaf.id: partial(average, leaf) for leaf in leaves}
    return Branch(branch.groups, averages, branch.source, branch.joins, branch.where)


def _averaged_each(branch: Branch, leaves: Sequence[Leaf], moment: Build, dialect: str) -> Branch:
    """Sum apart what has equally many moments, divide, and add the averages up."""
    counted = Branch(
        (*branch.groups, (MOMENTS, moment)), branch.aggregates, branch.source, branch.joins, branch.where
    )
    sums = counted.select([(leaf, build()) for leaf, build in branch.aggregates.items()])
    source = derived(sums, SUMS)

    def average(leaf: Leaf) -> exp.Expr:
        total, count = column_of(leaf.id, SUMS), column_of(MOMENTS, SUMS)
        return exp.Sum(this=divide(total, count, exact=leaf.type != "float", dialect=dialect, whole=True))

    groups = tuple((name, partial(column_of, name, SUMS)) for name, _ in branch.groups)
    return Branch(groups, {leaf.id: partial(average, leaf) for leaf in leaves}, source)


def _columns(nodes: Iterable[exp.Expr], alias: str) -> list[str]:
    """Return the names of the columns of one alias, each once."""
    found = (column for node in nodes for column in node.find_all(exp.Column))
    return list(dict.fromkeys(column.name for column in found if column.table == alias))
