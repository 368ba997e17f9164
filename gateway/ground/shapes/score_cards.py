"""Cells of rounds and their sum ("70-69-71=210"): which of its figures a number may be."""

import re
from collections.abc import Sequence
from decimal import Decimal

from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.table.sheet import Sheet, as_text

CARD = re.compile(r"\d{1,3}(?:\s?[-+\u2013\u2212]\s?\d{1,3})+\s?=\s?(?P<sum>\d{1,4})")
# Words for one round; without one, a score is the sum.
ROUND = re.compile(
    r"\b(?:rounds?|shot|shoots?|shooting|card(?:s|ed|ing)?|open(?:s|ed|ing)|clos(?:ed|ing)|fired|first|second|third|fourth|final"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|days?|heats?|legs?|games?|sets?)\b",
    re.IGNORECASE,
)
PLACED = re.compile(
    r"\b(?:finish(?:ed|es|ing)|place[ds]?|came|tied|tie)\b[^,;()]{0,16}\b(?:first|second|third|fourth|final)\b",
    re.IGNORECASE,
)


def on_cards(text: str, sheet: Sheet, bindings: Sequence[Binding], sentence: Sentence) -> list[Binding]:
    """Refuse a round told as the sum, and a sum in brackets behind a name beside a round of the same cell."""
    found = list(bindings)
    sums = {at: total for at, b in enumerate(bindings) if (total := _sum(sheet, b)) is not None}
    if not sums:
        return found
    said = PLACED.sub(" ", text[sentence.start : sentence.end])
    rounds = ROUND.search(said) is not None
    for at, total in sums.items():
        binding = bindings[at]
        own = any(reading.value == total for reading in binding.quantity.readings)
        beside = sum(other.cell == binding.cell for other in bindings) > 1
        if (own and binding.quantity.bracketed and beside) or not (
            own or binding.quantity.bracketed or rounds
        ):
            found[at] = binding._replace(cell=None, value=None, elsewhere=())
    return found


def _sum(sheet: Sheet, binding: Binding) -> Decimal | None:
    """Return the sum that the cell of a number ends with, if it is such a cell."""
    if binding.cell is None or binding.cell[1] in sheet.numeric or binding.quantity.slot is not None:
        return None
    row, column = binding.cell
    card = CARD.fullmatch(as_text(sheet.table.rows[row][column]).strip())
    return Decimal(card["sum"]) if card else None
