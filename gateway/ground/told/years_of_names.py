"""Years told with a name ("Old Mill in 2005", "the 2005 film Old Mill"): each is a year of its rows."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from gateway.ground.lexing.text import Visible
from gateway.ground.naming.mentions import Mention
from gateway.ground.naming.names import Names
from gateway.ground.naming.phrases import NOBODY
from gateway.ground.naming.year_spans import year_spans
from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.table.sheet import as_text
from traces.grounding import SpanFinding

YEAR = re.compile(
    r"(?<![\w.,/\u20ac$\u00a3\u2013-])(?:1\d|20)\d\d(?P<season>[-\u2013]\d\d(?!\d))?(?![\w%/\u2013-]|[.,]\d)"
)
# Between a name and the year behind it, and between a year and the name behind that.
BEHIND = re.compile(r"[\"'\u2019\u201d)]?(?:\s\((?:[A-Za-z-]+\s){0,3}|\s(?:in|of|during)\s)")
BEFORE = re.compile(
    r"\s(?:at\s(?:the\s)?)?(?:(?!(?:and|but|or|while|whereas|to|from|after|before|than|until|since|following)\b)[a-z]+\s){0,2}"
    r"[\"'\u2018\u201c]?"
)
SUBJECT = re.compile(r"[^;:()\d]{0,60}\s(?:in|during)\s", re.IGNORECASE)
AND_YEAR = re.compile(r"(?:,\s|,?\sand\s)")
OPENS = re.compile(r"\W*(?:[Ii]n|[Dd]uring|[Ss]ince)\s(?:the\s(?:year\s)?)?\Z")
TURNS = re.compile(
    r"\b(?:after|before|since|until|from|than|who|which|whose|but|while|when|where|following)\b"
)
FAR = 64
Rows = frozenset[int]


class YearsOfNames:
    """Looks for years of one text that are of other rows than the names beside them, over one sheet."""

    def __init__(self, visible: Visible, names: Names) -> None:
        """Stand on a text and the names of a sheet."""
        self.visible = visible
        self.text = visible.text
        self.names = names
        self.sheet = names.sheet

    @cached_property
    def _rows(self) -> Mapping[int, Rows]:
        """Return the rows of each year: where it stands in a text cell, alone or inside a stretch."""
        found: dict[int, set[int]] = {}
        today = self.names.parser.today
        for row, cells in enumerate(self.sheet.table.rows):
            for key in self.sheet.keys:
                for first, last in year_spans(as_text(cells[key])[:120], today):
                    for year in range(first, last + 1):
                        found.setdefault(year, set()).add(row)
        for held, rows in self.sheet.years.items():
            found.setdefault(int(held), set()).update(rows)
        return {year: frozenset(rows) for year, rows in found.items()}

    def check(self, sentence: Sentence, own: Sequence[Binding]) -> Iterator[SpanFinding]:
        """Yield the years of a sentence that are of no row of the name beside them."""
        years = [
            y for y in YEAR.finditer(self.text, sentence.start, sentence.end) if self._is_free(y, sentence)
        ]
        things = [m for m in sentence.rows if m.full and m.column not in self.names.row_windows]
        things = [m for m in things if YEAR.fullmatch(self.text, m.start, m.end) is None]
        for at, year in enumerate(years if things else ()):
            rows = self._rows_of(year)
            beside = self._beside(year, things)
            if not beside and not own:
                beside = self._subject(years, at, things) or self._led(years, at, things, sentence)
            if rows and beside and not self._are_of(beside, rows):
                yield self._finding(year, beside)

    def _rows_of(self, year: re.Match[str]) -> Rows:
        """Return the rows of a year, or of the season that begins in it."""
        first = year.group()[:4]
        return self.sheet.years.get(first, NOBODY) if year["season"] else self._rows.get(int(first), NOBODY)

    def _is_free(self, year: re.Match[str], sentence: Sentence) -> bool:
        """Tell whether a year is no number and stands inside of no longer name."""
        if any(q.start < year.end() and year.start() < q.end for q in sentence.quantities):
            return False
        return not any(
            m.full and m.start <= year.start() and year.end() <= m.end and m.end - m.start > len(year.group())
            for m in sentence.rows
        )

    def _beside(self, year: re.Match[str], things: Sequence[Mention]) -> Sequence[Mention]:
        """Return the names right before a year ("Old Mill (2005)"), else those right behind it."""
        before = [m for m in things if 0 <= year.start() - m.end <= FAR]
        before = [m for m in before if BEHIND.fullmatch(self.text, m.end, year.start())]
        if before:
            return before
        behind = [m for m in things if 0 <= m.start - year.end() <= FAR]
        return [m for m in behind if BEFORE.fullmatch(self.text, year.end(), m.start)]

    def _subject(
        self, years: Sequence[re.Match[str]], at: int, things: Sequence[Mention]
    ) -> Sequence[Mention]:
        """Return the last name before a year, or before the list of years that it ends."""
        while at and AND_YEAR.fullmatch(self.text, years[at - 1].end(), years[at].start()):
            at -= 1
        start = years[at].start()
        led = [m for m in things if m.end <= start]
        near = [m for m in led if m.end == led[-1].end]
        gap = self.text[near[0].end : start] if near else ""
        said = SUBJECT.fullmatch(gap) is not None and TURNS.search(gap) is None and "," not in gap
        return near if said else ()

    def _led(
        self, years: Sequence[re.Match[str]], at: int, things: Sequence[Mention], sentence: Sentence
    ) -> Sequence[Mention]:
        """Return the names behind a year that opens a sentence, up to the next year."""
        if at or OPENS.fullmatch(self.text, sentence.start, years[0].start()) is None:
            return ()
        until = years[1].start() if len(years) > 1 else sentence.end
        turn = TURNS.search(self.text, years[0].end(), until)
        until = turn.start() if turn else until
        return [m for m in things if years[0].end() <= m.start < until]

    def _are_of(self, beside: Sequence[Mention], rows: Rows) -> bool:
        """Tell whether names have a row of a year together, where they have any, or one of them has."""
        by_column: dict[int, Rows] = {}
        for mention in beside:
            by_column[mention.column] = by_column.get(mention.column, frozenset()) | mention.rows
        agreed = frozenset.intersection(*by_column.values())
        return bool(agreed & rows) if agreed else any(self._is_of(m, rows) for m in beside)

    def _is_of(self, mention: Mention, rows: Rows) -> bool:
        """Tell whether a name has a row of a year, or stands in a cell of one."""
        said = self.text[mention.start : mention.end].lower()
        held = (as_text(cell).lower() for row in rows for cell in self.sheet.table.rows[row])
        return bool(mention.rows & rows) or any(said in cell for cell in held)

    def _finding(self, year: re.Match[str], beside: Sequence[Mention]) -> SpanFinding:
        start, end = self.visible.span(*year.span())
        rows = frozenset[int]().union(*(m.rows for m in beside))
        own = sorted(str(y) for y, at in self._rows.items() if at & rows)
        return SpanFinding(
            code="wrong_cell",
            start=start,
            end=end,
            text=self.visible.raw[start:end],
            message=f"{year.group()} is no year of the name that it is told with",
            expected=", ".join(own[:8]),
            next_step="Name the years of its rows.",
        )
