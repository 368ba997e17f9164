"""Fractions and multiples in words and signs: "doubled", "half of", "one in five", "4 1/2"."""

import re
import unicodedata
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

from gateway.ground.lexing.hedges import hedge_of
from gateway.ground.lexing.numerals import WORDS
from gateway.ground.lexing.tokens import Quantity, Reading
from gateway.ground.lexing.units import Measure

SMALL = "one|two|three|four|five|six|seven|eight|nine|ten"
PARTS = {"half": 2, "third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}
_PART = "third|quarter|fifth|sixth|eighth|tenth"
_NOT_TIME = r"(?=\sof\s(?!20\d\d|the\syear|fiscal|FY))"
MULTIPLES: tuple[tuple[Decimal, str], ...] = (
    (Decimal(2), r"doubl(?:ed|es|ing)|twofold|two-fold|twice|double(?=\s(?:the|that|what)\b)"),
    (Decimal(3), r"tripl(?:ed|es|ing)|threefold|three-fold|trebled|triple(?=\s(?:the|that|what)\b)"),
    (Decimal(4), r"quadrupl(?:ed|es|ing)|fourfold|four-fold"),
    (Decimal("0.5"), r"halv(?:ed|es|ing)|half\s(?:as|the|that)\s(?:many|much|amount|level|size|number)"),
)
FOLDS = tuple((value, re.compile(rf"\b(?:{words})\b", re.IGNORECASE)) for value, words in MULTIPLES)
FOLD_STEMS = ("doubl", "twice", "fold", "tripl", "trebl", "quadrupl", "halv", "half")
SHARES = re.compile(
    rf"(?<![\w.,])(?:(?P<top>{SMALL}|\d)\s(?:in|out\sof)\s(?:every\s)?(?P<bottom>{SMALL}|8|[2-6]|10|20|100)\b(?![.,]?\d)"
    rf"|(?P<count>a|an|one|two|three|four)[\s-](?P<part>{_PART})s?{_NOT_TIME}"
    rf"|(?<=\s)(?P<said>an?|one)[\s-](?P<said_part>half|{_PART})(?=\s?(?:[.,;:!?)]|\Z|or\s|and\s|share\b))"
    rf"|(?<=\bby\s)(?:(?P<by_half>half)|an?\s(?P<by_part>{_PART}))\b"
    rf"|(?P<plural>two|three|four|five)[\s-](?P<parts>{_PART})s\b"
    r"|(?<!first\s)(?<!second\s)(?<!latter\s)(?<!other\s)(?P<half>half)"
    r"(?=\s(?:of\s(?!20\d\d|the\syear|fiscal|FY)|all\b|the\s)))",
    re.IGNORECASE,
)
PART_WORDS = frozenset((*PARTS, *(f"{part}s" for part in PARTS)))
OUT_OF = re.compile(rf"\s(?:in|out\sof)\s(?:every\s)?(?:{SMALL}|8|[2-6]|10|20|100)\b", re.IGNORECASE)
SIGNS = re.compile(
    r"(?:(?P<whole>\d{1,6})[\s\u00a0-]?)?(?:(?P<over>\d{1,4})/(?P<under>\d{1,4})|(?P<vulgar>[¼½¾⅐-⅞]))(?![\d/])"
)


def word_shares(text: str, said: frozenset[str]) -> Iterator[Quantity]:
    """Yield multiples and fractions written in words. `said` are the words of the text in lower case."""
    low = text.lower()
    for value, pattern in FOLDS if any(map(low.__contains__, FOLD_STEMS)) else ():
        for found in pattern.finditer(text):
            yield _loose(text, *found.span(), value, "multiple")
    parted = not PART_WORDS.isdisjoint(said) or OUT_OF.search(text) is not None
    for found in SHARES.finditer(text) if parted else ():
        share = _share(found)
        if share is not None:
            yield _loose(text, *found.span(), share, "fraction")


def sign_fractions(text: str) -> Iterator[tuple[int, int, Quantity | None, Reading]]:
    """Yield (start, end, share or None, reading) of fractions with a bar or of one character.

    A fraction alone is a share; after a whole number ("4 1/2") it is a number like any other, so None.
    """
    for found in SIGNS.finditer(text) if "/" in text or not text.isascii() else ():
        over, under = _parts(found)
        if not 0 < over < under <= 100 or _touches(text, found):
            continue
        value = Decimal(found["whole"] or 0) + Decimal(over) / Decimal(under)
        step = Decimal(1).scaleb(max(int(value.normalize().as_tuple().exponent), -4))
        share = None if found["whole"] else _loose(text, *found.span(), value, "fraction")
        yield (*found.span(), share, Reading(value, step))


def _loose(text: str, start: int, end: int, value: Decimal, measure: Measure) -> Quantity:
    hedge = hedge_of(text, start, end)
    readings = (Reading(value, value / 50),)
    return Quantity(start, end, text[start:end], readings, measure=measure, hedge=hedge, loose=True)


def _share(found: re.Match[str]) -> Decimal | None:
    if found["half"] or found["by_half"]:
        return Decimal("0.5")
    if found["said_part"]:
        return Decimal(1) / PARTS[found["said_part"].lower()]
    if found["by_part"]:
        return Decimal(1) / PARTS[found["by_part"].lower()]
    if found["top"]:
        top, bottom = _small(found["top"]), _small(found["bottom"])
        return Decimal(top) / Decimal(bottom) if 0 < top < bottom else None
    count, part = found["count"] or found["plural"], found["part"] or found["parts"]
    top, bottom = 1 if count.lower() in ("a", "an") else _small(count), PARTS[part.lower()]
    return Decimal(top) / bottom if top < bottom else None


def _small(text: str) -> int:
    return int(text) if text.isdigit() else WORDS[text.lower()]


def _parts(found: re.Match[str]) -> tuple[int, int]:
    if found["vulgar"]:
        return Fraction(unicodedata.numeric(found["vulgar"])).limit_denominator(10).as_integer_ratio()
    return int(found["over"]), int(found["under"])


def _touches(text: str, found: re.Match[str]) -> bool:
    """Tell whether a fraction is part of something longer (a date, a version, a word)."""
    before, after = text[: found.start()][-1:], text[found.end() :][:1]
    return before.isalnum() or before in ("/", ".", ",") or after == "/"
