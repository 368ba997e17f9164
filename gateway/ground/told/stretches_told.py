"""Stretches of years ("from 1902 to 1911", "Mill Street (2001-2004)"): their ends are those of a row."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from gateway.ground.lexing.text import Visible
from gateway.ground.naming.mentions import Mention, rows_by_span
from gateway.ground.naming.names import Names
from gateway.ground.naming.phrases import NOBODY
from gateway.ground.naming.year_spans import year_spans
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.table.sheet import as_text
from traces.grounding import SpanFinding

_YEAR = r"(?:1\d|20)\d\d"
_END = r"(?![\w%/-]|[.,]\d)"
STRETCH = re.compile(
    rf"\b(?:from|between)\s(?P<first>{_YEAR})\s(?:to|until|till|and|through)\s(?P<last>{_YEAR}){_END}"
    rf"|(?<![\w.,/\u20ac$\u00a3-])(?P<a>{_YEAR})\s?[-\u2013]\s?(?P<b>{_YEAR}){_END}"
    rf"|\b(?:until|till)\s(?P<end>{_YEAR}){_END}"
)
# What no stretch of years is told without.
YEARS_TOLD = re.compile(rf"{_YEAR}\s?[-\u2013]\s?\d{{4}}|\b(?:from|between|until|till)\s{_YEAR}\b")
IN_BRACKETS = re.compile(r"[\"\u201d]?\s\(\Z")
Rows = frozenset[int]
Years = frozenset[int]


class StretchesTold:
    """Looks for stretches of years of one text that run backwards or end in no year of the rows named."""

    def __init__(self, visible: Visible, names: Names) -> None:
        """Stand on a text and the names of a sheet."""
        self.visible = visible
        self.names = names

    def check(self, sentence: Sentence) -> Iterator[SpanFinding]:
        """Yield the stretches of a sentence that no row it names bears out."""
        text = self.visible.text
        for said in STRETCH.finditer(text, sentence.start, sentence.end):
            told = [int(year) for year in said.groups() if year]
            if any(q.start < said.end() and said.start() < q.end for q in sentence.quantities):
                continue
            rows = self._about(sentence, said)
            own = frozenset[int]().union(*(self._ends[row] for row in rows))
            strange = [year for year in told if year not in own] if len(own) > 1 else []
            if len(told) == 2 and told[0] >= told[1]:
                yield self._finding(said, "the second year of a stretch comes after the first", own)
            elif len(rows) == 1 and len(own) > 1 and told == [min(own)] and said["end"]:
                yield self._finding(said, f"{told[0]} is the first year of its row, not the last", own)
            elif len(told) == 2 and self._is_no_stretch(told[0], told[1], rows):
                yield self._finding(said, "its ends are not those of one stretch of the rows named", own)
            elif strange and rows and not self._is_held(text[said.start() : said.end()]):
                yield self._finding(said, f"{strange[0]} is no year of what this sentence names", own)

    @cached_property
    def _ends(self) -> Sequence[Years]:
        """Return the years of each row: those alone, and the ends of stretches."""
        today = self.names.parser.today
        found = []
        for row, cells in enumerate(self.names.sheet.table.rows):
            texts = (as_text(cells[key])[:120] for key in self.names.sheet.keys)
            ends = {year for text in texts for span in year_spans(text, today) for year in span}
            ends.update(int(year) for year, rows in self.names.sheet.years.items() if row in rows)
            found.append(frozenset(ends))
        return found

    def _is_no_stretch(self, first: int, last: int, rows: Rows) -> bool:
        """Tell whether rows have stretches of years, and no column of these has both ends in its own."""
        today, found = self.names.parser.today, False
        for key in self.names.sheet.keys:
            texts = (as_text(self.names.sheet.table.rows[row][key])[:120] for row in rows)
            spans = [span for text in texts for span in year_spans(text, today)]
            if any(start < end for start, end in spans):
                found = True
                if first in {start for start, _ in spans} and last in {end for _, end in spans}:
                    return False
        return found

    def _about(self, sentence: Sentence, said: re.Match[str]) -> Rows:
        """Return the rows of the name that a bracket stands behind, else of all that a sentence names."""
        names = [m for m in sentence.rows if m.full and m.column not in self.names.row_windows]
        names = [m for m in names if m.end <= said.start() or m.start >= said.end()]
        led = [m for m in names if IN_BRACKETS.fullmatch(self.visible.text, m.end, said.start())]
        return frozenset[int]().union(*self._groups(led or names))

    def _groups(self, names: Sequence[Mention]) -> Iterator[Rows]:
        """Yield the rows that names told in order have together."""
        agreed = NOBODY
        for rows in rows_by_span(names).values():
            if agreed and not agreed & rows:
                yield agreed
            agreed = agreed & rows or rows
        yield agreed

    def _is_held(self, said: str) -> bool:
        """Tell whether the title or a cell holds a stretch as it is said."""
        low = said.lower()
        if low in self.names.subject.lower():
            return True
        return any(low in as_text(cell).lower() for row in self.names.sheet.table.rows for cell in row)

    def _finding(self, said: re.Match[str], why: str, own: Years) -> SpanFinding:
        start, end = self.visible.span(*said.span())
        return SpanFinding(
            code="wrong_cell",
            start=start,
            end=end,
            text=self.visible.raw[start:end],
            message=why,
            expected=", ".join(map(str, sorted(own)[:8])),
            next_step="Name the years of the row.",
        )
