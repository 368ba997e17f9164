"""Days that a sentence tells of the rows its numbers stand in ("on 19 May 2007"), where rows have days."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta

from gateway.ground.lexing.text import Visible
from gateway.ground.naming.day_spans import DAY
from gateway.ground.naming.mentions import Mention
from gateway.ground.naming.names import Names
from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.table.asked import Scope
from metric_layer.period_bounds import Window
from metric_layer.periods import Period
from traces.grounding import SpanFinding

MONTH = timedelta(days=32)
LED = ("on ", "On ")
SPAN_LED = re.compile(r"\b(?:on|between|from|during)\s(?:the\s)?\Z", re.IGNORECASE)


def check_days(
    visible: Visible,
    scope: Scope,
    names: Names,
    periods: Sequence[Period],
    sentences: Sequence[Sentence],
    bindings: Sequence[Binding],
) -> Iterator[SpanFinding]:
    """Yield the days a text says something happened on that are no row's, beside figures of another day."""
    keys = [windows for windows in names.row_windows.values() if _is_of_days(windows)]
    told = [p for p in periods if _is_day(p) and visible.text.endswith(LED, 0, p.start)] if keys else []
    starts = [sentence.start for sentence in sentences]
    for period in told:
        day = period.readings[0]
        if day in ((scope.start, scope.end), (scope.today, scope.today + DAY)):
            continue
        sentence = sentences[max(0, bisect_left(starts, period.start + 1) - 1)]
        first = bisect_left(bindings, sentence.start, key=lambda b: b.quantity.start)
        last = bisect_left(bindings, sentence.end, lo=first, key=lambda b: b.quantity.start)
        rows = {b.cell[0] for b in bindings[first:last] if b.cell is not None}
        held = {windows[row] for windows in keys for row in rows if row in windows}
        if held and not any(day in windows.values() for windows in keys):
            start, end = visible.span(period.start, period.end)
            yield SpanFinding(
                code="window",
                start=start,
                end=end,
                text=visible.raw[start:end],
                message=f"no row of the result is of {day[0].isoformat()}",
                next_step=f"The figure beside it is of {min(held)[0].isoformat()}.",
            )


def check_spans(
    visible: Visible, names: Names, periods: Sequence[Period], sentences: Sequence[Sentence]
) -> Iterator[SpanFinding]:
    """Yield the spans of days told of a name ("in Ghent on 9-10 May 2014") that end on no day of its rows."""
    keys = [windows for windows in names.row_windows.values() if _is_of_days(windows)]
    spans = filter(_is_span, periods) if keys else ()
    told = [p for p in spans if SPAN_LED.search(visible.text, max(0, p.start - 16), p.start)]
    starts = [sentence.start for sentence in sentences]
    for period in told:
        sentence = sentences[max(0, bisect_left(starts, period.start + 1) - 1)]
        within = [p for p in periods if sentence.start <= p.start < sentence.end]
        rows = _agreed(m for m in sentence.rows if m.full and m.column not in names.row_windows)
        held = {windows[row] for windows in keys for row in rows if row in windows}
        first, after = period.readings[0]
        ends = {(first, first + DAY), (after - DAY, after)}
        if len(within) == 1 and held and not sentence.quantities and not ends <= held:
            start, end = visible.span(period.start, period.end)
            yield SpanFinding(
                code="window",
                start=start,
                end=end,
                text=visible.raw[start:end],
                message="a day that this span ends on is none of the rows named with it",
                next_step=f"They are of {min(held)[0].isoformat()} to {max(held)[0].isoformat()}.",
            )


def _agreed(mentions: Iterable[Mention]) -> frozenset[int]:
    """Return the rows that the names of every column agree on."""
    by_column: dict[int, frozenset[int]] = {}
    for mention in mentions:
        by_column[mention.column] = by_column.get(mention.column, frozenset()) | mention.rows
    return frozenset.intersection(*by_column.values()) if by_column else frozenset()


def _is_span(period: Period) -> bool:
    """Tell whether a period is a few days of one month, with their year said."""
    if period.kind not in ("range", "day_span") or len(period.readings) != 1 or period.bare:
        return False
    start, end = period.readings[0]
    return DAY < end - start < MONTH


def _is_of_days(windows: Mapping[int, Window]) -> bool:
    """Tell whether rows are dated by single days, at least two different ones."""
    return len(set(windows.values())) > 1 and all(end - start == DAY for start, end in windows.values())


def _is_day(period: Period) -> bool:
    """Tell whether a period is one day with its year said."""
    if len(period.readings) != 1 or period.bare or period.relative:
        return False
    start, end = period.readings[0]
    return end - start == DAY
