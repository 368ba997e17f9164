"""The one period parser: which days the words of a text name, by the calendar of the layer."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, date

from metric_layer.calendar import Calendar
from metric_layer.definitions import CalendarRules
from metric_layer.period_bounds import BOUNDS, Bounds, Build, Window, bucket_in
from metric_layer.period_words import NEXT_YEAR, OPENER, PATTERNS, YEAR, is_year

RANGE = ("through", "thru", "until", "till", "–", "-", "to", "bis")


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of text that names days. `readings` are half-open windows, several where unclear.

    `bare` is true when the year was left out; `relative` when the words only make sense beside another
    window.
    """

    start: int
    end: int
    readings: tuple[Window, ...]
    bare: bool = False
    relative: bool = False


@dataclass(frozen=True, slots=True)
class Atom:
    """One matched phrase: `build` gives its window in a year; `years` are the years it may mean."""

    start: int
    end: int
    build: Build
    years: tuple[int, ...]
    bare: bool = False
    relative: bool = False


class PeriodParser:
    """Finds periods in text. Built once per calendar; `today` settles words such as "last quarter"."""

    def __init__(self, calendar: Calendar | None, today: date) -> None:
        """Stand on a calendar and a day; without a calendar, on the plain one."""
        self.calendar = calendar or Calendar(CalendarRules())
        self.today = today

    def find(self, text: str, nouns: frozenset[str] = frozenset()) -> tuple[Period, ...]:
        """Return the periods of a text in order, longest phrase first at each place, ranges put together.

        `nouns` are lower-case words that are counted, so that "the 2026 orders" is a number and not a year.
        """
        atoms = sorted(self._atoms(text, nouns), key=lambda atom: atom.start)
        return tuple(_join(text, atoms))

    def _atoms(self, text: str, nouns: frozenset[str]) -> Iterator[Atom]:
        taken = bytearray(len(text) + 1)
        end = 0
        for opener in OPENER.finditer(text):
            atom = self._atom_at(text, opener) if opener.start() >= end else None
            if atom is not None:
                taken[atom.start : atom.end] = b"\1" * (atom.end - atom.start)
                end = atom.end
                yield atom
        yield from self._years(text, taken, nouns)

    def _atom_at(self, text: str, opener: re.Match[str]) -> Atom | None:
        """Return the period phrase that opens at a word, by the first pattern that fits."""
        word = opener.group().lower()
        for kind, pattern in PATTERNS.get("0" if word.isdigit() else word, ()):
            found = pattern.match(text, opener.start())
            atom = self._atom(kind, found) if found and _is_plausible(kind, found) else None
            if atom is not None:
                return atom
        return None

    def _atom(self, kind: str, found: re.Match[str]) -> Atom | None:
        groups = {name: value for name, value in found.groupdict().items() if value}
        bounds: Bounds = BOUNDS[kind](self.calendar, self.today, groups)
        years = bounds.years or tuple(range(self.today.year + 1, self.today.year - 4, -1))
        years = tuple(year for year in years if MINYEAR < year < MAXYEAR)
        if bounds.build is None or not years:
            return None
        end = found.start() + len(found.group().rstrip(",. "))
        return Atom(found.start(), end, bounds.build, years, not bounds.years, bounds.relative)

    def _years(self, text: str, taken: bytearray, nouns: frozenset[str]) -> Iterator[Atom]:
        """Yield four-digit years where a year may stand ("in 2026", "the 2004 season")."""
        last = -1
        for found in YEAR.finditer(text):
            start, end = found.span()
            if any(taken[start:end]):
                last = end
                continue
            follows = last >= 0 and NEXT_YEAR.fullmatch(text[last:start]) is not None
            if follows or is_year(text, start, end, nouns):
                last = end
                year = int(found.group())
                yield Atom(start, end, bucket_in(self.calendar, 1, 1, "year"), (year,))


def _is_plausible(kind: str, found: re.Match[str]) -> bool:
    """Tell whether a phrase is a period and not a word that looks like one ("may", "march")."""
    groups = found.groupdict()
    if kind == "month" and groups.get("month", "") and not groups["month"].isdigit():
        dated = groups.get("year") or groups.get("short")
        return bool(dated) or (found.group()[0].isupper() and not found.group().startswith("MAR"))
    if kind == "split_year":
        year, late = int(groups["year"]), int(groups["next"])
        return late in (year + 1, (year + 1) % 100)
    return True


def _join(text: str, atoms: Sequence[Atom]) -> Iterator[Period]:
    """Yield periods, joining "X to Y" and "between X and Y" into one window from X's start to Y's end."""
    place = 0
    while place < len(atoms):
        atom = atoms[place]
        later = atoms[place + 1] if place + 1 < len(atoms) else None
        readings = tuple(_range(atom, later)) if later is not None and _is_range(text, atom, later) else ()
        if later is not None and readings:
            yield Period(atom.start, later.end, readings, atom.bare and later.bare)
            place += 2
            continue
        windows = (atom.build(year) for year in atom.years)
        yield Period(
            atom.start, atom.end, tuple(dict.fromkeys(w for w in windows if w)), atom.bare, atom.relative
        )
        place += 1


def _is_range(text: str, first: Atom, second: Atom) -> bool:
    if first.relative or second.relative:
        return False
    gap = text[first.end : second.start].strip().lower()
    if gap in RANGE:
        return True
    return gap in ("and", "und") and text[: first.start].rstrip().lower().endswith(("between", "zwischen"))


def _range(first: Atom, second: Atom) -> Iterator[Window]:
    for year in second.years:
        last = second.build(year)
        starts = (first.build(start) for start in ((year, year - 1) if first.bare else first.years))
        begin = next((start for start in starts if start and last and start[0] < last[1]), None)
        if begin and last:
            yield begin[0], last[1]
