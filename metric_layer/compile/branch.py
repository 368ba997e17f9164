"""One own-grain branch: a fact, LEFT joins along many-to-one keys only, filters, groups, aggregates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from sqlglot import exp

from metric_layer.compile.measure import measured
from metric_layer.compile.tables import Joins, aliased, all_of
from metric_layer.compile.zone import Build
from metric_layer.expression import column_of
from metric_layer.layer import Layer
from metric_layer.resolved import Leaf, ResolvedPlan


@dataclass(frozen=True, slots=True)
class Branch:
    """A SELECT without its output list. Groups and aggregates are built anew wherever they are written."""

    groups: tuple[tuple[str, Build], ...]
    aggregates: Mapping[str, Build]
    source: exp.Expr
    joins: Sequence[exp.Join] = ()
    where: Sequence[exp.Expr] = ()

    def select(self, columns: Sequence[tuple[str, exp.Expr]]) -> exp.Select:
        """Return the SELECT of the groups, under their output names, and of these columns."""
        shown = [*((name, build()) for name, build in self.groups), *columns]
        parts: dict[str, object] = {
            "expressions": [aliased(node, name) for name, node in shown],
            "from_": exp.From(this=self.source),
        }
        if self.joins:
            parts["joins"] = list(self.joins)
        if self.where:
            parts["where"] = exp.Where(this=all_of(self.where))
        if self.groups:
            parts["group"] = exp.Group(expressions=[build() for _, build in self.groups])
        return exp.Select(**parts)


def grouped_by(
    leaf: Leaf, plan: ResolvedPlan, bucket: Build | None, joins: Joins
) -> tuple[tuple[str, Build], ...]:
    """Return a leaf's groups under their output names: the bucket, then the dimensions."""
    names = [output.name for output in plan.outputs if output.kind == "dimension"]
    found: list[tuple[str, Build]] = []
    if bucket is not None and plan.grain is not None:
        found.append((plan.grain, bucket))
    for name, column in zip(names, leaf.groups, strict=True):
        found.append((name, partial(column_of, column.column, joins.alias(column.path))))
    return tuple(found)


def aggregated(leaves: Sequence[Leaf], layer: Layer, joins: Joins, dialect: str) -> dict[str, Build]:
    """Return each leaf's aggregate by leaf id; what they count is joined here."""
    for leaf in leaves:
        if leaf.counted is not None:
            joins.alias(leaf.counted.path)
    return {leaf.id: partial(measured, leaf, layer, joins, dialect) for leaf in leaves}
