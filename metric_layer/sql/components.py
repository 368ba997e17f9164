"""What a query is built of: six sets of canonical parts, the origins of its columns, its twin key."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from metric_layer.plan import Dialect
from metric_layer.sql.frames import Columns, Output, Parts, base_name, is_base
from metric_layer.sql.unfold import Unfolder

BROKEN = (SqlglotError, RecursionError, ValueError, TypeError, AttributeError, KeyError, IndexError)


class Unread(StrEnum):
    """Why a text gave no components."""

    MISSING = "missing"
    UNPARSED = "unparsed"
    NOT_ONE_SELECT = "not_one_select"


@dataclass(frozen=True, slots=True)
class Components:
    """The six sets of a query over all its scopes; `columns` are those whose values the result shows.

    `origins` has one entry per output column: `table.column` for a plain column of a table, else None. It is
    None as a whole where the output columns cannot be told without running the query.
    """

    tables: frozenset[str] = frozenset()
    columns: frozenset[str] = frozenset()
    joins: frozenset[str] = frozenset()
    filters: frozenset[str] = frozenset()
    aggregations: frozenset[str] = frozenset()
    group_by: frozenset[str] = frozenset()
    origins: tuple[str | None, ...] | None = None


@dataclass(frozen=True, slots=True)
class Warehouse:
    """What both sides of a comparison are read against: the dialect, the tables' columns, the default schema.

    `columns` maps a folded table name, the default schema left out, to its column names in order.
    """

    dialect: Dialect
    columns: Columns
    default_schema: str = ""


def read_components(sql: str | None, warehouse: Warehouse) -> Components | Unread:
    """Return the components of one SELECT, or why there are none. Nothing is executed and no text raises.

    Pagination and ordering are in none of the sets, so what a gateway adds by design costs a query nothing.
    """
    tree = parse_select(sql, warehouse.dialect)
    if isinstance(tree, Unread):
        return tree
    unfolder = Unfolder(warehouse.dialect, warehouse.columns, warehouse.default_schema.casefold())
    try:
        parts, outputs = unfolder.unfold(tree)
    except BROKEN:
        return Unread.UNPARSED
    return _frozen(parts, outputs)


def parse_select(sql: str | None, dialect: Dialect) -> exp.Expr | Unread:
    """Return the tree of a text that is exactly one SELECT or set operation of SELECTs, or why it is not."""
    if sql is None or not sql.strip():
        return Unread.MISSING
    try:
        trees = [tree for tree in sqlglot.parse(sql, read=dialect) if tree is not None]
    except BROKEN:
        return Unread.UNPARSED
    if len(trees) != 1 or not isinstance(trees[0], (exp.Query, exp.Pivot)):
        return Unread.NOT_ONE_SELECT if trees else Unread.MISSING
    return trees[0]


def twin_key(sql: str, dialect: Dialect) -> str | None:
    """Return a text that spellings of one query share (case, white space, comments); None if unread."""
    tree = parse_select(sql, dialect)
    if isinstance(tree, Unread):
        return None
    fold_names(tree)
    return tree.sql(dialect, comments=False, normalize_functions="lower")


def fold_names(tree: exp.Expr) -> None:
    """Write the unquoted names of a tree in lower case."""
    for node in tree.find_all(exp.Identifier):
        if not node.args.get("quoted"):
            node.set("this", node.name.casefold())


def table_name(name: str, default_schema: str) -> str:
    """Return a table name as the sets hold it: folded, unquoted, the default schema left out."""
    parts = [part.strip().strip('"`').casefold() for part in name.split(".")]
    if len(parts) > 1 and parts[-2] == default_schema.casefold():
        return parts[-1]
    return ".".join(parts[-2:])


def defined_tables(ddl: Iterable[str], dialect: Dialect, default_schema: str) -> frozenset[str]:
    """Return the tables and views that CREATE statements define; other texts define none."""
    found = set()
    for text in ddl:
        try:
            trees = sqlglot.parse(text, read=dialect)
        except BROKEN:
            continue
        for tree in trees:
            table = tree.find(exp.Table) if isinstance(tree, exp.Create) else None
            if table is not None:
                found.add(table_name(".".join(filter(None, (table.db, table.name))), default_schema))
    return frozenset(found)


def _frozen(parts: Parts, outputs: list[Output]) -> Components:
    whole = not any(isinstance(output.expr, exp.Star) for output in outputs)
    plain = partial(map, lambda o: base_name(o.expr) if is_base(o.expr) else None)
    return Components(
        tables=frozenset(parts.tables),
        columns=frozenset(parts.columns),
        joins=frozenset(parts.joins),
        filters=frozenset(parts.filters),
        aggregations=frozenset(parts.aggregations),
        group_by=frozenset(parts.group_by),
        origins=tuple(plain(outputs)) if whole else None,
    )
