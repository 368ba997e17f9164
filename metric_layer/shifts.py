"""Moves back along the calendar by periods: the day a month, a year or a fiscal period earlier."""

from dataclasses import dataclass
from datetime import date, timedelta

from metric_layer.calendar import MONTHS, ONE_DAY, Calendar, OutsideCalendar, first_of
from metric_layer.definitions import Span
from metric_layer.plan import Grain

_DAYS = {"day": 1, "week": 7}


@dataclass(frozen=True, slots=True)
class Shift:
    """How far back to go: days, months, or periods of the fiscal table; only one of the three is set.

    `width` is how many periods of the table form the unit in which a day keeps its position.
    """

    calendar: Calendar
    days: int = 0
    months: int = 0
    periods: int = 0
    width: int = 1

    def exact(self, day: date) -> date | None:
        """Return the same day earlier, or None where the earlier period is too short to have it."""
        if self.days:
            return _days_before(day, self.days)
        first, after, position = self._earlier(day)
        found = first + timedelta(days=position)
        return found if found < after else None

    def first(self, day: date) -> date:
        """Return where a window that begins with `day` begins earlier: the last day of a shorter period."""
        found = self.exact(day)
        return found if found is not None else self._earlier(day)[1] - ONE_DAY

    def last(self, day: date) -> date:
        """Return where a window that ends with `day` ends earlier; the end of a period stays its end."""
        if self.days:
            return _days_before(day, self.days)
        _, after, _ = self._earlier(day)
        return after - ONE_DAY if self._closes(day) else self.first(day)

    def _earlier(self, day: date) -> tuple[date, date, int]:
        """Return the earlier period (first day, day after) and how many days `day` stands into its own."""
        if self.months:
            month = day.year * 12 + day.month - 1 - self.months
            return first_of(month), first_of(month + 1), day.day - 1
        periods = self.calendar.periods
        own = self.calendar.period_of(day)
        own -= own % self.width
        start = own - self.periods
        if not 0 <= start <= start + self.width < len(periods):
            raise OutsideCalendar(f"the fiscal years of the calendar do not reach back from {day}")
        return periods[start], periods[start + self.width], (day - periods[own]).days

    def _closes(self, day: date) -> bool:
        if self.months:
            return (day + ONE_DAY).day == 1
        own = self.calendar.period_of(day)
        return self.calendar.periods[own - own % self.width + self.width] == day + ONE_DAY


def shift_of(span: Span, calendar: Calendar, grain: Grain | None = None) -> Shift:
    """Return the move back by a span; at a grain of the fiscal table, months mean its periods."""
    if span.unit in _DAYS:
        return Shift(calendar, days=span.count * _DAYS[span.unit])
    months = MONTHS[span.unit]
    fiscal = span.unit.startswith("fiscal_")
    if calendar.rules.fiscal_years and (fiscal or calendar.tabled(grain)):
        width = min(months, MONTHS[grain]) if grain and calendar.tabled(grain) else months
        return Shift(calendar, periods=span.count * months, width=width)
    return Shift(calendar, months=span.count * months)


def _days_before(day: date, count: int) -> date:
    try:
        return day - timedelta(days=count)
    except OverflowError as fault:
        raise OutsideCalendar(f"there is no day {count} days before {day}") from fault
