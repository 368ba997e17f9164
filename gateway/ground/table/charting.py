"""Which of several columns of places a number in a chart means: the best that was reached, or the last."""

import re
from collections.abc import Iterable

from gateway.ground.table.sheet import Sheet

REACHED = re.compile(
    r"\b(?P<best>(?:reach|peak)(?:ed|es|s|ing)?|(?:climb(?:ed|s|ing)?|rose|went|got|made\sit)\sto|hit)\b"
    r"|\b(?P<last>(?:end|finish|clos)(?:ed|es|s|ing)?\s(?:the|its|their|that)\s(?:year|season|run)|year-end|final(?:ly)?)\b",
    re.IGNORECASE,
)
BEST, LAST = frozenset(("peak", "highest", "best")), frozenset(("end", "final", "last"))


def place_told(text: str, since: int, start: int, sheet: Sheet, ranks: Iterable[int]) -> frozenset[int]:
    """Return the one column of places that the words before a number at `start` mean; empty for none."""
    said = list(REACHED.finditer(text, since, start))[-1:]
    meant = (BEST if said[0]["best"] else LAST) if said else frozenset()
    found = frozenset(column for column in ranks if meant & sheet.label_words[column])
    return found if len(found) == 1 else frozenset()
