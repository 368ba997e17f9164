"""The second window of a comparison, from the words behind "versus" and the window they are held against."""

import re
from dataclasses import dataclass, replace
from datetime import date

from gateway.intake.outcome import ComparedWindow
from metric_layer.asked_periods import ONE_DAY, Phrase
from metric_layer.asked_shift import period_before, year_earlier
from metric_layer.calendar import Calendar, OutsideCalendar
from metric_layer.definitions import Span
from metric_layer.frames import last_passed
from metric_layer.period_bounds import Window, count_of
from metric_layer.plan import Compare
from metric_layer.plan import Window as PlanWindow
from metric_layer.shifts import Shift, shift_of

OF_UNIT = re.compile(
    r"(?:last|previous|prior|preceding)\s(?P<unit>week|month|quarter|half|year)", re.IGNORECASE
)
EARLIER = re.compile(r"(?P<unit>week|month|quarter|half|year)\s(?:before|earlier|prior|ago)", re.IGNORECASE)
OVER = re.compile(r"(?P<unit>week|month|quarter|year)[\s-](?:over|on)", re.IGNORECASE)
COUNTED = re.compile(
    r"(?:the\s)?(?P<count>\w+)\s(?P<unit>day|week|month|quarter|year)s\s(?:before|earlier|prior)",
    re.IGNORECASE,
)
SHORT = {"yoy": "year", "mom": "month", "qoq": "quarter", "wow": "week"}
EARLIER_WORDS = frozenset(("previous", "prior", "preceding"))
SO_FAR = frozenset(("this_unit", "to_date"))
YEARS = frozenset(("year", "calendar_year", "fiscal", "split_year"))


@dataclass(frozen=True, slots=True)
class Compared:
    """A comparison, or the readings between which the asker must choose (none: the words fit no window)."""

    compare: ComparedWindow | None
    window: Window | None = None
    options: tuple[str, ...] = ()


def compared_with(main: Phrase, other: Phrase, calendar: Calendar) -> Compared:
    """Return the comparison of a settled window with what another phrase says."""
    if main.window is None or main.whole is None:
        return Compared(None)
    if other.kind == "same_in":
        return _same_in(main, other.text)
    if other.is_shift:
        return _by_shift(main, other.text, calendar)
    if other.window is None or other.whole is None:
        return Compared(None)
    if other.kind == "this_unit" and other.which not in ("this", "current", "present"):
        return _last_unit(main, other, calendar)
    if other.kind == "ago" and other.unit not in ("day", "year"):
        return Compared(None)  # counted from today, or from the first window
    if other.kind == "last_n" and other.text.split()[0].lower() in EARLIER_WORDS:
        alike = (other.unit, other.count) == (main.unit, main.count)
        return of_kind("previous_period", period_before(calendar, main)) if alike else Compared(None)
    if main.kind == "to_date" and other.kind in YEARS:
        return Compared(None)
    if other.unit == "year" and main.unit != "year":
        earlier = year_earlier(main)
        same_year = earlier is not None and other.whole[0] <= earlier[0] and earlier[1] <= other.whole[1]
        return of_kind("previous_year", earlier) if same_year else Compared(None)
    return _explicit(main, other, calendar)


def _by_shift(main: Phrase, text: str, calendar: Calendar) -> Compared:
    """ "The quarter before", "two months earlier", "the same period last year" move the first window."""
    counted = COUNTED.match(text)
    if counted and (counted["unit"].lower(), count_of(counted["count"])) != (main.unit, main.count):
        return Compared(None)
    if _is_year_before(text) and main.unit == "year":
        return of_kind(_kind_of_year(main), year_earlier(main))
    return _shifted(main, _shift_unit(text), calendar)


def _same_in(main: Phrase, text: str) -> Compared:
    """ "The same month in 2024" is that of the first window, some years earlier."""
    unit, back = text.split()[1].lower(), (main.window[0].year if main.window else 0) - int(text[-4:])
    window = main.window
    for _ in range(back):
        window = year_earlier(replace(main, window=window, whole=window)) if window else None
    if back < 1 or unit != main.unit:
        return Compared(None)
    return of_kind("previous_year" if back == 1 else "custom", window)


def _shift_unit(text: str) -> str:
    """Return the unit a shift goes back by; empty for "the previous period"."""
    low = text.lower()
    if low in SHORT:
        return SHORT[low]
    found = OF_UNIT.search(low) or EARLIER.search(low) or OVER.search(low)
    return found["unit"] if found else ""


def _shifted(main: Phrase, unit: str, calendar: Calendar) -> Compared:
    if unit == "year":
        return of_kind("previous_year", year_earlier(main))
    if unit in ("", main.unit):
        return of_kind("previous_period", period_before(calendar, main))
    return Compared(None)


def _last_unit(main: Phrase, other: Phrase, calendar: Calendar) -> Compared:
    """ "Last year" is the same days a year earlier; "last month" the month before today, if that fits."""
    runs = main.window != main.whole or main.kind == "to_date"
    if other.which in EARLIER_WORDS and not runs and main.unit == other.unit:
        return _shifted(main, other.unit, calendar)
    if main.whole == other.whole:
        return Compared(None)
    if other.unit == "year":
        return of_kind("previous_year", year_earlier(main))
    return _explicit(main, other, calendar) if _touches(main, other) else Compared(None)


