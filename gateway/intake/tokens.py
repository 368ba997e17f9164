"""A question cut into words, with their places; the words of a layer are cut the same way."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

WORD = re.compile(r"(?:[A-Za-z]\.){2,}|[^\W_]+|[&+%,;:?!.<>=]")
SUFFIX = re.compile(r"'(s|re|ve|ll|d|m|t)\b", re.IGNORECASE)
SIGNS = {"&": "and", "+": "and"}
CONTRACTED = {"ca": "can", "wo": "will", "sha": "shall"}


@dataclass(frozen=True, slots=True)
class Token:
    """One word or sign: as written, in small letters, without a plural ending; `start` to before `end`."""

    text: str
    low: str
    fold: str
    start: int
    end: int

    @property
    def is_sign(self) -> bool:
        """Tell whether it is punctuation."""
        return not self.low[0].isalnum() and self.low != "%"


def tokens(text: str) -> tuple[Token, ...]:
    """Cut a text into words and signs; hyphens, slashes and brackets only part words."""
    return tuple(_cut(text))


def _cut(text: str) -> Iterator[Token]:
    place = 0
    while found := WORD.search(text, place):
        start, end = found.span()
        word = found.group()
        place = end
        suffix = SUFFIX.match(text, end) if word[-1].isalpha() else None
        if suffix is None:
            yield _token(word, start, end)
            continue
        place = suffix.end()
        kind = suffix.group(1).lower()
        if kind == "t" and word.lower().endswith("n"):
            base = word[:-1].lower()
            yield _token(CONTRACTED.get(base, base), start, end)
            yield _token("not", end, place)
        else:
            yield _token(word, start, place)
            if kind == "ll":
                yield _token("will", end, place)


def _token(word: str, start: int, end: int) -> Token:
    low = SIGNS.get(word, word.replace(".", "").casefold() or word)
    return Token(word, low, singular(low), start, end)


def singular(word: str) -> str:
    """Return a word in small letters without a plural ending."""
    if len(word) < 4 or word[-1] != "s" or word[-2:] in ("ss", "us", "is") or not word.isalpha():
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("sses", "xes", "ches", "shes")) else word[:-1]


def key_of(text: str) -> tuple[str, str]:
    """Return the keys of a layer's term: as written, and without plural endings."""
    words = [token for token in tokens(text.replace("_", " ")) if not token.is_sign]
    return " ".join(token.low for token in words), " ".join(token.fold for token in words)
