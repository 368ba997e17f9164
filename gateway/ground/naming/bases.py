"""What a rate is counted on ("per 1,000 people", "8.4 out of 10"): digits that are no figure."""

import re
from collections.abc import Iterable, Iterator

BASED = re.compile(r"(?:\bper\s|\bout\sof\s|/\s?)(?P<n>\d[\d,]*\d|\d)(?![\d.,]*\d|%)", re.IGNORECASE)
LEADS = ("per ", "out of ", "/")
ROUND = re.compile(r"1000?|10000|100000")


def bases_of(labels: Iterable[str]) -> frozenset[str]:
    """Return the bases that labels name ("Score (out of 10)"), in plain digits."""
    return frozenset(_base(found) for label in labels for found in BASED.finditer(label))


def based_on(text: str, bases: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Yield where a text repeats one of these bases, or counts per a round power of ten."""
    low = " ".join(text.lower().split())
    for found in BASED.finditer(text) if any(map(low.__contains__, LEADS)) else ():
        rate = found.group().lower().startswith("per ") and ROUND.fullmatch(_base(found))
        if rate or _base(found) in bases:
            yield found.span("n")


def _base(found: re.Match[str]) -> str:
    return found["n"].replace(",", "")
