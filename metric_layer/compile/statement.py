"""Branches -> one statement: UNION ALL, an outer GROUP BY that sets parts side by side, arithmetic last."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from metric_layer.compile.collation import filter_by_bytes, sort_by_bytes
from metric_layer.compile.leaves import build_branch, shared_branches
from metric_layer.compile.parts import stitched
from metric_layer.compile.predicate import condition
from metric_layer.compile.tables import all_of, identifier
from metric_layer.compile.zone import Build
from metric_layer.definitions import ColumnType
from metric_layer.expand import formula_type
from metric_layer.expression_division import divide
from metric_layer.layer import Layer
from metric_layer.resolved import Arithmetic, ResolvedPlan

_BINARY: Mapping[str, type[exp.Binary]] = {"add": exp.Add, "sub": exp.Sub, "mul": exp.Mul}


def compile_plan(resolved: ResolvedPlan, layer: Layer, dialect: str, max_rows: int) -> exp.Expression:
    """Compile a resolved plan to the tree of one SELECT; `.sql(dialect=dialect)` is its text.

    Each aggregate is final at its own grain before anything is combined: no join multiplies or drops rows.
    At most `max_rows` rows are returned, and one more than the plan's own limit, so that a tie at the cut is
    seen.
    """
    branches = [build_branch(leaves, resolved, layer, dialect) for leaves in shared_branches(resolved.leaves)]
    if len(branches) == 1 and not resolved.spine:
        whole = branches[0]
    else:
        whole = stitched(branches, resolved, dialect)
    types = {leaf.id: leaf.type for leaf in resolved.leaves}
    finished = _Finished(whole.aggregates, types, dialect)
    select = whole.select(finished.metrics(resolved))
    _finish(select, resolved, finished, max_rows)
    sort_by_bytes(select, resolved.outputs, dialect)
    filter_by_bytes(select, dialect)
    return select


@dataclass(frozen=True, slots=True)
class _Finished:
    """The finished leaves of a statement, out of which its metrics are made in the words of one dialect."""

    leaves: Mapping[str, Build]
    types: Mapping[str, ColumnType]
    dialect: str

    def metrics(self, resolved: ResolvedPlan) -> list[tuple[str, exp.Expr]]:
        """Return the value of every metric by its name."""
        return [(name, self.value(formula)) for name, formula in resolved.metrics]

    def value(self, node: Arithmetic) -> exp.Expr:
        """Return a finished metric as SQL over finished leaves."""
        found = self._operation(node)
        if node.null_as_zero:
            return exp.Coalesce(this=found, expressions=[exp.Literal.number(0)])
        return found

    def _operation(self, node: Arithmetic) -> exp.Expr:
        if node.op == "leaf":
            return self.leaves[node.leaf]()
        if node.left is None or node.right is None:
            return exp.Literal.number(node.number)
        left, right = self.value(node.left), self.value(node.right)
        if node.op == "div":
            exact = formula_type(node, self.types) != "float"
            whole = formula_type(node.right, self.types) == "integer"
            return divide(_bracketed(left), right, exact=exact, dialect=self.dialect, whole=whole)
        return _BINARY[node.op](this=_bracketed(left), expression=_bracketed(right))


def _finish(select: exp.Select, resolved: ResolvedPlan, finished: _Finished, max_rows: int) -> None:
    """Filter, order and cut the finished rows."""
    formulas = dict(resolved.metrics)
    kept = [
        condition(finished.value(formulas[each.metric]), each.op, each.values, keep_missing=False)
        for each in resolved.having
    ]
    for floor in resolved.floors:
        counts = [finished.value(formulas[name]) for name in floor.counts]
        kept.extend(_large_or_none(counts, each, floor.least) for each in counts)
    if kept:
        select.set("having", exp.Having(this=all_of(kept)))
    if resolved.order:
        ordered = [
            exp.Ordered(this=exp.Column(this=identifier(name)), desc=descending, nulls_first=False)
            for name, descending in resolved.order
        ]
        select.set("order", exp.Order(expressions=ordered))
    limit = max_rows if resolved.limit is None else min(resolved.limit + 1, max_rows)
    select.set("limit", exp.Limit(expression=exp.Literal.number(limit)))


def _large_or_none(counts: Sequence[exp.Expr], one: exp.Expr, least: int) -> exp.Expr:
    """Return that a count is `least` at least, or that this one counts nobody."""
    found: exp.Expr = exp.Is(this=one.copy(), expression=exp.Null())
    found = exp.Or(this=found, expression=condition(one.copy(), "le", (0,), keep_missing=False))
    for each in counts:
        large = condition(each.copy(), "ge", (least,), keep_missing=False)
        found = exp.Or(this=found, expression=large)
    return exp.Paren(this=found)


def _bracketed(node: exp.Expr) -> exp.Expr:
    return exp.Paren(this=node) if isinstance(node, exp.Binary) else node
