"""Scores and runs of figures told of a row ("6-3, 6-4"): each stands in a row of the names beside it."""

import re
from collections.abc import Iterator

from gateway.ground.lexing.text import Visible
from gateway.ground.naming.mentions import rows_by_span
from gateway.ground.naming.names import Names
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.table.sheet import as_text
from traces.grounding import SpanFinding
from traces.records import Cell

# Figures joined to figures: a score, a record, a run of them.
CODED = re.compile(r"\d\s?[-\u2013\u2014:/]\s?\d")
_JOINS = "-\u2013\u2014:/"


def tells_codes(text: str) -> bool:
    """Tell whether a text joins figures to figures anywhere."""
    return any(map(text.__contains__, _JOINS)) and CODED.search(text) is not None


def check_coded(visible: Visible, names: Names, sentence: Sentence) -> Iterator[SpanFinding]:
    """Yield text with digits ("6-3, 6-4") of a cell that stands in no row that the other names agree on."""
    full = [m for m in sentence.rows if m.full]
    for said in full:
        text = visible.text[said.start : said.end]
        others = [m for m in full if m.column != said.column]
        if said.column in names.row_windows or not others or not CODED.search(text):
            continue
        spans = rows_by_span(others)  # "Tom Hale" of Winner and of Runner-up
        led = [m for m in others if m.end <= said.start]
        if led and spans[led[-1].start, led[-1].end] == said.rows:
            continue  # "won the 60 m in 6.88 at Oslo and ran the mile in 3:52.11"
        agreed = frozenset.intersection(
            *(
                frozenset().union(*(spans[m.start, m.end] for m in others if m.column == key))
                for key in {m.column for m in others}
            )
        )
        if agreed and not agreed & said.rows:
            start, end = visible.span(said.start, said.end)
            row, column = min(said.rows), names.sheet.columns[said.column]
            expected = as_text(names.sheet.table.rows[min(agreed)][said.column])
            yield SpanFinding(
                code="wrong_cell",
                start=start,
                end=end,
                text=visible.raw[start:end],
                message=f"{text} belongs to another row than this sentence names",
                belongs_to=Cell(row=row, column=column.name),
                expected=expected,
                next_step=f"Write {expected}.",
            )
