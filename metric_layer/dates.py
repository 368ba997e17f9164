"""Dates that are on no calendar: what is wrong with one, and the real one that is nearest."""

import re
from calendar import month_name, monthrange
from dataclasses import dataclass
from datetime import MINYEAR, date

_WRITTEN = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?=[T ]|\Z)")
MOST_MONTHS = 12


@dataclass(frozen=True, slots=True)
class NoSuchDate:
    """A date that is on no calendar, as written: what is wrong with it, and the real one that is nearest."""

    written: str
    why: str
    nearest: date

    @property
    def step(self) -> str:
        """Return what to do about it."""
        return f"Did you mean {self.nearest}?"


def no_such_date(text: object) -> NoSuchDate | None:
    """Return what is wrong with a text that has the form of a date and is none; None for any other."""
    found = _WRITTEN.match(text) if isinstance(text, str) else None
    if found is None:
        return None
    year, month, day = map(int, found.groups())
    nearest = nearest_date(year, month, day)
    if (nearest.year, nearest.month, nearest.day) == (year, month, day):
        return None
    return NoSuchDate(found.group(), _wrong_part(year, month, day), nearest)


def nearest_date(year: int, month: int, day: int) -> date:
    """Return the date of three numbers, each brought to the nearest that there is."""
    year, month = max(year, MINYEAR), min(max(month, 1), MOST_MONTHS)
    return date(year, month, min(max(day, 1), monthrange(year, month)[1]))


def _wrong_part(year: int, month: int, day: int) -> str:
    if year < MINYEAR:
        return f"there is no year {year}"
    if not 1 <= month <= MOST_MONTHS:
        return f"there is no month {month}"
    if not day:
        return "there is no day 0"
    return f"{month_name[month]} {year} has {monthrange(year, month)[1]} days"
