"""Texts in the order of their bytes on PostgreSQL, whose databases often sort by a language instead."""

from collections.abc import Iterable

from sqlglot import exp

from metric_layer.resolved import OutputColumn

_ORDERING = (exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Between)


def byte_order(text: exp.Expr, dialect: str) -> exp.Expr:
    """Return a text that sorts by its bytes; on every other engine each text does."""
    if dialect != "postgres":
        return text
    # A column that a layer calls a string may be an enum or a uuid, and those take no collation.
    kind = exp.DataType(this=exp.DataType.Type.TEXT, nested=False)
    return exp.Collate(this=exp.Cast(this=text, to=kind), expression=exp.Identifier(this="C", quoted=True))


def sort_by_bytes(select: exp.Select, outputs: Iterable[OutputColumn], dialect: str) -> None:
    """Make a finished statement sort its texts by their bytes."""
    order = select.args.get("order")
    if dialect != "postgres" or order is None:
        return
    texts = {output.name for output in outputs if output.type == "string"}
    shown = {output.alias: output.this for output in select.expressions}
    for key in order.expressions:
        if key.name in texts:
            # PostgreSQL sorts by an output's bare name, but takes no collation behind it
            key.set("this", byte_order(shown[key.name].copy(), dialect))


def filter_by_bytes(tree: exp.Expr, dialect: str) -> None:
    """Make filters compare texts by their bytes; those alone write a bare literal in quotes."""
    if dialect != "postgres":
        return
    for node in list(tree.find_all(*_ORDERING)):
        end = node.args.get("low") or node.args.get("expression")
        if isinstance(end, exp.Literal) and end.is_string and _filters(node):
            node.set("this", byte_order(node.this, dialect))


def _filters(node: exp.Expr) -> bool:
    """Whether a comparison stands in a filter, not in what an owner wrote inside an aggregate."""
    return isinstance(node.find_ancestor(exp.AggFunc, exp.Where, exp.Having), exp.Where | exp.Having)
