"""From the parts of a period phrase to its days: one function per way to say it."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import MINYEAR, date, timedelta

from metric_layer.calendar import Calendar
from metric_layer.period_words import COUNTS, MONTHS, ORDINALS, UNITS
from metric_layer.plan import Grain

Window = tuple[date, date]
Build = Callable[[int], Window | None]
Groups = Mapping[str, str]
HUNDRED_YEARS = 2_000


@dataclass(frozen=True, slots=True)
class Bounds:
    """How to get a phrase's window in a year, and the years named; none named means that any may be meant."""

    build: Build | None
    years: tuple[int, ...]
    relative: bool = False


def bucket_in(calendar: Calendar, month: int, day: int, grain: Grain, fixed: int | None = None) -> Build:
    """Return a builder for the bucket of a day; a `fixed` year ignores the one it is given."""

    def build(year: int) -> Window | None:
        try:
            return calendar.bounds(date(fixed or year, month, day), grain)
        except ValueError:
            return None

    return build


def _months(first: int, count: int) -> Build:
    """Return a builder for `count` whole months of a year from month `first` (1 to 12)."""

    def build(year: int) -> Window:
        start = year * 12 + first - 1
        after = start + count
        return date(start // 12, start % 12 + 1, 1), date(after // 12, after % 12 + 1, 1)

    return build


def _years(groups: Groups) -> tuple[int, ...]:
    for name in ("year", "year_first", "year_late", "short_year", "short"):
        if name in groups:
            return (_full_year(groups[name]),)
    return ()


def _full_year(text: str) -> int:
    return int(text) + 2000 if len(text) == 2 else int(text)


def _part(groups: Groups) -> int:
    number = groups.get("number") or groups.get("late") or groups.get("number_first")
    return int(number) if number else ORDINALS[groups["ordinal"].lower()]


def _quarter(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    return Bounds(_months(_part(groups) * 3 - 2, 3), _years(groups))


def _half(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    return Bounds(_months(_part(groups) * 6 - 5, 6), _years(groups))


def _fiscal(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    quarter = groups.get("number") or groups.get("late")
    year = _full_year(groups["year"])
    window = calendar.period(f"FY{year:04d}" + (f"-Q{quarter}" if quarter else ""))
    return Bounds(lambda given: window, (year,))


def _this_fiscal(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    grain: Grain = "fiscal_year" if groups["unit"].lower() == "year" else "fiscal_quarter"
    return _current(calendar, today, grain, groups["which"])


def _this_unit(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    return _current(calendar, today, UNITS[groups["unit"].lower()], groups["which"])


def _current(calendar: Calendar, today: date, grain: Grain, which: str) -> Bounds:
    first, after = calendar.bounds(today, grain)
    if which.lower() not in ("this", "current"):
        first, after = calendar.bounds(first - timedelta(days=1), grain)
    return Bounds(lambda year: (first, after), (today.year,))


def _last_n(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    """Whole units that ended before the current one."""
    grain = UNITS[groups["unit"].lower()]
    word = groups["count"].lower()
    count = COUNTS[word] if word in COUNTS else int(word)
    after = first = calendar.bucket(today, grain)
    if not 0 < count <= HUNDRED_YEARS:
        return Bounds(None, ())
    for _ in range(count):
        if first.year <= MINYEAR + 1:
            return Bounds(None, ())
        first = calendar.bucket(first - timedelta(days=1), grain)
    return Bounds(lambda year: (first, after), (today.year,))


def _to_date(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    short = {"y": "year", "m": "month", "q": "quarter", "w": "week"}
    unit = groups["unit"].lower() if "unit" in groups else short[groups["short"][0].lower()]
    first = calendar.bucket(today, UNITS[unit])
    return Bounds(lambda year: (first, today + timedelta(days=1)), (today.year,))


def _day(calendar: Calendar, today: date, groups: Groups, grain: Grain = "day") -> Bounds:
    name = (groups.get("month") or groups.get("month_first") or "").lower()
    month = MONTHS[name] if name in MONTHS else int(name)
    day = int(re.sub(r"\D", "", groups.get("day") or groups.get("day_late") or "1"))
    return Bounds(bucket_in(calendar, month, day, grain), _years(groups))


def _month(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    return _day(calendar, today, groups, "month")


def _week_of(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    """The calendar's own week that holds the day named."""
    return _day(calendar, today, groups, "week")


def _cjk(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    grain: Grain = "day" if "day" in groups else "month" if "month" in groups else "year"
    return _day(calendar, today, {"month": "1", **groups}, grain)


def _numeric(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    """Read 01.07.2026 day first; with slashes or hyphens both orders are readings, counted on as years."""
    one, two, year = int(groups["one"]), int(groups["two"]), int(groups["year"])
    orders = [(two, one)] if groups["mark"] == "." else [(two, one), (one, two)]
    found = (bucket_in(calendar, month, day, "day", year)(year) for month, day in orders)
    return _listed([window for window in found if window is not None], year)


def _same_in(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    """Every quarter (month, half) of the year named: which one, another window of the sentence says."""
    count = {"month": 1, "quarter": 3, "half": 6}[groups["unit"].lower()]
    year = int(groups["year"])
    found = (_months(first, count)(year) for first in range(1, 13, count))
    return _listed([window for window in found if window is not None], year)


def _listed(windows: list[Window], year: int) -> Bounds:
    """Return bounds with several readings: the window at `year` plus n is the n-th."""
    if not windows:
        return Bounds(None, ())
    years = tuple(range(year, year + len(windows)))
    return Bounds(lambda given: windows[given - year] if given in years else None, years)


def _split_year(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    year = int(groups["year"])
    window = calendar.period(f"FY{year + (calendar.rules.fiscal_named_by == 'end'):04d}")
    return Bounds(lambda given: window, (year,))


def _iso_week(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    def build(year: int) -> Window | None:
        try:
            first = date.fromisocalendar(year, int(groups["number"]), 1)
        except ValueError:
            return None
        return first, first + timedelta(days=7)

    return Bounds(build, _years(groups))


def _month_span(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    first, last = MONTHS[groups["month"].lower()], MONTHS[groups["last"].lower()]
    return Bounds(_months(first, (last - first) % 12 + 1), _years(groups))


def _shift(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    return Bounds(lambda year: None, (today.year,), relative=True)


def _named_day(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    day = today - timedelta(days=groups["which"].lower() == "yesterday")
    return Bounds(lambda year: (day, day + timedelta(days=1)), (today.year,))


def _all_time(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    return Bounds(lambda year: (date(MINYEAR + 1, 1, 1), today + timedelta(days=1)), (today.year,))


BOUNDS: dict[str, Callable[[Calendar, date, Groups], Bounds]] = {
    "iso_week": _iso_week,
    "iso_day": _day,
    "cjk_day": _cjk,
    "numeric": _numeric,
    "fiscal": _fiscal,
    "this_fiscal": _this_fiscal,
    "split_year": _split_year,
    "quarter": _quarter,
    "half": _half,
    "week_of": _week_of,
    "day": _day,
    "month_span": _month_span,
    "month": _month,
    "last_n": _last_n,
    "this_unit": _this_unit,
    "to_date": _to_date,
    "shift": _shift,
    "same_in": _same_in,
    "named_day": _named_day,
    "all_time": _all_time,
}
