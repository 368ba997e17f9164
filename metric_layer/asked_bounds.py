"""The days of periods that only questions name: next, ago, weekdays, short dates, named periods."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta

from metric_layer.asked_words import WEEKDAYS
from metric_layer.asking import NamedPeriod
from metric_layer.calendar import Calendar
from metric_layer.period_bounds import (
    BOUNDS,
    MONTHS_IN,
    Bounds,
    Build,
    Groups,
    Window,
    bucket_in,
    count_of,
    is_fiscal,
    listed,
    unit_back,
    unit_bounds,
    unit_said,
)

ONE_DAY = timedelta(days=1)
LAST_OF_ALL = 28
"""The last day that every month has."""


def occurrence_in(periods: Sequence[NamedPeriod], said: str) -> tuple[Build, tuple[int, ...]]:
    """Return a builder for a named period's days in a year, and its years, latest first."""
    folded = " ".join(said.lower().split())
    chosen = next(p for p in periods if folded in {name.lower() for name in (p.name, *p.synonyms)})
    days = {each.year: (each.from_, each.to + ONE_DAY) for each in chosen.occurrences}
    return days.get, tuple(sorted(days, reverse=True))


def which_years(build: Build, years: tuple[int, ...], which: str, today: date) -> tuple[int, ...]:
    """Return the years that "this", "next" or "last" may mean; "last" is unclear once this year's is over."""
    if which in ("this", "next"):
        return (today.year + (which == "next"),)
    if not which:
        return years
    over = [year for year in years if (window := build(year)) and window[1] <= today]
    return tuple(year for year in over[:2] if year == over[0] or over[0] == today.year)


