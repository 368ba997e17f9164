"""Written numbers to decimals: separators of many places, spelled numbers, scale words."""

import re
from collections.abc import Sequence
from decimal import Decimal

# A space joins digits in threes only, and never behind four digits (a year).
_SPACED = r"(?<!\d{4})\u0020(?=\d{3}(?:\u0020\d{3})*(?:[.,]\d{1,2})?(?![\d,.]*\d))"
CORE = rf"(?:\d+(?:(?:[.,'_\u00a0]|{_SPACED})\d+)*|(?<![\d.,])[.]\d+)"
GROUPS = re.compile(r"\d{1,3}(?:[S]\d{3})+|\d{1,2}(?:[S]\d{2})+[S]\d{3}".replace("S", ",.' \u00a0_"))
IN_THREES = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.(?P<decimals>[0-9]+))?")
NO_DIGIT = re.compile(r"\D")

SCALES: dict[str, int] = {
    "hundred": 2, "thousand": 3, "thousands": 3, "k": 3, "tsd": 3, "mille": 3, "mil": 3, "tausend": 3,
    "lakh": 5, "lakhs": 5, "lac": 5, "million": 6, "millions": 6, "mn": 6, "mm": 6, "m": 6, "mio": 6,
    "mln": 6,
    "millionen": 6, "millones": 6, "millón": 6, "milioni": 6, "milhões": 6, "miljoen": 6, "miljoner": 6,
    "mill": 6,
    "crore": 7, "crores": 7, "cr": 7, "billion": 9, "billions": 9, "bn": 9, "b": 9, "milliard": 9,
    "milliards": 9,
    "milliarden": 9, "milliarde": 9, "mrd": 9, "md": 9, "miliardi": 9, "miljard": 9,
    "trillion": 12, "trillions": 12, "tn": 12, "trn": 12, "t": 12, "万": 4, "萬": 4, "亿": 8, "億": 8,
    "만": 4, "억": 8,
}  # fmt: skip
AMBIGUOUS = frozenset(("m", "t", "b", "mm", "md"))

MAX_DIGITS = 30
UNITS = {
    word: number
    for number, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ]
    )
}
TENS = {
    word: number * 10
    for number, word in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2
    )
}
POWERS = {"thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000, "trillion": 1_000_000_000_000}
WORDS = UNITS | TENS | {"hundred": 100, "nil": 0, "nought": 0} | POWERS


def parse_numeral(text: str, comma: bool) -> tuple[Decimal, int] | None:
    """Return a numeral's value and its count of decimals, or None when two readings are possible.

    `comma` says that a lone comma is the decimal separator. Forms that only one reading fits ("1.234,56",
    "1'234'567", "12,34,567") are read in every locale.
    """
    body = text.strip("\u00a0 ")
    if len(body) > MAX_DIGITS:
        return None
    if body.isdigit():
        return Decimal(body), 0
    if not comma and (grouped := IN_THREES.fullmatch(body)):
        return Decimal(body.replace(",", "")), len(grouped["decimals"] or "")
    point, whole, fraction = _split(body, "," if comma else ".")
    if point is None:
        return None
    if whole and not whole.isdigit():
        if not GROUPS.fullmatch(whole) or len(set(NO_DIGIT.findall(whole))) > 1 or whole[0] == "0":
            return None
        whole = NO_DIGIT.sub("", whole)
    if fraction and not fraction.isdigit():
        return None
    return Decimal(f"{whole or '0'}.{fraction}" if fraction else whole), len(fraction)


def _split(body: str, mark: str) -> tuple[str | None, str, str]:
    """Return (decimal separator or "", whole part, decimals); None first when the form is ambiguous."""
    points, commas = body.count("."), body.count(",")
    if points and commas:
        last = max(body.rfind("."), body.rfind(","))
        if body.count(body[last]) > 1:
            return None, "", ""
        return body[last], body[:last], body[last + 1 :]
    if points + commas != 1:
        return "", body, ""
    seen = "." if points else ","
    whole, fraction = body.split(seen)
    if seen == mark:
        return seen, whole, fraction
    if len(fraction) == 3 and 1 <= len(whole) <= 3 and whole.isdigit():
        return "", body, ""
    grouped_otherwise = not whole.isdigit() and GROUPS.fullmatch(whole)
    return (seen, whole, fraction) if grouped_otherwise else (None, "", "")


def parse_spelled(words: Sequence[str]) -> tuple[int, int] | None:
    """Return (value, words used) for the longest spelled number at the start of `words`, or None.

    "twelve hundred", "two million three hundred thousand", "one hundred and five"; hyphens are split
    beforehand.
    """
    total = current = used = 0
    last = ""
    for place, word in enumerate(words):
        if word == "and" and last in ("hundred", "thousand", "million") and place + 1 < len(words):
            if words[place + 1] in UNITS or words[place + 1] in TENS:
                continue
            break
        if not _continues(last, word, current):
            break
        if word in POWERS:
            total, current = total + max(current, 1) * POWERS[word], 0
        elif word == "hundred":
            current = max(current, 1) * 100
        else:
            current += WORDS[word]
        last, used = word, place + 1
    return (total + current, used) if used else None


def _continues(last: str, word: str, current: int) -> bool:
    """Tell whether `word` may follow `last` inside one spelled number."""
    if word not in WORDS:
        return False
    if not last:
        return True
    if last in ("zero", "nil", "nought"):
        return False
    if word in POWERS:
        return last not in POWERS
    if word == "hundred":
        return 0 < current < 100
    if last in TENS:
        return word in UNITS and 0 < UNITS[word] < 10
    return last in POWERS or last == "hundred"
