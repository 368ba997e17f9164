"""Spans of days told with one month ("between 16 and 22 November 2026"): one window, not its last day."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from metric_layer.period_bounds import Window
from metric_layer.periods import Period

LEAD = re.compile(r"\bbetween\s(?:the\s)?(?P<day>\d{1,2})(?:st|nd|rd|th)?\sand\s(?:the\s)?\Z", re.IGNORECASE)
REACH = 28
DAY = timedelta(days=1)


def with_day_spans(text: str, periods: Sequence[Period]) -> tuple[Period, ...]:
    """Return the periods, each day that ends a span widened to the whole of it."""
    return tuple(_widened(text, period) for period in periods)


def _widened(text: str, period: Period) -> Period:
    led = LEAD.search(text, max(0, period.start - REACH), period.start)
    windows = [_from(window, int(led["day"])) for window in period.readings] if led else []
    spans = tuple(window for window in windows if window is not None)
    if led is None or not spans or len(spans) < len(windows) or period.relative:
        return period
    return replace(period, start=led.start("day"), readings=spans, kind="range", tails=period.readings)


def _from(window: Window, day: int) -> Window | None:
    """Return the window from a day of its month up to its end; None where it is no later day."""
    first, after = window
    if after - first != DAY or not 0 < day < first.day:
        return None
    return first.replace(day=day), after
