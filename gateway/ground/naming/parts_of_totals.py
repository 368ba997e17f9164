"""Two names of rows that make one: a part and its total ("domestic pre-tax income"), section and item."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cached_property
from itertools import accumulate, pairwise
from operator import attrgetter

from gateway.ground.lexing.stems import SMALL_WORDS, split_words, stem
from gateway.ground.naming.mentions import Mention
from gateway.ground.table.sheet import Sheet, as_text

HIGHEST, MOST_PARTS = 200, 24
NEAR_ENOUGH = Decimal("0.002")
Rows = frozenset[int]
WORDS = re.compile(r"\s(?!(?:and|or)\b)([a-z]+)(?:\s([a-z]+))?", re.IGNORECASE)
FULL_LAST, START = attrgetter("full"), attrgetter("start")


class PartsOfTotals:
    """The rows of one sheet that others add up to, and those that only head the rows below them."""

    def __init__(self, sheet: Sheet) -> None:
        """Stand on a sheet; its sums are looked for when two names stand side by side."""
        self.sheet = sheet

    def joined(self, text: str, mentions: Sequence[Mention]) -> list[Mention]:
        """Return the names of a text, two of rows side by side as the one row that they mean."""
        found = list(mentions)
        if len(self.sheet.keys) != 1 or not 1 < self.sheet.height <= HIGHEST:
            return found
        names = list({m.start: m for m in sorted(found, key=FULL_LAST) if m.names_rows}.values())
        names.sort(key=START)
        for first, second in pairwise((*names, None)):
            if first is None or not first.full:
                continue
            end, rows = self._other_order(text, first)
            if rows is None and second is not None and text[first.end : second.start] == " ":
                end, rows = second.end, self._meant(text, first, second)
            if rows is not None:
                kept = [m for m in found if not (m.names_rows and first.start <= m.start < end)]
                one = Mention(first.start, end, first.column, rows, frozenset(), full=True)
                found = sorted((*kept, one), key=lambda m: (m.start, -m.end))
        return found

    def _other_order(self, text: str, first: Mention) -> tuple[int, Rows | None]:
        """Return the end and the row of a label that is said in another order ("product costs")."""
        behind = WORDS.match(text, first.end)
        if behind is None:
            return first.end, None
        for group in (2, 1):
            if not behind[group] or stem(behind[group]) in SMALL_WORDS:
                continue
            end = behind.end(group)
            rows = self._labels.get(frozenset(split_words(text[first.start : end])) - SMALL_WORDS)
            if rows is not None and rows != first.rows:
                return end, rows
        return first.end, None

    def _meant(self, text: str, first: Mention, second: Mention) -> Rows | None:
        """Return the rows that two names side by side mean together; None where they stay two names."""
        if not second.full:
            return None
        for heading, item in ((first, second), (second, first)):
            headed = frozenset(row for head in heading.rows & self._headings for row in self._below(head))
            if headed and heading.rows <= self._headings:
                return headed & item.rows or None
        own = frozenset(row for row in first.rows for total in second.rows if row in self._parts_of(total))
        if own:
            return own
        elsewhere = any(row in self._parts_of(t) for row in first.rows for t in range(self.sheet.height))
        return frozenset() if elsewhere and text[second.start].islower() else None

    @cached_property
    def _labels(self) -> dict[frozenset[str], Rows]:
        """Return the row of every label by its words, whatever their order; none that two rows share."""
        found: dict[frozenset[str], set[int]] = {}
        for row, cells in enumerate(self.sheet.table.rows):
            words = frozenset(split_words(as_text(cells[self.sheet.keys[0]])[:80])) - SMALL_WORDS
            found.setdefault(words, set()).add(row)
        return {words: frozenset(rows) for words, rows in found.items() if len(rows) == 1 and len(words) > 1}

    @cached_property
    def _headings(self) -> Rows:
        """Return the rows without any figure."""
        sheet = self.sheet
        figured = (
            (r, c) for r in range(sheet.height) for c in sheet.figured if sheet.figure(r, c) is not None
        )
        return frozenset(range(sheet.height)) - {row for row, _ in figured}

    def _below(self, heading: int) -> Iterator[int]:
        """Yield the rows between a heading and the next one."""
        for row in range(heading + 1, self.sheet.height):
            if row in self._headings:
                return
            yield row

    def _parts_of(self, total: int) -> Rows:
        """Return the rows right above or right below one that add up to it in every column of figures."""
        above = range(total - 1, max(-1, total - MOST_PARTS), -1)
        below = range(total + 1, min(self.sheet.height, total + MOST_PARTS))
        for rows in (above, below):
            count = self._adding_up(total, rows)
            if count:
                return frozenset(rows[:count])
        return frozenset()

    def _adding_up(self, total: int, rows: Sequence[int]) -> int:
        """Return how many of some rows, two at least, add up to a total; zero where none do."""
        columns = [c for c in self.sheet.numeric if self.sheet.number(total, c)]
        sums = [list(accumulate(self.sheet.number(row, c) or Decimal(0) for row in rows)) for c in columns]
        wholes = [self.sheet.number(total, c) or Decimal(0) for c in columns]
        for count in range(2, len(rows) + 1) if columns else ():
            parts = (column[count - 1] for column in sums)
            if all(abs(part - w) <= abs(w) * NEAR_ENOUGH for part, w in zip(parts, wholes, strict=True)):
                return count
        return 0
