"""Periods of a draft against the window that ran and the periods that the result itself holds."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta

from gateway.ground.lexing.text import Visible
from gateway.ground.naming.kpis import spelled_to_date
from gateway.ground.naming.mentions import Mention
from gateway.ground.naming.names import Names
from gateway.ground.table.asked import Scope
from metric_layer.period_bounds import Window
from metric_layer.periods import Period
from traces.grounding import SpanFinding

UNTIL = re.compile(
    r"\b(?:as\sof|as\sat|through|until|till|up\sto|to|by|end(?:ed|ing)?(?:\son)?)\s(?:the\s)?\Z",
    re.IGNORECASE,
)
SINCE = re.compile(r"\b(?:since|from|starting|beginning)\s(?:the\s)?\Z", re.IGNORECASE)
YEAR_BEFORE = re.compile(r"(?:the\s)?(?:prior|previous|preceding)\s(?:fiscal\s)?year", re.IGNORECASE)
# What a column of a year so far is called, spelled out.
TO_DATE = "year to date"
BACKWARDS = ("to", "until", "through")


def check_windows(
    visible: Visible, scope: Scope, names: Names, periods: Sequence[Period], mentions: Sequence[Mention]
) -> Iterator[SpanFinding]:
    """Yield periods that run backwards, that the result does not hold, or that did not run."""
    held = set(names.column_windows.values())
    rows = {window for windows in names.row_windows.values() for window in windows.values()}
    held.update(rows)
    columns = set(names.dated.values())
    named = bytearray(len(visible.text) + 1)
    for mention in mentions if scope.known else ():
        if mention.full:
            named[mention.start : mention.end] = b"\1" * (mention.end - mention.start)
    items = _row_names(visible.text, names, mentions)
    labels = [spelled_to_date(names.sheet.label(column)) for column in range(len(names.sheet.columns))]
    for place, period in enumerate(periods):
        words = spelled_to_date(visible.text[period.start : period.end])
        later = periods[place + 1] if place + 1 < len(periods) else None
        if later and _is_backwards(visible.text, period, later):
            yield _finding(
                visible, period.start, later.end, "these periods run backwards", "Name the earlier one first."
            )
        if period.relative or (period.readings and is_ran(visible.text, scope, period)):
            continue
        if any(TO_DATE in label for label in labels) and _is_year_so_far(visible.text, scope, period):
            continue
        if all(items[period.start : period.end]) or _is_year_before(visible.text, period, names, mentions):
            continue
        dated = any(m.columns and m.start == period.start and m.end == period.end for m in mentions)
        if names.column_windows and period.readings and not dated and not _is_held(period, held):
            why, step = "the result holds no such period", "Name a period of the result."
            yield _finding(visible, period.start, period.end, why, step)
        elif (
            scope.known
            and not _is_held(period, rows)
            and not (period.kind == "range" and _is_held(period, columns))
            and not any(words in label for label in labels)
            and not all(named[period.start : period.end])
        ):
            why, step = f"the question ran over {_ran(scope)}", "Name the window that ran, or leave it out."
            yield _finding(visible, period.start, period.end, why, step)


def _row_names(text: str, names: Names, mentions: Sequence[Mention]) -> bytearray:
    """Return where a text holds full names, of several words, of rows that are no periods themselves."""
    held = bytearray(len(text) + 1)
    for m in mentions:
        if m.names_rows and m.full and m.column not in names.row_windows and " " in text[m.start : m.end]:
            held[m.start : m.end] = b"\1" * (m.end - m.start)
    return held


def _ran(scope: Scope) -> str:
    if scope.start is None or scope.end is None:
        return "no window"
    return f"{scope.start.isoformat()} up to, not including, {scope.end.isoformat()}"


def _is_held(period: Period, windows: Iterable[Window]) -> bool:
    """Tell whether a period starts and ends where periods of the result do."""
    starts, ends = {start for start, _ in windows}, {end for _, end in windows}
    return any(first in starts and after in ends for first, after in period.readings)


def _is_year_before(text: str, period: Period, names: Names, mentions: Sequence[Mention]) -> bool:
    """Tell whether "the prior year" is the column before the one that was named last."""
    if not YEAR_BEFORE.fullmatch(text, period.start, period.end):
        return False
    windows = names.column_windows
    led = [m for m in mentions if m.columns and m.columns <= windows.keys() and m.end <= period.start]
    first = {windows[column][0] for column in led[-1].columns} if led else set()
    ends = {after for _, after in windows.values()}
    return bool(first) and first <= ends


def _is_backwards(text: str, first: Period, second: Period) -> bool:
    if not (first.readings and second.readings) or first.bare or second.bare:
        return False
    led = text[max(0, first.start - 6) : first.start].lower().endswith("from ")
    joined = text[first.end : second.start].strip().lower() in BACKWARDS
    return led and joined and first.readings[0][0] > second.readings[0][0]


def _is_year_so_far(text: str, scope: Scope, period: Period) -> bool:
    """Tell whether a period is the year up to the end of the window that ran ("since January")."""
    if scope.end is None:
        return False
    last = scope.end - timedelta(days=1)
    january = date(last.year, 1, 1)
    since = SINCE.search(text, max(0, period.start - 16), period.start) is not None
    year = (january, date(last.year + 1, 1, 1))
    return any(reading == year or (since and reading[0] == january) for reading in period.readings)


def is_ran(text: str, scope: Scope, period: Period) -> bool:
    """Tell whether a period is the window that ran, a declared one, or its open or to-date form."""
    if scope.start is None or scope.end is None:
        return False
    before = text[max(0, period.start - 16) : period.start]
    return any(_is_same(reading, scope.start, scope.end, scope, before) for reading in period.readings)


def _is_same(reading: Window, start: date, end: date, scope: Scope, before: str) -> bool:
    first, after = reading
    if reading == (start, end) or reading in scope.windows or (UNTIL.search(before) and after == end):
        return True
    current = abs((end - scope.today).days) <= 1
    if first == start:
        to_date = first <= scope.today < after and current
        return to_date or (end >= scope.today and SINCE.search(before) is not None)
    return current and after - first == end - start and abs((after - end).days) == 1


def _finding(visible: Visible, start: int, end: int, why: str, step: str) -> SpanFinding:
    first, last = visible.span(start, end)
    text = visible.raw[first:last]
    return SpanFinding(
        code="window", start=first, end=last, text=text, message=f"{text}: {why}", next_step=step
    )
