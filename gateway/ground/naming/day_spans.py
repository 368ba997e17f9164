"""Spans of days told with one month ("between 16 and 22 November 2026"): one window, not its last day."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta

from metric_layer.period_bounds import Window
from metric_layer.periods import Period

_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
LEAD = re.compile(rf"\bbetween\s(?:the\s)?{_DAY}\sand\s(?:the\s)?\Z", re.IGNORECASE)
# "May 3-4, 2014", "May 3 to 4, 2014": the rest of a span that a day in May opens.
REST = re.compile(rf"(?:\s?[-\u2013\u2014]\s?|\sto\s){_DAY},\s(?P<year>(?:1\d|20)\d\d)(?!\w|[.,]\d)")
# "On 3 and 4 May 2014", "on May 3 and 4, 2014": two days of one month.
DAY_BEFORE = re.compile(rf"\bon\s(?:the\s)?{_DAY}(?P<year>)(?=\sand\s(?:the\s)?\Z)", re.IGNORECASE)
DAY_BEHIND = re.compile(rf"\sand\s{_DAY},\s(?P<year>(?:1\d|20)\d\d)(?!\w|[.,]\d)")
OPENED = re.compile(r"[^\W\d_]{3,}\.?\s\d{1,2}(?:st|nd|rd|th)?")
REACH = 28
DAY = timedelta(days=1)


def with_day_spans(text: str, periods: Sequence[Period]) -> tuple[Period, ...]:
    """Return the periods, each day that ends a span widened to the whole of it, and days told in one go."""
    return tuple(one for period in periods for one in _told(text, period))


def _told(text: str, period: Period) -> Iterator[Period]:
    """Yield a period widened, or both days that "on 3 and 4 May 2014" tells."""
    single = period.kind == "day" and not period.relative and bool(period.readings)
    opened = OPENED.fullmatch(text, period.start, period.end) if single else None
    other = DAY_BEHIND.match(text, period.end) if opened else None
    if other is None and single and not period.bare:
        other = DAY_BEFORE.search(text, max(0, period.start - REACH), period.start)
    first = period.readings[0][0] if period.readings else date.min
    day = _same_month(first.replace(day=1, year=int(other["year"] or first.year)), other) if other else None
    if other is None or day is None:
        yield _widened(text, period)
        return
    second = replace(
        period, start=other.start("day"), end=other.end(), readings=((day, day + DAY),), bare=False
    )
    own = first.replace(year=day.year)
    both = (replace(period, readings=((own, own + DAY),), bare=False), second)
    yield from (replace(one, tails=one.readings) for one in sorted(both, key=_start))


def _start(period: Period) -> int:
    return period.start


def _same_month(month: date, said: re.Match[str]) -> date | None:
    """Return a day of a month; None where the month has no such day."""
    found = month + (int(said["day"]) - 1) * DAY
    return found if found >= month and found.month == month.month else None


def _widened(text: str, period: Period) -> Period:
    opened = OPENED.fullmatch(text, period.start, period.end)
    rest = REST.match(text, period.end) if opened else None
    if rest is not None:
        return _with_rest(period, rest)
    led = LEAD.search(text, max(0, period.start - REACH), period.start)
    windows = [_from(window, int(led["day"])) for window in period.readings] if led else []
    spans = tuple(window for window in windows if window is not None)
    if led is None or not spans or len(spans) < len(windows) or period.relative:
        return period
    return replace(period, start=led.start("day"), readings=spans, kind="range", tails=period.readings)


def _with_rest(period: Period, rest: re.Match[str]) -> Period:
    """Return a day widened up to a later one of its month, in the year said behind both."""
    first, after = period.readings[0]
    start = date(int(rest["year"]), first.month, 1) + (first.day - 1) * DAY
    last = start + (int(rest["day"]) - first.day) * DAY
    if after - first != DAY or not start < last or last.month != first.month:
        return period
    day = (last, last + DAY)
    return replace(
        period, end=rest.end("year"), readings=((start, day[1]),), bare=False, kind="range", tails=(day,)
    )


def _from(window: Window, day: int) -> Window | None:
    """Return the window from a day of its month up to its end; None where it is no later day."""
    first, after = window
    if after - first != DAY or not 0 < day < first.day:
        return None
    return first.replace(day=day), after
