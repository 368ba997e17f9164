"""The one period parser: which days the words of a text name, by the calendar of the layer."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, date, timedelta

from metric_layer.calendar import Calendar
from metric_layer.definitions import CalendarRules
from metric_layer.plan import Grain

Window = tuple[date, date]
Build = Callable[[int], Window | None]

MONTH_NAMES: tuple[tuple[str, ...], ...] = (
    ("january", "jan", "januar", "janvier", "enero"),
    ("february", "feb", "februar", "février", "febrero"),
    ("march", "mar", "märz", "mars", "marzo"),
    ("april", "apr", "avril", "abril"),
    ("may", "mai", "mayo"),
    ("june", "jun", "juni", "juin", "junio"),
    ("july", "jul", "juli", "juillet", "julio"),
    ("august", "aug", "août", "agosto"),
    ("september", "sept", "sep", "septembre", "septiembre"),
    ("october", "oct", "oktober", "okt", "octobre", "octubre"),
    ("november", "nov", "novembre", "noviembre"),
    ("december", "dec", "dezember", "dez", "décembre", "diciembre"),
)
MONTHS = {name: number for number, names in enumerate(MONTH_NAMES, 1) for name in names}
ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4}
ORDINALS |= {"ersten": 1, "zweiten": 2, "dritten": 3, "vierten": 4}
COUNTS = {
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "twelve": 12,
}
UNITS: dict[str, Grain] = {
    "day": "day",
    "week": "week",
    "month": "month",
    "quarter": "quarter",
    "year": "year",
}

_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_ORDINAL = "|".join(ORDINALS)
_COUNT = r"\d{1,4}|" + "|".join(COUNTS)
_YEAR = r"(?:19|20)\d\d"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|\.)?"
_TAIL = rf"(?:[\s/-]*(?:of\s+|in\s+)?(?P<year>{_YEAR})|\s?'(?P<short>\d\d)\b)?"
_UNIT = r"(?P<unit>day|week|month|quarter|year)s?"

YEAR = re.compile(r"(?<![\w.,$€£¥#+])(?:1[5-9]|20)\d\d(?![\w%]|[.,]\d|\s?(?:thousand|million|billion|percent|per\scent|k\b))")
NEXT_YEAR = re.compile(r"\s?(?:,|and|or|&|,\s?and|–|-|/|to|through)\s?", re.IGNORECASE)
AT_YEAR = re.compile(
    r"(?:\b(?:in|since|during|until|till|through|throughout|years?|calendar|season|im|en|seit|jahr|année|año)\s|\bFY\s?)\Z", re.IGNORECASE
)
NEAR_YEAR = re.compile(
    r"(?:\b(?:for|after|before|between|versus|vs\.?|from|and|over|late|early|mid|the|his|her|their|its|our|this|that|by|of|than\sin)[\s-]|\(|(?:^|[.!?:]\s|\n|\|\s?))\Z",
    re.IGNORECASE,
)
OF_SPAN = re.compile(r"(?:end|beginning|start|middle|summer|winter|spring|autumn|fall|season|part|most|rest|all|half|quarter|class|census|election|edition|months?|\w+ember|\w+uary|months)\sof\s\Z", re.IGNORECASE)
CHANGED_BY = re.compile(r"\b(?:increas|decreas|rose|ris|fell|fall|gr[eo]w|declin|dropp|up|down|more|less|chang)\w*\sby\s\Z", re.IGNORECASE)
COUNTED = re.compile(r"\s(?:[a-z]+\s)?(?P<word>[a-z]+)\b")
PLURAL = re.compile(r"(?!was$|has$|does$|its$|this$|plus$)[a-z]{2,}[^su]s")
COUNT_WORDS = frozenset("people men women children votes km m ft metres meters miles units points copies seats goals runs euros dollars tonnes tons pounds".split())

GRAMMAR: tuple[tuple[str, str], ...] = (
    ("iso_week", r"(?P<year>\d{4})-?W(?P<number>\d{1,2})"),
    ("iso_day", r"(?P<year>\d{4})[-/](?P<month>\d{2})[-/](?P<day>\d{2})"),
    ("cjk_day", r"(?P<year>\d{4})年(?:(?P<month>\d{1,2})月(?:(?P<day>\d{1,2})日)?)?"),
    ("numeric", r"(?P<one>\d{1,2})(?P<mark>[./-])(?P<two>\d{1,2})(?P=mark)(?P<year>\d{4})"),
    ("fiscal_quarter", r"(?:Q(?P<number>[1-4])[\s,-]*(?:of\s+)?FY|FY)\s?'?(?P<year>(?:20|19)?\d\d)(?:[\s-]*Q(?P<late>[1-4]))?(?:[/-]\d\d)?"),
    ("fiscal_year", rf"fiscal\s+(?:year\s+)?(?P<year>{_YEAR})(?:[/-]\d\d)?"),
    ("this_fiscal", r"(?P<which>this|last|previous|current|prior)\s+fiscal\s+(?P<unit>year|quarter)"),
    ("split_year", r"(?P<year>(?:19|20)\d\d)[/–](?P<next>\d\d|(?:19|20)\d\d)"),
    ("quarter", rf"(?:(?P<year_first>{_YEAR})[\s-]?Q(?P<late>[1-4])|Q(?P<number>[1-4]){_TAIL}|(?P<number_first>[1-4])Q[\s-]?(?P<short_year>(?:20)?\d\d))"),
    ("quarter_words", rf"(?P<ordinal>{_ORDINAL})[\s-]+(?:fiscal\s+)?(?:quarter|quartal){_TAIL}"),
    ("half", rf"(?:H(?P<number>[12]){_TAIL}|(?P<number_first>[12])H[\s-]?(?P<short_year>(?:20)?\d\d))"),
    ("half_words", rf"(?P<ordinal>first|second)\s+half(?=\s+(?:of\s+)?(?:the\s+year|{_YEAR})|[.,;]|$)(?:\s+of\s+the\s+year)?{_TAIL}"),
    ("week_of", rf"week\s+(?:of|commencing|beginning|starting|from)\s+(?:(?P<day>{_DAY})\s+(?:of\s+)?(?P<month>{_MONTH})|(?P<month_first>{_MONTH})\s+(?P<day_late>{_DAY})),?{_TAIL}"),
    ("week_iso", r"week\s+(?:of|commencing|beginning|starting|from)\s+(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})"),
    ("week_number", rf"week\s+(?P<number>\d{{1,2}})(?:,?\s*(?:of\s+)?(?P<year>{_YEAR}))?"),
    ("day_month", rf"(?P<day>{_DAY})\s*(?:of\s+)?(?P<month>{_MONTH})\b\.?,?{_TAIL}"),
    ("month_day", rf"(?P<month>{_MONTH})\.?\s+(?P<day>{_DAY})(?!\d|\s?%|,\d|\.\d)(?:,?\s+(?P<year>{_YEAR}))?"),
    ("month_span", rf"(?P<month>{_MONTH})\.?\s*[–-]\s*(?P<last>{_MONTH})\b\.?{_TAIL}"),
    ("month", rf"(?P<month>{_MONTH})\b\.?,?{_TAIL}"),
    ("iso_month", r"(?P<year>(?:19|20)\d\d)-(?P<month>0[1-9]|1[0-2])|(?P<month_first>0[1-9]|1[0-2])/(?P<year_late>(?:19|20)\d\d)"),
    ("last_n", rf"(?:last|past|previous|trailing|prior)\s+(?P<count>{_COUNT})[\s-]+{_UNIT}"),
    ("this_unit", rf"(?P<which>this|current|last|past|previous|prior)\s+(?P<unit>week|month|quarter|year)(?P<ago>'?s)?"),
    ("to_date", r"(?P<unit>year|month|quarter|week)[\s-]to[\s-]date|(?P<short>[YMQW]TD)"),
    ("same", rf"same\s(?:quarter|month|week|period|time|day|half)\s(?:of\s|in\s)?(?:the\s)?(?:last\syear|previous\syear|prior\syear|a\syear\s(?:earlier|ago))"),
    ("same_in", rf"same\s(?P<unit>quarter|month|half)\s(?:of|in)\s(?P<year>{_YEAR})"),
    ("shift", r"(?:a|one|the)\s+(?P<unit>year|month|quarter|week)\s+(?:earlier|ago|before|prior)|year[\s-](?:over|on)[\s-]year|yoy"),
    ("named_day", r"(?P<which>yesterday|today)"),
    ("all_time", r"(?P<which>all[\s-]time|since\s+(?:launch|inception))"),
)  # fmt: skip
OPENER = re.compile(r"[^\W\d_]+|\d+")
_LAST = frozenset(("last", "past", "previous", "trailing", "prior", "this", "current"))
OPENERS: dict[str, frozenset[str]] = {
    "iso_week": frozenset("0"), "iso_day": frozenset("0"), "cjk_day": frozenset("0"), "numeric": frozenset("0"),
    "fiscal_quarter": frozenset(("q", "fy")), "fiscal_year": frozenset(("fiscal",)), "this_fiscal": _LAST,
    "split_year": frozenset("0"), "quarter": frozenset(("q", "0")),
    "quarter_words": frozenset(ORDINALS) | {"0"}, "half": frozenset(("h", "0")), "half_words": frozenset(("first", "second")),
    "week_of": frozenset(("week",)), "week_iso": frozenset(("week",)), "week_number": frozenset(("week",)),
    "day_month": frozenset("0"), "month_day": frozenset(MONTHS), "month_span": frozenset(MONTHS), "month": frozenset(MONTHS),
    "iso_month": frozenset("0"), "last_n": _LAST, "this_unit": _LAST,
    "to_date": frozenset(("year", "month", "quarter", "week", "ytd", "mtd", "qtd", "wtd")),
    "same": frozenset(("same",)), "same_in": frozenset(("same",)), "shift": frozenset(("a", "one", "the", "year", "yoy")), "named_day": frozenset(("yesterday", "today")),
    "all_time": frozenset(("all", "since")),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of text that names days. `readings` are half-open windows; more than one when a reader must choose.

    `bare` is true when the year was left out; `relative` when the words only make sense beside another window.
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
        """Compile the grammar for one calendar and one day."""
        self.calendar = calendar or Calendar(CalendarRules())
        self.today = today
        self._patterns = {
            kind: re.compile(rf"(?<![\w$€£]){pattern}(?![\w])", re.IGNORECASE) for kind, pattern in GRAMMAR
        }
        self._kinds = {word: tuple(k for k, _ in GRAMMAR if word in OPENERS[k]) for words in OPENERS.values() for word in words}

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
            if opener.start() < end:
                continue
            word = opener.group().lower()
            for kind in self._kinds.get("0" if word.isdigit() else word, ()):
                found = self._patterns[kind].match(text, opener.start())
                atom = self._atom(kind, found) if found and _is_plausible(kind, found) else None
                if atom is not None:
                    taken[atom.start : atom.end] = b"\1" * (atom.end - atom.start)
                    end = atom.end
                    yield atom
                    break
        yield from self._years(text, taken, nouns)

    def _years(self, text: str, taken: bytearray, nouns: frozenset[str]) -> Iterator[Atom]:
        """Yield four-digit years that stand where a year stands ("in 2026", "the 2004 season", "2024, 2025")."""
        last = -1
        for found in YEAR.finditer(text):
            start, end = found.span()
            if any(taken[start:end]):
                last = end
                continue
            follows = last >= 0 and NEXT_YEAR.fullmatch(text[last:start]) is not None
            if follows or _is_year(text, start, end, nouns):
                taken[start:end] = b"\1" * (end - start)
                last = end
                yield Atom(start, end, self._bounds_of(int(found.group()), 1, 1, "year"), (int(found.group()),))

    def _atom(self, kind: str, found: re.Match[str]) -> Atom | None:
        groups = {name: value for name, value in found.groupdict().items() if value}
        build, years, relative = BUILDERS[kind](self, groups)
        if build is None:
            return None
        bare = not years
        if bare:
            years = tuple(range(self.today.year + 1, self.today.year - 4, -1))
        years = tuple(year for year in years if MINYEAR < year < MAXYEAR)
        end = found.start() + len(found.group().rstrip(",. ")) if found.group()[-1] in ",. " else found.end()
        return Atom(found.start(), end, build, years, bare, relative) if years else None

    def _bounds_of(self, year: int | None, month: int, day: int, grain: Grain) -> Build:
        """Return a builder for the bucket of a day; a fixed `year` ignores the one it is given."""

        def build(given: int) -> Window | None:
            try:
                return self.calendar.bounds(date(year or given, month, day), grain)
            except ValueError:
                return None

        return build


Built = tuple[Build | None, tuple[int, ...], bool]
Groups = dict[str, str]


def _is_plausible(kind: str, found: re.Match[str]) -> bool:
    """Tell whether a phrase is a period and not a word that looks like one ("may", "march")."""
    if kind == "month" and not (found.groupdict().get("year") or found.groupdict().get("short")):
        return found.group()[0].isupper() and not found.group().startswith("MAR")
    if kind == "split_year":
        year, late = int(found["year"]), int(found["next"])
        return late in (year + 1, (year + 1) % 100)
    return True


def _is_year(text: str, start: int, end: int, nouns: frozenset[str]) -> bool:
    """Tell whether the words around four digits make them a year and not a count."""
    before = text[max(0, start - 24) : start]
    if AT_YEAR.search(before):
        return True
    if not NEAR_YEAR.search(before) or CHANGED_BY.search(before):
        return False
    after = text[end : end + 32]
    following = re.match(r"\s(?P<first>[a-z]+)(?:\s(?P<second>[a-z]+))?", after)
    counted = nouns | COUNT_WORDS
    if following and (following["first"] in counted or (following["second"] or "") in counted):
        return False
    plain = re.search(r"\b(?:the|his|her|their|its|our|this|that)\s\Z", before, re.IGNORECASE)
    if following and not plain and PLURAL.fullmatch(following["first"]):
        return False
    if before.lower().endswith(" of "):
        return OF_SPAN.search(before) is not None
    lone = before == "" or before[-2:] in (". ", "! ", "? ", ": ") or before[-1:] in "\n|"
    return not lone or following is None or following["first"] in ("was", "is", "saw", "had", "has", "brought", "ended", "began", "marked")


def _year(groups: Groups) -> tuple[int, ...]:
    for name in ("year", "year_first", "year_late", "short_year", "short"):
        if name in groups:
            return (_full_year(groups[name]),)
    return ()


def _full_year(text: str) -> int:
    return int(text) + 2000 if len(text) == 2 else int(text)


def _number(text: str) -> int:
    return COUNTS[text.lower()] if text.lower() in COUNTS else int(text)


def _day_number(text: str) -> int:
    return int(re.sub(r"\D", "", text))


def _months(parser: PeriodParser, first: int, count: int) -> Build:
    """Return a builder for `count` whole months of a year from month `first` (1 to 12)."""

    def build(year: int) -> Window:
        start, after = year * 12 + first - 1, year * 12 + first - 1 + count
        return date(start // 12, start % 12 + 1, 1), date(after // 12, after % 12 + 1, 1)

    return build


def _quarter(parser: PeriodParser, groups: Groups) -> Built:
    number = groups.get("number") or groups.get("late") or groups.get("number_first")
    quarter = int(number) if number else ORDINALS[groups["ordinal"].lower()]
    return _months(parser, quarter * 3 - 2, 3), _year(groups), False


def _half(parser: PeriodParser, groups: Groups) -> Built:
    number = groups.get("number") or groups.get("number_first")
    half = int(number) if number else ORDINALS[groups["ordinal"].lower()]
    return _months(parser, half * 6 - 5, 6), _year(groups), False


def _fiscal(parser: PeriodParser, groups: Groups) -> Built:
    quarter = groups.get("number") or groups.get("late")
    label = f"FY{_full_year(groups['year']):04d}" + (f"-Q{quarter}" if quarter else "")
    window = parser.calendar.period(label)
    return (lambda year: window), (_full_year(groups["year"]),), False


def _this_fiscal(parser: PeriodParser, groups: Groups) -> Built:
    grain: Grain = "fiscal_year" if groups["unit"].lower() == "year" else "fiscal_quarter"
    return _current(parser, grain, groups["which"].lower()), (parser.today.year,), False


def _this_unit(parser: PeriodParser, groups: Groups) -> Built:
    grain = UNITS[groups["unit"].lower()]
    return _current(parser, grain, groups["which"].lower()), (parser.today.year,), False


def _current(parser: PeriodParser, grain: Grain, which: str) -> Build:
    first, after = parser.calendar.bounds(parser.today, grain)
    if which not in ("this", "current"):
        first, after = parser.calendar.bounds(first - timedelta(days=1), grain)
    return lambda year: (first, after)


def _last_n(parser: PeriodParser, groups: Groups) -> Built:
    grain, count = UNITS[groups["unit"].lower()], _number(groups["count"])
    if not 0 < count <= 2000:
        return None, (), False
    after = first = parser.calendar.bucket(parser.today, grain)
    for _ in range(count):
        if first.year <= MINYEAR + 1:
            return None, (), False
        first = parser.calendar.bucket(first - timedelta(days=1), grain)
    return (lambda year: (first, after)), (parser.today.year,), False


def _to_date(parser: PeriodParser, groups: Groups) -> Built:
    unit = (
        groups.get("unit", "").lower()
        or {"y": "year", "m": "month", "q": "quarter", "w": "week"}[groups["short"][0].lower()]
    )
    first = parser.calendar.bucket(parser.today, UNITS[unit])
    return (lambda year: (first, parser.today + timedelta(days=1))), (parser.today.year,), False


def _day(parser: PeriodParser, groups: Groups, grain: Grain = "day") -> Built:
    name = groups.get("month") or groups.get("month_first") or ""
    month = MONTHS[name.lower()] if name.lower() in MONTHS else int(name)
    day = _day_number(groups.get("day") or groups.get("day_late") or "1")
    return parser._bounds_of(None, month, day, grain), _year(groups), False


def _numeric(parser: PeriodParser, groups: Groups) -> Built:
    """Read 01.07.2026 day first; with slashes or hyphens both orders are readings."""
    one, two, year = int(groups["one"]), int(groups["two"]), int(groups["year"])
    orders = [(two, one)] if groups["mark"] == "." else [(two, one), (one, two)]
    windows = [
        w for month, day in orders if (w := parser._bounds_of(year, month, day, "day")(year)) is not None
    ]
    if not windows:
        return None, (), False
    return (lambda given: windows[0] if given == year else windows[-1]), (year, year + 1), False


def _split_year(parser: PeriodParser, groups: Groups) -> Built:
    window = parser.calendar.period(
        f"FY{int(groups['year']) + (parser.calendar.rules.fiscal_named_by == 'end'):04d}"
    )
    return (lambda year: window), (int(groups["year"]),), False


def _iso_week(parser: PeriodParser, groups: Groups) -> Built:
    def build(year: int) -> Window | None:
        try:
            first = date.fromisocalendar(year, int(groups["number"]), 1)
        except ValueError:
            return None
        return first, first + timedelta(days=7)

    return build, _year(groups), False


def _month_span(parser: PeriodParser, groups: Groups) -> Built:
    first, last = MONTHS[groups["month"].lower()], MONTHS[groups["last"].lower()]
    return _months(parser, first, (last - first) % 12 + 1), _year(groups), False


def _shift(parser: PeriodParser, groups: Groups) -> Built:
    return (lambda year: None), (parser.today.year,), True


def _same_in(parser: PeriodParser, groups: Groups) -> Built:
    """Every quarter (month, half) of the year named: which one, the other window of the sentence says."""
    count = {"month": 1, "quarter": 3, "half": 6}[groups["unit"].lower()]
    year = int(groups["year"])
    spans = [_months(parser, first, count)(year) for first in range(1, 13, count)]
    return (lambda given: spans[given - year] if 0 <= given - year < len(spans) else None), tuple(range(year, year + len(spans))), False


def _named_day(parser: PeriodParser, groups: Groups) -> Built:
    day = parser.today - timedelta(days=groups["which"].lower() == "yesterday")
    return (lambda year: (day, day + timedelta(days=1))), (parser.today.year,), False


def _all_time(parser: PeriodParser, groups: Groups) -> Built:
    return (
        (lambda year: (date(MINYEAR + 1, 1, 1), parser.today + timedelta(days=1))),
        (parser.today.year,),
        False,
    )


def _week_of(parser: PeriodParser, groups: Groups) -> Built:
    """The seven days from the day named; the calendar's own week when that day lies inside one."""
    return _day(parser, groups, "week")


