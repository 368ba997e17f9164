"""Which of several averages a number is ("60 wickets at 31.05"): that behind the column that was counted."""

import re

from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.phrases import NOBODY
from gateway.ground.sentence.clauses import Sentence
from gateway.ground.sentence.idioms import Fitting
from gateway.ground.table.sheet import Sheet

LED = re.compile(
    r"(?:\bat(?:\san\saverage\sof)?|,?\s(?:with\s)?an\saverage\sof|\baverag(?:ing|ed))\s\Z", re.IGNORECASE
)
LABEL = re.compile(r"\b(?:average|avg|ave|mean)\b\.?", re.IGNORECASE)
REACH = 32


class Averages:
    """The columns of averages of one sheet, for one text; none where there is only one."""

    def __init__(self, sheet: Sheet, text: str) -> None:
        """Look for the columns once."""
        self.text = text
        found = [c for c in sheet.numeric if LABEL.search(sheet.label(c))]
        self.columns = found if len(found) > 1 else []

    def told(self, quantity: Quantity, sentence: Sentence, fitting: Fitting) -> frozenset[int]:
        """Return the first column of averages behind the column that was named last before a number."""
        if not self.columns or not LED.search(self.text[max(0, quantity.start - REACH) : quantity.start]):
            return NOBODY
        counted = [m for m, _ in fitting if m.end <= quantity.start and m.columns.isdisjoint(self.columns)]
        if not counted or len(counted[-1].columns) != 1:
            return NOBODY
        (column,) = counted[-1].columns
        return frozenset([c for c in self.columns if c > column][:1])
