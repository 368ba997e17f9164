"""What a sentence says of the row a number was bound to: its period and its rank must be those of the row."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from gateway.ground.bind import Binding
from gateway.ground.clauses import Sentence
from gateway.ground.names import Names, names_window
from gateway.ground.sheet import as_text
from gateway.ground.text import Visible
from metric_layer.period_bounds import Window
from metric_layer.periods import Period
from traces.grounding import SpanFinding
from traces.records import Cell

RANKED = re.compile(
    r"\b(?:ranked|ranks|ranking|finished|finishing|placed|came|was|is|sits)\s(?:in\s|at\s)?(?:the\s)?(?P<rank>\d{1,3})(?:st|nd|rd|th)\b"
    r"|\b(?P<place>\d{1,3})(?:st|nd|rd|th)\s(?:place|position|overall|rank)\b",
    re.IGNORECASE,
)
RANK_LABEL = re.compile(r"(?:rank|pos|place|position|finish|standing|#)\.?", re.IGNORECASE)


def check_rows(
    visible: Visible,
    names: Names,
    periods: Sequence[Period],
    sentences: Sequence[Sentence],
    bindings: Sequence[Binding],
) -> Iterator[SpanFinding]:
    """Yield periods and ranks of a sentence that are not those of the row its numbers stand in."""
    place = 0
    label = any(map(RANK_LABEL.fullmatch, (column.label or column.name for column in names.sheet.columns)))
    ranked = label and RANKED.search(visible.text) is not None
    for sentence in sentences:
        own = bindings[place : place + len(sentence.quantities)]
        place += len(sentence.quantities)
        rows = sorted({binding.cell[0] for binding in own if binding.cell is not None})
        rows = rows or (_named_row(names, sentence) if not own else [])
        if len(rows) == 1:
            yield from _periods(visible, names, periods, sentence, rows[0])
            yield from _ranks(visible, names, sentence, rows[0]) if ranked else ()


def _named_row(names: Names, sentence: Sentence) -> list[int]:
    """Return the one row that the full names of a sentence without numbers agree on, its periods left out."""
    full = [m for m in sentence.rows if m.full and m.column not in names.row_windows]
    rows = frozenset.intersection(*(m.rows for m in full)) if full else frozenset()
    return list(rows) if len(rows) == 1 else []


def _periods(
    visible: Visible, names: Names, periods: Sequence[Period], sentence: Sentence, row: int
) -> Iterator[SpanFinding]:
    first = bisect_left(periods, sentence.start, key=lambda period: period.start)
    last = bisect_left(periods, sentence.end, key=lambda period: period.start)
    columns = frozenset(names.dated.values())
    said = [
        p for p in periods[first:last] if p.readings and not p.relative and columns.isdisjoint(p.readings)
    ]
    own = [window for windows in names.row_windows.values() if (window := windows.get(row))]
    for key, windows in names.row_windows.items():
        window = windows.get(row)
        like = [p for p in said if window and _is_like(p, window)]
        if window is None or not like or any(_holds(p, each) for p in said for each in own):
            continue
        if _is_in_a_cell(visible.text, names, like[0], row):
            continue
        start, end = visible.span(like[0].start, like[0].end)
        text = visible.raw[start:end]
        value = as_text(names.sheet.table.rows[row][key])
        yield SpanFinding(
            code="window",
            start=start,
            end=end,
            text=text,
            message=f"{text}: the row stands for {value}",
            belongs_to=Cell(row=row, column=names.sheet.columns[key].name),
            expected=value,
            next_step="Name the period of the row.",
        )


def _is_in_a_cell(text: str, names: Names, period: Period, row: int) -> bool:
    """Tell whether another text cell of a row says this period too ("Scuttled 1939")."""
    said = text[period.start : period.end].lower()
    others = (key for key in names.sheet.keys if key not in names.row_windows)
    return any(said in as_text(names.sheet.table.rows[row][key]).lower() for key in others)


def _is_like(period: Period, window: Window) -> bool:
    """Tell whether a period is about as long as the row's own."""
    days = (window[1] - window[0]).days
    return any(abs((after - first).days - days) <= 3 for first, after in period.readings)


def _holds(period: Period, window: Window) -> bool:
    inside = any(first <= window[0] and window[1] <= after for first, after in period.readings)
    return inside or names_window(period, window)


def _ranks(visible: Visible, names: Names, sentence: Sentence, row: int) -> Iterator[SpanFinding]:
    for found in RANKED.finditer(visible.text, sentence.start, sentence.end):
        said = found["rank"] or found["place"]
        for index, column in enumerate(names.sheet.columns):
            digits = re.sub(r"\D", "", as_text(names.sheet.table.rows[row][index]).split(".")[0])
            if (
                RANK_LABEL.fullmatch(column.label or column.name)
                and digits
                and digits != said
                and len({mention.start for mention in sentence.rows}) == 1
            ):
                start, end = visible.span(*found.span())
                yield SpanFinding(
                    code="wrong_cell",
                    start=start,
                    end=end,
                    text=visible.raw[start:end],
                    message=f"{visible.raw[start:end]}: {column.name} of this row is {digits}",
                    belongs_to=Cell(row=row, column=column.name),
                    expected=digits,
                    next_step=f"Write {digits}.",
                )
