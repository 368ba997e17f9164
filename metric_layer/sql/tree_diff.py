"""What two queries have that the other has not, as pieces of SQL: a diff of the trees, not of the texts."""

from collections.abc import Iterable

import sqlglot
from sqlglot import exp
from sqlglot.diff import Insert, Move, Remove, Update, diff

from metric_layer.plan import Dialect
from metric_layer.record import Record
from metric_layer.sql.components import BROKEN, Unread, fold_names, parse_select


class TreeDiff(Record):
    """Pieces that only one side has, outermost first; a piece that changed stands on both sides."""

    only_gold: tuple[str, ...] = ()
    only_candidate: tuple[str, ...] = ()
    read: bool = True


def tree_diff(gold: str, candidate: str, dialect: Dialect) -> TreeDiff:
    """Compare two SELECTs as trees: layout, case of keywords and comments do not count."""
    trees = [parse_select(text, dialect) for text in (gold, candidate)]
    if isinstance(trees[0], Unread) or isinstance(trees[1], Unread):
        return TreeDiff(read=False)
    try:
        fold_names(trees[0])
        fold_names(trees[1])
        edits = diff(trees[0], trees[1], matchings=[(trees[0], trees[1])], delta_only=True)
        removed = [e.expression for e in edits if isinstance(e, Remove)]
        added = [e.expression for e in edits if isinstance(e, Insert)]
        changed = [(e.source, e.target) for e in edits if isinstance(e, (Update, Move))]
        return TreeDiff(
            only_gold=_pieces([*removed, *(old for old, new in changed if old != new)], trees[0], dialect),
            only_candidate=_pieces([*added, *(new for old, new in changed if old != new)], trees[1], dialect),
        )
    except BROKEN:
        return TreeDiff(read=False)


def laid_out(sql: str, dialect: Dialect) -> str:
    """Return a query with one clause a line; a text that cannot be read stays as it is."""
    tree = parse_select(sql, dialect)
    if isinstance(tree, Unread):
        return sql
    try:
        return sqlglot.transpile(sql, read=dialect, write=dialect, pretty=True)[0]
    except BROKEN:
        return sql


def _pieces(nodes: Iterable[exp.Expr], tree: exp.Expr, dialect: Dialect) -> tuple[str, ...]:
    """Return the SQL of the outermost nodes in the tree's order; what stands inside one is told with it."""
    inside = {id(node) for node in nodes}
    outermost = [node for node in tree.dfs() if id(node) in inside and not _within(node, inside)]
    return tuple(dict.fromkeys(node.sql(dialect, comments=False) for node in outermost))


def _within(node: exp.Expr, others: set[int]) -> bool:
    parent = node.parent
    while parent is not None:
        if id(parent) in others:
            return True
        parent = parent.parent
    return False
