"""Days of a draft ("on 12 July 2012") against those that a result without a known window holds."""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cached_property

from gateway.ground.naming.day_spans import DAY
from gateway.ground.naming.names import Names
from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.sentence.read import Draft
from gateway.ground.table.asked import Scope
from gateway.ground.table.sheet import as_text
from metric_layer.period_words import MONTHS
from metric_layer.periods import Period
from traces.grounding import SpanFinding

_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_DAYS = r"(?P<{0}>\d{{1,2}})(?:st|nd|rd|th)?(?:\s?[-\u2013\u2014/]\s?(?P<{1}>\d{{1,2}})(?:st|nd|rd|th)?)?"
WRITTEN = re.compile(
    rf"(?<![\d.,]){_DAYS.format('first', 'last')}\.?\s(?:of\s)?(?P<month>{_MONTH})\b"
    rf"|\b(?P<led>{_MONTH})\.?\s{_DAYS.format('begin', 'end')}(?!\d)",
    re.IGNORECASE,
)
NUMBERED = re.compile(
    r"(?<!\d)(?:\d{4}-(?P<m>\d\d)-(?P<d>\d\d)|(?P<a>\d{1,2})[/.](?P<b>\d{1,2})[/.]\d{2,4})(?!\d)"
)
LONGEST = 62
Day = tuple[int, int]


class HeldDays:
    """Looks for days of one draft that are of no row, or of other rows than a sentence names."""

    def __init__(self, seen: Draft, names: Names, scope: Scope) -> None:
        """Stand on a draft, the names of its sheet and the question that ran."""
        self.seen = seen
        self.names = names
        self.sheet = names.sheet
        self.scope = scope

    def check(self, bindings: Sequence[Binding]) -> Iterator[SpanFinding]:
        """Yield days that no cell and no title holds, where days are held, and those of other rows."""
        told = [] if self.scope.known else [p for p in self.seen.periods if _day_of(p) is not None]
        for period in told if self._rows else ():
            day = _day_of(period)
            sentence = next((s for s in self.seen.sentences if s.start <= period.start < s.end), None)
            asked = day in self._asked or period.readings[0][0] == self.scope.today
            if day is None or asked or sentence is None:
                continue
            rows = self._rows.get(day, frozenset())
            days = [p for p in told if sentence.start <= p.start < sentence.end]
            own = any(sentence.start <= b.quantity.start < sentence.end for b in bindings)
            if not rows:
                yield self._finding(period, "neither the result nor the question holds this day")
            elif not own and self._names_others(sentence, rows, days, days.index(period)):
                yield self._finding(period, "it is the day of another row than this sentence names")

    @cached_property
    def _rows(self) -> dict[Day, frozenset[int]]:
        """Return the rows of each day of a month that stands in a cell."""
        found: dict[Day, set[int]] = {}
        for row, cells in enumerate(self.sheet.table.rows):
            said = " \n ".join(as_text(cells[key])[:120] for key in self.sheet.keys)
            for day in _days_in(said):
                found.setdefault(day, set()).add(row)
        for windows in self.names.row_windows.values():
            for row, (first, after) in windows.items():
                for at in range((after - first).days if (after - first).days <= LONGEST else 0):
                    found.setdefault(_of(first + at * DAY), set()).add(row)
        return {day: frozenset(rows) for day, rows in found.items()}

    @cached_property
    def _asked(self) -> frozenset[Day]:
        """Return the days that the question or a label holds."""
        labels = map(self.sheet.label, range(len(self.sheet.columns)))
        return frozenset(_days_in(" \n ".join((self.scope.subject, *labels))))

    def _names_others(
        self, sentence: Sentence, rows: frozenset[int], days: Sequence[Period], at: int
    ) -> bool:
        """Tell whether a sentence names rows in full, and none of those of a day.

        Of several days each is told of the names before it, or behind it where none stands before the first;
        days without names of their own are told of those behind the last.
        """
        things = [m for m in sentence.rows if m.full and m.column not in self.names.row_windows]
        if len(days) > 1:
            bounds = [sentence.start, *(day.start for day in days), sentence.end]
            shift = 0 if any(m.start < days[0].start for m in things) else 1
            own = [m for m in things if bounds[at + shift] <= m.start < bounds[at + shift + 1]]
            things = own or [m for m in things if shift and m.start > days[-1].start]
        return bool(things) and not any(m.rows & rows for m in things)

    def _finding(self, period: Period, why: str) -> SpanFinding:
        start, end = self.seen.visible.span(period.start, period.end)
        text = self.seen.visible.raw[start:end]
        step = "Name a day of the row."
        return SpanFinding(
            code="window", start=start, end=end, text=text, message=f"{text}: {why}", next_step=step
        )


def _of(day: date) -> Day:
    return day.month, day.day


def _day_of(period: Period) -> Day | None:
    """Return the day of the month that a period is, whatever its year."""
    days = {_of(first) for first, after in period.readings if after - first == DAY}
    single = period.kind == "day" and len(days) == 1 and not period.relative
    return next(iter(days)) if single else None


def _days_in(said: str) -> Iterator[Day]:
    """Yield the days of months that a text writes out or numbers, each day of a stretch inside of a month."""
    for found in WRITTEN.finditer(said):
        month = MONTHS[(found["month"] or found["led"]).lower().rstrip(".")]
        first = int(found["first"] or found["begin"])
        last = int(found["last"] or found["end"] or first)
        yield from ((month, day) for day in range(first, max(first, last) + 1))
    for found in NUMBERED.finditer(said):
        if found["m"]:
            yield int(found["m"]), int(found["d"])
        else:
            yield int(found["a"]), int(found["b"])
            yield int(found["b"]), int(found["a"])
