"""Who came after whom ("Pell succeeded Roe", "was replaced by"): as the times of their rows say."""

import re
from collections.abc import Iterator
from datetime import date
from itertools import pairwise

from gateway.ground.lexing.contests import UNREAL
from gateway.ground.lexing.text import Visible
from gateway.ground.naming.mentions import rows_by_span
from gateway.ground.naming.names import Names
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.sentence.contradicted import contradicted
from gateway.ground.table.sheet import as_text
from traces.grounding import SpanFinding

_WHO = r"(?:\s\([^()]*\)|\s(?:of|from)\s(?:the\s)?[^,;:()\d]{1,40}?)?(?:,?\swho)?\s"
_TO = r"\s(?:the\s)?(?:[a-z]+\s){0,3}[\"\u201c]?"
LATER = re.compile(
    rf"{_WHO}(?:succeeded|replaced|followed|took\sover\sfrom|(?:was|is|became)\s(?:the\s)?successor\s(?:of|to)){_TO}"
)
EARLIER = re.compile(
    rf"{_WHO}(?:preceded|(?:was|were)\s(?:succeeded|replaced|followed)\sby|gave\sway\sto|handed\sover\sto"
    rf"|(?:was|is)\s(?:the\s)?predecessor\s(?:of|to)){_TO}"
)
# Without one of these no succession is told.
OF_SUCCESSION = re.compile(r"\b(?:succe|replac|preced|predec|follow|took\sover|gave\sway|handed\sover)")
Rows = frozenset[int]


def check_successions(visible: Visible, names: Names, sentence: Sentence) -> Iterator[SpanFinding]:
    """Yield two names of one column that are told to follow each other the other way round."""
    text = visible.text
    if OF_SUCCESSION.search(text, sentence.start, sentence.end) is None:
        return
    for column in {m.column for m in sentence.rows if m.full and m.column not in names.row_windows}:
        spans = rows_by_span(m for m in sentence.rows if m.full and m.column == column)
        for (first, rows), (second, others) in pairwise(sorted(spans.items())):
            later = LATER.fullmatch(text, first[1], second[0]) is not None
            told = later or EARLIER.fullmatch(text, first[1], second[0]) is not None
            if not told or rows & others or UNREAL.search(text, first[1], second[0]):
                continue
            early, late = (others, rows) if later else (rows, others)
            if _are_after(names, early, late):
                cell = min(late), column
                value = as_text(names.sheet.table.rows[cell[0]][column])
                yield contradicted(
                    visible, names.sheet, (first[1], second[0]), cell, value, "Say who came first."
                )


def _are_after(names: Names, rows: Rows, others: Rows) -> bool:
    """Tell whether all of some rows begin after all of others, in every column of times."""
    told = []
    for windows in names.row_windows.values():
        starts = [_starts(windows, rows), _starts(windows, others)]
        if all(starts):
            told.append(min(starts[0]) > max(starts[1]))
    return bool(told) and all(told)


def _starts(windows: dict[int, tuple[date, date]], rows: Rows) -> list[date]:
    return [windows[row][0] for row in rows if row in windows]
