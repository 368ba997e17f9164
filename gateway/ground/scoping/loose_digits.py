"""Digits that are no figures (lengths of time, years, ordinals): the result or the question holds each."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cached_property

from gateway.ground.lexing.numerals import WORDS
from gateway.ground.lexing.spoken import Span
from gateway.ground.lexing.tokens import Mark
from gateway.ground.naming.day_spans import DAY
from gateway.ground.naming.headers import NTH, ordinal_digits
from gateway.ground.naming.names import Names
from gateway.ground.naming.year_spans import year_spans
from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.sentence.read import Draft
from gateway.ground.table.asked import Scope
from gateway.ground.table.sheet import as_text
from metric_layer.period_bounds import Window
from traces.grounding import SpanFinding

_UNIT = r"[\s\u00a0-](?P<unit>second|minute|hour|day|week|month|quarter|year|decade)"
LENGTH = re.compile(rf"(?P<said>\d[\d,]*|[a-z]+(?:-[a-z]+)?){_UNIT}s?", re.IGNORECASE)
HELD_LENGTH = re.compile(rf"(?<![\w.,])(?P<said>\d{{1,9}}|{'|'.join(WORDS)}){_UNIT}")
WORD, DIGITS = re.compile(r"\w+"), re.compile(r"\d+")
YEAR = re.compile(r"(?<![\w.,/\u20ac$\u00a3-])(?:1[1-9]|20)\d\d(?P<decade>s)?(?![\w%/]|[.,]\d)")
# "For nine years (1990-1998)": both ends are counted.
LASTING = re.compile(
    r"\b(?:for|in|over|across|within|of|during)\s(?:the\s|all\s|its\s|last\s|past\s)?\Z", re.IGNORECASE
)
# "9 years later", "a gap of 9 years": a difference of two times, in digits.
APART = re.compile(
    r"s?\s(?:later|earlier|before|after|apart|prior|previously|ahead|older|younger|sooner|ago|on(?=[,.;]))\b"
    r"|\sgap\b",
    re.IGNORECASE,
)
GAP_OF = re.compile(r"\b(?:gap|difference|interval|margin)\sof\s(?:about\s|just\s|only\s)?\Z", re.IGNORECASE)
AFTER_FIGURE = 24
CENTURY = re.compile(r"(?P<nth>\d{1,2})(?:st|nd|rd|th)[\s-]century", re.IGNORECASE)
# "For the third time": of somebody whose rows are fewer it was not so.
NTH_TIME = re.compile(
    rf"\b(?P<nth>{'|'.join(NTH)}|\d{{1,3}}(?:st|nd|rd|th))"
    r"\s(?:time|attempt|term|try|bid|occasion|spell|stint)\b",
    re.IGNORECASE,
)
TIMES = frozenset(("time", "attempt", "term", "try", "bid", "occasion", "spell", "stint"))
# What the draft itself is of: the day it was written.
AS_OF = re.compile(
    r"\b(?:as\s(?:of|at)|today|now|currently|this\syear)\W{0,2}(?:in\s)?(?:[A-Z][a-z]+\s|\d{1,2}\s)*\Z",
    re.IGNORECASE,
)
DAYS = {"day": 1, "week": 7}
MONTHS = {"month": 1, "quarter": 3, "year": 12, "decade": 120}
YEARLY = ("year", "decade")
Length = tuple[int, str]


class LooseDigits:
    """Looks for digits of one draft that nothing explains."""

    def __init__(self, seen: Draft, names: Names, scope: Scope) -> None:
        """Stand on a draft, the names of its sheet and the question that ran."""
        self.seen = seen
        self.text = seen.visible.text
        self.names = names
        self.sheet = names.sheet
        self.scope = scope
        self._lengths: dict[str, frozenset[int]] = {}
        self._row_lengths: dict[int, frozenset[Length]] = {}

    def check(self, bindings: Sequence[Binding]) -> Iterator[SpanFinding]:
        """Yield lengths of time and ordinals, and where nobody knows the window, years."""
        dated = [(p.start, p.end) for p in self.seen.periods]
        for mark in self.seen.tokens.marks:
            span = mark.start, mark.end
            timed = mark.kind == "temporal" and not _is_inside(span, dated)
            placed = mark.kind == "ordinal" and not self._is_known_place(mark)
            if placed or (timed and not self._is_known_time(mark, bindings)):
                yield self._finding(span)
        if self.seen.spoken.says(TIMES):
            yield from self._times()
        if not self.scope.known:
            yield from self._years()
            yield from self._spans(bindings)

    @cached_property
    def _words(self) -> str:
        """Return every word that the question and the headers are told in, in lower case."""
        scope, columns = self.scope, range(len(self.sheet.columns))
        asked = [*scope.metrics, *scope.other_metrics, *(v for _, _, values in scope.filters for v in values)]
        asked += [v for _, _, values in scope.having for v in values]
        return " \n ".join([scope.subject, *asked, *map(self.sheet.label, columns)]).lower()

    @cached_property
    def _cells(self) -> Sequence[str]:
        """Return what the cells of each row say, in lower case."""
        return [" \n ".join(map(as_text, row)).lower() for row in self.sheet.table.rows]

    @cached_property
    def _told(self) -> frozenset[str]:
        """Return every single word that the question, the headers and the cells hold."""
        return frozenset(WORD.findall("\n".join((self._words, *self._cells))))

    @cached_property
    def _numbers(self) -> frozenset[str]:
        """Return every run of digits in those words."""
        return frozenset(digits for word in self._told for digits in DIGITS.findall(word))

    @cached_property
    def _asked_lengths(self) -> frozenset[Length]:
        return _lengths_in(self._words)

    @cached_property
    def _every_length(self) -> frozenset[Length]:
        return frozenset[Length]().union(*map(self._lengths_of, range(self.sheet.height)))

    def _lengths_of(self, row: int) -> frozenset[Length]:
        """Return the lengths of time that the cells of a row say."""
        if row not in self._row_lengths:
            self._row_lengths[row] = _lengths_in(self._cells[row])
        return self._row_lengths[row]

    @cached_property
    def _held(self) -> frozenset[int]:
        """Return the years that the result or the question holds; of a season both."""
        found = set(map(int, self.sheet.years))
        texts = (as_text(row[key]) for row in self.sheet.table.rows for key in self.sheet.keys)
        labels = map(self.sheet.label, range(len(self.sheet.columns)))
        for ends in year_spans(" \n ".join((self.scope.subject, *labels, *texts)), self.scope.today):
            found.update(ends)
        for window in self._windows:
            found |= {window[0].year, (window[1] - DAY).year}
        return frozenset(found)

    @cached_property
    def _windows(self) -> Sequence[Window]:
        """Return the windows that ran and those of the result's rows and columns."""
        scope, names = self.scope, self.names
        ran = [(scope.start, scope.end)] if scope.start and scope.end else []
        rows = (window for windows in names.row_windows.values() for window in windows.values())
        return [*ran, *scope.windows, *names.column_windows.values(), *rows]

    def _is_known_time(self, mark: Mark, bindings: Sequence[Binding]) -> bool:
        """Tell whether a length of time or an hour is one that the result or the question explains."""
        century = CENTURY.fullmatch(mark.text)
        if century is not None:
            return self._is_known_century(int(century["nth"]))
        length = LENGTH.fullmatch(mark.text)
        return length is None or self._is_known_length(length, (mark.start, mark.end), bindings)

    def _is_known_length(self, length: re.Match[str], span: Span, bindings: Sequence[Binding]) -> bool:
        """Tell whether a length of time is said somewhere, or lies between periods that are."""
        said, unit = length["said"].lower().replace(",", ""), length["unit"].lower()
        number = int(said) if said.isdigit() else WORDS.get(said, 0)
        if self._is_called(number, unit, span):
            return True
        if said.isdigit() and not self.scope.known and self._is_difference(span, bindings):
            return False
        return number < 2 or number in self._apart(span, unit, bindings)

    def _is_difference(self, span: Span, bindings: Sequence[Binding]) -> bool:
        """Tell whether a length is how far two times lie apart, and leads to the row of no figure."""
        led = GAP_OF.search(self.text, max(0, span[0] - 32), span[0])
        if led is None and APART.match(self.text, span[1]) is None:
            return False
        ends = (b.quantity.end for b in bindings if b.grounded)
        near = [end for end in ends if 0 < span[0] - end < AFTER_FIGURE]
        return all(YEAR.search(self.text, end, span[0]) for end in near)

    def _is_called(self, number: int, unit: str, span: Span) -> bool:
        """Tell whether the question, a header or a cell of the rows named says this length in these words."""
        named = [row for s in self._near(span)[-1:] for m in s.rows if m.full for row in m.rows]
        held = (self._lengths_of(row) for row in named) if named else (self._every_length,)
        return (number, unit) in self._asked_lengths or any((number, unit) in lengths for lengths in held)

    def _near(self, span: Span) -> Sequence[Sentence]:
        """Return the sentence of a place, and the one before it."""
        at = max(0, bisect_right(self.seen.sentences, span[0], key=lambda s: s.start) - 1)
        return self.seen.sentences[max(0, at - 1) : at + 1]

    def _apart(self, span: Span, unit: str, bindings: Sequence[Binding]) -> frozenset[int]:
        """Return the lengths in a unit between periods of the result, the question or the sentence."""
        ends = list(self._windows) if self.scope.known else []
        found = set(self._counted(unit))
        spans = [*ends, *(w for s in self._near(span) for w in self._said_near(s, span, bindings))]
        starts = {first for first, after in spans if unit in YEARLY or _length((first, after), "year") < 1}
        inclusive = LASTING.search(self.text, max(0, span[0] - 24), span[0]) is not None
        for one in starts:
            for other in starts:
                apart = round(_length((one, other), unit)) if one < other else 0
                found |= {apart, apart + 1} if inclusive and apart else {apart}
        return frozenset(found)

    def _counted(self, unit: str) -> frozenset[int]:
        """Return how long windows are in a unit, and up to how many of them are as long as one of it."""
        if unit not in self._lengths:
            lengths = [_length(window, unit) for window in set(self._windows)]
            many = unit != "year" or self.scope.known  # rows of many years are no stretch of them
            count = sum(round(length, 1) == 1 for length in lengths) if many else 0
            self._lengths[unit] = frozenset((*map(round, lengths), *range(2, count + 1)))
        return self._lengths[unit]

    def _said_near(self, sentence: Sentence, span: Span, bindings: Sequence[Binding]) -> Iterator[Window]:
        """Yield the other periods and years that a sentence says, and those of the rows that it is about."""
        for period in self.seen.periods:
            if sentence.start <= period.start < sentence.end and period.start != span[0]:
                yield from period.readings
        inside = (b.cell[0] for b in bindings if b.cell and sentence.start <= b.quantity.start < sentence.end)
        named = (row for m in sentence.rows if m.full for row in m.rows)
        rows = frozenset((*inside, *named))
        for windows in self.names.row_windows.values():
            yield from (windows[row] for row in rows if row in windows)
        years = {int(year) for year, holding in self.sheet.years.items() if holding & rows}
        years |= {int(y.group()[:4]) for y in YEAR.finditer(self.text, sentence.start, sentence.end)}
        years.update(*year_spans(self.scope.subject, self.scope.today))
        yield from ((date(year, 1, 1), date(year + 1, 1, 1)) for year in years)

    def _is_known_place(self, mark: Mark) -> bool:
        """Tell whether an ordinal may be a place among the rows, or stands in a cell or in the question."""
        if mark.value <= self.sheet.height:
            return True
        return str(mark.value) in self._numbers

    def _times(self) -> Iterator[SpanFinding]:
        """Yield how often it is said to have been ("for the third time"), beyond the rows of who is named."""
        for sentence in self.seen.sentences:
            for said in NTH_TIME.finditer(self.text, sentence.start, sentence.end):
                names = (m for m in sentence.rows if m.full and m.column not in self.names.row_windows)
                rows = max((len(m.rows) for m in names), default=self.sheet.height)
                nth = said["nth"].lower()
                number = NTH.get(nth) or int(nth[:-2])
                if number > max(rows, 1) and nth not in self._told:
                    yield self._finding(said.span())

    def _is_known_century(self, number: int) -> bool:
        """Tell whether a century is one of the years that are held, or is named, or no year is held."""
        held = not self._held or any((year - 1) // 100 + 1 == number for year in self._held)
        return held or ordinal_digits(number) in self._told

    def _years(self) -> Iterator[SpanFinding]:
        """Yield years that neither result nor question holds, where one of them is known to say any."""
        taken = [(m.start, m.end) for m in self.seen.tokens.marks if m.kind in ("label", "structural")]
        taken += [(q.start, q.end) for q in self.seen.tokens.quantities]
        for said in YEAR.finditer(self.text):
            if not (self._held or self.scope.subject) or _is_inside(said.span(), taken):
                continue
            year = int(said.group()[:4])
            near = {y - y % 10 for y in self._held} if said["decade"] else self._held
            today = year == self.scope.today.year and AS_OF.search(
                self.text, max(0, said.start() - 40), said.start()
            )
            if year not in near and not today:
                yield self._finding(said.span())

    def _spans(self, bindings: Sequence[Binding]) -> Iterator[SpanFinding]:
        """Yield counted stretches up to today ("the last 30 days") that the question does not speak of."""
        for period in self.seen.periods:
            said = LENGTH.search(self.text, period.start, period.end)
            if said and not self._is_known_length(said, (period.start, period.end), bindings):
                yield self._finding((period.start, period.end))

    def _finding(self, span: Span) -> SpanFinding:
        start, end = self.seen.visible.span(*span)
        text = self.seen.visible.raw[start:end]
        return SpanFinding(
            code="no_source",
            start=start,
            end=end,
            text=text,
            message=f"{text}: neither the result nor the question holds it",
            next_step="Leave it out.",
        )


def _is_inside(span: Span, spans: Sequence[Span]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in spans)


def _lengths_in(text: str) -> frozenset[Length]:
    """Return the lengths of time that a text says ("12 weeks", "ten-day"), as a number and a unit."""
    found = ((said["said"], said["unit"]) for said in HELD_LENGTH.finditer(text))
    return frozenset((int(said) if said.isdigit() else WORDS[said], unit) for said, unit in found)


def _length(window: Window, unit: str) -> float:
    """Return how long a stretch is in a unit; 0 for units of hours."""
    first, after = window
    if unit in DAYS:
        return (after - first).days / DAYS[unit]
    months = (after.year - first.year) * 12 + after.month - first.month + (after.day - first.day) / 31
    return months / MONTHS[unit] if unit in MONTHS else 0
