"""A number at each precision in which somebody may write it, and a keyed hash of each."""

import re
from collections.abc import Iterator
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal, InvalidOperation
from hashlib import blake2b

LEAST_DIGITS = 2
MOST_DIGITS = 9
"""Roundings to so many significant digits count, beside the number as it is."""
_AWAY, _TO_EVEN = (
    tuple(Context(prec=digits, rounding=way) for digits in range(1, MOST_DIGITS + 1))
    for way in (ROUND_HALF_UP, ROUND_HALF_EVEN)
)


def number_in(text: str) -> Decimal | None:
    """Return the number that a recorded value is; None for any other text."""
    try:
        found = Decimal(text)
    except InvalidOperation:
        return None
    return found if found.is_finite() else None


def shown_as(value: str, text: str) -> frozenset[str]:
    """Return each way of writing a cited value, as one spelling: without sign, scale or separators.

    `text` is what the answer said: a share counts as a fraction and in percent, and one digit alone counts
    where no more were shown.
    """
    number = number_in(value)
    if number is None:
        return frozenset()
    least = min(LEAST_DIGITS, _digits(text))
    scales = (number, number * 100) if "%" in text else (number,)
    return frozenset(spelling for each in scales for spelling in _precisions(abs(each), least))


def spelled(number: Decimal) -> str:
    """Return the one spelling of a number, whatever its sign."""
    return str(abs(number).normalize())


def keyed_number(key: bytes, spelling: str) -> int:
    """Return 63 bits that stand for a number and tell nothing without the key."""
    return int.from_bytes(blake2b(spelling.encode(), key=key, digest_size=8).digest(), "big") >> 1


def _precisions(number: Decimal, least: int) -> Iterator[str]:
    """Yield a number as it is and rounded; a half goes up, and where it is exact, to even as well."""
    whole = number.normalize()
    yield str(whole)
    digits = whole.as_tuple().digits
    for rounding in _AWAY[least - 1 : len(digits) - 1]:
        yield str(whole.normalize(rounding))
    if digits[-1] == 5 and least < len(digits) <= MOST_DIGITS + 1:
        yield str(whole.normalize(_TO_EVEN[len(digits) - 2]))


def _digits(text: str) -> int:
    return len(re.sub(r"\D", "", text).strip("0")) or 1
