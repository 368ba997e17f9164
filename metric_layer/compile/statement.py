"""Branches -> one statement: UNION ALL, an outer GROUP BY that sets parts side by side, arithmetic last."""

from collections.abc import Mapping, Sequence
from functools import partial

from sqlglot import exp

from metric_layer.compile.branch import Branch, Build, build_branch, shared_branches
from metric_layer.compile.predicate import condition
from metric_layer.compile.tables import all_of, identifier
from metric_layer.definitions import ColumnType
from metric_layer.expand import formula_type
from metric_layer.expression import column_of, divide
from metric_layer.layer import Layer
from metric_layer.resolved import Arithmetic, Leaf, ResolvedPlan

PARTS = "parts"
UNTYPED_NULL = frozenset({"duckdb"})
_NULL_TYPES: Mapping[ColumnType, str] = {
    "string": "TEXT",
    "integer": "BIGINT",
    "decimal": "DECIMAL(38, 10)",
    "float": "DOUBLE",
    "boolean": "BOOLEAN",
    "date": "DATE",
    "timestamp": "TIMESTAMP",
}
_BINARY: Mapping[str, type[exp.Binary]] = {"add": exp.Add, "sub": exp.Sub, "mul": exp.Mul}


def compile_plan(resolved: ResolvedPlan, layer: Layer, dialect: str, max_rows: int) -> exp.Expression:
    """Compile a resolved plan to the tree of one SELECT; `.sql(dialect=dialect)` is its text.

    Each aggregate is final at its own grain before anything is combined: no join multiplies or drops rows.
    At most `max_rows` rows are returned.
    """
    branches = [build_branch(leaves, resolved, layer, dialect) for leaves in shared_branches(resolved.leaves)]
    if len(branches) == 1:
        values = branches[0].aggregates
        select = branches[0].select(_metrics(resolved, values))
    else:
        values = {leaf.id: partial(_part, leaf.id) for leaf in resolved.leaves}
        select = _stitched(branches, resolved, values, dialect)
    return _finished(select, resolved, values, max_rows)


def _stitched(
    branches: Sequence[Branch], resolved: ResolvedPlan, values: Mapping[str, Build], dialect: str
) -> exp.Select:
    """Set finished branches side by side: one row per group and branch, so MAX only picks the value."""
    parts: exp.Expr = _padded(branches[0], resolved.leaves, dialect)
    for branch in branches[1:]:
        parts = exp.Union(this=parts, expression=_padded(branch, resolved.leaves, dialect), distinct=False)
    source = exp.Subquery(this=parts, alias=exp.TableAlias(this=identifier(PARTS)))
    groups = [name for name, _ in branches[0].groups]
    columns = [*((name, column_of(name, PARTS)) for name in groups), *_metrics(resolved, values)]
    select = exp.Select(
        expressions=[exp.Alias(this=node, alias=identifier(name)) for name, node in columns],
        from_=exp.From(this=source),
    )
    if groups:
        select.set("group", exp.Group(expressions=[column_of(name, PARTS) for name in groups]))
    return select


def _padded(branch: Branch, leaves: Sequence[Leaf], dialect: str) -> exp.Select:
    """Return a branch that has a column for every leaf; the leaves of other branches are NULL."""
    columns = []
    for leaf in leaves:
        build = branch.aggregates.get(leaf.id)
        columns.append((leaf.id, build() if build else _null(leaf.type, dialect)))
    return branch.select(columns)


def _part(leaf: str) -> exp.Expr:
    return exp.Max(this=column_of(leaf, PARTS))


def _null(kind: ColumnType, dialect: str) -> exp.Expr:
    """Some engines type a union by its first branches and need a type; DuckDB would widen a decimal by it."""
    if dialect in UNTYPED_NULL:
        return exp.Null()
    return exp.Cast(this=exp.Null(), to=exp.DataType.build(_NULL_TYPES[kind]))


def _finished(
    select: exp.Select, resolved: ResolvedPlan, values: Mapping[str, Build], max_rows: int
) -> exp.Select:
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
    limit = max_rows if resolved.limit is None else min(resolved.limit, max_rows)
    select.set("limit", exp.Limit(expression=exp.Literal.number(limit)))
    return select


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
