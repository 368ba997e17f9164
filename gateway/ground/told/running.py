"""Running numbers said of a row ("her third fight", "the 4th edition"): those of its own column of them."""

import re
from collections.abc import Iterator, Mapping

from gateway.ground.lexing.lexicon import words
from gateway.ground.lexing.stems import split_words, stem
from gateway.ground.lexing.text import Visible
from gateway.ground.naming.headers import COUNTED_BY, NTH, counter_of
from gateway.ground.naming.names import Names
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.sentence.contradicted import contradicted
from gateway.ground.table.sheet import as_text
from traces.grounding import SpanFinding

COUNTED = re.compile(
    rf"\b(?P<nth>\d{{1,3}}(?:st|nd|rd|th)|{'|'.join(NTH)})\s"
    r"(?:and\s(?:final|last)\s)?(?:(?:international|professional|career|league|official|senior|amateur|overall|national|pro)\s)?"
    r"(?P<noun>[a-z]{3,})\b(?!\s(?:of|in)\sthe\s(?:match|game|season|series|tournament|year|campaign))",
    re.IGNORECASE,
)
VALUE = re.compile(r"#?(\d{1,3})(?:st|nd|rd|th)?\.?", re.IGNORECASE)
# What a list that numbers its rows is a list of, where its title does not say.
LISTED = words("fight bout match game goal race test episode edition cap")
Running = Mapping[int, Mapping[int, int]]


def running_columns(names: Names) -> Running:
    """Return, for each column that numbers the rows, the number of every row."""
    found = {}
    for column in range(len(names.sheet.columns)):
        if _word_of(names.sheet.label(column)):
            said = (VALUE.fullmatch(as_text(row[column]).strip()) for row in names.sheet.table.rows)
            numbers = {row: int(value[1]) for row, value in enumerate(said) if value}
            told = sorted(numbers.values())
            if len(told) > 1 and told == list(range(told[0], told[0] + names.sheet.height)):
                found[column] = numbers
    return found


def _word_of(label: str) -> str:
    """Return the word by which a column numbers its rows: "no" for one that says no noun; empty for none."""
    said = label.strip().lower()
    return "no" if said == "#" else said if said in LISTED else counter_of(label)


def check_running(
    visible: Visible, names: Names, running: Running, sentence: Sentence, row: int
) -> Iterator[SpanFinding]:
    """Yield running numbers that no row has which a sentence is about; `row` is its only one, -1 for none."""
    for said in COUNTED.finditer(visible.text, sentence.start, sentence.end):
        counting = [c for c in running if stem(said["noun"].lower()) in _nouns(names, c)]
        rows = _about(sentence, said, counting) or (frozenset((row,)) if row >= 0 else frozenset())
        nth = said["nth"].lower()
        number = NTH.get(nth) or int(nth[:-2])
        if not rows or not counting or any(running[c][r] == number for c in counting for r in rows):
            continue
        first, column = min(rows), counting[0]
        own = str(running[column][first])
        yield contradicted(visible, names.sheet, said.span(), (first, column), own, f"Write number {own}.")


def _nouns(names: Names, column: int) -> frozenset[str]:
    """Return what the numbers of a column count: its own word, else what the title or a list is of."""
    word = _word_of(names.sheet.label(column))
    if word not in COUNTED_BY:
        return frozenset((stem(word),))
    return LISTED.intersection(split_words(names.subject[:500])) or LISTED


def _about(sentence: Sentence, said: re.Match[str], counting: list[int]) -> frozenset[int]:
    """Return the rows that all other full names of a sentence agree on; none where they do not."""
    full = [
        m
        for m in sentence.rows
        if m.full and m.column not in counting and (m.end <= said.start() or m.start >= said.end())
    ]
    return frozenset.intersection(*(m.rows for m in full)) if full else frozenset()
