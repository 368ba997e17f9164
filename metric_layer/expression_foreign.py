"""SQL pieces of other layers' files, taken apart: filters, joins, scalar expressions, column types."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from metric_layer.definitions import ColumnType
from metric_layer.plan import Operator, Scalar

MAX_TEXT = 4000
MAX_NESTING = 40
MAX_NODES = 600
_COMPARED: Mapping[type[exp.Expr], tuple[Operator, Operator]] = {
    exp.EQ: ("eq", "eq"),
    exp.NEQ: ("ne", "ne"),
    exp.LT: ("lt", "gt"),
    exp.LTE: ("le", "ge"),
    exp.GT: ("gt", "lt"),
    exp.GTE: ("ge", "le"),
}
_OPENINGS = re.compile(r"\(|\bcase\b|\bnot\b|[-~+]\s*(?=[-~+])", re.IGNORECASE)


class ForeignSql(Exception):
    """A piece of SQL says something that a definition here cannot say; `message` says what."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True, slots=True)
class ColumnRef:
    """A column as a piece of SQL names it; `table` is empty where it is not qualified."""

    name: str
    table: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One condition of a filter: `column op values`, in the words of a definition's own filters."""

    column: ColumnRef
    op: Operator
    values: tuple[Scalar, ...] = ()


def parsed(text: str) -> exp.Expr:
    """Return one expression as a tree. Raises ForeignSql when it is not SQL, or too large to be read."""
    if len(text) > MAX_TEXT or len(_OPENINGS.findall(text)) > MAX_NESTING:
        raise ForeignSql(f"it is longer than {MAX_TEXT} characters or nested too deeply")
    try:
        tree = parse_one(text, dialect="duckdb")
    except (SqlglotError, RecursionError) as fault:
        raise ForeignSql("it cannot be read as SQL") from fault
    if sum(1 for _ in zip(tree.walk(), range(MAX_NODES + 1), strict=False)) > MAX_NODES:
        raise ForeignSql(f"it has more than {MAX_NODES} parts")
    return tree


def sql_of(tree: exp.Expr) -> str:
    """Return a tree as the SQL that an expression here is written in."""
    return str(tree.sql(dialect="duckdb"))


def plain_column(text: str) -> str | None:
    """Return the column that a text names and nothing else, or None."""
    try:
        tree = parsed(text)
    except ForeignSql:
        return None
    return tree.name if isinstance(tree, exp.Column) and not tree.table else None


def columns_in(text: str) -> tuple[ColumnRef, ...]:
    """Return the columns of an expression, each once. Raises ForeignSql."""
    found = (_ref(column) for column in parsed(text).find_all(exp.Column, bfs=False))
    return tuple(dict.fromkeys(found))


def with_columns(tree: exp.Expr, replace: Callable[[ColumnRef], exp.Expr | None]) -> exp.Expr:
    """Return a copy in which every column is replaced; None leaves a column as it is."""
    root = exp.Paren(this=tree.copy())
    for column in list(root.find_all(exp.Column)):
        other = replace(_ref(column))
        if other is not None:
            column.replace(other)
    found: exp.Expr = root.this.pop()
    return found


def column_node(name: str, table: str = "") -> exp.Expr:
    """Return a quoted column, qualified if a table is named."""
    where = exp.Identifier(this=table, quoted=True) if table else None
    return exp.Column(this=exp.Identifier(this=name, quoted=True), table=where)


def bracketed(tree: exp.Expr) -> exp.Expr:
    """Return a tree in brackets unless it stands for itself."""
    whole = isinstance(tree, exp.Column | exp.Literal | exp.Func | exp.Paren | exp.Null)
    return tree if whole else exp.Paren(this=tree)


def comparisons(text: str) -> tuple[Comparison, ...]:
    """Return a filter as conditions that all have to hold. Raises ForeignSql for what is not a list of those.

    SQL's `<>` and NOT IN leave rows without a value out, so each comes with `not_null`.
    """
    return tuple(each for part in _conjuncts(parsed(text)) for each in _comparison(part))


def equal_columns(text: str) -> tuple[tuple[ColumnRef, ColumnRef], ...]:
    """Return a join condition as pairs of equal columns. Raises ForeignSql for anything else."""
    found = []
    for part in _conjuncts(parsed(text)):
        left, right = (part.left, part.right) if isinstance(part, exp.EQ) else (None, None)
        if not isinstance(left, exp.Column) or not isinstance(right, exp.Column):
            raise ForeignSql(f"{sql_of(part)} does not compare two columns for equality")
        found.append((_ref(left), _ref(right)))
    return tuple(found)


def types_in(text: str, wanted: ColumnType) -> dict[str, ColumnType]:
    """Return the type that each column of an expression must have, as far as the expression tells.

    `wanted` is the type of the expression's own value. Raises ForeignSql.
    """
    found: dict[str, ColumnType] = {}
    for column in parsed(text).find_all(exp.Column):
        kind = _told(column, wanted)
        if kind is not None:
            found.setdefault(column.name, kind)
    return found


def _ref(column: exp.Column) -> ColumnRef:
    return ColumnRef(column.name, column.table)


