"""A margin by its name ("the EBITDA margin was 19.8%"): a declared share of that line in the revenue."""

import re
from collections.abc import Iterator, Sequence

from gateway.ground.derived.derive import Derived
from gateway.ground.lexing.spoken import Span
from gateway.ground.lexing.stems import split_words
from gateway.ground.pointing.bound import Binding
from gateway.ground.table.sheet import Sheet

MARGIN = re.compile(r"\b(?P<line>[^\W\d_]+)\s(?P<margin>margins?)\b", re.IGNORECASE)
TAKEN_IN = frozenset(("revenue", "sale", "turnover", "income"))
REACH = 80


def margins_told(text: str, sheet: Sheet, bindings: Sequence[Binding]) -> Iterator[Span]:
    """Yield the words "margin" that say what the share behind them is: of a line of that name, in revenue."""
    for binding in bindings:
        share = binding.derived
        if share is None or share.op != "share":
            continue
        start = binding.quantity.start
        said = list(MARGIN.finditer(text, max(0, start - REACH), start))[-1:]
        said += list(MARGIN.finditer(text, binding.quantity.end, binding.quantity.end + REACH // 2))[:1]
        part, whole = _lines(sheet, share)
        for found in said:
            if whole & TAKEN_IN and part.issuperset(split_words(found["line"])):
                yield found.span("margin")


def _lines(sheet: Sheet, share: Derived) -> tuple[frozenset[str], frozenset[str]]:
    """Return the stems of what a share is of: its part's name and its whole's, by row or by column."""
    others = share.rows - share.parts
    if others:
        return _named(sheet, share.parts), _named(sheet, others)
    labels = [sheet.label_words[column] for column in share.columns]
    whole = frozenset().union(*(label for label in labels if label & TAKEN_IN))
    return frozenset().union(*labels) - whole, whole


def _named(sheet: Sheet, rows: frozenset[int]) -> frozenset[str]:
    return frozenset(word for row in rows for name in sheet.row_key(row) for word in split_words(name))
