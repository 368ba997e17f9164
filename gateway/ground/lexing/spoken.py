"""The words of a text, found once for everybody who looks for phrases in it."""

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence

WORD = re.compile(r"[A-Za-z]+")
# Letters that a pattern in any case takes for Latin ones.
ALIKE = str.maketrans("\u017f\u0131\u0130\u212a", "siik")
Span = tuple[int, int]


class Spoken:
    """A text with its words in Latin letters: a phrase is only looked for where one of its words stands."""

    def __init__(self, text: str) -> None:
        """Find every word of a text: its start, and itself in lower case."""
        self.text = text
        low = text.lower() if text.isascii() else text.translate(ALIKE)
        self.words = [(found.start(), found.group().lower()) for found in WORD.finditer(low)]
        self.vocabulary = frozenset(word for _, word in self.words)

    def says(self, words: frozenset[str]) -> bool:
        """Tell whether one of some words stands in the text: without one, no rule that needs it can fire."""
        return not words.isdisjoint(self.vocabulary)

    def opens(self, starts: tuple[str, ...]) -> bool:
        """Tell whether a word of the text starts like one of some words."""
        return any(word.startswith(starts) for word in self.vocabulary)

    def places(self, opens: Callable[[str], object]) -> list[int]:
        """Return which words of the text a test lets through, in order."""
        openers = {word for word in self.vocabulary if opens(word)}
        return [place for place, (_, word) in enumerate(self.words) if word in openers] if openers else []

    def spans(self, pattern: re.Pattern[str], opens: Callable[[str], object]) -> list[Span]:
        """Return where a phrase stands whose first word passes a test, in order."""
        starts = (self.words[place][0] for place in self.places(opens))
        return [found.span() for start in starts if (found := pattern.match(self.text, start))]


def inside(spans: Sequence[Span], start: int, end: int) -> Sequence[Span]:
    """Return those sorted spans that start inside a stretch of text."""
    first = bisect_left(spans, (start, 0))
    return spans[first : bisect_left(spans, (end, 0), lo=first)]
