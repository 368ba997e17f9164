"""Rows, characters and digits that a query makes up by itself, as far as literals tell."""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from math import prod

from sqlglot import exp

from metric_layer.sql.literals import integer_of, moment_of, step_seconds
from metric_layer.sql.reading import Size, Span

NOW = datetime(2000, 1, 1, tzinfo=UTC)
FORMAT_WIDTH = re.compile(r"%[-+ 0#']*(\*|\d+)?(?:\.(\*|\d+))?|\{[^}]*?(\d+)[^}]*\}")
ROWS_NAMED = {"range": 1, "generate_series": 1, "array_generate_range": 1, "generate_array": 1}
CHARACTERS_NAMED = {
    "rpad": 1,
    "lpad": 1,
    "repeat": 1,
    "space": 0,
    "list_resize": 1,
    "array_resize": 1,
    "bar": 3,
    "bitstring": 1,
}
COMPARED_NAMED = frozenset(
    {"levenshtein", "damerau_levenshtein", "editdist3", "jaro_similarity", "jaro_winkler_similarity"}
)
FORMATS_NAMED = frozenset({"format", "printf", "to_char"})
PLAIN_NUMBERS = (exp.Column, exp.Literal, exp.Cast, exp.Paren, exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Neg)
BIG_EXPONENT = 1000


def size_of(node: exp.Expr, span: Span | None) -> Size | None:
    """Return the size that a call makes up; None for a call that makes up nothing."""
    reader = READERS.get(type(node))
    return reader(node, span) if reader else None


def product_of(sizes: Sequence[Size]) -> Iterator[Size]:
    """Yield how many rows or values generators of one expression make together, when there are several."""
    rows = [size.amount for size in sizes if size.kind == "rows" and size.amount is not None]
    if len(rows) > 1:
        yield Size("product", prod(rows), "rows")


def expanded_rows(projection: exp.Expr) -> int:
    """Return how many rows an output with a set-returning call makes of one row, as far as literals tell."""
    rows = 1
    for call in projection.find_all(exp.Unnest, exp.Explode, exp.ExplodingGenerateSeries):
        series = call if isinstance(call, exp.ExplodingGenerateSeries) else call.find(exp.GenerateSeries)
        if series is not None:
            rows *= series_rows(*(series.args.get(part) for part in ("start", "end", "step"))) or 1
    return rows


def _arguments(node: exp.Expr) -> list[exp.Expr]:
    """Return what a call by name is given; for a method, the value it is called on comes first."""
    given = [a for a in node.args.get("expressions") or () if isinstance(a, exp.Expr)]
    dot = node.parent
    return [dot.this, *given] if isinstance(dot, exp.Dot) and dot.expression is node else given


def _series(node: exp.Expr, span: Span | None) -> Size:
    start, end, step = (node.args.get(name) for name in ("start", "end", "step"))
    return Size(type(node).__name__, series_rows(start, end, step), "rows", span)


def _interval_series(node: exp.Expr, span: Span | None) -> Size:
    start, end, step = (node.args.get(name) for name in ("start", "end", "step"))
    return Size(type(node).__name__, series_rows(start, end, step or node.args.get("interval")), "rows", span)


def series_rows(start: exp.Expr | None, end: exp.Expr | None, step: exp.Expr | None) -> int | None:
    """Return how many rows a series from `start` to `end` has at most; None when the literals do not tell."""
    low, high = integer_of(start) if start is not None else 0, integer_of(end)
    if low is not None and high is not None:
        size = abs(integer_of(step) or 0) if step is not None else 1
        return abs(high - low) // size + 1 if size else None
    first, last = moment_of(start, NOW), moment_of(end, NOW)
    seconds = step_seconds(step) if step is not None else 86_400.0
    if first is None or last is None or not seconds:
        return None
    return int(abs((last - first).total_seconds()) / seconds) + 1


def _generator(node: exp.Expr, span: Span | None) -> Size:
    rows = node.args.get("rowcount")
    amount = integer_of(rows.expression if isinstance(rows, exp.Kwarg) else rows)
    if node.args.get("timelimit") is not None:
        amount = None
    return Size("generator", amount, "rows", span)


def _factorial(node: exp.Expr, span: Span | None) -> Size:
    return Size("factorial", integer_of(node.this), "power", span)


def _exponential(node: exp.Expr, span: Span | None) -> Size | None:
    """Return the exponent that is written out; one that is computed overflows a float and no more."""
    amount = integer_of(node.this)
    return None if amount is None else Size("exp", amount, "power", span)


def _power(node: exp.Expr, span: Span | None) -> Size | None:
    exponent = node.expression
    amount = integer_of(exponent)
    if amount is None and isinstance(exponent, exp.Expr):
        plain = all(isinstance(n, (*PLAIN_NUMBERS, exp.Identifier, exp.DataType)) for n in exponent.walk())
        small = all(
            n.is_string or len(n.name) <= len(str(BIG_EXPONENT)) for n in exponent.find_all(exp.Literal)
        )
        if plain and small:
            return None
    return Size("power", None if amount is None else abs(amount), "power", span)


def _format(node: exp.Expr, span: Span | None) -> Size | None:
    return _width(node.this, span)


def _width(template: exp.Expr | None, span: Span | None) -> Size | None:
    if not isinstance(template, exp.Literal):
        return Size("format", None, "characters", span)
    widths = [part for found in FORMAT_WIDTH.findall(template.name) for part in found if part]
    amount = None if "*" in widths else max((int(width) for width in widths), default=0)
    return Size("format", amount, "characters", span)


def _named(node: exp.Expr, span: Span | None) -> Size | None:
    name = str(node.this).lower()
    given = _arguments(node)
    if name in ROWS_NAMED and given:
        start, end, step = (*given, None, None)[:3] if len(given) > 1 else (None, given[0], None)
        return Size(name, series_rows(start, end, step), "rows", span)
    if name in CHARACTERS_NAMED:
        at = CHARACTERS_NAMED[name]
        return Size(name, integer_of(given[at]) if len(given) > at else 0, "characters", span)
    if name in FORMATS_NAMED and given:
        return _width(given[0], span)
    if name in COMPARED_NAMED:
        return _compared(name, given, span)
    if name == "array_fill" and len(given) > 1:
        return Size(name, _array_cells(given[1]), "rows", span)
    return None


def _distance(node: exp.Expr, span: Span | None) -> Size:
    return _compared(type(node).__name__, [node.this, node.expression], span)


def _compared(name: str, texts: Sequence[exp.Expr], span: Span | None) -> Size:
    """Return how often each character of one text is compared: the length of the text that is written out."""
    lengths = [len(text.name) for text in texts if isinstance(text, exp.Literal)]
    return Size(name, min(lengths, default=None), "comparisons", span)


def _array_cells(shape: exp.Expr) -> int | None:
    cells = 1
    for part in _arguments(shape):
        length = integer_of(part)
        if length is None:
            return None
        cells *= length
    return cells


READERS: dict[type[exp.Expr], Callable[[exp.Expr, Span | None], Size | None]] = {
    exp.GenerateSeries: _series,
    exp.ExplodingGenerateSeries: _series,
    exp.GenerateDateArray: _interval_series,
    exp.GenerateTimestampArray: _interval_series,
    exp.Generator: _generator,
    exp.Factorial: _factorial,
    exp.Pow: _power,
    exp.Exp: _exponential,
    exp.Format: _format,
    exp.Levenshtein: _distance,
    exp.JarowinklerSimilarity: _distance,
    exp.Anonymous: _named,
}
