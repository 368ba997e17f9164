"""The one period parser: which days the words of a text name, by the calendar of the layer."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import MAXYEAR, MINYEAR, date

from metric_layer.asked_bounds import ASKED_BOUNDS, occurrence_in, which_years
from metric_layer.asked_words import ASKED_PATTERNS, is_english_month, named_pattern, reads_as_month
from metric_layer.asking import AskingRules
from metric_layer.calendar import Calendar
from metric_layer.definitions import CalendarRules
from metric_layer.period_bounds import BOUNDS, Bounds, Build, Groups, Window, bucket_in, by_order
from metric_layer.period_words import NEXT_YEAR, OPENER, PATTERNS, YEAR, is_year

RANGE = ("through", "thru", "until", "till", "up to", "–", "—", "-", "to", "bis")
ALL_BOUNDS = {**BOUNDS, **ASKED_BOUNDS}
YEAR_GAP = re.compile(r"(?:'s|,)?\s(?:(?:of|in|from)\s(?:the\s)?)?", re.IGNORECASE)
WEEK_FROM = re.compile(r"week\s+from\b", re.IGNORECASE)
# Phrases that name their calendar by being what they are.
COUNTS_BY = {"calendar_year": "calendar", "fiscal": "fiscal", "split_year": "fiscal"}
COUNTED = re.compile(r"\b(?:top|bottom|first|best|worst)\s\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of text that names days. `readings` are half-open windows, several where unclear.

    `bare` is true when the year was left out; `relative` when the words only make sense beside another
    window. `kind` is the way it was said ("range" for two joined), with the phrase's own parts in `groups`;
    `tails` are the windows of a range's last period, one for each reading.
    """

    start: int
    end: int
    readings: tuple[Window, ...]
    bare: bool = False
    relative: bool = False
    kind: str = ""
    groups: Groups = field(default_factory=dict)
    tails: tuple[Window, ...] = ()


@dataclass(frozen=True, slots=True)
class Atom:
    """One matched phrase: `build` gives its window in a year; `years` are the years it may mean."""

    start: int
    end: int
    build: Build
    years: tuple[int, ...]
    bare: bool = False
    relative: bool = False
    kind: str = ""
    groups: Groups = field(default_factory=dict)


