"""Measures of two units ("193 ft 7 in", "8 st 4 lb"): one figure, as it stands in a text cell of its row."""

import re
from collections.abc import Iterator, Mapping

from gateway.ground.lexing.lexicon import words
from gateway.ground.lexing.spoken import Spoken
from gateway.ground.table.sheet import Sheet

_NUMBER = r"\d{1,4}(?:,\d{3})*"
_PART = r"\d{1,2}(?:\.\d+|\s?\d/\d{1,2}|\s?[\u00bc-\u00be\u2150-\u215e])?"
COMPOUND = re.compile(
    rf"(?<![\w.,]){_NUMBER}\s?(?:(?:ft|feet|foot|yd|yards?)(?P<length>\s{_PART}\s?(?:in|inch|inches|ft|feet)\b)"
    rf"|(?:lbs?|pounds?)(?P<weight>\s{_PART}\s?(?:oz|ounces?)\b)|(?:st|stone)(?P<stone>\s{_PART}\s?(?:lbs?|pounds?)\b)"
    rf"|(?:h|hrs?|hours?)(?P<hours>\s{_PART}\s?(?:min|mins|minutes?|m)\b)"
    rf"|(?:min|mins|minutes?|m)(?P<minutes>\s{_PART}\s?(?:s|sec|secs|seconds?)\b))",
    re.IGNORECASE,
)
# The first of the two units: one of these is in any text with such a measure.
LARGER = words(
    "ft feet foot yd yard yards lb lbs pound pounds st stone h hr hrs hour hours min mins minute minutes m"
)
SPACES = re.compile(r"\s+")


def compounds(spoken: Spoken, sheet: Sheet) -> Mapping[int, str]:
    """Return the compound measures of a text that stand as they are in a text cell, by where they start."""
    if not spoken.says(LARGER):
        return {}
    said = {found.start(): _plain(found.group()) for found in COMPOUND.finditer(spoken.text)}
    cells = [_plain(v) for row in sheet.table.rows for v in row if isinstance(v, str)] if said else []
    return {start: words for start, words in said.items() if any(_holds(cell, words) for cell in cells)}


def rests(spoken: Spoken, sheet: Sheet) -> Iterator[tuple[int, int]]:
    """Yield where the parts behind the first unit stand: they are read with it."""
    starts = compounds(spoken, sheet)
    for found in COMPOUND.finditer(spoken.text) if starts else ():
        if found.start() in starts:
            yield next(found.span(kind) for kind, rest in found.groupdict().items() if rest)


def stands_in(words: str, value: object) -> bool:
    """Tell whether a cell holds a compound measure as it is said."""
    return isinstance(value, str) and _holds(_plain(value), words)


def _holds(cell: str, words: str) -> bool:
    return re.search(rf"(?<![\w.,]){re.escape(words)}(?!\w)", cell) is not None


def _plain(text: str) -> str:
    return SPACES.sub(" ", text).lower()
