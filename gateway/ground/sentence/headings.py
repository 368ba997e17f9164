"""Headings of lists ("Wins, best first:"): what they name goes for every item, however many there are."""

import re
from collections.abc import Iterator, Sequence

from gateway.ground.sentence.clauses import Sentence

# Between two items, or between a heading and its first one.
NEXT_ITEM = re.compile(r"\s*;\s*|[^\S\n]*\n[^\S\n]*")
FIRST_ITEM = re.compile(r"[^\S\n]*\n\s*")
COLON = re.compile(r":(?=\s|\*|\Z)")


def led_by(text: str, sentences: Sequence[Sentence]) -> Iterator[tuple[Sentence, Sentence | None]]:
    """Yield every sentence with what leads to it: the heading of its list, else the sentence before."""
    heading: Sentence | None = None
    last: Sentence | None = None
    for sentence in sentences:
        gap = text[last.end : sentence.start] if last is not None else ""
        first = heading is not None and last is not None and heading.start == last.start
        item = (FIRST_ITEM if first and "\n" in gap else NEXT_ITEM).fullmatch(gap) is not None
        if heading is not None and item and not any(m.full for m in sentence.columns):
            yield sentence, heading
        else:
            yield sentence, last
            heading = _heading(text, sentence)
        last = sentence


def headed_by(text: str, sentence: Sentence) -> frozenset[int]:
    """Return the columns that a sentence names before a colon and nowhere else ("Wins: Bauer 22")."""
    named = [m for m in sentence.columns if m.full]
    if not named or text[named[0].end : named[0].end + 1] != ":" or named[0].start > sentence.start + 4:
        return frozenset()
    last = max(m.end for m in named)
    return frozenset().union(*(m.columns for m in named)) if last == named[0].end else frozenset()


def _heading(text: str, sentence: Sentence) -> Sentence | None:
    """Return the part of a sentence that heads a list: a line of its own, or what stands before a colon."""
    named = [m for m in sentence.columns if m.full]
    colon = COLON.search(text, sentence.start, sentence.end)
    if not named or (colon is None and sentence.quantities):
        return None
    end = colon.start() if colon is not None else sentence.end
    counts = [q for q in sentence.quantities if q.start < end]
    ends_line = colon is not None or text[sentence.end : sentence.end + 1] == "\n"
    if (
        not ends_line
        or any(m.start >= end for m in named)
        or (counts and len(counts) < len(sentence.quantities))
    ):
        return None
    rows = tuple(m for m in sentence.rows if m.start < end)
    return sentence._replace(end=end, quantities=(), columns=tuple(named), rows=rows)
