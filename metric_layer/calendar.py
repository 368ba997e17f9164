"""Fiscal years, quarters, weeks: the bucket a day falls into, where it ends, and what it is called."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, date, timedelta
from functools import cached_property
from hashlib import sha256

from metric_layer.definitions import CalendarRules
from metric_layer.plan import Grain

WEEK_START = {"monday": 0, "sunday": 6, "saturday": 5}
MONTHS = {"month": 1, "quarter": 3, "year": 12, "fiscal_quarter": 3, "fiscal_year": 12}
_LABEL = re.compile(r"(?P<fiscal>FY)?(?P<year>\d{4})(?:-(?P<part>Q[1-4]|W\d{2}|\d{2})(?:-(?P<day>\d{2}))?)?")


@dataclass(frozen=True)
class Calendar:
    """The calendar of a layer. A bucket runs from its first day to before its `end`; all are dates."""

    rules: CalendarRules

    @cached_property
    def digest(self) -> str:
        """Return the content hash of the rules."""
        return sha256(self.rules.model_dump_json().encode()).hexdigest()

    def bucket(self, day: date, grain: Grain) -> date:
        """Return the first day of the bucket that holds `day`."""
        if grain == "day":
            return day
        if grain == "week":
            return day - timedelta(days=(day.weekday() - WEEK_START[self.rules.week_start]) % 7)
        months = day.year * 12 + day.month - 1
        return _first_of(months - (months - self.offset(grain)) % MONTHS[grain])

    def end(self, day: date, grain: Grain) -> date:
        """Return the first day after the bucket that holds `day`."""
        first = self.bucket(day, grain)
        if grain in MONTHS:
            return _first_of(first.year * 12 + first.month - 1 + MONTHS[grain])
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
        if grain == "fiscal_year":
            return f"FY{self.fiscal_year(day):04d}"
        if grain == "fiscal_quarter":
            months = (first.month - self.rules.fiscal_start_month) % 12
            return f"FY{self.fiscal_year(day):04d}-Q{months // 3 + 1}"
        if grain == "week" and self.rules.week_start == "monday":
            year, week, _ = first.isocalendar()
            return f"{year:04d}-W{week:02d}"
        return first.isoformat()

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
        if part.startswith("W"):
            named = self.rules.week_start == "monday"
            return self.bounds(date.fromisocalendar(year, int(part[1:]), 1), "week") if named else None
        if part.startswith("Q"):
            return self.bounds(date(year, int(part[1:]) * 3, 1), "quarter")
        return (
            self.bounds(date(year, int(part), 1), "month") if part else self.bounds(date(year, 1, 1), "year")
        )

    def _fiscal_period(self, year: int, part: str) -> tuple[date, date] | None:
        named_later = self.rules.fiscal_named_by == "end" and self.rules.fiscal_start_month > 1
        start = (year - named_later) * 12 + self.rules.fiscal_start_month - 1
        if not part:
            return self.bounds(_first_of(start), "fiscal_year")
        if not part.startswith("Q"):
            return None
        return self.bounds(_first_of(start + (int(part[1:]) - 1) * 3), "fiscal_quarter")


def _first_of(months: int) -> date:
    return date(months // 12, months % 12 + 1, 1)
