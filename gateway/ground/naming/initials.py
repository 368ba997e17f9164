"""First letters that stand for names: of rows ("NPL"), and of columns whose header they are ("CPL")."""

import re
from collections.abc import Container, Iterator, Sequence
from functools import cached_property
from itertools import pairwise

from gateway.ground.lexing.spoken import Spoken
from gateway.ground.lexing.stems import without_brackets
from gateway.ground.naming.headers import PLACES, SHORT
from gateway.ground.naming.mentions import Mention
from gateway.ground.naming.phrases import NOBODY
from gateway.ground.table.sheet import Sheet, as_text

CAPITALS = re.compile(r"[A-Z]{2,8}(?:'s|\u2019s)?")
IN_BRACKETS = re.compile(r"[(\[]([A-Z]{2,8})[)\]]")
PIECES = re.compile(r"[\s/\u2013\u2014]+")
HYPHENED = re.compile(r"[\s/\u2013\u2014-]+")
# Words that leave no letter behind.
SMALL = frozenset(
    ("of", "the", "and", "for", "in", "to", "a", "an", "on", "at", "de", "la", "du", "des", "&")
)
FEWEST, LONGEST = 3, 80
HEADED = re.compile(r"[A-Z]{2,4}")
# "SR No.": the number that the Southern Railway gave.
NUMBERED = re.compile(r"(?P<owner>[A-Z]{2,4})\s(?:[Nn]os?\.?|[Nn]umbers?|#)")
Rows = frozenset[int]


class Initials:
    """The first letters that stand for names of one result, ready to be found among the words of a text."""

    def __init__(self, sheet: Sheet) -> None:
        """Stand on a sheet."""
        self.sheet = sheet

    def spelled(self, words: Sequence[re.Match[str]]) -> Iterator[Mention]:
        """Yield the words that a header shortens to their first letters ("forced fumbles" for FF).

        Three letters or more can hardly be chance, and stand for the whole name ("cost per lead" for CPL).
        """
        for short, columns in self._headers.items():
            whole = len(short) > 2
            for place in range(len(words) - len(short) + 1):
                said = words[place : place + len(short)]
                if all(w.group()[0].lower() == c for w, c in zip(said, short, strict=True)) and all(
                    len(w.group()) > (1 if whole else 3) and a.end() + 1 >= w.start()
                    for a, w in zip((said[0], *said), said, strict=False)
                ):
                    yield Mention(said[0].start(), said[-1].end(), -1, NOBODY, columns, whole)
        for short, columns in self._owners.items():
            for place in range(len(words) - len(short) + 1):
                said = words[place : place + len(short)]
                beside = all(a.end() + 1 == b.start() and len(b.group()) > 2 for a, b in pairwise(said))
                if beside and "".join(word.group()[0] for word in said) == short:
                    yield Mention(said[0].start(), said[-1].end(), -1, NOBODY, columns, False)

    def called(self, spoken: Spoken, names: Container[tuple[str, ...]]) -> Iterator[Mention]:
        """Yield the runs of capitals that stand for rows, save those that are the stems of a name."""
        capitals = {said for said in spoken.stemmed if CAPITALS.fullmatch(said)}
        for word in spoken.tokens if capitals else ():
            said = word.group()
            if said in capitals and (spoken.stemmed[said],) not in names:
                key, rows = self._rows.get(said.removesuffix("'s"), (-1, NOBODY))
                if rows:
                    yield Mention(*word.span(), key, rows, NOBODY, True)

    @cached_property
    def _rows(self) -> dict[str, tuple[int, Rows]]:
        """Return the rows that runs of capitals stand for ("NPL" of National Peasants' League)."""
        return called_by_initials(self.sheet)

    @cached_property
    def _owners(self) -> dict[str, frozenset[int]]:
        """Return the columns of numbers that somebody gave, by capitals for whom ("SR No.")."""
        found = ((c, NUMBERED.fullmatch(self.sheet.label(c))) for c in sorted(self.sheet.numeric))
        owners = [(said["owner"], c) for c, said in found if said]
        return {owner: frozenset(c for other, c in owners if other == owner) for owner, _ in owners}

    @cached_property
    def _headers(self) -> dict[str, frozenset[int]]:
        """Return the columns whose header is two to four capitals that no other header shares."""
        labels = {c: self.sheet.label(c) for c in sorted(self.sheet.numeric)}
        short = {label.lower(): frozenset((c,)) for c, label in labels.items() if HEADED.fullmatch(label)}
        return {label: columns for label, columns in short.items() if label not in SHORT}


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