def _touches(main: Phrase, other: Phrase) -> bool:
    return main.whole is not None and other.whole is not None and other.whole[1] == main.whole[0]


def _explicit(main: Phrase, other: Phrase, calendar: Calendar) -> Compared:
    """Return a comparison with a window of its own; one without a year lies at or before the first window."""
    window = other.window
    if window is None or main.window is None or main.whole is None or other.whole is None:
        return Compared(None)
    if other.bare and window[0] >= main.window[0]:
        earlier = year_earlier(_as_whole(other))
        if other.window != other.whole or main.bare:
            later_fits = window[0] > main.window[0] and other.window == other.whole
            if later_fits and earlier is not None:
                return Compared(None, options=(days_of(earlier), days_of(window)))
        window = earlier
    elif main.bare and not other.bare and other.kind != "this_unit":
        alike = window == year_earlier(main) or window[0].year == main.window[0].year
        if not alike and main.kind == other.kind:  # "H1 vs H2 2025" may be two halves of 2025
            return Compared(None)
    if window is None or window == main.window:
        return Compared(None)
    if window == year_earlier(main):
        return of_kind(_kind_of_year(main), window)
    same_unit = bool(main.unit) and main.unit == other.unit
    before = period_before(calendar, _as_whole(main)) if same_unit else period_before(calendar, main)
    return of_kind("previous_period" if window == before else "custom", window)


def _is_year_before(text: str) -> bool:
    """Tell whether a text is "the year before" or "the previous year", and not the same days of it."""
    low = text.lower()
    found = EARLIER.search(low) or OF_UNIT.match(low.removeprefix("the "))
    return found is not None and found["unit"] == "year" and "same" not in low


def _kind_of_year(main: Phrase) -> str:
    """A whole year is held against the one before it; of all else "a year earlier" is the same days."""
    return "previous_period" if main.unit == "year" and main.window == main.whole else "previous_year"


def _as_whole(phrase: Phrase) -> Phrase:
    return Phrase(
        phrase.start,
        phrase.end,
        phrase.text,
        phrase.whole,
        phrase.whole,
        phrase.unit,
        phrase.count,
        phrase.fiscal,
        phrase.kind,
        earlier=phrase.earlier,
    )


def of_kind(kind: str, window: Window | None) -> Compared:
    """Return a comparison with a window by the name of its kind."""
    if window is None:
        return Compared(None)
    days = {"relation": kind, "from": window[0], "to": window[1] - ONE_DAY}
    return Compared(ComparedWindow.model_validate(days), window)


def as_far(found: Compared, main: Phrase, today: date, calendar: Calendar) -> Compared:
    """Return a comparison of a period under way with as much of the other one as has passed.

    Days of the asker's own are cut only where they are as many months ("2026 vs 2024"); "this month" against
    "last month" says so far against all.
    """
    whole, compare = main.whole, found.compare
    if main.window is None or whole is None or compare is None or found.window is None or main.kind in SO_FAR:
        return found
    passed = last_passed(main.window[0], main.window[1] - ONE_DAY, today)
    (first, after), (other, end) = whole, found.window
    alike = _months(first, after) == _months(other, end) != 0
    if passed == after - ONE_DAY or other >= first or (compare.relation == "custom" and not alike):
        return found
    months = _months(other, first)
    shift = Shift(calendar, months=months) if months else Shift(calendar, days=(first - other).days)
    cut = (other, min(shift.last(passed) + ONE_DAY, end))
    same_days = main.window != whole and cut == year_earlier(main)
    return of_kind("previous_year" if same_days else compare.relation, cut)


def _months(first: date, after: date) -> int:
    """Return how many whole months lie between two firsts of a month; 0 between other days."""
    return (after.year - first.year) * 12 + after.month - first.month if first.day == after.day == 1 else 0


def plan_compare(found: ComparedWindow, time: PlanWindow, calendar: Calendar, today: date) -> Compare:
    """Return a comparison as a plan says it: by its kind where that computes the window, else by its days."""
    computed = _computed(found.relation, time, calendar, today)
    if computed == (found.from_, found.to):
        return Compare(kind=found.relation)
    return Compare.model_validate({"kind": "custom", "from": found.from_, "to": found.to})


def _computed(relation: str, time: PlanWindow, calendar: Calendar, today: date) -> tuple[date, date] | None:
    """Return the days that a plan's own comparison of this kind would take."""
    after = time.to + ONE_DAY
    months = (after.year - time.from_.year) * 12 + after.month - time.from_.month
    try:
        if relation == "previous_year":
            shift = shift_of(Span(count=1, unit="year"), calendar, time.grain)
        elif relation == "previous_period" and time.from_.day == after.day == 1:
            shift = shift_of(Span(count=months, unit="month"), calendar)
        else:
            shift = shift_of(Span(count=(after - time.from_).days, unit="day"), calendar)
        return shift.first(time.from_), shift.last(last_passed(time.from_, time.to, today))
    except OutsideCalendar:
        return None


def days_of(window: Window) -> str:
    """Return a window as an option is written."""
    return f"{window[0].isoformat()} to {(window[1] - ONE_DAY).isoformat()}"
