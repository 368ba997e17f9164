"""A metric written as free aggregate SQL, taken apart into its aggregates and the arithmetic between them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from sqlglot import exp

from metric_layer.expression_foreign import (
    ColumnRef,
    ForeignSql,
    bracketed,
    column_node,
    parsed,
    sql_of,
    with_columns,
)

AggregateType = Literal[
    "sum", "count", "count_distinct", "approx_count_distinct", "min", "max", "avg", "median", "percentile"
]
_ARITHMETIC: tuple[tuple[type[exp.Binary], str], ...] = (
    (exp.Add, "+"),
    (exp.Sub, "-"),
    (exp.Mul, "*"),
    (exp.Div, "/"),
)
_SIMPLE: tuple[tuple[type[exp.Expr], AggregateType], ...] = (
    (exp.Sum, "sum"),
    (exp.Avg, "avg"),
    (exp.Min, "min"),
    (exp.Max, "max"),
    (exp.Median, "median"),
    (exp.ApproxDistinct, "approx_count_distinct"),
)


@dataclass(frozen=True, slots=True)
class Leaf:
    """One aggregate: its scalar SQL (columns as written; empty for a count of rows) and the columns it reads.

    `null_as_zero` says that COALESCE(..., 0) stood around it.
    """

    type: AggregateType
    expression: str
    columns: tuple[ColumnRef, ...]
    percentile: Decimal | None = None
    null_as_zero: bool = False


@dataclass(frozen=True, slots=True)
class Formula:
    """Arithmetic over leaves: `text` names each `{0}`, `{1}`, ...; `shape` says what it comes to."""

    text: str
    leaves: tuple[Leaf, ...]
    shape: Literal["leaf", "ratio", "arithmetic"]


def take_apart(text: str) -> Formula:
    """Return free aggregate SQL as leaves and arithmetic. Raises ForeignSql for what is neither."""
    tree = parsed(text).unnest()
    leaves: list[Leaf] = []

    def named(node: exp.Expr) -> str | None:
        leaf = _leaf(node)
        if leaf is None:
            return None
        if leaf not in leaves:
            leaves.append(leaf)
        return f"{{{leaves.index(leaf)}}}"

    written = _arithmetic(tree, named)
    if not leaves:
        raise ForeignSql("it holds no aggregate")
    if _leaf(tree) is not None:
        return Formula(written, tuple(leaves), "leaf")
    ratio = isinstance(tree, exp.Div) and written == "{0} / {1}"
    return Formula(written, tuple(leaves), "ratio" if ratio else "arithmetic")


def formula_text(text: str, name_of: Callable[[str], str]) -> str:
    """Return arithmetic over named metrics as a derived metric writes it. Raises ForeignSql.

    `name_of` maps a name of the text to the metric it stands for. NULLIF(x, 0) goes away: a division by zero
    is NULL here anyway; so does a cast, since no division here loses decimals.
    """

    def named(node: exp.Expr) -> str | None:
        return name_of(node.name) if isinstance(node, exp.Column) and not node.table else None

    return _arithmetic(parsed(text), named)


def _arithmetic(tree: exp.Expr, named: Callable[[exp.Expr], str | None]) -> str:
    name = named(tree)
    if name is not None:
        return name
    if isinstance(tree, exp.Paren):
        return f"({_arithmetic(tree.this, named)})"
    if isinstance(tree, exp.Neg):
        return f"-{_arithmetic(tree.this, named)}"
    if isinstance(tree, exp.Literal) and not tree.is_string:
        return format(Decimal(str(tree.this)), "f")
    if isinstance(tree, exp.Cast):
        return _arithmetic(bracketed(tree.this.copy()), named)
    if isinstance(tree, exp.Nullif) and _is_zero(tree.expression):
        return _arithmetic(bracketed(tree.this.copy()), named)
    for kind, sign in _ARITHMETIC:
        if isinstance(tree, kind):
            return f"{_arithmetic(tree.left, named)} {sign} {_arithmetic(tree.right, named)}"
    raise ForeignSql(f"{sql_of(tree)} is neither a metric nor arithmetic")


def _leaf(tree: exp.Expr) -> Leaf | None:
    """Return a node as an aggregate, or None where it is none."""
    if isinstance(tree, exp.Coalesce) and len(tree.expressions) == 1 and _is_zero(tree.expressions[0]):
        inner = _leaf(tree.this)
        return inner and Leaf(
            inner.type, inner.expression, inner.columns, inner.percentile, null_as_zero=True
        )
    if isinstance(tree, exp.Filter):
        return _filtered(tree)
    if isinstance(tree, exp.WithinGroup):
        return _percentile(tree)
    if isinstance(tree, exp.Count):
        return _count(tree)
    for kind, name in _SIMPLE:
        if isinstance(tree, kind) and not tree.expressions:
            inner_distinct = isinstance(tree.this, exp.Distinct)
            if inner_distinct and name not in ("min", "max"):
                raise ForeignSql(f"{sql_of(tree)} adds up different values only, which has no counterpart")
            scalar = tree.this.expressions[0] if inner_distinct else tree.this
            return _over(name, scalar)
    if isinstance(tree, exp.AggFunc | exp.Window | exp.Anonymous):
        raise ForeignSql(f"{sql_of(tree)} is no aggregate that a metric here can have")
    return None


def _over(kind: AggregateType, scalar: exp.Expr, percentile: Decimal | None = None) -> Leaf:
    if any(isinstance(node, exp.AggFunc | exp.Window) for node in scalar.walk()):
        raise ForeignSql(f"{sql_of(scalar)} is an aggregate inside an aggregate")
    found = (ColumnRef(column.name, column.table) for column in scalar.find_all(exp.Column, bfs=False))
    columns = tuple(dict.fromkeys(found))
    return Leaf(kind, sql_of(scalar), columns, percentile)


def _count(tree: exp.Count) -> Leaf:
    counted = tree.this
    if isinstance(counted, exp.Star | exp.Literal):
        return Leaf("count", "", ())
    if isinstance(counted, exp.Distinct):
        if len(counted.expressions) != 1:
            raise ForeignSql(f"{sql_of(tree)} counts combinations of several columns")
        return _over("count_distinct", counted.expressions[0])
    return _over("count", counted)


def _percentile(tree: exp.WithinGroup) -> Leaf:
    order = tree.expression.expressions if isinstance(tree.expression, exp.Order) else []
    fraction = tree.this.this
    if len(order) != 1 or order[0].args.get("desc") or not isinstance(fraction, exp.Literal):
        raise ForeignSql(f"{sql_of(tree)} is no percentile of one ascending value")
    share = Decimal(str(fraction.this))
    if isinstance(tree.this, exp.PercentileCont) and share == Decimal("0.5"):
        return _over("median", order[0].this)
    if isinstance(tree.this, exp.PercentileDisc):
        return _over("percentile", order[0].this, share)
    raise ForeignSql(f"{sql_of(tree)} computes a value between two rows; percentiles here take a row's own")


def _filtered(tree: exp.Filter) -> Leaf:
    """Read AGG(x) FILTER (WHERE c) as AGG(CASE WHEN c THEN x END)."""
    inner = _leaf(tree.this)
    if inner is None:
        raise ForeignSql(f"{sql_of(tree)} filters what is no aggregate")
    value = parsed(inner.expression) if inner.expression else exp.Literal.number(1)
    case = exp.Case(ifs=[exp.If(this=tree.expression.this.copy(), true=value)])
    return _over(inner.type, case, inner.percentile)


def _is_zero(tree: exp.Expr | None) -> bool:
    return isinstance(tree, exp.Literal) and not tree.is_string and Decimal(str(tree.this)) == 0


def rewritten(text: str, pieces: Mapping[str, str]) -> str:
    """Return a scalar without table names, in which `pieces` stand in for the columns they are named by.

    Raises ForeignSql.
    """

    def piece(column: ColumnRef) -> exp.Expr | None:
        if column.name in pieces:
            return bracketed(parsed(pieces[column.name]))
        return exp.Column(this=exp.Identifier(this=column.name, quoted=not column.name.isidentifier()))

    return sql_of(with_columns(parsed(text), piece))


def qualified(text: str, dataset: str, scales: Mapping[str, Decimal]) -> str:
    """Return a scalar whose columns are named with their dataset; a scaled column is multiplied out.

    Raises ForeignSql.
    """

    def piece(column: ColumnRef) -> exp.Expr:
        found = column_node(column.name, dataset)
        if column.name not in scales:
            return found
        factor = exp.Literal.number(format(scales[column.name], "f"))
        return exp.Paren(this=exp.Mul(this=found, expression=factor))

    return sql_of(with_columns(parsed(text), piece))
