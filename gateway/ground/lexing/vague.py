"""Amounts that no cell can bear out: orders of magnitude, Roman numerals, and what is no number at all."""

import re
from collections.abc import Iterator

from gateway.ground.lexing.numerals import POWERS, WORDS
from gateway.ground.lexing.spelled import WORD

_COUNTS = "|".join(sorted({*WORDS, *POWERS, "hundred", "dozen", "many"}, key=len, reverse=True))
MAGNITUDES = re.compile(
    r"(?<!\w)(?:(?:tens|scores)\sof(?!\w)|(?:dozens|hundreds|thousands|millions|billions|trillions)(?!\w)"
    rf"|(?:{_COUNTS})-?fold(?!\w))",
    re.IGNORECASE,
)
MAGNITUDE_STEMS = ("tens", "scores", "dozens", "hundreds", "thousands", "illions", "fold")
UNIT_LABEL = re.compile(r"(?:\bin|\b[A-Z]{3}|[$€£¥])[^\S\n]?\Z")
NO_NUMBER = re.compile(r"(?<![\w])[-+]?(?:NaN|NAN|nan|[Ii]nf|INF|(?i:infinity)|\u221e)(?!\w)")
NO_NUMBER_STEMS = ("nan", "inf", "\u221e")
ROMAN = re.compile(
    r"(?<!\w)(?=[MDCLXVI]{2})M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})(?!\w)"
)
CAPITALS = re.compile(r"[MDCLXVI]{2}")
SAID = re.compile(r"\b(?:was|were|is|are|reached|totall?ed|came\sto|amounted\sto|[:=])\s?\Z", re.IGNORECASE)


def vague_amounts(text: str, nouns: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Yield amounts without digits. `nouns` are what the result counts; a Roman numeral stands beside one."""
    low = text.lower()
    for found in MAGNITUDES.finditer(text) if any(map(low.__contains__, MAGNITUDE_STEMS)) else ():
        if not UNIT_LABEL.search(text[max(0, found.start() - 5) : found.start()]):
            yield found.span()
    for found in NO_NUMBER.finditer(text) if any(map(low.__contains__, NO_NUMBER_STEMS)) else ():
        yield found.span()
    for found in ROMAN.finditer(text) if CAPITALS.search(text) else ():
        following = WORD.match(text, found.end() + 1)
        counts = following is not None and following.group().lower() in nouns
        if counts or SAID.search(text[max(0, found.start() - 16) : found.start()]):
            yield found.span()
