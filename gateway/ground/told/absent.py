"""Figures said to be missing ("no crash rate for Web", "its rating is not available"): so they must be."""

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from gateway.ground.lexing.lexicon import words
from gateway.ground.lexing.spoken import Spoken
from gateway.ground.lexing.text import Visible
from gateway.ground.naming.mentions import Mention
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.sentence.contradicted import contradicted
from gateway.ground.table.sheet import CellAt, Sheet
from traces.grounding import SpanFinding

OPENERS = words(
    "no not neither lack lacks lacked don doesn didn isn aren wasn weren hasn haven unavailable unknown "
    "missing unreported"
)
# What is one figure and no number of things: "no rating" is no rating of zero, "no orders" are none.
MEASURES = words(
    "rate ratio rating score index figure value average median mean share percentage margin price cost "
    "length time age level factor load speed temperature weight height depth pressure voltage duration "
    "result estimate nps csat rank grade mark"
)
NO = re.compile(
    r"\b(?P<no>no)\s(?:(?:reliable|usable|official|valid|final|current|separate|own)\s)?\Z", re.IGNORECASE
)
_TOLD = r"(?:available|reported|recorded|known|measured|given|shown|published|provided|on\s(?:record|file))"
_YET = r"(?:yet\s|been\s|currently\s|available\s)*"
_MEASURE = "|".join(sorted(MEASURES))
TOLD = re.compile(rf"(?:\s(?:{_MEASURE}))?\s(?:(?:is|was|has|had|were|are)\s)?{_YET}{_TOLD}\b", re.IGNORECASE)
NOT_TOLD = re.compile(
    rf"[^.;:,()]{{0,40}}?\s(?:(?:is|are|was|were|has|have)(?:n't|n\u2019t|\snot)\s{_YET}{_TOLD}"
    r"|(?:is|are|was|were)\s(?:still\s)?(?:unavailable|unknown|missing|unreported))\b",
    re.IGNORECASE,
)
NO_FIGURE = re.compile(
    r"\bno\s(?:[a-z]+\s)?(?:figures?|data|values?|numbers?|readings?|entry|entries)\s"
    r"(?:(?:is|are|was|were|yet|available|reported|recorded)\s){0,3}(?:for|of|on)\s[^.;:,()\d]{0,40}?\Z",
    re.IGNORECASE,
)
HAVE_NOT = re.compile(
    r"\b(?:(?:do|does|did)(?:n't|n\u2019t|\snot)\s(?:yet\s|currently\s)?(?:have|hold|show|report|include)"
    r"|lacks?|lacked)\s(?:(?:an?|any|the|its|their)\s)?(?:[a-z]+\s)?\Z",
    re.IGNORECASE,
)
# "Neither usage nor load was reported".
NEITHER = re.compile(r"\b(?:neither|nor)\s(?:the\s|its\s|an?\s)?\Z", re.IGNORECASE)
TOLD_BEHIND = re.compile(rf"[^.;:,()]{{0,60}}?\s(?:is|are|was|were|has|have)\s{_YET}{_TOLD}\b", re.IGNORECASE)
FIGURE = re.compile(r"\s(?:figures?|data|values?|numbers?|counts?)\b", re.IGNORECASE)
YET = re.compile(r"[^.;:,()]{0,40}\byet\b", re.IGNORECASE)
LEADS = re.compile(r"\b(?:for|of|on|in|at|from)\s(?:the\s)?\Z", re.IGNORECASE)
# What names the row of the sentence before.
ITS = re.compile(r"\b(?:its|his|her|whose)\s(?:[a-z]+\s)?\Z", re.IGNORECASE)
OF_IT = re.compile(
    r"[^.;:,()\d]{0,40}?\s(?:for|of|on|in|from)\s(?:it|him|her|(?:this|that)(?:\s[a-z]+)?)(?=\s?(?:[.;:,()]|yet\b|\Z))",
    re.IGNORECASE,
)
REACH = 60


class Absence(NamedTuple):
    """A figure that a text says is not there: where it does so, the "no" of it, and the cell."""

    start: int
    end: int
    cell: CellAt