def _conjuncts(tree: exp.Expr) -> Iterator[exp.Expr]:
    waiting = [tree]
    while waiting:
        here = waiting.pop()
        if isinstance(here, exp.And):
            waiting += [here.right, here.left]
        elif isinstance(here, exp.Paren):
            waiting.append(here.this)
        else:
            yield here


def _comparison(tree: exp.Expr) -> tuple[Comparison, ...]:
    if isinstance(tree, exp.Column):
        return (Comparison(_ref(tree), "eq", (True,)),)
    if isinstance(tree, exp.Or):
        return (_one_of(tree),)
    negative = isinstance(tree, exp.Not)
    inner = tree.this.unnest() if negative else tree
    if negative and isinstance(inner, exp.Column):
        return (Comparison(_ref(inner), "eq", (False,)),)
    if negative and isinstance(inner, exp.Is) and isinstance(inner.expression, exp.Boolean):
        raise ForeignSql(f"{sql_of(tree)} keeps rows without a value, which no one filter says")
    found = _positive(inner)
    if not negative:
        present = Comparison(found.column, "not_null")
        return (present, found) if found.op == "ne" else (found,)
    opposite: Mapping[str, Operator] = {"in": "not_in", "eq": "ne", "is_null": "not_null"}
    if found.op not in opposite:
        raise ForeignSql(f"{sql_of(tree)} has no counterpart among the operators of a filter")
    turned = Comparison(found.column, opposite[found.op], found.values)
    if turned.op == "not_null":
        return (turned,)
    return (Comparison(found.column, "not_null"), turned)


def _positive(tree: exp.Expr) -> Comparison:
    pair = _COMPARED.get(type(tree))
    if pair is not None and isinstance(tree, exp.Binary):
        if isinstance(tree.left, exp.Column):
            return Comparison(_ref(tree.left), pair[0], (_value(tree.right),))
        if isinstance(tree.right, exp.Column):
            return Comparison(_ref(tree.right), pair[1], (_value(tree.left),))
    column = tree.this
    if isinstance(column, exp.Column):
        if isinstance(tree, exp.In) and tree.expressions:
            return Comparison(_ref(column), "in", tuple(_value(each) for each in tree.expressions))
        if isinstance(tree, exp.Between):
            return Comparison(_ref(column), "between", (_value(tree.args["low"]), _value(tree.args["high"])))
        if isinstance(tree, exp.Is) and isinstance(tree.expression, exp.Null):
            return Comparison(_ref(column), "is_null")
        if isinstance(tree, exp.Is) and isinstance(tree.expression, exp.Boolean):
            return Comparison(_ref(column), "eq", (bool(tree.expression.this),))
    raise ForeignSql(f"{sql_of(tree)} is not a comparison of a dimension with values")


def _one_of(tree: exp.Or) -> Comparison:
    """Read alternatives for one column as a list of its values."""
    found: list[Comparison] = []
    waiting: list[exp.Expr] = [tree]
    while waiting:
        here = waiting.pop().unnest()
        if isinstance(here, exp.Or):
            waiting += [here.right, here.left]
        else:
            found.append(_positive(here))
    if len({each.column for each in found}) > 1 or not {each.op for each in found} <= {"eq", "in"}:
        raise ForeignSql("OR between different conditions has no counterpart in a filter")
    values = tuple(dict.fromkeys(value for each in found for value in each.values))
    return Comparison(found[0].column, "in", values)


def _value(tree: exp.Expr) -> Scalar:
    if isinstance(tree, exp.Boolean):
        return bool(tree.this)
    if isinstance(tree, exp.Literal):
        return str(tree.this) if tree.is_string else _number(str(tree.this))
    if isinstance(tree, exp.Neg) and isinstance(tree.this, exp.Literal) and not tree.this.is_string:
        return -_number(str(tree.this.this))
    if isinstance(tree, exp.Cast) and isinstance(tree.this, exp.Literal) and tree.this.is_string:
        return str(tree.this.this)
    if isinstance(tree, exp.Paren):
        return _value(tree.this)
    raise ForeignSql(f"{sql_of(tree)} is not a value written out")


def _number(text: str) -> int | Decimal:
    try:
        return int(text) if text.isdigit() else Decimal(text)
    except InvalidOperation as fault:
        raise ForeignSql(f"{text} is not a number") from fault


def _told(column: exp.Column, wanted: ColumnType) -> ColumnType | None:
    """Return the type a column must have where it stands."""
    here: exp.Expr = column
    parent = column.parent
    while parent is not None:
        if isinstance(parent, exp.Is):
            return "boolean" if isinstance(parent.expression, exp.Boolean) else None
        if isinstance(parent, exp.Cast):
            return None
        if isinstance(parent, exp.Not | exp.And | exp.Or) or (
            isinstance(parent, exp.If) and here.arg_key == "this"
        ):
            return "boolean"
        if isinstance(parent, exp.Neg | exp.Add | exp.Sub | exp.Mul | exp.Div):
            return "decimal"
        if isinstance(parent, exp.Predicate):
            return _literal_type(parent)
        here, parent = parent, parent.parent
    return wanted


def _literal_type(tree: exp.Expr) -> ColumnType | None:
    for literal in tree.find_all(exp.Literal, exp.Boolean):
        if isinstance(literal, exp.Boolean):
            return "boolean"
        return "string" if literal.is_string else "decimal"
    return None
