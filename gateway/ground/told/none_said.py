""" "None" or "a single" said of a row ("Hull has none"): the figure of the column must be zero or one."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from gateway.ground.lexing.text import Visible
from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.sentence.contradicted import contradicted
from gateway.ground.table.sheet import Sheet
from traces.grounding import SpanFinding

NONE = re.compile(
    r"(?:\b(?:has|have|had|holds?|held|with|records?|recorded|reports?|reported|won|took|made|got|added)|:)\s(?P<none>none)\b"
    r"(?!\sother)(?:\sof\s(?:the|its|them|these|those|our))?",
    re.IGNORECASE,
)
# "A single episode", of all there were: not "in a single season", and not "without a single win".
SINGLE = re.compile(r"\b(?:a|one)\s(?P<single>single)\s(?=[a-z])", re.IGNORECASE)
DENIED = re.compile(r"\b(?:not|never|without|failed|no|nor|every|hardly|barely)\b|n't\b", re.IGNORECASE)
IN_ALL = re.compile(r"[.,;)]|\Z|\sas\s")
REACH = 40


def check_none(
    visible: Visible, sheet: Sheet, sentences: Sequence[Sentence], bindings: Sequence[Binding]
) -> Iterator[SpanFinding]:
    """Yield where "none" is said of a row whose figure is another than zero.

    The column is the one named right behind, else that of the number told last.
    """
    if "single" in visible.text.lower():
        for sentence in sentences:
            yield from _singles(visible, sheet, sentence)
    if "none" not in visible.text.lower():
        return
    ends = [binding.quantity.end for binding in bindings]
    for sentence in sentences:
        for found in NONE.finditer(visible.text, sentence.start, sentence.end):
            until = bisect_right(sentence.rows, found.start(), key=lambda mention: mention.start)
            led = [m for m in sentence.rows[max(0, until - 4) : until] if m.full]
            last = bindings[: bisect_right(ends, found.start())][-1:]
            columns = _behind(sentence, found.end()) or _told(last) or _before(sentence, found.start())
            if len(columns) != 1 or not led or len(led[-1].rows) != 1:
                continue
            row, column = next(iter(led[-1].rows)), next(iter(columns))
            if sheet.number(row, column) != 0:
                yield _finding(visible, sheet, found.span("none"), (row, column))


def _singles(visible: Visible, sheet: Sheet, sentence: Sentence) -> Iterator[SpanFinding]:
    """Yield where "a single episode" is said of the only row named, and its figure is not one."""
    for found in SINGLE.finditer(visible.text, sentence.start, sentence.end):
        columns = {m.columns for m in sentence.columns if m.full and m.start == found.end()}
        ends = {m.end for m in sentence.columns if m.full and m.start == found.end()}
        led = [m.rows for m in sentence.rows if m.full and m.end <= found.start()]
        denied = DENIED.search(visible.text, max(sentence.start, found.start() - REACH), found.start())
        if denied or not led or len(columns) != 1 or not IN_ALL.match(visible.text, max(ends)):
            continue
        rows, column = frozenset.intersection(*led), next(iter(columns))
        if len(rows) == len(column) == 1 and sheet.number(*rows, *column) not in (None, 1):
            yield _finding(visible, sheet, found.span("single"), (next(iter(rows)), next(iter(column))))


def _behind(sentence: Sentence, end: int) -> frozenset[int]:
    """Return the columns of the first full name close behind a place."""
    first = bisect_left(sentence.columns, end, key=lambda mention: mention.start)
    behind = next((m for m in sentence.columns[first : first + 4] if m.full), None)
    return behind.columns if behind is not None and behind.start <= end + REACH else frozenset()


def _before(sentence: Sentence, start: int) -> frozenset[int]:
    """Return the columns of the last full name before a place."""
    led = [m.columns for m in sentence.columns if m.full and m.end <= start]
    return led[-1] if led else frozenset()


def _told(last: Sequence[Binding]) -> frozenset[int]:
    """Return the column of a number told before."""
    for binding in last:
        if binding.cell is not None:
            return frozenset((binding.cell[1],))
        if binding.derived is not None:
            return binding.derived.columns
    return frozenset()


def _finding(visible: Visible, sheet: Sheet, span: tuple[int, int], cell: tuple[int, int]) -> SpanFinding:
    value = sheet.number(*cell)
    figure = "no data" if value is None else str(value)
    return contradicted(visible, sheet, span, cell, figure, f"Write {figure}.")
