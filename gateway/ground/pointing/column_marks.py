"""Columns that a number's own marks tell: its unit of size, "aged", "No.", the header of its table cell."""

import re
from bisect import bisect_left
from collections.abc import Mapping

from gateway.ground.lexing.cues import AGED, NUMBER_LED, OLD, RANKS
from gateway.ground.lexing.measures import mile_said, size_said
from gateway.ground.lexing.stems import split_words
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.phrases import NOBODY
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.table.charting import place_told
from gateway.ground.table.sheet import Sheet

# "No. 22 on the Hot 100": the list that a place is of.
OF_LIST = re.compile(r"\s(?:on|in)\s(?:the\s)?", re.IGNORECASE)


class ColumnMarks:
    """Reads the marks of the numbers of one text over one sheet."""

    def __init__(self, sheet: Sheet, text: str, headers: Mapping[int, frozenset[int]]) -> None:
        """Stand on a sheet and a text. `headers` gives the columns of piped table cells."""
        self.sheet = sheet
        self.text = text
        self.headers = headers
        self.ages = frozenset(i for i in sheet.numeric if sheet.label(i).lower() in ("age", "age (years)"))
        ranked = {i: RANKS & sheet.label_words[i] for i in sheet.numeric}
        self.ranks = frozenset(i for i, said in ranked.items() if said - {"chart"}) or frozenset(
            i for i, said in ranked.items() if said
        )

    def told(self, quantity: Quantity, sentence: Sentence) -> frozenset[int]:
        """Return the columns of the header over a number, or of the ranks that it is one of."""
        return self._header(quantity) or (self._ranked(quantity, sentence) if self.ranks else NOBODY)

    def sized(self, quantity: Quantity) -> frozenset[int]:
        """Return the columns in the unit of size that stands behind a number."""
        if self.ages and quantity.measure == "plain" and self._is_age(quantity):
            return self.ages
        counted = self.sheet.text_units
        if counted and quantity.measure == "plain":
            noun = split_words(self.text[quantity.end : quantity.end + 24])[:1]
            if noun and noun[0] in counted:
                return counted[noun[0]]
        if not self.sheet.sizes:
            return NOBODY
        size = size_said(self.text, quantity.text, quantity.end) or mile_said(self.text, quantity.start)
        return frozenset(column for column, sizes in self.sheet.sizes.items() if size in sizes)

    def _ranked(self, quantity: Quantity, sentence: Sentence) -> frozenset[int]:
        """Return the one column of ranks that a number led by "number", "No." or "#" stands in."""
        led = quantity.measure == "plain" and NUMBER_LED.search(
            self.text[max(0, quantity.start - 10) : quantity.start]
        )
        if not led:
            return NOBODY
        behind = self._list_behind(quantity, sentence)
        if behind or len(self.ranks) == 1:
            return behind or self.ranks
        return place_told(self.text, sentence.start, quantity.start, self.sheet, self.ranks)

    def _list_behind(self, quantity: Quantity, sentence: Sentence) -> frozenset[int]:
        """Return the columns of figures named in full right behind a place in a list."""
        first = bisect_left(sentence.columns, quantity.end, key=lambda mention: mention.start)
        behind = [m for m in sentence.columns[first : first + 4] if m.full]
        if not behind or OF_LIST.fullmatch(self.text, quantity.end, behind[0].start) is None:
            return NOBODY
        said = NOBODY.union(*(m.columns for m in behind if m.start == behind[0].start))
        return said.intersection(self.sheet.numeric)

    def _is_age(self, quantity: Quantity) -> bool:
        """Tell whether a number is an age: "21-year-old", "aged 21", or alone behind a name (", 21,")."""
        before = self.text[max(0, quantity.start - 12) : quantity.start]
        alone = before.endswith(", ") and self.text[quantity.end : quantity.end + 1] == ","
        return alone or AGED.search(before) is not None or OLD.match(self.text, quantity.end) is not None

    def _header(self, quantity: Quantity) -> frozenset[int]:
        if not self.headers:
            return NOBODY
        return self.headers.get(self.text.rfind("|", 0, quantity.start) + 1, NOBODY)