def _nothing(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    """A phrase that names no days: vague, or a date that no calendar holds."""
    return Bounds(lambda year: None, (today.year,))


def _future(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    """Any time after today: a question about it is refused whatever its days are."""
    return Bounds(lambda year: (today + ONE_DAY, today + 2 * ONE_DAY), (today.year,))


def _day_span(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    first = BOUNDS["day"](calendar, today, groups)
    last = BOUNDS["day"](calendar, today, {**groups, "day": groups["last_day"]})

    def build(year: int) -> Window | None:
        start, end = (each.build(year) if each.build else None for each in (first, last))
        return (start[0], end[1]) if start and end and start[0] < end[1] else None

    return Bounds(build, first.years)


def _short_date(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    """Read 03/04 or 03/04/26 in both orders: none of them is safe."""
    one, two = int(groups["one"]), int(groups.get("two", "0"))
    year = 2000 + int(groups["late"]) if "late" in groups else today.year
    found = (bucket_in(calendar, month, day, "day", year)(year) for month, day in ((two, one), (one, two)))
    return listed([window for window in dict.fromkeys(found) if window is not None], year)


def _week_number(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    """Week n counts by ISO; where the layer's weeks start on another day, its own week is a reading too."""
    iso = BOUNDS["iso_week"](calendar, today, groups)
    if calendar.rules.week_start == "monday" or iso.build is None:
        return iso
    year = iso.years[0] if iso.years else today.year
    window = iso.build(year)
    return listed([window, unit_bounds(calendar, window[0], "week")] if window else [], year)


def _this_fiscal_year(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    return BOUNDS["this_unit"](calendar, today, {**groups, "unit": "year", "by": "fiscal"})


def _week_ending(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    """The seven days up to a day; where the layer's week ends on another day, that week is a reading too."""
    day = BOUNDS["day"](calendar, today, groups)
    year = day.years[0] if day.years else today.year
    window = day.build(year) if day.build else None
    if window is None:
        return _nothing(calendar, today, groups)
    week = unit_bounds(calendar, window[0], "week")
    return listed(list(dict.fromkeys([(window[1] - timedelta(days=7), window[1]), week])), year)


def _twelve_months(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    return BOUNDS["last_n"](calendar, today, {"count": "12", "unit": "month"})


def _before_last(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    unit, fiscal = unit_said(groups), is_fiscal(groups)
    first = unit_back(calendar, today, unit, 2, fiscal=fiscal)
    window = unit_bounds(calendar, first, unit, fiscal=fiscal) if first else None
    return Bounds(lambda year: window, (today.year,))


def _ago(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    """Days and whole units ago; of weeks the week and the day of it are both meant."""
    unit = unit_said(groups)
    count = 1 if groups["count"].lower() in ("a", "an") else count_of(groups["count"])
    fiscal = is_fiscal(groups)
    first = unit_back(calendar, today, unit, count, fiscal=fiscal)
    if first is None:
        return _nothing(calendar, today, groups)
    window = unit_bounds(calendar, first, unit, fiscal=fiscal)
    if unit != "week":
        return Bounds(lambda year: window, (today.year,))
    day = today - timedelta(days=7 * count)
    return listed([window, (day, day + ONE_DAY)], today.year)


def _ending(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    """The months, quarters, years or weeks up to the end of a month, or to a day.

    A single quarter or half has to end there by the fiscal or the plain calendar; else it has no days.
    """
    named = {**groups, "day": groups["last_day"]} if "last_day" in groups else groups
    end = BOUNDS["day" if "last_day" in groups else "month"](calendar, today, named)
    unit, count = unit_said(groups), count_of(groups["count"]) if "count" in groups else 0
    span = MONTHS_IN.get(unit, 0) * (count or 1)
    days = {"week": 7, "day": 1}.get(unit, 0) * (count or 1)

    def build(year: int) -> Window | None:
        last = end.build(year) if end.build else None
        if last is None:
            return None
        if days:
            return last[1] - timedelta(days=days), last[1]
        first = _months_before(last[1], span)
        if first is None or (unit in ("quarter", "half") and not count and not ends(first, last[1])):
            return None
        return first, last[1]

    def ends(first: date, after: date) -> bool:
        whole = (unit_bounds(calendar, after - ONE_DAY, unit, fiscal=fiscal) for fiscal in (False, True))
        return (first, after) in whole

    return Bounds(build, end.years)


def _months_before(day: date, months: int) -> date | None:
    """Return the same day some months earlier; None for a day that not every month has."""
    start = day.year * 12 + day.month - 1 - months
    return date(start // 12, start % 12 + 1, day.day) if day.day <= LAST_OF_ALL else None


def _part_days(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    """The first or last days of a month, as many as it has at most."""
    month, count = BOUNDS["month"](calendar, today, groups), count_of(groups["count"])

    def build(year: int) -> Window | None:
        whole = month.build(year) if month.build else None
        if whole is None or not 0 < count <= (whole[1] - whole[0]).days:
            return None
        width = timedelta(days=count)
        return (
            (whole[0], whole[0] + width)
            if groups["edge"].lower() == "first"
            else (whole[1] - width, whole[1])
        )

    return Bounds(build, month.years)


def _weekday(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    """The latest such day before today; "last Friday" may also be that of the week before this one."""
    back = (today.weekday() - WEEKDAYS.index(groups["weekday"].lower())) % 7
    latest = today - timedelta(days=back or 7)
    which = groups.get("which", "").lower()
    if which == "this":
        week = unit_bounds(calendar, today, "week")[0]
        day = week + timedelta(days=(WEEKDAYS.index(groups["weekday"].lower()) - week.weekday()) % 7)
        return listed([(day, day + ONE_DAY)], today.year)
    others = [latest]
    if which and latest >= unit_bounds(calendar, today, "week")[0]:
        others.append(latest - timedelta(days=7))
    if not which and back == 0:
        others.append(today)
    return listed([(day, day + ONE_DAY) for day in others], today.year)


def _last_part(calendar: Calendar, today: date, groups: Groups) -> Bounds:
    """ "Last October", "last Q3": the latest that is over, or that of last year; "this" is this year's."""
    kind = "month" if "month" in groups else "quarter" if "number" in groups else "half"
    part = {**groups, "number": groups["half"]} if kind == "half" else groups
    build = BOUNDS[kind](calendar, today, part).build
    fiscal = is_fiscal(groups) and kind != "month"
    this = calendar.fiscal_year(today) if fiscal else today.year
    if build is None:
        return _nothing(calendar, today, groups)
    if groups["which"].lower() == "this":
        return Bounds(build, (this,))
    over = [window for year in (this, this - 1) if (window := build(year)) and window[1] <= today]
    found = [*over[:1], *(window for window in (build(this - 1),) if window)]
    return listed(list(dict.fromkeys(found)), today.year)


ASKED_BOUNDS: Mapping[str, Callable[[Calendar, date, Groups], Bounds]] = {
    "day_span": _day_span,
    "short_date": _short_date,
    "week_number": _week_number,
    "this_fiscal_year": _this_fiscal_year,
    "week_ending": _week_ending,
    "twelve_months": _twelve_months,
    "before_last": _before_last,
    "ending": _ending,
    "part_days": _part_days,
    "ago": _ago,
    "future": _future,
    "weekday": _weekday,
    "last_part": _last_part,
    "invalid": _nothing,
    "vague": _nothing,
}
