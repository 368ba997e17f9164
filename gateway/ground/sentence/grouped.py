"""Numbers told in groups, each closed by its row ("9 in 3 towns in 1840, 50 in 17 towns in 1900")."""

import re
from collections.abc import Sequence
from itertools import pairwise

from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.mentions import Mention
from gateway.ground.sentence.clauses import Sentence

CLOSES = re.compile(r"[^,;:.()\d]{0,30}?\s(?:in|by|for|at|during|on)\s(?:the\syear\s|the\s)?", re.IGNORECASE)
OPENS_NEXT = re.compile(
    r",?\s(?:(?:and|then|to|before|with)\s){0,3}(?:(?:about|nearly|over|some|just|almost)\s)?\W?",
    re.IGNORECASE,
)
BEHIND = re.compile(r"\s(?!in\b|of\b|at\b|on\b|by\b|for\b|and\b)(?:[a-z]+\s)?", re.IGNORECASE)
Group = tuple[Mention, Sequence[int]]


def groups_of(text: str, sentence: Sentence) -> Sequence[Group]:
    """Return the rows that close groups of two numbers or more, all of one size, with the places of these.

    Empty where the sentence is not told so from its first number to its last.
    """
    numbers = sentence.quantities
    if len(numbers) < 4:
        return ()
    for key in {m.column for m in sentence.rows}:
        named = {m.start: m for m in sentence.rows if m.full and m.column == key and len(m.rows) == 1}
        names = [m for m in named.values() if m.start >= numbers[0].end]
        if len(names) == len(named) > 1:
            since = (0, *(name.end for name in names[:-1]))
            found = [(m, _closed(numbers, at, m.start)) for at, m in zip(since, names, strict=True)]
            if _is_told_so(text, numbers, found):
                return found
    return ()


def counted_in(text: str, quantity: Quantity, sentence: Sentence) -> frozenset[int]:
    """Return the columns whose name stands right behind a number ("170 different orders")."""
    named = (m.columns for m in sentence.columns if BEHIND.fullmatch(text, quantity.end, m.start))
    return frozenset[int]().union(*named)


def _closed(numbers: Sequence[Quantity], start: int, end: int) -> Sequence[int]:
    """Return the places of the numbers in a stretch of text."""
    return [at for at, q in enumerate(numbers) if start <= q.start and q.end <= end]


def _is_told_so(text: str, numbers: Sequence[Quantity], groups: Sequence[Group]) -> bool:
    """Tell whether groups of one size hold all numbers, and each is closed by its row right behind it."""
    sizes = {len(places) for _, places in groups}
    if len(sizes) != 1 or sum(len(places) for _, places in groups) != len(numbers) or min(sizes) < 2:
        return False
    closed = all(CLOSES.fullmatch(text, numbers[places[-1]].end, m.start) for m, places in groups)
    return closed and all(
        OPENS_NEXT.fullmatch(text, m.end, numbers[places[0]].start)
        for (m, _), (_, places) in pairwise(groups)
    )
