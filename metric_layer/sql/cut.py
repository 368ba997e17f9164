"""Where a query keeps only its first rows: what orders them, and the query that shows what is divided."""

from dataclasses import dataclass

from sqlglot import exp

from metric_layer.plan import Dialect
from metric_layer.sql.components import Unread, parse_select


@dataclass(frozen=True, slots=True)
class Cut:
    """A LIMIT at the outermost SELECT; `probe` returns the order keys of the kept rows and of the next.

    It is empty where the query is cut without any order.
    """

    rows: int
    keys: int
    probe: str


def read_cut(sql: str, dialect: Dialect) -> Cut | None:
    """Return how a query is cut; None where it is not, or where its order keys cannot be shown."""
    tree = parse_select(sql, dialect)
    if isinstance(tree, Unread) or not isinstance(tree, exp.Select):
        return None
    limit = tree.args.get("limit")
    count = limit.expression if isinstance(limit, exp.Limit) else None
    if not isinstance(count, exp.Literal) or not count.name.isdigit() or tree.args.get("distinct"):
        return None
    order = tree.args.get("order")
    if order is None:
        return Cut(int(count.name), 0, "")
    keys = [_key(ordered.this, tree) for ordered in order.expressions]
    probe = tree.copy()
    probe.set("expressions", [exp.alias_(key, f"key_{place}") for place, key in enumerate(keys)])
    probe.args["order"].set(
        "expressions", [_reordered(o, k) for o, k in zip(order.expressions, keys, strict=True)]
    )
    probe.set("limit", exp.Limit(expression=exp.Literal.number(int(count.name) + 1)))
    return Cut(int(count.name), len(keys), probe.sql(dialect, comments=False))


def _key(node: exp.Expr, tree: exp.Select) -> exp.Expr:
    """Return an order key as an expression: positions and aliases stand for what the SELECT list says."""
    if isinstance(node, exp.Literal) and node.name.isdigit() and int(node.name) <= len(tree.expressions):
        return _bare(tree.expressions[int(node.name) - 1])
    aliases = {e.alias.casefold(): e.this for e in tree.expressions if isinstance(e, exp.Alias)}

    def swap(part: exp.Expr) -> exp.Expr:
        named = isinstance(part, exp.Column) and not part.table and part.name.casefold() in aliases
        return aliases[part.name.casefold()].copy() if named else part

    return node.transform(swap)


def _bare(node: exp.Expr) -> exp.Expr:
    bare: exp.Expr = (node.this if isinstance(node, exp.Alias) else node).copy()
    return bare


def _reordered(ordered: exp.Expr, key: exp.Expr) -> exp.Expr:
    again = ordered.copy()
    again.set("this", key.copy())
    return again
