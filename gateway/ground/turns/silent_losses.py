"""People who were lost told as if they were all ("served 143 guests" of No-shows): the cell is none."""

import re

from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.sentence.flows import GOING, THEM
from gateway.ground.table.sheet import Sheet

# Those who did not stay, come or pass, and how a sentence says so.
BADLY = re.compile(rf"{GOING.pattern}|no-?shows?\b|unseen|fail|reject|complain", re.IGNORECASE)
SAID_BADLY = re.compile(
    rf"{BADLY.pattern}|\b(?:not|never|no|without|missed|went|bailed|g[ia]ve\sup|h[au]ng\sup|walked)\b|n't\b",
    re.IGNORECASE,
)


class SilentLosses:
    """Reads which numbers of one text hide a loss, over one sheet."""

    def __init__(self, sheet: Sheet, text: str) -> None:
        """Find the columns that count those who did not stay, come or pass."""
        self.text = text
        self.columns = frozenset(c for c in sheet.numeric if BADLY.search(sheet.label(c)))

    def deny(self, binding: Binding, sentence: Sentence) -> bool:
        """Tell whether a number of people that names no column shows a loss that nothing speaks of."""
        if binding.cell is None or binding.cell[1] not in self.columns or binding.place.named:
            return False
        if binding.quantity.measure != "plain" or THEM.match(self.text, binding.quantity.end) is None:
            return False
        return SAID_BADLY.search(self.text, sentence.start, sentence.end) is None
