"""Rows that two names share as the sides of a meeting ("A and B drew 4-4" of Home, Score, Away)."""

import re
from collections.abc import Mapping
from functools import cached_property
from itertools import combinations

from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.mentions import Mention
from gateway.ground.naming.phrases import NOBODY
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.table.sheet import LOOKED_AT, Sheet, as_text

# Between a number and a name behind it, this opens what is said of another meeting.
APART = re.compile(r"[,;:]|\b(?:and|but|while|whereas)\b", re.IGNORECASE)


class Meetings:
    """Reads which meetings of two sides the sentences of one text are about, over one sheet."""

    def __init__(self, sheet: Sheet, text: str) -> None:
        """Stand on a sheet and a text."""
        self.sheet = sheet
        self.text = text

    @cached_property
    def sides(self) -> frozenset[int]:
        """Return the two columns that hold the sides of meetings: some names stand in both, in no one row."""
        for pair in combinations([key for key in self.sheet.keys if key not in self.sheet.figured], 2):
            cells = [tuple(as_text(row[key]) for key in pair) for row in self.sheet.table.rows[:LOOKED_AT]]
            first, second = (set(side) - {"", "-"} for side in zip(*cells, strict=True))
            shared = {name for name in first & second if name[:1].isupper()}
            if len(shared) > 1 and len(shared) * 2 >= min(len(first), len(second)):
                return frozenset(pair) if all(one != other for one, other in cells) else NOBODY
        return NOBODY

    def rows(self, quantity: Quantity, sentence: Sentence) -> frozenset[int]:
        """Return the rows of the meetings of the only two sides that a sentence names; empty for none."""
        if len(self.sides) < 2:
            return NOBODY
        named: dict[tuple[int, int], dict[int, Mention]] = {}
        for mention in sentence.rows:
            if mention.full and mention.column in self.sides:
                named.setdefault((mention.start, mention.end), {})[mention.column] = mention
        called = {self.text[start:end] for start, end in named}
        if len(called) != 2 or self._is_apart(quantity, max(named)[0]):
            return NOBODY
        return self._met(*({self.text[s:e]: found for (s, e), found in named.items()}.values()))

    def _met(self, one: Mapping[int, Mention], other: Mapping[int, Mention]) -> frozenset[int]:
        home, away = sorted(self.sides)
        met = [
            first[home].rows & second[away].rows
            for first, second in ((one, other), (other, one))
            if home in first and away in second
        ]
        return NOBODY.union(*met)

    def _is_apart(self, quantity: Quantity, last: int) -> bool:
        """Tell whether a number is told before the second of two names, which opens another clause."""
        return quantity.end <= last and APART.search(self.text, quantity.end, last) is not None