class PeriodParser:
    """Finds periods in text. Built once per calendar; `today` settles words such as "last quarter".

    With `asking` a text is read as a question: more ways to say a period, the named periods of the rules, and
    bare quarters, halves and years by the default calendar.
    """

    def __init__(
        self,
        calendar: Calendar | None,
        today: date,
        asking: AskingRules | None = None,
        *,
        counts_by: str = "",
    ) -> None:
        """Stand on a calendar and a day; without a calendar, on the plain one.

        `counts_by` is the calendar of a bare quarter, half or year in a text that is no question: `fiscal`,
        or the plain one where it is left out.
        """
        self.calendar = calendar or Calendar(CalendarRules())
        self.today = today
        self.asking = asking
        self._counts_by = asking.default_calendar if asking else counts_by
        self._named = named_pattern(asking.named_periods) if asking else None

    def find(self, text: str, nouns: frozenset[str] = frozenset()) -> tuple[Period, ...]:
        """Return the periods of a text in order, longest phrase first at each place, ranges put together.

        `nouns` are lower-case words that are counted, so that "the 2026 orders" is a number and not a year.
        """
        atoms = sorted(self._atoms(text, nouns), key=lambda atom: atom.start)
        if self.asking is not None:
            atoms = list(self._of_years(text, atoms))
        return tuple(_join(text, atoms))

    def _atoms(self, text: str, nouns: frozenset[str]) -> Iterator[Atom]:
        taken = bytearray(len(text) + 1)
        end = 0
        for named in self._named_atoms(text):
            taken[named.start : named.end] = b"\1" * (named.end - named.start)
            yield named
        for opener in OPENER.finditer(text):
            free = opener.start() >= end and not taken[opener.start()]
            atom = self._atom_at(text, opener) if free else None
            if atom is not None and not any(taken[atom.start : atom.end]):
                taken[atom.start : atom.end] = b"\1" * (atom.end - atom.start)
                end = atom.end
                yield atom
        yield from self._years(text, taken, nouns)

    def _named_atoms(self, text: str) -> Iterator[Atom]:
        """Yield the named periods of a question, each bare: which year, another word says or the rules."""
        periods = self.asking.named_periods if self.asking else ()
        for found in self._named.finditer(text) if self._named else ():
            build, years = occurrence_in(periods, found.group("name"))
            said, which = found.group("year"), (found.group("which") or "").lower()
            chosen = (int(said),) if said else which_years(build, years, which, self.today)
            bare = not said and not which
            yield Atom(found.start(), found.end(), build, chosen, bare, kind="named")

    def _atom_at(self, text: str, opener: re.Match[str]) -> Atom | None:
        """Return the period phrase that opens at a word, by the first pattern that fits."""
        word = opener.group().lower()
        patterns = PATTERNS if self.asking is None else ASKED_PATTERNS
        for kind, pattern in patterns.of("0" if word.isdigit() else word):
            found = pattern.match(text, opener.start())
            atom = self._atom(kind, found) if found and self._is_plausible(kind, found) else None
            if atom is not None:
                return atom
        return None

    def _atom(self, kind: str, found: re.Match[str]) -> Atom | None:
        groups = {name: value for name, value in found.groupdict().items() if value}
        if self._counts_by:
            groups.setdefault("by", COUNTS_BY.get(kind, self._counts_by))
        bounds: Bounds = ALL_BOUNDS[kind](self.calendar, self.today, groups)
        years = bounds.years or tuple(range(self.today.year + 1, self.today.year - 4, -1))
        years = tuple(year for year in years if MINYEAR < year < MAXYEAR)
        if bounds.build is None or not years:
            return None
        end = found.start() + len(found.group().rstrip(",. "))
        return Atom(found.start(), end, bounds.build, years, not bounds.years, bounds.relative, kind, groups)

    def _is_plausible(self, kind: str, found: re.Match[str]) -> bool:
        """Tell whether a phrase is a period; questions write months small and say "per week from May"."""
        if self.asking is None:
            return _is_plausible(kind, found)
        if kind == "week_of" and WEEK_FROM.match(found.group()):
            return False
        if kind == "month" and not is_english_month(found):
            return False
        return _is_plausible(kind, found) or (kind == "month" and reads_as_month(found))

    def _years(self, text: str, taken: bytearray, nouns: frozenset[str]) -> Iterator[Atom]:
        """Yield four-digit years where a year may stand ("in 2026", "the 2004 season")."""
        last = -1
        for found in YEAR.finditer(text):
            start, end = found.span()
            if any(taken[start:end]):
                last = end
                continue
            follows = last >= 0 and NEXT_YEAR.fullmatch(text[last:start]) is not None
            asked = self.asking is not None and COUNTED.search(text[:start]) is None
            if follows or asked or is_year(text, start, end, nouns):
                last = end
                year = int(found.group())
                build = bucket_in(self.calendar, 1, 1, "year")
                yield Atom(start, end, build, (year,), kind="year", groups={"year": found.group()})

    def _of_years(self, text: str, atoms: Sequence[Atom]) -> Iterator[Atom]:
        """Yield atoms, putting "Q3 last year", "October of this year" and "last year's Q3" together."""
        place = 0
        while place < len(atoms):
            atom = atoms[place]
            later = atoms[place + 1] if place + 1 < len(atoms) else None
            if later is not None and YEAR_GAP.fullmatch(text[atom.end : later.start]):
                part, whole = (atom, later) if atom.bare else (later, atom)
                # "vs last year, Q2" are two periods
                apart = part is later and "," in text[atom.end : later.start]
                part = self._counted_like(part, whole)
                year = _year_of(whole, part, self.calendar)
                if year is not None and part.bare and not apart:
                    yield replace(part, start=atom.start, end=later.end, years=(year,), bare=False)
                    place += 2
                    continue
            yield atom
            place += 1

    def _counted_like(self, part: Atom, whole: Atom) -> Atom:
        """Return a quarter or half read by the calendar of the year beside it ("Q3 of last fiscal year")."""
        if part.kind not in ("quarter", "half") or "by" not in whole.groups:
            return part
        groups = {**part.groups, "by": whole.groups["by"]}
        build = ALL_BOUNDS[part.kind](self.calendar, self.today, groups).build
        return replace(part, build=build, groups=groups) if build else part


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


