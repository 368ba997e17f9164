"""Rows called by the first letters of their names ("NPL" of National Peasants' League), if they are one."""

import re
from collections.abc import Iterator

from gateway.ground.headers import PLACES
from gateway.ground.sheet import Sheet, as_text
from gateway.ground.stems import without_brackets

CAPITALS = re.compile(r"[A-Z]{2,8}(?:'s|\u2019s)?")
IN_BRACKETS = re.compile(r"[(\[]([A-Z]{2,8})[)\]]")
PIECES = re.compile(r"[\s/\u2013\u2014]+")
HYPHENED = re.compile(r"[\s/\u2013\u2014-]+")
# Words that leave no letter behind.
SMALL = frozenset(
    ("of", "the", "and", "for", "in", "to", "a", "an", "on", "at", "de", "la", "du", "des", "&")
)
FEWEST, LONGEST = 3, 80
Rows = frozenset[int]


def called_by_initials(sheet: Sheet) -> dict[str, tuple[int, Rows]]:
    """Return (key column, rows) of each run of capitals that stands for one name of the text columns."""
    named: dict[str, set[tuple[int, str]]] = {}
    rows: dict[tuple[int, str], set[int]] = {}
    for key in (key for key in sheet.keys if key not in sheet.figured):
        for row, values in enumerate(sheet.table.rows):
            text = as_text(values[key]).strip()
            if not text or len(text) > LONGEST:
                continue
            if (key, text) not in rows:
                for short in set(_shortened(text)):
                    named.setdefault(short, set()).add((key, text))
            rows.setdefault((key, text), set()).add(row)
    found: dict[str, tuple[int, Rows]] = {}
    for short, names in named.items():
        held = {frozenset(rows[name]) for name in names}
        if len(held) == 1:  # the same rows, whichever column says it
            found[short] = min(names)[0], held.pop()
    return found


def _shortened(text: str) -> Iterator[str]:
    """Yield the first letters of a name, and letters that it gives itself in brackets."""
    yield from IN_BRACKETS.findall(text)
    yield from (code.upper() for code, (name, *_) in PLACES.items() if name == text)
    for pieces in (PIECES, HYPHENED):
        words = [word for word in pieces.split(without_brackets(text).replace(".", " ")) if word]
        told = [word for word in words if word.lower() not in SMALL]
        for kept in (told, words):
            letters = "".join(word[0] for word in kept).upper()
            if len(letters) >= FEWEST and letters.isalpha() and all(w[0].isalpha() for w in kept):
                yield letters
