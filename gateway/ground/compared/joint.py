"""Superlatives of several at once ("Store (930) and Web (620) took most orders"): the first of all rows."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from gateway.ground.compared.first_few import JOINED, are_first
from gateway.ground.compared.verdict import Verdict
from gateway.ground.naming.mentions import Mention
from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.table.sheet import Sheet

# Between the last name and the superlative, and between the superlative and the first name.
TOOK = re.compile(r"(?:\s\([^()]{1,60}\))?(?:\s(?!and\b|but\b|while\b|or\b)[a-z-]+){0,4}\s", re.IGNORECASE)
TAKEN_BY = re.compile(r"(?:\s(?!and\b|but\b|while\b|or\b)[a-z-]+){1,6}\s(?:the\s)?", re.IGNORECASE)


def joint_extreme(
    text: str, sheet: Sheet, sentence: Sentence, word: re.Match[str], bound: Sequence[Binding], *, high: bool
) -> Verdict | None:
    """Judge a superlative that a list of names shares, each with a number of one column, or return None."""
    names = _led(text, sentence, word) or _following(text, sentence, word)
    rows = frozenset[int]().union(*(m.rows for m in names))
    told = [b.cell for b in bound if b.cell is not None and b.cell[0] in rows]
    columns = {column for _, column in told}
    if len(names) < 2 or len({row for row, _ in told}) < len(names) or len(columns) != 1:
        return None
    column = next(iter(columns))
    first = are_first(sheet, rows, column, high=high)
    how = f"{sheet.label(column)}: these {'are' if first else 'are not'} the first {len(names)}"
    return Verdict(first, how, word.group().lower())


def _led(text: str, sentence: Sentence, word: re.Match[str]) -> Sequence[Mention]:
    """Return the list of names that is the subject of a superlative."""
    names = _full(m for m in sentence.rows if m.end <= word.start())
    if not names or TOOK.fullmatch(text, names[-1].end, word.start()) is None:
        return ()
    return _listed(text, names[::-1])


def _following(text: str, sentence: Sentence, word: re.Match[str]) -> Sequence[Mention]:
    """Return the list of names that a superlative is said to have come from."""
    names = _full(m for m in sentence.rows if m.start >= word.end())
    if not names or TAKEN_BY.fullmatch(text, word.end(), names[0].start) is None:
        return ()
    return _listed(text, names)


def _full(mentions: Iterable[Mention]) -> list[Mention]:
    return list({m.start: m for m in mentions if m.full and len(m.rows) == 1}.values())


def _listed(text: str, names: Sequence[Mention]) -> Sequence[Mention]:
    """Return those names from the first on that are joined in one list of one key column."""
    count = 1
    for first, second in pairwise(names):
        one, other = sorted((first, second), key=lambda m: m.start)
        if one.column != other.column or JOINED.fullmatch(text, one.end, other.start) is None:
            break
        count += 1
    return names[:count]
