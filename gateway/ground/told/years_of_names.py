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
from gateway.ground.told.times_in_order import Timed
from traces.grounding import SpanFinding

YEAR = re.compile(
    r"(?<![\w.,/\u20ac$\u00a3\u2013-])(?:1\d|20)\d\d(?P<season>[-\u2013]\d\d(?!\d))?(?![\w%/\u2013-]|[.,]\d)"
)
# Between a name and the year behind it, and between a year and the name behind that.
BEHIND = re.compile(
    r"[\"'\u2019\u201d)]?(?:\s\((?:[A-Za-z-]+\s){0,3}|\s(?:in|of|during)\s)|[\"\u201d]\s[a-z]+\s\("
)
BEFORE = re.compile(
    r"\s(?:at\s(?:the\s)?)?(?:(?!(?:and|but|or|while|whereas|to|from|after|before|than|until|since|following)\b)[a-z]+,?\s){0,2}"
    r"[\"'\u2018\u201c]?"
)
SUBJECT = re.compile(r"[^;:()\d]{0,60}\s(?:in|during|elections?\sof)\s", re.IGNORECASE)
# "Phoenix Ensemble": what stands before a word of a longer name, inside of a sentence.
CAPITAL = re.compile(r"[a-z,] [A-Z][a-z]+ \Z")
AND_YEAR = re.compile(r"(?:,\s|,?\sand\s)")
AND_MORE = re.compile(r"(?:,\s|,?\sand\s)(?:1\d|20)\d\d(?![\w%/\u2013-]|[.,]\d)")
OPENS = re.compile(r"\W*(?:[Ii]n|[Dd]uring|[Ss]ince)\s(?:the\s(?:year\s)?)?\Z")
TURNS = re.compile(
    r"\b(?:(?:after|before)(?!\s[a-z]+ing\b)|since|until|from|than|who|which|whose|but|while|when|where|following)\b"
)
# What follows in time, behind a year that opens a sentence.
LATER = re.compile(
    r"\b(?:later|then|subsequently|next|again|follow\w*|previous\w*|earlier|succe\w+|replac\w+|beat\w*|defeat\w*|over)\b"
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

    def check(
        self, sentence: Sentence, own: Sequence[Binding], in_order: Sequence[Sequence[Timed]] = ()
    ) -> Iterator[SpanFinding]:
        """Yield the years of a sentence that are of no row of the name beside them; not those in order."""
        listed = {timed.span for run in in_order for timed in run}
        years = [
            y for y in YEAR.finditer(self.text, sentence.start, sentence.end) if self._is_free(y, sentence)
        ]
        things = [m for m in sentence.rows if m.column not in self.names.row_windows]
        things = [m for m in things if m.full or (m.start == sentence.start and self._is_surname(m))]
        things = [m for m in things if not self._is_time_or_part(m)]
        for at, year in enumerate(years if things else ()):
            if year.span() in listed:
                continue
            rows = self._rows_of(year)
            beside = self._beside(year, things)
            groups: Sequence[Sequence[Mention]] = [beside] if beside else []
            if not beside and all(binding.cell is None for binding in own):
                groups = [self._subject(years, at, things)]
                groups = groups if groups[0] else self._led(years, at, things, sentence)
            for group in filter(None, groups if rows else ()):
                held = () if self._are_of(group, rows) else self._years_of(group)
                if held:
                    yield self._finding(year, held)
                    break

    def _is_surname(self, mention: Mention) -> bool:
        """Tell whether a word is the last of every name that holds it ("Larue" of Gus Larue)."""
        said, rows = self.text[mention.start : mention.end], self.sheet.table.rows
        ends = (as_text(rows[row][mention.column]).endswith(f" {said}") for row in mention.rows)
        return said[:1].isupper() and all(ends)

    def _is_time_or_part(self, mention: Mention) -> bool:
        """Tell whether a name is a year, or a word behind another capital that ends a longer name."""
        if YEAR.fullmatch(self.text, mention.start, mention.end):
            return True
        one_word = " " not in self.text[mention.start : mention.end]
        return one_word and CAPITAL.search(self.text, 0, mention.start) is not None

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
        end = year.end()
        while more := AND_MORE.match(self.text, end):
            end = more.end()
        behind = [m for m in things if 0 <= m.start - end <= FAR]
        return [m for m in behind if BEFORE.fullmatch(self.text, end, m.start)]

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
    ) -> Sequence[Sequence[Mention]]:
        """Return the names behind a year that opens a sentence, up to the next year, row by row."""
        if at or OPENS.fullmatch(self.text, sentence.start, years[0].start()) is None:
            return ()
        until = years[1].start() if len(years) > 1 else sentence.end
        turn = TURNS.search(self.text, years[0].end(), until)
        until = turn.start() if turn else until
        led = [m for m in things if years[0].end() <= m.start < until]
        groups = [] if LATER.search(self.text, years[0].end(), until) else self._groups(led)
        return groups if len(groups) > 1 else [led]

    def _groups(self, led: Sequence[Mention]) -> Sequence[Sequence[Mention]]:
        """Return names in order, those that have a row together as one; what the title names is left out."""
        spans: dict[tuple[int, int], list[Mention]] = {}
        for mention in led:
            if self.text[mention.start : mention.end].lower() not in self.names.subject.lower():
                spans.setdefault((mention.start, mention.end), []).append(mention)
        groups: list[list[Mention]] = []
        agreed: Rows = NOBODY
        for mentions in spans.values():
            rows = frozenset[int]().union(*(m.rows for m in mentions))
            if agreed & rows:
                groups[-1] += mentions
            else:
                groups.append(mentions)
            agreed = agreed & rows or rows
        return groups

    def _are_of(self, beside: Sequence[Mention], rows: Rows) -> bool:
        """Tell whether names have a row of a year together, where they have any, or one of them has."""
        agreed = self._agreed(beside)
        return bool(agreed & rows) if agreed else any(self._is_of(m, rows) for m in beside)

    @staticmethod
    def _agreed(beside: Sequence[Mention]) -> Rows:
        """Return the rows that names have together."""
        columns: dict[int, frozenset[int]] = {}  # of one name, which several columns may hold
        for mention in beside:
            columns[mention.start] = columns.get(mention.start, frozenset()) | {mention.column}
        by_column: dict[frozenset[int], Rows] = {}
        for mention in beside:
            held = columns[mention.start]
            by_column[held] = by_column.get(held, frozenset()) | mention.rows
        return frozenset.intersection(*by_column.values())

    def _is_of(self, mention: Mention, rows: Rows) -> bool:
        """Tell whether a name has a row of a year, or stands in a cell of one."""
        said = self.text[mention.start : mention.end].lower()
        held = (as_text(cell).lower() for row in rows for cell in self.sheet.table.rows[row])
        return bool(mention.rows & rows) or any(said in cell for cell in held)

    def _years_of(self, beside: Sequence[Mention]) -> Sequence[str]:
        """Return the years of the rows that names have; of a cell that goes on there are none."""
        rows = self._agreed(beside) or frozenset[int]().union(*(m.rows for m in beside))
        return sorted(str(year) for year, at in self._rows.items() if at & rows)

    def _finding(self, year: re.Match[str], held: Sequence[str]) -> SpanFinding:
        start, end = self.visible.span(*year.span())
        return SpanFinding(
            code="wrong_cell",
            start=start,
            end=end,
            text=self.visible.raw[start:end],
            message=f"{year.group()} is no year of the name that it is told with",
            expected=", ".join(held[:8]),
            next_step="Name the years of its rows.",
        )
