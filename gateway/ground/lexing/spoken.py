"""The words of a text, found once for everybody who looks for phrases in it."""

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from gateway.ground.lexing.stems import WORD as NAME_WORD
from gateway.ground.lexing.stems import stem

WORD = re.compile(r"[a-z]+")
# Letters that a pattern in any case takes for Latin ones.
ALIKE = str.maketrans("\u017f\u0131\u0130\u212a", "siik")
Span = tuple[int, int]


class Spoken:
    """A text with its words in Latin letters: a phrase is only looked for where one of its words stands."""

    def __init__(self, text: str) -> None:
        """Find every word of a text: its start, and itself in lower case."""
        self.text = text
        low = (text if text.isascii() else text.translate(ALIKE)).lower()
        self.words = [(found.start(), found.group()) for found in WORD.finditer(low)]
        self._places: dict[str, list[int]] = {}
        for place, (_, word) in enumerate(self.words):
            self._places.setdefault(word, []).append(place)
        self.vocabulary = frozenset(self._places)

    @cached_property
    def tokens(self) -> Sequence[re.Match[str]]:
        """Return the words that names are made of, in letters of any script and digits."""
        return list(NAME_WORD.finditer(self.text))

    @cached_property
    def written(self) -> Sequence[str]:
        """Return these words as they are written."""
        return [word.group() for word in self.tokens]

    @cached_property
    def stemmed(self) -> Mapping[str, str]:
        """Return the stem of each of these words."""
        return {said: stem(said) for said in set(self.written)}

    @cached_property
    def stems(self) -> Sequence[str]:
        """Return the stems of these words, in order."""
        return [self.stemmed[said] for said in self.written]

    def says(self, words: frozenset[str]) -> bool:
        """Tell whether one of some words stands in the text: without one, no rule that needs it can fire."""
        return not words.isdisjoint(self.vocabulary)

    def opens(self, starts: tuple[str, ...]) -> bool:
        """Tell whether a word of the text starts like one of some words."""
        return any(word.startswith(starts) for word in self.vocabulary)

    def places(self, opens: Callable[[str], object]) -> list[int]:
        """Return which words of the text a test lets through, in order."""
        return sorted(place for word, places in self._places.items() if opens(word) for place in places)

    def spans(self, pattern: re.Pattern[str], opens: Callable[[str], object]) -> list[Span]:
        """Return where a phrase stands whose first word passes a test, in order."""
        starts = (self.words[place][0] for place in self.places(opens))
        return [found.span() for start in starts if (found := pattern.match(self.text, start))]


def inside(spans: Sequence[Span], start: int, end: int) -> Sequence[Span]:
    """Return those sorted spans that start inside a stretch of text."""
    first = bisect_left(spans, (start, 0))
    return spans[first : bisect_left(spans, (end, 0), lo=first)]
