"""How long a text is at most, counted in characters per character of the base columns it is made from."""

from collections.abc import Mapping

from sqlglot import exp

from metric_layer.sql.literals import integer_of
from metric_layer.sql.reading import Size, Span

Width = int | None
MAKING = (exp.Repeat, exp.Pad, exp.Space, exp.Replace, exp.RegexpReplace)
GATHERING = (exp.GroupConcat, exp.ArrayAgg)
CHOOSING = (exp.Case, exp.Coalesce, exp.If, exp.Nullif, exp.Greatest, exp.Least)
FIGURES = (exp.Binary, exp.Not, exp.Neg, exp.Count, exp.Sum, exp.Avg, exp.Length)
TEXT_MADE = 65_536
"""Characters above which a text that is only put together counts as made up."""


def width_of(node: object, known: Mapping[int, Width]) -> Width:
    """Return the width of a value; None when nothing bounds it. `known` holds columns and queries, by id."""
    if not isinstance(node, exp.Expr):
        return 1
    if id(node) in known:
        return known[id(node)]
    if isinstance(node, exp.Literal):
        return len(node.name)
    if isinstance(node, MAKING):
        return _made(node, known)
    if isinstance(node, GATHERING):
        return None
    if isinstance(node, (exp.Column, exp.Identifier)):
        return None if node.find_ancestor(exp.Lambda, exp.Comprehension) else 1
    if isinstance(node, exp.DPipe):
        return _together([width_of(part, known) for part in node.flatten()], False)
    if isinstance(node, FIGURES) and not isinstance(node, exp.Dot):
        return 1
    return _together(
        [width_of(child, known) for child in node.iter_expressions()], isinstance(node, CHOOSING)
    )


def made_text(node: exp.Expr, known: Mapping[int, Width], span: Span | None) -> Size | None:
    """Return how much text a call makes up; None for a call that only takes out or swaps."""
    if _swaps(node):
        return None
    return Size(type(node).__name__, width_of(node, known), "characters", span)


def widest(widths: list[Width]) -> Width:
    """Return the largest of some widths; None when one of them is not bounded."""
    return _together(widths, True)


def _together(widths: list[Width], one: bool) -> Width:
    bounded = [width for width in widths if width is not None]
    if len(bounded) < len(widths):
        return None
    return max(1, max(bounded, default=1) if one else sum(bounded))


def _made(node: exp.Expr, known: Mapping[int, Width]) -> Width:
    if isinstance(node, exp.Space):
        return integer_of(node.this)
    if isinstance(node, exp.Pad):
        return integer_of(node.expression)
    if _swaps(node):
        return width_of(node.this, known)
    times = (
        integer_of(node.args.get("times"))
        if isinstance(node, exp.Repeat)
        else width_of(node.args.get("replacement"), known)
    )
    text = width_of(node.this, known)
    return None if text is None or times is None else text * max(1, times)


def _swaps(node: exp.Expr) -> bool:
    """Say whether a call replaces one text by another that is no longer."""
    if not isinstance(node, (exp.Replace, exp.RegexpReplace)):
        return False
    old, new = node.expression, node.args.get("replacement")
    if new is None:
        return True
    literal = isinstance(old, exp.Literal) and isinstance(new, exp.Literal)
    least = len(old.name) if isinstance(node, exp.Replace) else 0
    return literal and len(new.name) <= least
