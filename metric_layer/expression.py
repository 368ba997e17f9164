"""The scalar SQL of an aggregate: parsed once, harmless nodes and own columns only, with its type."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from metric_layer.definitions import ColumnType
from metric_layer.expression_division import divide, spelled

MAX_TEXT = 1000
MAX_NODES = 250
MAX_NESTING = 40
ALLOWED: tuple[type[exp.Expr], ...] = (
    exp.Column,
    exp.Identifier,
    exp.Literal,
    exp.Boolean,
    exp.Null,
    exp.Paren,
    exp.Neg,
    exp.Add,
    exp.Sub,
    exp.Mul,
    exp.Div,
    exp.Case,
    exp.If,
    exp.Coalesce,
    exp.Nullif,
    exp.Cast,
    exp.DataType,
    exp.DataTypeParam,
    exp.And,
    exp.Or,
    exp.Not,
    exp.EQ,
    exp.NEQ,
    exp.LT,
    exp.LTE,
    exp.GT,
    exp.GTE,
    exp.Is,
    exp.In,
    exp.Between,
)
_CAST_TYPES: Mapping[object, ColumnType] = {
    exp.DataType.Type.INT: "integer",
    exp.DataType.Type.BIGINT: "integer",
    exp.DataType.Type.SMALLINT: "integer",
    exp.DataType.Type.DECIMAL: "decimal",
    exp.DataType.Type.DOUBLE: "float",
    exp.DataType.Type.BOOLEAN: "boolean",
    exp.DataType.Type.DATE: "date",
    exp.DataType.Type.TIMESTAMP: "timestamp",
    exp.DataType.Type.TEXT: "string",
    exp.DataType.Type.VARCHAR: "string",
}
_NUMERIC_RANK: Mapping[ColumnType, int] = {"integer": 0, "decimal": 1, "float": 2}


class ExpressionFault(Exception):
    """An expression is not scalar SQL over the dataset's columns; `column` is one it does not know."""

    def __init__(self, message: str, column: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.column = column


@dataclass(frozen=True, slots=True)
class Scalar:
    """A parsed expression: its tree (columns unqualified), the columns it reads, the type of its value."""

    tree: exp.Expr
    columns: tuple[str, ...]
    type: ColumnType
    divides: bool = False

    def over(self, alias: str, dialect: str) -> exp.Expr:
        """Return a copy of the tree as an engine needs it, every column qualified by an alias."""
        if isinstance(self.tree, exp.Column):
            return column_of(self.tree.name, alias)
        tree = self.tree.copy()
        for found in list(tree.find_all(exp.Column)):
            found.set("table", exp.Identifier(this=alias, quoted=True))
        return spelled(tree, dialect) if self.divides else tree


def quoted(name: str) -> str:
    """Return a name as quoted SQL text."""
    return '"' + name.replace('"', '""') + '"'


def column_of(name: str, alias: str) -> exp.Column:
    """Return the quoted, qualified column node."""
    return exp.Column(
        this=exp.Identifier(this=name, quoted=True), table=exp.Identifier(this=alias, quoted=True)
    )


def column_scalar(name: str, kind: ColumnType, scale: Decimal | None = None) -> Scalar:
    """Return a bare column as an expression, times what one unit in it stands for."""
    column = exp.Column(this=exp.Identifier(this=name, quoted=True))
    if scale is None:
        return Scalar(column, (name,), kind)
    return Scalar(_scaled(column, scale), (name,), widest((kind, "decimal")))


def parse_scalar(text: str, types: Mapping[str, ColumnType], scales: Mapping[str, Decimal]) -> Scalar:
    """Parse scalar SQL over the given columns, each times its scale where it has one.

    Raises ExpressionFault when the text is not one scalar expression made of columns of `types`, literals,
    arithmetic, comparisons, CASE, COALESCE, NULLIF and CAST.
    """
    if len(text) > MAX_TEXT or _nesting(text) > MAX_NESTING:
        raise ExpressionFault(f"The expression is longer than {MAX_TEXT} characters or nested too deeply.")
    try:
        tree = parse_one(text, dialect="duckdb")
    except SqlglotError as fault:
        first = str(fault).split("\n")[0].split(". Line")[0]
        raise ExpressionFault(f"The expression is not SQL: {first}.") from fault
    for count, node in enumerate(tree.walk()):
        if count > MAX_NODES:
            raise ExpressionFault(f"The expression has more than {MAX_NODES} parts.")
        _refuse_node(node)
    columns: dict[str, None] = {}
    for column in tree.find_all(exp.Column):
        columns[_settle_column(column, types)] = None
    for cast in tree.find_all(exp.Cast):
        if _CAST_TYPES[cast.to.this] == "string" and type_of(cast.this, types) == "float":
            raise ExpressionFault(
                "CAST of a float to text is not allowed: engines write the same float in other ways."
            )
    tree = _safe_divisions(_with_scales(tree, scales), types)
    return Scalar(tree, tuple(columns), type_of(tree, types), tree.find(exp.Div) is not None)


def _with_scales(tree: exp.Expr, scales: Mapping[str, Decimal]) -> exp.Expr:
    def scaled(node: exp.Expr) -> exp.Expr:
        known = scales.get(node.name) if isinstance(node, exp.Column) else None
        return node if known is None else _scaled(node, known)

    return tree.transform(scaled) if scales else tree


def _scaled(column: exp.Expr, scale: Decimal) -> exp.Expr:
    """Return a column times its scale; the type is said, as a bare 0.01 is no decimal on every engine."""
    text = format(scale, "f")
    whole, _, behind = text.partition(".")
    sizes = (len(whole) + len(behind), len(behind))
    digits = [exp.DataTypeParam(this=exp.Literal.number(size)) for size in sizes]
    kind = exp.DataType(this=exp.DataType.Type.DECIMAL, expressions=digits, nested=False)
    factor = exp.Cast(this=exp.Literal.number(text), to=kind)
    return exp.Paren(this=exp.Mul(this=column.copy(), expression=factor))


def type_of(tree: exp.Expr, types: Mapping[str, ColumnType]) -> ColumnType:
    """Return the type of an expression's value, from the types of the columns it reads."""
    if isinstance(tree, exp.Column):
        return types[tree.name]
    if isinstance(tree, exp.Literal):
        return "string" if tree.is_string else ("decimal" if "." in tree.name else "integer")
    if isinstance(tree, exp.Cast):
        return _CAST_TYPES[tree.to.this]
    if isinstance(tree, exp.Boolean | exp.Predicate | exp.Connector | exp.Not):
        return "boolean"
    if isinstance(tree, exp.Div):
        return widest((type_of(tree.left, types), type_of(tree.right, types), "decimal"))
    return widest(type_of(branch, types) for branch in _branches(tree))


def widest(kinds: Iterable[ColumnType]) -> ColumnType:
    """Return the type that holds values of all of the given types."""
    found = list(kinds)
    numeric = [kind for kind in found if kind in _NUMERIC_RANK]
    if numeric:
        return max(numeric, key=_NUMERIC_RANK.__getitem__)
    return found[0] if found else "string"


def _branches(tree: exp.Expr) -> list[exp.Expr]:
    """Return the parts whose values an expression may take or combine."""
    if isinstance(tree, exp.Case):
        parts = [branch.args["true"] for branch in tree.args["ifs"]]
        parts.append(tree.args.get("default"))
    elif isinstance(tree, exp.Coalesce):
        parts = [tree.this, *tree.expressions]
    elif isinstance(tree, exp.If):
        parts = [tree.args.get("true"), tree.args.get("false")]
    elif isinstance(tree, exp.Nullif | exp.Unary):
        parts = [tree.this]
    else:
        parts = [tree.args.get("this"), tree.args.get("expression")]
    return [part for part in parts if isinstance(part, exp.Expr) and not isinstance(part, exp.Null)]


def _refuse_node(node: exp.Expr) -> None:
    if not isinstance(node, ALLOWED) or isinstance(node, exp.TryCast):
        what = "An aggregate" if isinstance(node, exp.AggFunc) else node.key.upper()
        raise ExpressionFault(
            f"{what} may not stand in an expression: write scalar SQL over the dataset's columns."
        )
    if isinstance(node, exp.Cast) and node.to.this not in _CAST_TYPES:
        raise ExpressionFault(f"CAST to {node.to.sql()} is not allowed.")
    if isinstance(node, exp.In) and not node.expressions:
        raise ExpressionFault("IN needs a list of literals.")


def _settle_column(column: exp.Column, types: Mapping[str, ColumnType]) -> str:
    """Quote a column under the spelling the dataset gives it."""
    if column.table:
        raise ExpressionFault("An expression names the dataset's columns without a table.", column.sql())
    name = column.name
    if name not in types:
        same = [known for known in types if known.lower() == name.lower()]
        if column.this.quoted or len(same) != 1:
            raise ExpressionFault(f"The dataset has no column {name!r}.", name)
        name = same[0]
    column.set("this", exp.Identifier(this=name, quoted=True))
    return name


def _safe_divisions(tree: exp.Expr, types: Mapping[str, ColumnType]) -> exp.Expr:
    """Make every division exact and its zero denominator NULL, innermost first."""
    root = exp.Paren(this=tree)
    for node in reversed(list(root.find_all(exp.Div))):
        exact = "float" not in (type_of(node.left, types), type_of(node.right, types))
        node.replace(divide(node.left.copy(), node.right.copy(), exact=exact))
    found: exp.Expr = root.this.pop()
    return found


def _nesting(text: str) -> int:
    """Return how deep brackets and CASE can be nested at most, counted before any parser runs."""
    depth = deepest = 0
    for bracket in re.findall(r"[()]", text):
        depth += 1 if bracket == "(" else -1
        deepest = max(deepest, depth)
    return deepest + text.upper().count("CASE")