def _year_of(whole: Atom, part: Atom, calendar: Calendar) -> int | None:
    """Return the number of the year that `whole` names, as its part counts years; None for other phrases."""
    if whole.kind == "year":
        return whole.years[0]
    if not _is_year(whole):
        return None
    window = whole.build(whole.years[0])
    if window is None:
        return None
    fiscal = whole.kind == "fiscal" or whole.groups.get("by") in ("fiscal", "financial")
    if fiscal and part.kind in ("quarter", "half"):
        return calendar.fiscal_year(window[0])
    found = {year for year in (window[0].year, window[0].year + 1) if _within(part.build(year), window)}
    return found.pop() if len(found) == 1 else None


def _is_year(atom: Atom) -> bool:
    """Tell whether a phrase is a whole year: "last year", "FY26", "calendar year 2025"."""
    if atom.kind == "fiscal":
        return not atom.groups.keys() & {"number", "late", "half", "late_half", "part"}
    unit = atom.groups.get("unit", "").lower()
    return atom.kind in ("split_year", "calendar_year") or (atom.kind == "this_unit" and unit == "year")


def _within(inner: Window | None, outer: Window) -> bool:
    return inner is not None and outer[0] <= inner[0] and inner[1] <= outer[1]


def _join(text: str, atoms: Sequence[Atom]) -> Iterator[Period]:
    """Yield periods, joining "X to Y" and "between X and Y" into one window from X's start to Y's end."""
    place = 0
    while place < len(atoms):
        atom = atoms[place]
        later = atoms[place + 1] if place + 1 < len(atoms) else None
        ranges = tuple(_range(atom, later)) if later is not None and _is_range(text, atom, later) else ()
        if later is not None and ranges:
            readings, tails = tuple(window for window, _ in ranges), tuple(tail for _, tail in ranges)
            bare = atom.bare and later.bare
            groups = atom.groups if atom.kind == "numeric" else later.groups
            yield Period(atom.start, later.end, readings, bare, kind="range", groups=groups, tails=tails)
            place += 2
            continue
        windows = (atom.build(year) for year in atom.years)
        readings = tuple(dict.fromkeys(w for w in windows if w))
        yield Period(
            atom.start, atom.end, readings, atom.bare, atom.relative, atom.kind, atom.groups, readings
        )
        place += 1


def _is_range(text: str, first: Atom, second: Atom) -> bool:
    if first.relative or second.relative:
        return False
    gap = text[first.end : second.start].strip().lower().removesuffix(" the")
    if gap in RANGE:
        return True
    return gap in ("and", "und") and text[: first.start].rstrip().lower().removesuffix(" the").endswith(
        ("between", "zwischen")
    )


def _range(first: Atom, second: Atom) -> Iterator[tuple[Window, Window]]:
    """Yield (the whole range, its last period) for each year that the last period may lie in.

    Two dates in figures are written in one order: one that is no date in it settles the other. Beside another
    period, a date in figures begins the range in either order.
    """
    in_figures = first.kind == "numeric"
    if in_figures and second.kind == "numeric":
        yield from _in_one_order(first, second)
        return
    for year in second.years:
        last = second.build(year)
        starts = (first.build(start) for start in ((year, year - 1) if first.bare else first.years))
        begun = [start for start in starts if start and last and start[0] < last[1]]
        for begin in begun if in_figures else begun[:1]:
            if last:
                yield (begin[0], last[1]), last


def _in_one_order(first: Atom, second: Atom) -> Iterator[tuple[Window, Window]]:
    ones, twos = by_order(first.groups), by_order(second.groups)
    for order, begin in ones.items():
        last = twos.get(order)
        if last is not None and begin[0] < last[1]:
            yield (begin[0], last[1]), last
