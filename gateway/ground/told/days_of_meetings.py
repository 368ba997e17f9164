"""Days told of a meeting whose sides stand in one cell ("A vs B"): the day is that of a row of both."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from functools import cached_property
from typing import NamedTuple

from gateway.ground.lexing.text import Visible
from gateway.ground.naming.names import Names
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.sentence.contradicted import contradicted
from gateway.ground.table.sheet import LOOKED_AT, as_text
from metric_layer.period_bounds import Window
from metric_layer.periods import Period
from traces.grounding import SpanFinding

SIDES = re.compile(r"(?P<one>.+?)\s(?:vs?\.?|versus|@)\s(?P<other>.+)", re.IGNORECASE)
# What parts two sides: they are of two meetings.
APART = re.compile(r"[;:.()]|\d|\b(?:while|whereas|before|after)\b", re.IGNORECASE)
# A day that something is only measured from.
MEASURED_FROM = re.compile(
    r"\b(?:since|until|till|before|after|from|to|between|than|by)\s(?:the\s)?\Z", re.IGNORECASE
)
# "In 2014", and not "in a 2014 World Cup qualifier".
IN_TIME = re.compile(r"(?:\b(?:in|during|throughout)\s(?:the\s)?|\()\Z", re.IGNORECASE)
MONTH = timedelta(days=32)
FAR = 60
Rows = frozenset[int]


class Met(NamedTuple):
    """Where a sentence names the last side of a meeting or its day, and the rows of it."""

    start: int
    end: int
    rows: Rows
    timed: bool


class DaysOfMeetings:
    """The meetings of one sheet whose two sides stand in one cell, and the days of their rows."""

    def __init__(self, visible: Visible, names: Names) -> None:
        """Stand on a text and the names of a sheet."""
        self.visible = visible
        self.text = visible.text
        self.names = names

    def check(self, sentence: Sentence, periods: Sequence[Period]) -> Iterator[SpanFinding]:
        """Yield the days of a sentence that are of another row than the meeting each is told with."""
        told = [self._day(p) for p in periods if self._is_told(p)] if self._sides else []
        met = list(self._meetings(sentence)) if any(day.rows for day in told) else []
        if not met or len(met) != len(told):
            return
        every = sorted((*told, *met))
        if any(one.timed == other.timed for one, other in zip(every[::2], every[1::2], strict=True)):
            return
        if len(every) > 2 and len({one.timed for one in every[::2]}) > 1:
            return  # "A met B on the first and on the second C met D" could go either way
        for day, meeting in zip(told, met, strict=True):
            if not day.rows or day.rows & meeting.rows or self._is_in_cell(day, meeting):
                continue
            windows = self.names.row_windows
            key = next(key for key in windows if day.rows & windows[key].keys())
            cell = min(meeting.rows), key
            value = as_text(self.names.sheet.table.rows[cell[0]][key])
            span = day.start, day.end
            yield contradicted(self.visible, self.names.sheet, span, cell, value, f"Write {value}.")

    def _is_in_cell(self, day: Met, meeting: Met) -> bool:
        """Tell whether a row of a meeting holds a time in other words ("2014 World Cup qualification")."""
        said = self.text[day.start : day.end]
        rows = self.names.sheet.table.rows
        return any(said in as_text(cell) for row in meeting.rows for cell in rows[row])

    @cached_property
    def _sides(self) -> Mapping[str, Rows]:
        """Return the rows of each side of the only column whose cells hold two, where rows have days."""
        sheet = self.names.sheet
        rows = sheet.table.rows
        for key in sheet.keys if self.names.row_windows else ():
            first = [as_text(row[key]) for row in rows[:LOOKED_AT]]
            if key in self.names.row_windows or not all(map(SIDES.fullmatch, first)):
                continue
            found: dict[str, set[int]] = {}
            for row, values in enumerate(rows):
                sides = SIDES.fullmatch(as_text(values[key]))
                for side in sides.groups() if sides else ():
                    found.setdefault(side.strip(), set()).add(row)
            return {side: frozenset(held) for side, held in found.items()}
        return {}

    @cached_property
    def _named(self) -> re.Pattern[str]:
        longest = sorted(self._sides, key=len, reverse=True)
        return re.compile(rf"\b(?:{'|'.join(map(re.escape, longest))})(?!\w)")

    def _is_told(self, period: Period) -> bool:
        """Tell whether a period says when something was, in one way only."""
        led = MEASURED_FROM.search(self.text, max(0, period.start - 16), period.start)
        if len(period.readings) != 1 or period.bare or period.relative or led is not None:
            return False
        first, after = period.readings[0]
        near = IN_TIME.search(self.text, max(0, period.start - 16), period.start)
        return after - first < MONTH or near is not None

    def _day(self, period: Period) -> Met:
        held = self.names.row_windows.values()
        rows = (row for windows in held for row, window in windows.items() if _is_within(window, period))
        return Met(period.start, period.end, frozenset(rows), timed=True)

    def _meetings(self, sentence: Sentence) -> Iterator[Met]:
        """Yield the meetings a sentence names: two sides, or one more that the first of them met."""
        subject, before = "", ""
        until = sentence.start
        for found in self._named.finditer(self.text, sentence.start, sentence.end):
            side = found.group()
            near = found.start() - until <= FAR and APART.search(self.text, until, found.start()) is None
            for other in (before if near else "", subject):
                rows = self._sides[side] & self._sides.get(other, frozenset())
                if rows and other != side:
                    yield Met(found.start(), found.end(), rows, timed=False)
                    subject, before = other, ""
                    break
            else:
                before = side
            until = found.end()


def _is_within(window: Window, period: Period) -> bool:
    """Tell whether the days of a row lie in a stretch of time."""
    first, after = period.readings[0]
    return first <= window[0] and window[1] <= after