BUILDERS: dict[str, Callable[[PeriodParser, Groups], Built]] = {
    "iso_week": _iso_week,
    "iso_day": _day,
    "cjk_day": lambda parser, groups: _day(parser, {"month": "1", **groups}, _cjk_grain(groups)),
    "numeric": _numeric,
    "fiscal_quarter": _fiscal,
    "fiscal_year": _fiscal,
    "this_fiscal": _this_fiscal,
    "split_year": _split_year,
    "quarter": _quarter,
    "quarter_words": _quarter,
    "half": _half,
    "half_words": _half,
    "week_of": _week_of,
    "week_iso": _week_of,
    "week_number": _iso_week,
    "day_month": _day,
    "month_day": _day,
    "month_span": _month_span,
    "month": lambda parser, groups: _day(parser, groups, "month"),
    "iso_month": lambda parser, groups: _day(parser, groups, "month"),
    "last_n": _last_n,
    "this_unit": _this_unit,
    "to_date": _to_date,
    "same": _shift,
    "same_in": _same_in,
    "shift": _shift,
    "named_day": _named_day,
    "all_time": _all_time,
}


def _cjk_grain(groups: Groups) -> Grain:
    return "day" if "day" in groups else "month" if "month" in groups else "year"


def _join(text: str, atoms: Sequence[Atom]) -> Iterator[Period]:
    """Yield periods, joining "X to Y" and "between X and Y" into one window from X's start to Y's end."""
    place = 0
    while place < len(atoms):
        atom = atoms[place]
        later = atoms[place + 1] if place + 1 < len(atoms) else None
        if later is not None and _is_range(text, atom, later):
            readings = tuple(_range_readings(atom, later))
            if readings:
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
    if gap in ("through", "thru", "until", "till", "–", "-", "to", "bis"):
        return True
    return gap in ("and", "und") and text[: first.start].rstrip().lower().endswith(("between", "zwischen"))


def _range_readings(first: Atom, second: Atom) -> Iterator[Window]:
    for year in second.years:
        last = second.build(year)
        years = (year, year - 1) if first.bare else first.years
        starts = (first.build(start) for start in years)
        begin = next((start for start in starts if start and last and start[0] < last[1]), None)
        if begin and last:
            yield begin[0], last[1]
