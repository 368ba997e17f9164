"""The ends of a stretch of time: "fell 3% from May to June, to 40", "from 41 to 40 between May and June"."""

import re
from collections.abc import Mapping, Sequence

from gateway.ground.derived.derive import Derived
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.names import Names
from gateway.ground.pointing.places import Place
from gateway.ground.sentence.clauses import Sentence, neighbours, position
from gateway.ground.sourcing.named import OVER
from metric_layer.period_bounds import Window
from metric_layer.periods import Period

CAME_TO = re.compile(
    r"\)?,?\s(?:and\s)?(?:to|reach(?:ing|ed)|hit(?:ting)?|(?:end|finish|land)(?:ing|ed)\s(?:up\s)?at)\s"
    r"(?:just\s|only\s|about\s|around\s|a\stotal\sof\s)?[^\w\s]?",
    re.IGNORECASE,
)
TO_OTHER = re.compile(r"(?:\s[^\W\d_]+)?\sto\s[^\w\s]?", re.IGNORECASE)
FROM = re.compile(r"\bfrom\s(?:about\s|just\s|around\s)?[^\w\s]?\Z", re.IGNORECASE)
IN = re.compile(r"(?:\s[a-z]+)?\s(?:in|by|during)\s(?:the\s)?", re.IGNORECASE)
SPREAD = re.compile(r"\b(?:rang|var)(?:ed|ied|y|ing|ying|es)\b", re.IGNORECASE)
JOINED = re.compile(r"\b(?:from|between|over)\s[^;]{1,40}?\s(?:to|and|until|through)\s", re.IGNORECASE)


