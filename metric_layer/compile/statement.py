"""Branches -> one statement: UNION ALL, an outer GROUP BY that sets parts side by side, arithmetic last."""

from collections.abc import Mapping

from sqlglot import exp

from metric_layer.compile.collation import filter_by_bytes, sort_by_bytes
from metric_layer.compile.leaves import build_branch, shared_branches
from metric_layer.compile.parts import stitched
from metric_layer.compile.predicate import condition
from metric_layer.compile.tables import all_of, identifier
from metric_layer.compile.zone import Build
from metric_layer.definitions import ColumnType
from metric_layer.expand import formula_type
from metric_layer.expression import divide
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
        values = branches[0].aggregates
        select = branches[0].select(_metrics(resolved, values))
    else:
        parts = stitched(branches, resolved, dialect)
        values = parts.aggregates
        select = parts.select(_metrics(resolved, values))
    _finish(select, resolved, values, max_rows)
    sort_by_bytes(select, resolved.outputs, dialect)
    filter_by_bytes(select, dialect)
    return select


def _finish(select: exp.Select, resolved: ResolvedPlan, values: Mapping[str, Build], max_rows: int) -> None:
    """Filter, order and cut the finished rows."""
    formulas = dict(resolved.metrics)
    types = {leaf.id: leaf.type for leaf in resolved.leaves}
    kept = [
        condition(_value(formulas[each.metric], values, types), each.op, each.values, keep_missing=False)
        for each in resolved.having
    ]
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


def _metrics(resolved: ResolvedPlan, values: Mapping[str, Build]) -> list[tuple[str, exp.Expr]]:
    types = {leaf.id: leaf.type for leaf in resolved.leaves}
    return [(name, _value(formula, values, types)) for name, formula in resolved.metrics]


def _value(node: Arithmetic, values: Mapping[str, Build], types: Mapping[str, ColumnType]) -> exp.Expr:
    """Return a finished metric as SQL over finished leaves."""
    found = _operation(node, values, types)
    if node.null_as_zero:
        return exp.Coalesce(this=found, expressions=[exp.Literal.number(0)])
    return found


def _operation(node: Arithmetic, values: Mapping[str, Build], types: Mapping[str, ColumnType]) -> exp.Expr:
    if node.op == "leaf":
        return values[node.leaf]()
    if node.left is None or node.right is None:
        return exp.Literal.number(node.number)
    left, right = _value(node.left, values, types), _value(node.right, values, types)
    if node.op == "div":
        exact = formula_type(node, types) != "float"
        return divide(_bracketed(left), right, exact=exact)
    return _BINARY[node.op](this=_bracketed(left), expression=_bracketed(right))


def _bracketed(node: exp.Expr) -> exp.Expr:
    return exp.Paren(this=node) if isinstance(node, exp.Binary) else node
