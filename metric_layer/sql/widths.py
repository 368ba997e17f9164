"""How long a text is at most, counted in characters per character of the base columns it is made from."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from sqlglot import exp

from metric_layer.sql.literals import integer_of
from metric_layer.sql.reading import Size, Span

Width = int | None
Making = Literal["repeat", "pad", "replace", "match"]
METHODS: dict[str, Making] = {
    "repeat": "repeat",
    "lpad": "pad",
    "rpad": "pad",
    "replace": "replace",
    "regexp_replace": "match",
}
"""Functions that make text, as they are called on a value: `text.repeat(3)`."""
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
    made = making_of(node)
    if made is not None:
        return _made(made, known)
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


class Made(NamedTuple):
    """A call that makes text: from which text, and by which further arguments."""

    kind: Making
    text: exp.Expr | None
    by: Sequence[exp.Expr | None]


def making_of(node: exp.Expr) -> Made | None:
    """Return what a call makes its text from, as a function or as a method; None for anything else."""
    if isinstance(node, exp.Repeat):
        return Made("repeat", node.this, (node.args.get("times"),))
    if isinstance(node, exp.Pad):
        return Made("pad", node.this, (node.expression,))
    if isinstance(node, exp.Space):
        return Made("pad", None, (node.this,))
    if isinstance(node, (exp.Replace, exp.RegexpReplace)):
        new = node.args.get("replacement")
        kind: Making = "replace" if isinstance(node, exp.Replace) else "match"
        return Made(kind, node.this, (node.expression, new) if new is not None else (node.expression,))
    call = node.expression if isinstance(node, exp.Dot) else None
    method = METHODS.get(str(call.this).lower()) if isinstance(call, exp.Anonymous) else None
    return Made(method, node.this, call.expressions[:2]) if method is not None and call is not None else None


def made_text(node: exp.Expr, known: Mapping[int, Width], span: Span | None) -> Size | None:
    """Return how much text a call makes up; None for a call that only takes out or swaps."""
    made = making_of(node)
    if made is None or _swaps(made):
        return None
    return Size(made.kind, _made(made, known), "characters", span)


def widest(widths: list[Width]) -> Width:
    """Return the largest of some widths; None when one of them is not bounded."""
    return _together(widths, True)


def _together(widths: list[Width], one: bool) -> Width:
    bounded = [width for width in widths if width is not None]
    if len(bounded) < len(widths):
        return None
    return max(1, max(bounded, default=1) if one else sum(bounded))


def _made(made: Made, known: Mapping[int, Width]) -> Width:
    last = made.by[-1] if made.by else None
    if made.kind == "pad":
        return integer_of(made.by[0]) if made.by else None
    if _swaps(made):
        return width_of(made.text, known)
    times = integer_of(last) if made.kind == "repeat" else width_of(last, known)
    text = width_of(made.text, known)
    return None if text is None or times is None else text * max(1, times)


def _swaps(made: Made) -> bool:
    """Say whether a call replaces one text by another that is no longer."""
    if made.kind not in ("replace", "match"):
        return False
    if len(made.by) < 2:
        return True
    old, new = made.by
    least = len(old.name) if made.kind == "replace" and isinstance(old, exp.Literal) else 0
    return isinstance(old, exp.Literal) and isinstance(new, exp.Literal) and len(new.name) <= least
