"""The moments a semi-additive leaf reads: its fact's rows ranked by their moment in each period."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from sqlglot import exp

from metric_layer.compile.predicate import conditions_of
from metric_layer.compile.tables import Joins, aliased, all_of, derived
from metric_layer.compile.timing import Timing, timing_of
from metric_layer.expression import column_of
from metric_layer.layer import Layer
from metric_layer.resolved import Leaf, Pick, ResolvedPlan


@dataclass(frozen=True, slots=True)
class Ranked:
    """Names of what ranked rows have beside their own columns; `moment` is a rank or how many there are."""

    bucket: str
    moment: str


def ranked_names(leaf: Leaf, layer: Layer) -> Ranked:
    """Return names for the added columns that no column of the fact has."""
    taken = {name.lower() for name in layer.column_types[leaf.dataset]}
    return Ranked(*(_free(name, taken) for name in ("bucket", "moment")))


def ranked_rows(
    leaf: Leaf, pick: Pick, plan: ResolvedPlan, layer: Layer, dialect: str, needed: Iterable[str], alias: str
) -> exp.Subquery:
    """Return the fact's rows of a leaf's days, under its definition's filters, each with its moment's rank.

    For an average `moment` is how many moments the row's period has.
    """
    joins = Joins(layer.datasets, leaf.dataset)
    timing = timing_of(leaf, plan, layer, dialect, joins)
    names = ranked_names(leaf, layer)
    columns: list[tuple[str, exp.Expr]] = [(name, column_of(name, joins.root)) for name in needed]
    if timing.bucket is not None:
        columns.append((names.bucket, timing.bucket()))
    columns.append((names.moment, _moment(pick, timing, joins)))
    over = column_of(pick.over.column, joins.root)
    where = [*timing.where, *conditions_of(pick.filters, joins, layer.datasets, plan.zone)]
    if not timing.where:
        where.append(exp.Not(this=exp.Is(this=over, expression=exp.Null())))
    select = exp.Select(
        expressions=[aliased(node, name) for name, node in columns],
        from_=exp.From(this=joins.source),
        where=exp.Where(this=all_of(where)),
    )
    if joins.nodes or timing.joins:
        select.set("joins", [*joins.nodes, *timing.joins])
    return derived(select, alias)


def _moment(pick: Pick, timing: Timing, joins: Joins) -> exp.Expr:
    if pick.pick != "average":
        return _rank(exp.Rank(), pick, timing, joins, descending=pick.pick == "last")
    up, down = (_rank(exp.DenseRank(), pick, timing, joins, descending=last) for last in (False, True))
    return exp.Sub(this=exp.Add(this=up, expression=down), expression=exp.Literal.number(1))


def _rank(function: exp.Expr, pick: Pick, timing: Timing, joins: Joins, *, descending: bool) -> exp.Expr:
    """Return a rank by moment in each period and each combination of `per`."""
    parts: list[exp.Expr] = [] if timing.bucket is None else [timing.bucket()]
    parts.extend(column_of(each.column, joins.alias(each.path)) for each in pick.per)
    over = exp.Ordered(this=column_of(pick.over.column, joins.root), desc=descending, nulls_first=False)
    window: dict[str, object] = {"this": function, "order": exp.Order(expressions=[over])}
    if parts:
        window["partition_by"] = parts
    return exp.Window(**window)


def _free(name: str, taken: Collection[str]) -> str:
    found = name
    while found.lower() in taken:
        found += "_"
    return found