def absences(spoken: Spoken, sheet: Sheet, sentences: Sequence[Sentence]) -> tuple[Absence, ...]:
    """Return every figure that a text says is missing, of one cell each."""
    if not spoken.says(OPENERS):
        return ()
    befores = (None, *sentences)
    pairs = zip(sentences, befores, strict=False)
    return tuple(told for each, before in pairs for told in _absent(spoken.text, sheet, each, before))


def check_absent(visible: Visible, sheet: Sheet, told: Sequence[Absence]) -> Iterator[SpanFinding]:
    """Yield the figures that are said to be missing and are there; a zero may be none."""
    for absence in told:
        value = sheet.number(*absence.cell)
        if value:
            span = absence.start, absence.end
            yield contradicted(visible, sheet, span, absence.cell, str(value), f"Write {value}.")


def excused(sheet: Sheet, told: Sequence[Absence]) -> frozenset[int]:
    """Return where a "no" stands that is no zero: the cell it speaks of holds no data."""
    return frozenset(a.start for a in told if sheet.table.rows[a.cell[0]][a.cell[1]] is None)


def _absent(text: str, sheet: Sheet, sentence: Sentence, before: Sentence | None) -> Iterator[Absence]:
    for m in sentence.columns:
        start = _said(text, sentence, m) if len(m.columns) == 1 else None
        named = before.rows if before and _is_of_it(text, sentence, m) else sentence.rows
        rows = _rows(text, sheet, named, m) if start is not None else frozenset()
        for row, column in product(rows, m.columns) if len(rows) == 1 else ():
            if start is not None and column not in sheet.texts:
                yield Absence(start, m.end, (row, column))


def _said(text: str, sentence: Sentence, mention: Mention) -> int | None:
    """Return where it is said that the figure of a column is not there; None where it is not."""
    last = text[mention.start : mention.end].lower().split()[-1]
    led = NO.search(text, max(sentence.start, mention.start - 24), mention.start)
    if led is not None:
        told = TOLD.match(text, mention.end, sentence.end) or YET.match(text, mention.end, sentence.end)
        figure = FIGURE.match(text, mention.end) is not None
        measure = figure or last in MEASURES or (told and not last.endswith("s"))
        return led.start("no") if mention.full and measure else None
    without = HAVE_NOT.search(text, max(sentence.start, mention.start - REACH), mention.start)
    if without is not None:
        return without.start() if mention.full else None
    none = NO_FIGURE.search(text, max(sentence.start, mention.start - REACH), mention.start)
    if none is not None:
        return none.start()
    behind = NOT_TOLD.match(text, mention.end, sentence.end)
    if NEITHER.search(text, max(sentence.start, mention.start - 12), mention.start):
        behind = behind or TOLD_BEHIND.match(text, mention.end, sentence.end)
    apart = behind is not None and any(mention.end <= q.start < behind.end() for q in sentence.quantities)
    return mention.start if behind is not None and mention.full and not apart else None


def _is_of_it(text: str, sentence: Sentence, column: Mention) -> bool:
    """Tell whether a sentence that names no row says of what it is by a pronoun ("for it", "its rating")."""
    if sentence.rows:
        return False
    led = ITS.search(text, max(sentence.start, column.start - 24), column.start)
    return led is not None or OF_IT.match(text, column.end, sentence.end) is not None


def _rows(text: str, sheet: Sheet, mentions: Sequence[Mention], column: Mention) -> frozenset[int]:
    """Return the rows that the figure of a column is said to be missing of."""
    rows = frozenset(range(sheet.height))
    for key in {m.column for m in mentions}:
        named = [m for m in mentions if m.column == key and m.full]
        behind = [
            m for m in named if m.start >= column.end and LEADS.search(text[max(0, m.start - 12) : m.start])
        ]
        before = [m for m in named if m.end <= column.start]
        meant = behind[:1] or before[-1:]
        rows &= meant[0].rows if meant else frozenset()
    return rows
