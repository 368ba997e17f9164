"""Two names set side by side that no row holds together ("Ann Lowe in Glass", where Glass had another)."""

import re
from collections.abc import Iterator
from itertools import pairwise

from gateway.ground.lexing.stems import split_words
from gateway.ground.lexing.text import Visible
from gateway.ground.naming.mentions import Mention
from gateway.ground.naming.names import Names
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.sentence.contradicted import contradicted
from gateway.ground.table.sheet import as_text
from traces.grounding import SpanFinding

# What may stand between a name and the join: a quote, a year in brackets or behind "in".
_AFTER = r"[\"\u201d]?(?:\s\((?:1\d|20)\d\d\)|\sin\s(?:1\d|20)\d\d)?"
# Between the join and a name: what it is ("the 2008 film", "the television series").
_WHAT = (
    r"(?:(?:the|an?|its|his|her|their)\s)?(?:(?:1\d|20)\d\d\s)?"
    r"(?:(?!(?:and|or|but|which|who|that|by|in|of|for|at|with|to|as|from)\b)[a-z-]+\s){0,3}"
)
JOINED = re.compile(rf"{_AFTER}\s(?:in|by|of|for|at|with|against|over|to|as|from)\s{_WHAT}\W?")
NOT = re.compile(r"\b(?:no|not|none|never|neither|nor|without|nobody)\b|n['\u2019]t\b", re.IGNORECASE)
# "Gorod is the capital of Isla Sur".
IS_OF = re.compile(
    r",?\s(?:(?:is|was|are|were)\s)?(?:the\s|an?\s)?(?P<what>[a-z][a-z\s-]{2,30}?)\s(?:of|for|in|at)\s(?:the\s)?\W?",
    re.IGNORECASE,
)
IS = re.compile(r"\s(?:is|was|are|were)\s(?:the\s)?\W?", re.IGNORECASE)
OF = re.compile(r"\b(?P<what>[a-z][a-z\s-]{2,30}?)\s(?:of|for|in|at)\s(?:the\s)?\W?\Z", re.IGNORECASE)
REACH = 48


def check_crossed(visible: Visible, names: Names, sentence: Sentence) -> Iterator[SpanFinding]:
    """Yield the second of two names of different columns that stand in different rows, in no common one."""
    full = [m for m in sentence.rows if m.full and m.column not in names.row_windows]
    if len({m.column for m in full}) < 2 or NOT.search(visible.text, sentence.start, sentence.end):
        return
    spans: dict[tuple[int, int], list[Mention]] = {}
    for mention in full:
        spans.setdefault((mention.start, mention.end), []).append(mention)
    for (start, first), (second, end) in pairwise(sorted(spans)):
        led, told = spans[start, first], spans[second, end]
        called = any(_is_called(visible.text, names, m, (first, second)) for m in led) or any(
            _is_told(visible.text, names, m, (start, first)) for m in told
        )
        glossed = visible.text[first:second] == " (" and visible.text[end : end + 1] == ")"
        if not (called or glossed) and JOINED.fullmatch(visible.text, first, second) is None:
            continue
        rows = frozenset[int]().union(*(m.rows for m in led))
        others = frozenset[int]().union(*(m.rows for m in told))
        same = {m.column for m in led} & {m.column for m in told}
        if same or rows & others or not rows or len(told) > 1:
            continue
        said, row, column = visible.text[second:end].lower(), min(rows), told[0].column
        held = [[as_text(cell).strip() for cell in names.sheet.table.rows[at]] for at in sorted(rows)]
        value = held[0][column]
        hold = any(said in cell.lower() for cells in held for cell in cells)
        if not hold and all(cells[column].strip(" -\u2013") for cells in held):
            cell = (row, column)
            yield contradicted(visible, names.sheet, (second, end), cell, value, f"Write {value}.")


def _is_called(text: str, names: Names, led: Mention, gap: tuple[int, int]) -> bool:
    """Tell whether the first name is said to be what its column is called ("Gorod is the capital of ...")."""
    what = IS_OF.fullmatch(text, *gap)
    return what is not None and not names.sheet.label_words[led.column].isdisjoint(split_words(what["what"]))


def _is_told(text: str, names: Names, told: Mention, led: tuple[int, int]) -> bool:
    """Tell whether the second name is said to be so ("The capital of Isla Sur is Gorod")."""
    if IS.fullmatch(text, led[1], told.start) is None:
        return False
    what = OF.search(text, max(0, led[0] - REACH), led[0])
    return what is not None and names.sheet.label_words[told.column] <= frozenset(split_words(what["what"]))
