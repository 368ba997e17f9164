"""Deeds told with their day ("laid down on 12 June 1956"): that of the column which the deed heads."""

import re
from collections.abc import Iterator, Sequence

from gateway.ground.lexing.stems import stem
from gateway.ground.lexing.text import Visible
from gateway.ground.naming.mentions import Mention
from gateway.ground.naming.names import Names
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.sentence.contradicted import contradicted
from gateway.ground.table.sheet import as_text
from traces.grounding import SpanFinding

DEED = re.compile(r"\b(?P<deed>(?:[a-z]{3,}\s)?[a-z]{3,})\s(?:on|in)\s(?:the\s)?\Z", re.IGNORECASE)
FAR = 40


def check_dated_deeds(visible: Visible, names: Names, sentences: Sequence[Sentence]) -> Iterator[SpanFinding]:
    """Yield the days of a deed that are of another column of the one row that a sentence names."""
    keys = [key for key in names.row_windows if len(names.row_windows[key]) > 1]
    deeds = {key: tuple(map(stem, names.sheet.label(key).lower().split())) for key in keys}
    for sentence in sentences if len(keys) > 1 else ():
        rows = _named(names, sentence)
        told = {(m.start, m.end): m for m in sentence.rows if m.full and m.column in deeds}
        for mention in told.values() if len(rows) == 1 else ():
            said = DEED.search(visible.text, max(sentence.start, mention.start - FAR), mention.start)
            words = tuple(map(stem, said["deed"].lower().split())) if said else ()
            meant = [key for key in keys if deeds[key] in (words, words[-1:])]
            held = {m.column for m in sentence.rows if m.start == mention.start and rows <= m.rows}
            if len(meant) != 1 or not held or meant[0] in held:
                continue
            cell = min(rows), meant[0]
            value = as_text(names.sheet.table.rows[cell[0]][cell[1]])
            span = mention.start, mention.end
            yield contradicted(visible, names.sheet, span, cell, value, f"Write {value}.")


def _named(names: Names, sentence: Sentence) -> frozenset[int]:
    """Return the rows that the undated names of a sentence agree on."""
    things: list[Mention] = [m for m in sentence.rows if m.full and m.column not in names.row_windows]
    return frozenset.intersection(*(m.rows for m in things)) if things else frozenset()