class Endings:
    """Reads which rows and columns are the last of a stretch, for one text over the names of a sheet."""

    def __init__(self, names: Names, text: str) -> None:
        """Stand on the names of a sheet and a text."""
        self.parser = names.parser
        self.dated = names.dated
        self.rows = names.row_windows
        self.keys = names.sheet.keys
        self.text = text
        self._stretches: dict[int, Period | None] = {}

    def end_told(self, quantity: Quantity, sentence: Sentence, place: Place) -> Place | None:
        """Return a place cut down to the end of the one stretch of its sentence that a number is told of."""
        if not (self.dated or self.rows):
            return None
        last = self._is_last(quantity, sentence)
        over = len(self.keys) == 1 and OVER.match(self.text, quantity.end) is not None
        stretch = self._stretch(sentence) if over or last is not None else None
        if stretch is None or SPREAD.search(self.text, sentence.start, quantity.start):
            return None
        if last is None:
            return self._over(stretch, quantity, sentence, place)
        rows, columns = self._rows_at(stretch, last=last), _end(stretch, self.dated, last=last)
        if rows:
            # with one key, the name that stood nearest is another period of the sentence
            alone = place.rows is None or len(self.keys) == 1
            rows = rows if alone else rows & (place.rows or frozenset())
            return place._replace(rows=rows, firm=True) if rows else None
        columns = columns if place.columns is None else columns & place.columns
        return place._replace(columns=columns, named=True) if columns else None

    def _over(self, stretch: Period, quantity: Quantity, sentence: Sentence, place: Place) -> Place | None:
        """Return both ends of a stretch right behind a change ("fell 3% from May to June, before ...")."""
        start = sentence.start + stretch.start
        ends = self._rows_at(stretch, last=False), self._rows_at(stretch, last=True)
        by = self.text.endswith(" by ", 0, quantity.start) or quantity.measure in ("percent", "points")
        told = by and start >= quantity.end and OVER.fullmatch(self.text, quantity.end, start) is not None
        return place._replace(rows=ends[0] | ends[1], firm=True) if told and all(ends) else None

    def _rows_at(self, stretch: Period, *, last: bool) -> frozenset[int]:
        """Return the rows of one end of a stretch."""
        return frozenset().union(*(_end(stretch, windows, last=last) for windows in self.rows.values()))

    def _is_last(self, quantity: Quantity, sentence: Sentence) -> bool | None:
        """Tell whether a number is of the last period of a stretch or of its first; None for neither."""
        place, numbers = position(quantity, sentence), sentence.quantities
        for first in (place, place - 1):
            pair = numbers[first : first + 2] if first >= 0 else ()
            if len(pair) == 2 and TO_OTHER.fullmatch(self.text, pair[0].end, pair[1].start):
                led = FROM.search(self.text[max(0, pair[0].start - 16) : pair[0].start])
                if led and self._is_told_over(pair, sentence):
                    return first < place
        before, _ = neighbours(quantity, sentence)
        if not CAME_TO.search(self.text, before, quantity.start) or self._has_own(quantity, sentence):
            return None
        stretch = self._stretch(sentence)
        since = max(before, sentence.start + stretch.end) if stretch is not None else quantity.start
        came = since < quantity.start and CAME_TO.fullmatch(self.text, since, quantity.start)
        return True if came else None

    def _has_own(self, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether a period stands right behind a number ("to 4,975 in 2011")."""
        return any(
            m.column in self.rows and m.full and IN.fullmatch(self.text, quantity.end, m.start) is not None
            for m in sentence.rows
        )

    def _is_told_over(self, pair: Sequence[Quantity], sentence: Sentence) -> bool:
        """Tell whether the stretch of a sentence leads two numbers, or follows them and no later pair."""
        stretch = self._stretch(sentence)
        if stretch is None or sentence.start + stretch.end <= pair[0].start:
            return stretch is not None
        later = sentence.quantities[position(pair[1], sentence) + 1 :]
        return not any(FROM.search(self.text[max(0, other.start - 16) : other.start]) for other in later)

    def denies(self, derived: Derived, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether the stretch that a number is told over ends elsewhere than a pair over time."""
        across = len(derived.columns) == 2 and derived.columns <= self.dated.keys()
        if derived.lead is None or not (across or (len(derived.rows) > 1 and self._is_over_time(derived))):
            return False
        stretch = self._stretch(sentence)
        if stretch is None or not self._is_beside(stretch, quantity, sentence):
            return False
        at = derived.lead[1 if across else 0]
        ends = derived.columns if across else derived.rows
        last = _end(stretch, self.dated, last=True) if across else self._rows_at(stretch, last=True)
        newer = ends - {at} if derived.backward else {at}
        return bool(last) and not newer & last

    def _is_beside(self, stretch: Period, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether a stretch stands right behind a number, or opens its sentence before it."""
        start = sentence.start + stretch.start
        if start >= quantity.end:
            return OVER.fullmatch(self.text, quantity.end, start) is not None
        return OVER.fullmatch(f" {self.text[sentence.start : start].lstrip()}") is not None

    def _is_over_time(self, derived: Derived) -> bool:
        """Tell whether the rows of a pair are of different periods."""
        return any(len({rows.get(row) for row in derived.rows}) > 1 for rows in self.rows.values())

    def _stretch(self, sentence: Sentence) -> Period | None:
        """Return the only stretch ("from May to June") of a sentence."""
        if sentence.start not in self._stretches:
            said = self.text[sentence.start : sentence.end]
            periods = self.parser.find(said) if JOINED.search(said) else ()
            found = [period for period in periods if period.kind == "range" and period.tails]
            self._stretches[sentence.start] = found[0] if len(found) == 1 else None
        return self._stretches[sentence.start]


def _end(stretch: Period, windows: Mapping[int, Window], *, last: bool) -> frozenset[int]:
    """Return the rows or columns of the last or first period of a stretch, in any year if it names none."""
    if last:
        ends = {_days(window, stretch) for window in stretch.tails}
        return frozenset(at for at, window in windows.items() if _days(window, stretch) in ends)
    starts = {_days(reading, stretch)[0] for reading in stretch.readings}
    whole = {_days(reading, stretch) for reading in stretch.readings}
    days = {at: _days(window, stretch) for at, window in windows.items()}
    return frozenset(at for at, window in days.items() if window[0] in starts and window not in whole)


def _days(window: Window, stretch: Period) -> tuple[tuple[int, ...], ...]:
    """Return the first day of a window and the day behind it, without years where a stretch names none."""
    return tuple((day.month, day.day) if stretch.bare else (day.year, day.month, day.day) for day in window)
