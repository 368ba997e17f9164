"""The windows of a plan: in order, inside the calendar, in a zone that exists, with a whole comparison."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from metric_layer.calendar import ONE_DAY, Calendar
from metric_layer.frames import MAX_BUCKETS
from metric_layer.issues import Issue
from metric_layer.plan import Compare, Grain, MetricPlan, Window
from metric_layer.zones import is_zone, near_zones

MAX_DAYS = 4000


def window_issues(plan: MetricPlan, calendar: Calendar) -> Iterator[Issue]:
    """Yield what is wrong with the plan's window, its zone, and what it is compared with."""
    if plan.time is not None:
        yield from _span(plan.time.from_, plan.time.to, "/time")
        yield from _zone(plan.time)
        yield from _in_table(plan.time, calendar)
        if plan.time.fill is not None and plan.time.grain is None:
            message = "Periods without rows can only be shown where a grain makes periods."
            step = "Give time.grain, or leave time.fill out."
            yield Issue(code="fill_without_grain", message=message, path="/time/fill", next_step=step)
    if plan.compare is not None:
        yield from _compare(plan.compare, plan.time)


def _span(start: date, last: date, place: str) -> Iterator[Issue]:
    seen = f"{start} to {last}"
    if start > last:
        message = f"The window is reversed: {start} is after {last}."
        key = place.removeprefix("/")
        step = f"Swap {key}.from and {key}.to."
        yield Issue(code="window_reversed", message=message, path=place, seen=seen, next_step=step)
    elif start.year < 1000 or last.year > 9998:
        message = "A window lies between the years 1000 and 9998."
        step = "Ask for days between 1000-01-01 and 9998-12-31."
        yield Issue(code="out_of_range", message=message, path=place, seen=seen, next_step=step)


def _zone(window: Window) -> Iterator[Issue]:
    if window.zone is None or is_zone(window.zone):
        return
    candidates = near_zones(window.zone)
    yield Issue(
        code="unknown_zone",
        message=f"There is no time zone {window.zone!r}.",
        path="/time/zone",
        seen=window.zone,
        candidates=candidates,
        next_step=f"Did you mean {candidates[0]}?" if candidates else "Write a name such as Europe/Berlin.",
    )


def _in_table(window: Window, calendar: Calendar) -> Iterator[Issue]:
    if not calendar.tabled(window.grain) or window.from_ > window.to:
        return
    first, last = calendar.periods[0], calendar.periods[-1] - ONE_DAY
    if window.from_ < first or window.to > last:
        yield outside(f"{window.from_} to {window.to}", calendar, "/time")


def outside(seen: str, calendar: Calendar, place: str) -> Issue:
    """Return the issue of days that the table of fiscal years does not hold."""
    first, last = calendar.periods[0], calendar.periods[-1] - ONE_DAY
    return Issue(
        code="outside_calendar",
        message=f"The fiscal years of the calendar run from {first} to {last}; other days are needed.",
        path=place,
        seen=seen,
        next_step="Narrow the window, or have the missing years added to the calendar.",
    )


def _compare(compare: Compare, window: Window | None) -> Iterator[Issue]:
    if window is None:
        message = "A comparison needs a window to compare with an earlier one."
        step = "Give time.from and time.to."
        yield Issue(code="missing_window", message=message, path="/compare", next_step=step)
    given = (compare.from_, compare.to)
    if compare.kind == "custom":
        if compare.from_ is None or compare.to is None:
            message, step = "A custom comparison names its window.", "Give compare.from and compare.to."
            yield Issue(code="missing_window", message=message, path="/compare", next_step=step)
        else:
            yield from _span(compare.from_, compare.to, "/compare")
    elif given != (None, None):
        message = f"{compare.kind} computes its window, so none may be given."
        step = "Leave compare.from and compare.to out, or say custom."
        yield Issue(
            code="compare_window", message=message, path="/compare", seen=compare.kind, next_step=step
        )


def spine_of(plan: MetricPlan, calendar: Calendar, zone: str) -> tuple[date, ...] | Issue:
    """Return the first day (or hour) of every bucket where empty ones are asked for."""
    window = plan.time
    if window is None or window.fill is None or window.grain is None:
        return ()
    found: list[date] = []
    days = calendar.buckets(window.from_, window.to + ONE_DAY, window.grain)
    for day in days:
        found.extend(_hours(day, zone) if window.grain == "hour" else (day,))
        if len(found) > MAX_BUCKETS:
            message = f"The window has more than {MAX_BUCKETS} periods to show."
            step = "Narrow the window, ask a longer grain, or leave time.fill out."
            return Issue(code="too_many_periods", message=message, path="/time", next_step=step)
    return tuple(found)


def _hours(day: date, zone: str) -> Iterator[datetime]:
    """Yield the hours that the clock of a zone shows on a day, each once."""
    there = ZoneInfo(zone)
    for hour in range(24):
        wall = datetime.combine(day, time(hour, 59))  # a clock put forward by half an hour skips no hour
        back = wall.replace(tzinfo=there).astimezone(UTC).astimezone(there)
        if back.replace(tzinfo=None, fold=0) == wall:
            yield wall.replace(minute=0)


def repeated_hours(first: date, last: date, zone: str) -> tuple[datetime, ...]:
    """Return the hours of these days that the clock of a zone shows twice, because it was put back.

    Of a longer span the first MAX_DAYS days are looked at.
    """
    there = ZoneInfo(zone)
    days = min((last - first).days, MAX_DAYS) + 1
    starts = (datetime.combine(first + timedelta(days=n), time(), tzinfo=there) for n in range(days))
    return tuple(
        wall.replace(tzinfo=None, minute=0)
        for start in starts
        if _offset(start) > _offset(start + timedelta(days=1))
        for wall in (start.replace(hour=hour, minute=59) for hour in range(24))
        if _offset(wall) > _offset(wall.replace(fold=1))
    )


def unclear_hours(first: date, last: date, grain: Grain | None, zone: str, of: str) -> tuple[datetime, ...]:
    """Return the hours that a clock of the zone `of` shows twice and whose rows may lie in two periods.

    The days are those of `zone`. Its periods but hours begin at midnight, so an hour counts only where one
    lies between its two showings; without a grain only those at either end. Of a longer span the last
    MAX_DAYS days are looked at.
    """
    here, there = ZoneInfo(zone), ZoneInfo(of)
    found = []
    looked = max(first, last - timedelta(days=MAX_DAYS - 2))
    for hour in repeated_hours(looked - ONE_DAY, last + ONE_DAY, of):
        begun = hour.replace(tzinfo=there).astimezone(here)
        ended = hour.replace(tzinfo=there, minute=59, fold=1).astimezone(here)
        starts, ends = begun.date(), ended.date()
        inside = starts <= last and first <= ends
        apart = starts != ends and (grain is not None or starts < first or last < ends)
        if inside and (grain == "hour" or apart):
            found.append(hour)
    return tuple(found)


def _offset(moment: datetime) -> timedelta:
    return moment.utcoffset() or timedelta()
