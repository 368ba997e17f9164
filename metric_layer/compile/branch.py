"""One own-grain branch: a fact, LEFT joins along many-to-one keys only, filters, groups, aggregates."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from sqlglot import exp

from metric_layer.compile.bucket import bucket_of, window_of
from metric_layer.compile.predicate import conditions_of
from metric_layer.compile.tables import Joins, all_of, identifier
from metric_layer.expression import column_of, divide
from metric_layer.layer import Layer
from metric_layer.resolved import Leaf, ResolvedPlan

Build = Callable[[], exp.Expr]


@dataclass(frozen=True, slots=True)
class Branch:
    """A SELECT without its output list. Groups and aggregates are built anew wherever they are written."""

    groups: tuple[tuple[str, Build], ...]
    aggregates: Mapping[str, Build]
    source: exp.Table
    joins: list[exp.Join]
    where: list[exp.Expr]

    def select(self, columns: Sequence[tuple[str, exp.Expr]]) -> exp.Select:
        """Return the SELECT of the groups, under their output names, and of these columns."""
        named = [*((name, build()) for name, build in self.groups), *columns]
        parts: dict[str, object] = {
            "expressions": [exp.Alias(this=node, alias=identifier(name)) for name, node in named],
            "from_": exp.From(this=self.source),
        }
        if self.joins:
            parts["joins"] = self.joins
        if self.where:
            parts["where"] = exp.Where(this=all_of(self.where))
        if self.groups:
            parts["group"] = exp.Group(expressions=[build() for _, build in self.groups])
        return exp.Select(**parts)


def shared_branches(leaves: Sequence[Leaf]) -> list[list[Leaf]]:
    """Put leaves together that read the same rows under the same groups: one scan, and still one grain."""
    found: dict[tuple[object, ...], list[Leaf]] = {}
    for leaf in leaves:
        key = (leaf.dataset, leaf.groups, leaf.time, repr(leaf.filters))
        found.setdefault(key, []).append(leaf)
    return list(found.values())


def build_branch(leaves: Sequence[Leaf], plan: ResolvedPlan, layer: Layer, dialect: str) -> Branch:
    """Build the branch of leaves that share their rows."""
    first = leaves[0]
    joins = Joins(layer.datasets, first.dataset)
    groups: list[tuple[str, Build]] = []
    where: list[exp.Expr] = []
    if first.time is not None:
        clock = partial(column_of, first.time.column, joins.alias(first.time.path))
        if plan.grain is not None:
            bucket = partial(bucket_of, clock, first.time.type, plan.grain, layer.calendar, dialect)
            groups.append((plan.grain, bucket))
        if plan.start is not None and plan.end is not None:
            where.extend(window_of(clock, first.time.type, plan.start, plan.end))
    dimensions = [output.name for output in plan.outputs if output.kind == "dimension"]
    groups.extend(
        (name, partial(column_of, column.column, joins.alias(column.path)))
        for name, column in zip(dimensions, first.groups, strict=True)
    )
    where.extend(conditions_of(first.filters, joins, layer.datasets))
    aggregates = {leaf.id: partial(_aggregate, leaf, layer, joins) for leaf in leaves}
    return Branch(tuple(groups), aggregates, joins.source, joins.nodes, where)


def _aggregate(leaf: Leaf, layer: Layer, joins: Joins) -> exp.Expr:
    if leaf.counted is not None:
        reached = column_of(leaf.counted.column, joins.alias(leaf.counted.path))
        return exp.Count(this=exp.Distinct(expressions=[reached]), big_int=True)
    if not leaf.expression:
        return exp.Count(this=exp.Star(), big_int=True)
    scalar = layer.scalars[leaf.dataset, leaf.expression]
    value = scalar.over(joins.root)
    if leaf.aggregate == "count":
        return exp.Count(this=value, big_int=True)
    if leaf.aggregate == "count_distinct":
        return exp.Count(this=exp.Distinct(expressions=[value]), big_int=True)
    if leaf.aggregate == "avg":
        if scalar.type == "float":
            return exp.Avg(this=value)
        return divide(exp.Sum(this=value), exp.Count(this=scalar.over(joins.root), big_int=True), exact=True)
    kinds: dict[str, type[exp.Func]] = {"sum": exp.Sum, "min": exp.Min, "max": exp.Max}
    return kinds[leaf.aggregate](this=value)
