"""From the parts of a period phrase to its days: one function per way to say it."""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import MINYEAR, date, timedelta

from metric_layer.calendar import Calendar
from metric_layer.dates import MOST_MONTHS, nearest_date
from metric_layer.period_words import COUNTS, FISCAL_UNITS, MONTHS, ORDINALS, TENS, UNITS
from metric_layer.plan import Grain

Window = tuple[date, date]
Build = Callable[[int], Window | None]
Groups = Mapping[str, str]
HUNDRED_YEARS = 2_000
MONTHS_IN = {"month": 1, "quarter": 3, "half": 6, "year": 12}


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


def is_fiscal(groups: Groups) -> bool:
    """Tell whether a phrase counts by the fiscal calendar: by its own word, else by the caller's default."""
    return groups.get("by", "").lower() in ("fiscal", "financial")


def unit_bounds(calendar: Calendar, day: date, unit: str, *, fiscal: bool = False) -> Window:
    """Return the day, week, month, quarter, half or year that holds a day, as (first day, day after)."""
    if unit == "half":
        first, after = unit_bounds(calendar, day, "year", fiscal=fiscal)
        middle = first
        for _ in range(2):
            middle = unit_bounds(calendar, middle, "quarter", fiscal=fiscal)[1]
        return (first, middle) if day < middle else (middle, after)
    return calendar.bounds(day, FISCAL_UNITS[unit] if fiscal and unit in ("quarter", "year") else UNITS[unit])


def unit_back(calendar: Calendar, day: date, unit: str, count: int, *, fiscal: bool = False) -> date | None:
    """Return the first day of the unit that lies `count` whole units before the one that holds a day."""
    first = unit_bounds(calendar, day, unit, fiscal=fiscal)[0]
    for _ in range(count):
        if first.year <= MINYEAR + 2:
            return None
        first = unit_bounds(calendar, first - timedelta(days=1), unit, fiscal=fiscal)[0]
    return first


def unit_said(groups: Groups) -> str:
    """Return the unit of a phrase: day, week, month, quarter, half or year."""
    word = groups["unit"].lower()
    return "half" if word.startswith("hal") else word


def _quarter(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    part = _part(groups)
    if is_fiscal(groups):
        return Bounds(lambda year: _fiscal_part(calendar, year, part, part), _years(groups))
    return Bounds(_months(part * 3 - 2, 3), _years(groups))


def _half(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    part = _part(groups)
    if is_fiscal(groups):
        return Bounds(lambda year: _fiscal_part(calendar, year, part * 2 - 1, part * 2), _years(groups))
    return Bounds(_months(part * 6 - 5, 6), _years(groups))


def _fiscal_part(calendar: Calendar, year: int, first: int, last: int) -> Window | None:
    """Return quarters `first` to `last` of a fiscal year."""
    start, end = (calendar.period(f"FY{year:04d}-Q{part}") for part in (first, last))
    return (start[0], end[1]) if start and end else None


def _fiscal(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    year = _full_year(groups["year"])
    if int(groups.get("late_year", -1)) == (year + 1) % 100:  # FY26/27 names both years it runs through
        year += calendar.rules.fiscal_named_by == "end"
    half = groups.get("half") or groups.get("late_half")
    quarter = groups.get("number") or groups.get("late")
    if "ordinal" in groups:
        part = str(ORDINALS[groups["ordinal"].lower()])
        half, quarter = (part, None) if groups["part"].lower() == "half" else (None, part)
    if "period" in groups:
        window = calendar.period(f"FY{year:04d}-P{int(groups['period']):02d}")
    elif half:
        window = _fiscal_part(calendar, year, int(half) * 2 - 1, int(half) * 2) if int(half) < 3 else None
    elif quarter:
        window = _fiscal_part(calendar, year, int(quarter), int(quarter))
    else:
        window = calendar.period(f"FY{year:04d}")
    return Bounds(lambda given: window, (year,))


def _calendar_year(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    return Bounds(_months(1, 12), _years(groups))


def _this_unit(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    unit, fiscal = unit_said(groups), is_fiscal(groups)
    first, after = unit_bounds(calendar, today, unit, fiscal=fiscal)
    if groups["which"].lower() not in ("this", "current", "present"):
        first, after = unit_bounds(calendar, first - timedelta(days=1), unit, fiscal=fiscal)
    return Bounds(lambda year: (first, after), (today.year,))


def _last_n(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    """Whole units that ended before the current one."""
    unit, fiscal = unit_said(groups), is_fiscal(groups)
    count = count_of(groups["count"])
    after = unit_bounds(calendar, today, unit, fiscal=fiscal)[0]
    first = unit_back(calendar, today, unit, count, fiscal=fiscal) if 0 < count <= HUNDRED_YEARS else None
    if first is None:
        return Bounds(None, ())
    return Bounds(lambda year: (first, after), (today.year,))


def count_of(word: str) -> int:
    """Return a count written in digits or as a word."""
    return (COUNTS | TENS).get(word.lower()) or int(word)


def _to_date(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    short = {"y": "year", "m": "month", "q": "quarter", "w": "week"}
    if "fiscal" in groups:
        unit, fiscal = "year", True
    else:
        unit = unit_said(groups) if "unit" in groups else short[groups["short"][0].lower()]
        fiscal = is_fiscal(groups)
    first = unit_bounds(calendar, today, unit, fiscal=fiscal)[0]
    return Bounds(lambda year: (first, today + timedelta(days=1)), (today.year,))


def _day(calendar: Calendar, today: date, groups: Groups, grain: Grain = "day") -> Bounds:
    return Bounds(bucket_in(calendar, *_month_and_day(groups), grain), _years(groups))


def _month_and_day(groups: Groups) -> tuple[int, int]:
    name = (groups.get("month") or groups.get("month_first") or "").lower()
    month = MONTHS[name] if name in MONTHS else int(name)
    return month, int(re.sub(r"\D", "", groups.get("day") or groups.get("day_late") or "1"))


def nearest_day(groups: Groups, year: int) -> date | None:
    """Return the real day nearest to one that a phrase names in vain; `year` stands in for one left out."""
    year = (*_years(groups), year)[0]
    if "mark" in groups:
        one, two = int(groups["one"]), int(groups["two"])
        return nearest_date(year, one, two) if two > MOST_MONTHS else nearest_date(year, two, one)
    named = {"day", "day_late"} & groups.keys() and {"month", "month_first"} & groups.keys()
    return nearest_date(year, *_month_and_day(groups)) if named and "last_day" not in groups else None


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
    return listed(list(by_order(groups).values()), int(groups["year"]))


def by_order(groups: Groups) -> dict[str, Window]:
    """Return the day that a date in figures is in each order it may be written in, as far as there is one."""
    one, two, year = int(groups["one"]), int(groups["two"]), int(groups["year"])
    orders = {"day first": (two, one), "month first": (one, two)}
    found: dict[str, Window] = {}
    for order, (month, day) in orders.items():
        if order == "month first" and groups["mark"] == ".":
            continue
        with suppress(ValueError, OverflowError):
            start = date(year, month, day)
            found[order] = (start, start + timedelta(days=1))
    return found


def _same_in(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    """Every quarter (month, half) of the year named: which one, another window of the sentence says."""
    count = {"month": 1, "quarter": 3, "half": 6}[groups["unit"].lower()]
    year = int(groups["year"])
    found = (_months(first, count)(year) for first in range(1, 13, count))
    return listed([window for window in found if window is not None], year)


def listed(windows: list[Window], year: int) -> Bounds:
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
    "calendar_year": _calendar_year,
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
