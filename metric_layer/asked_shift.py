"""A settled period moved: the same days a year earlier, or the period just before it."""

from datetime import date

from metric_layer.asked_periods import ONE_DAY, Phrase
from metric_layer.calendar import Calendar
from metric_layer.period_bounds import Window, unit_back, unit_bounds


def year_earlier(phrase: Phrase) -> Window | None:
    """Return the same days a year earlier: whole units stay whole, a named period goes by its own dates."""
    if phrase.window is None or phrase.whole is None:
        return None
    if phrase.kind == "named":
        return phrase.earlier
    first, after = phrase.window
    start = _year_back(first)
    if phrase.window == phrase.whole and phrase.unit in ("month", "quarter", "half", "year"):
        return start, _year_back(after)
    return start, _year_back(after - ONE_DAY) + ONE_DAY


def period_before(calendar: Calendar, phrase: Phrase) -> Window | None:
    """Return the window just before: as many units or days; a running period as far as it has come."""
    if phrase.window is None or phrase.whole is None:
        return None
    first, after = phrase.window
    if not phrase.unit or phrase.unit == "day":
        return first - (after - first), first
    start = unit_back(calendar, first, phrase.unit, phrase.count, fiscal=phrase.fiscal)
    if start is None:
        return None
    complete = unit_bounds(calendar, after - ONE_DAY, phrase.unit, fiscal=phrase.fiscal)[1] == after
    return (start, first) if complete else (start, min(start + (after - first), first))


def _year_back(day: date) -> date:
    try:
        return day.replace(year=day.year - 1)
    except ValueError:  # 29 February
        return day.replace(year=day.year - 1, day=28)


def unit_of(calendar: Calendar, window: Window) -> tuple[str, bool]:
    """Return (unit, fiscal) of a window that is one whole unit of the calendar; ("", False) for others."""
    first, after = window
    for unit in ("day", "week", "month", "quarter", "half", "year"):
        for fiscal in (False, True):
            if unit_bounds(calendar, first, unit, fiscal=fiscal) == (first, after):
                return unit, fiscal
    return "", False
