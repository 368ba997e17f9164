"""Years that a text holds, alone or as the ends of a stretch ("1978-1981", "1990/91", "2004-present")."""

import re
from collections.abc import Iterator
from datetime import date

STRETCH = re.compile(
    r"(?<!\d)(?P<first>(?:1[1-9]|20)\d\d)"
    r"(?:\s?[-\u2013\u2014/]\s?(?P<last>(?:1[1-9]|20)\d\d|\d\d?(?!\d|[-/]\d)|[Pp]resent))?"
)
LONGEST = 80


def year_spans(text: str, today: date) -> Iterator[tuple[int, int]]:
    """Yield (first, last) of each stretch of years; a year alone is both."""
    for said in STRETCH.finditer(text):
        first = int(said["first"])
        last = _last(said["last"] or said["first"], first, today.year)
        if first <= last <= first + LONGEST:
            yield first, last
        else:  # "2010-03", "1815 - 2014"
            yield first, first
            yield from ((last, last),) if said["last"] == str(last) else ()


def _last(said: str, first: int, today: int) -> int:
    """Return the year that a stretch ends in: in four digits, in its last ones, or today."""
    if not said.isdigit():
        return today
    short: int = 10 ** len(said)
    year = first - first % short + int(said)
    return year if year >= first or len(said) == 4 else year + short
