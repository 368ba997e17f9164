"""Fiscal years, quarters, weeks: the bucket a day falls into, where it ends, and what it is called."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, date, timedelta
from functools import cached_property
from hashlib import sha256

from metric_layer.definitions import CalendarRules
from metric_layer.plan import Grain

WEEK_START = {"monday": 0, "sunday": 6, "saturday": 5}
MONTHS = {
    "month": 1,
    "quarter": 3,
    "year": 12,
    "fiscal_month": 1,
    "fiscal_quarter": 3,
    "fiscal_year": 12,
}
ONE_DAY = timedelta(days=1)
_LABEL = re.compile(
    r"(?P<fiscal>FY)?(?P<year>\d{4})(?:-(?P<part>Q[1-4]|[WP]\d{2}|\d{2})(?:-(?P<day>\d{2}))?)?"
)


class OutsideCalendar(ValueError):
    """A day lies outside the table of fiscal years, or before the first year."""


@dataclass(frozen=True)
class Calendar:
    """The calendar of a layer. A bucket runs from its first day to before its `end`; all are dates.

    Where the layer has a table of fiscal years, a day outside it has no fiscal bucket: OutsideCalendar.
    """

    rules: CalendarRules

    @cached_property
    def digest(self) -> str:
        """Return the content hash of the rules."""
        return sha256(self.rules.model_dump_json().encode()).hexdigest()

    @cached_property
    def periods(self) -> tuple[date, ...]:
        """Return the first day of every period of the fiscal table, and the day after the last."""
        years = self.rules.fiscal_years
        starts = [start for year in years for start in year.starts]
        return (*starts, years[-1].end + ONE_DAY) if years else ()

    def tabled(self, grain: Grain | None) -> bool:
        """Say whether the table of fiscal years decides the buckets of a grain."""
        return bool(self.rules.fiscal_years) and grain is not None and grain.startswith("fiscal_")

    def period_of(self, day: date) -> int:
        """Return the index in `periods` of the fiscal period that holds a day. Raises OutsideCalendar."""
        if not self.periods[0] <= day < self.periods[-1]:
            raise OutsideCalendar(f"{day} lies outside the fiscal years of the calendar")
        return bisect_right(self.periods, day) - 1

    def bucket(self, day: date, grain: Grain) -> date:
        """Return the first day of the bucket that holds `day`; hours have none, so it is the day itself."""
        if grain in ("hour", "day"):
            return day
        if grain == "week":
            return day - timedelta(days=(day.weekday() - WEEK_START[self.rules.week_start]) % 7)
        if self.tabled(grain):
            period = self.period_of(day)
            return self.periods[period - period % MONTHS[grain]]
        months = day.year * 12 + day.month - 1
        return first_of(months - (months - self.offset(grain)) % MONTHS[grain])

    def end(self, day: date, grain: Grain) -> date:
        """Return the first day after the bucket that holds `day`."""
        first = self.bucket(day, grain)
        if self.tabled(grain):
            return self.periods[self.period_of(first) + MONTHS[grain]]
        if grain in MONTHS:
            return first_of(first.year * 12 + first.month - 1 + MONTHS[grain])
        return first + timedelta(days=7 if grain == "week" else 1)

    def bounds(self, day: date, grain: Grain) -> tuple[date, date]:
        """Return the bucket of `day` as (first day, first day after it)."""
        return self.bucket(day, grain), self.end(day, grain)

    def buckets(self, start: date, end: date, grain: Grain) -> Iterator[date]:
        """Yield the first day of every bucket that meets the window from `start` to before `end`."""
        first = self.bucket(start, grain)
        while first < end:
            yield first
            first = self.end(first, grain)

    def offset(self, grain: Grain) -> int:
        """Return by how many months a fiscal bucket starts after the calendar's own; 0 for other grains."""
        return (self.rules.fiscal_start_month - 1) % MONTHS[grain] if grain.startswith("fiscal_") else 0

    def fiscal_year(self, day: date) -> int:
        """Return the number a fiscal year goes by, after the year it starts or ends in."""
        if self.tabled("fiscal_year"):
            return self.rules.fiscal_years[self.period_of(day) // 12].year
        first = self.bucket(day, "fiscal_year")
        ends_later = self.rules.fiscal_named_by == "end" and self.rules.fiscal_start_month > 1
        return first.year + ends_later

    def label(self, day: date, grain: Grain) -> str:
        """Return what the bucket of `day` is called: 2026-07-01, 2026-W27, 2026-07, 2026-Q3, FY2027-Q2."""
        first = self.bucket(day, grain)
        if grain == "year":
            return f"{first.year:04d}"
        if grain == "month":
            return f"{first.year:04d}-{first.month:02d}"
        if grain == "quarter":
            return f"{first.year:04d}-Q{(first.month + 2) // 3}"
        if grain.startswith("fiscal_"):
            return self._fiscal_label(first, grain)
        if grain == "week" and self.rules.week_start == "monday":
            year, week, _ = first.isocalendar()
            return f"{year:04d}-W{week:02d}"
        return first.isoformat()

    def _fiscal_label(self, first: date, grain: Grain) -> str:
        year = f"FY{self.fiscal_year(first):04d}"
        if grain == "fiscal_year":
            return year
        tabled = self.tabled(grain)
        months = self.period_of(first) if tabled else first.month - self.rules.fiscal_start_month
        months %= 12
        return f"{year}-Q{months // 3 + 1}" if grain == "fiscal_quarter" else f"{year}-P{months + 1:02d}"

    def period(self, label: str) -> tuple[date, date] | None:
        """Return the days a label names, as (first day, first day after), or None for other text."""
        found = _LABEL.fullmatch(label.strip())
        if found is None or not MINYEAR < int(found["year"]) < MAXYEAR:
            return None
        try:
            return self._period(found)
        except ValueError:
            return None

    def _period(self, found: re.Match[str]) -> tuple[date, date] | None:
        year, part, day = int(found["year"]), found["part"] or "", found["day"]
        if found["fiscal"]:
            return self._fiscal_period(year, part) if not day else None
        if day:
            return self.bounds(date(year, int(part), int(day)), "day") if part.isdigit() else None
        if part.startswith("P"):
            return None
        if part.startswith("W"):
            named = self.rules.week_start == "monday"
            return self.bounds(date.fromisocalendar(year, int(part[1:]), 1), "week") if named else None
        if part.startswith("Q"):
            return self.bounds(date(year, int(part[1:]) * 3, 1), "quarter")
        return (
            self.bounds(date(year, int(part), 1), "month") if part else self.bounds(date(year, 1, 1), "year")
        )

    def _fiscal_period(self, year: int, part: str) -> tuple[date, date] | None:
        """Return the days of a fiscal year, a quarter of it (Q2) or a month of it (P07)."""
        if part and part[0] not in "QP":
            return None
        number = int(part[1:]) if part else 1
        grain: Grain = "fiscal_quarter" if part.startswith("Q") else "fiscal_month" if part else "fiscal_year"
        if not 1 <= number <= 12:
            return None
        months = (number - 1) * MONTHS[grain]
        if self.tabled(grain):
            starts = next((each.starts for each in self.rules.fiscal_years if each.year == year), None)
            return self.bounds(starts[months], grain) if starts else None
        named_later = self.rules.fiscal_named_by == "end" and self.rules.fiscal_start_month > 1
        start = (year - named_later) * 12 + self.rules.fiscal_start_month - 1
        return self.bounds(first_of(start + months), grain)


def first_of(months: int) -> date:
    """Return the first day of a month counted from year 0. Raises OutsideCalendar before year 1."""
    if not MINYEAR * 12 <= months < (MAXYEAR + 1) * 12:
        raise OutsideCalendar(f"month {months} lies outside the calendar")
    return date(months // 12, months % 12 + 1, 1)
