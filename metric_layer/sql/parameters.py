"""Parameters in a statement: texts such as '$region' that stand for a value, put in and bound in the tree.

A parameter is a literal of its own in the tree, never a part of a text, and stands only where its value can
change which rows count and nothing else: beside a comparison, in a list, or as the number of rows.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect as SqlglotDialect
from sqlglot.errors import ErrorLevel, SqlglotError

from metric_layer.plan import Dialect
from metric_layer.sql.spelling import mark_names, restore_names

NAMED = re.compile(r"\$(?P<name>[a-z][a-z0-9_]*)(?:\.(?P<part>[a-z]+))?")
COMPARED = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Between, exp.In)
THROUGH = (exp.Cast, exp.Paren)
TIMES = (exp.DataType.Type.DATE, *exp.DataType.TEMPORAL_TYPES)
Value = str | int


class NotBindable(Exception):
    """A statement that holds parameters cannot be written with their values and stay what it is."""


@dataclass(frozen=True, slots=True)
class Missing:
    """Why a value cannot become a parameter: `not_there`, or `misplaced` with what stands around it."""

    name: str
    why: str
    seen: str


def parameters_in(sql: str, dialect: Dialect) -> tuple[str, ...]:
    """Return the parameters of a statement as they are written, without the dollar sign, in order."""
    return tuple(dict.fromkeys(name for _, name in _slots(_parsed(sql, dialect))))


def parametrised(
    sql: str, dialect: Dialect, values: Mapping[str, Value]
) -> tuple[str, tuple[str, ...]] | tuple[Missing, ...]:
    """Return a statement with a parameter for every literal that is one of `values`, and those that it took.

    `values` maps what is written behind the dollar sign to the value it stands for; no two are alike. Where
    a value stands in a place that a parameter must not have, or '$name' is a text of the statement already,
    all of that is returned instead.
    """
    tree = _parsed(sql, dialect)
    names = {_key(value): name for name, value in values.items()}
    wrong = [Missing(name, "taken", f"${name}") for _, name in _slots(tree)]
    taken: list[str] = []
    for literal in list(tree.find_all(exp.Literal)):
        name = names.get((literal.name, literal.is_string))
        if name is None:
            continue
        if not _is_safe(literal):
            around = literal.parent.sql(dialect=dialect) if literal.parent else literal.name
            wrong.append(Missing(name, "misplaced", around))
            continue
        taken.append(name)
        literal.replace(exp.Literal.string(f"${name}"))
    return tuple(wrong) or (_written(tree, dialect), tuple(dict.fromkeys(taken)))


def bound(sql: str, dialect: Dialect, values: Mapping[str, Value]) -> str:
    """Return a statement with every parameter as a literal of the tree.

    Raises NotBindable where one has no value, stands where none may, or the text would not read the same.
    """
    tree = _parsed(sql, dialect)
    for literal, name in list(_slots(tree)):
        if name not in values or not _is_safe(literal):
            raise NotBindable(f"${name}")
        value = values[name]
        literal.replace(exp.Literal.number(value) if isinstance(value, int) else exp.Literal.string(value))
    text = _written(tree, dialect)
    if _parsed(text, dialect) != tree:
        raise NotBindable(text)
    return text


def same_statement(one: str, other: str, dialect: Dialect) -> bool:
    """Tell whether two texts are read as one tree."""
    return _parsed(one, dialect) == _parsed(other, dialect)


def _slots(tree: exp.Expr) -> Iterator[tuple[exp.Literal, str]]:
    for literal in tree.find_all(exp.Literal):
        if literal.is_string and NAMED.fullmatch(literal.name):
            yield literal, literal.name[1:]


def _key(value: Value) -> tuple[str, bool]:
    return str(value), isinstance(value, str)


def _is_safe(literal: exp.Literal) -> bool:
    """Tell whether a literal is one side of a comparison, an item of a list, or the number of rows."""
    node: exp.Expr = literal
    parent = node.parent
    while isinstance(parent, THROUGH) and (not isinstance(parent, exp.Cast) or parent.is_type(*TIMES)):
        node, parent = parent, parent.parent
    if isinstance(parent, exp.Limit):
        return node is literal
    return isinstance(parent, COMPARED)


def _parsed(sql: str, dialect: Dialect) -> exp.Expr:
    reader = SqlglotDialect.get_or_raise(dialect)
    try:
        tokens = reader.tokenize(sql)
        marked = mark_names(tokens, dialect)
        found: Sequence[exp.Expr | None] = reader.parser().parse(marked, sql)
    except SqlglotError as fault:
        raise NotBindable(str(fault)) from fault
    if len(found) != 1 or found[0] is None:
        raise NotBindable(sql)
    if marked is not tokens:
        restore_names(found[0])
    return found[0]


def _written(tree: exp.Expr, dialect: Dialect) -> str:
    writer = SqlglotDialect.get_or_raise(dialect)
    return writer.generate(tree, copy=True, comments=False, unsupported_level=ErrorLevel.RAISE)
