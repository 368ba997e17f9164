"""Which column of averages a number is of ("60 wickets at 31.05", "donors gave $45 each")."""

import re

from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.phrases import NOBODY
from gateway.ground.sentence.clauses import Sentence, neighbours
from gateway.ground.sentence.idioms import Fitting
from gateway.ground.table.sheet import Sheet

LED = re.compile(
    r"(?:\bat(?:\san\saverage\sof)?|,?\s(?:with\s)?an\saverage\sof|\baverag(?:ing|ed))\s\Z", re.IGNORECASE
)
LABEL = re.compile(r"\b(?:average|avg|ave|mean)\b\.?", re.IGNORECASE)
# What one of something has or costs: money of which "each" may speak.
OF_ONE = re.compile(
    rf"{LABEL.pattern}|\bper\b|\beach\b|price|\bfees?\b|\brate\b|wage|unit|\bCP[A-Z]\b|\bARPU\b",
    re.IGNORECASE,
)
EACH = re.compile(r"\s(?:each(?!\s(?:of|other)\b)|apiece|a\s(?:head|piece)|on\saverage)\b", re.IGNORECASE)
AVERAGED = re.compile(r"\b(?:average|mean)\sof\s(?:about\s|just\s|only\s|around\s)?\Z", re.IGNORECASE)
OPENED = re.compile(r"on\saverage,?\s", re.IGNORECASE)
# "Each member visited 6 times", "came 9 times on average".
TIMES = re.compile(r"\btimes\b")
EVERY = re.compile(r"\b(?:each|every|an?\s(?:average|typical)|the\saverage|on\saverage)\b", re.IGNORECASE)
AVERAGE = re.compile(r"(?:\stimes)?\s(?:each|apiece|on\saverage|a\shead)\b", re.IGNORECASE)
REACH, TIMES_REACH = 32, 6


class Averages:
    """The columns of averages of one sheet, for one text: several of them, or the one of money."""

    def __init__(self, sheet: Sheet, text: str) -> None:
        """Look for the columns once."""
        self.text = text
        found = [c for c in sheet.numeric if LABEL.search(sheet.label(c))]
        self.columns = found if len(found) > 1 else []
        rates = [c for c in sheet.numeric if " per " in sheet.label(c).lower()]
        often = [c for c in rates if sheet.measured[c].carrier == "number"]
        self.often = frozenset(often) if len(often) == 1 and "times" in text else NOBODY
        paid = [c for c in sheet.numeric if sheet.measured[c].carrier == "currency"]
        ones = [c for c in paid if OF_ONE.search(sheet.label(c))]
        self.paid = frozenset(ones) if len(ones) == 1 and ones[0] in found and len(paid) > 1 else NOBODY

    def of_each(self, quantity: Quantity, sentence: Sentence) -> frozenset[int]:
        """Return the column of averages where money is said to be what each of one row's has."""
        if self.often and self._is_often(quantity, sentence):
            return self.often
        if not self.paid or quantity.measure != "currency":
            return NOBODY
        before, _ = neighbours(quantity, sentence)
        if len({m.start for m in sentence.rows if m.full and before <= m.start < quantity.start}) > 1:
            return NOBODY
        alone = len(sentence.quantities) == 1 and OPENED.match(self.text, sentence.start) is not None
        led = AVERAGED.search(self.text[max(0, quantity.start - REACH) : quantity.start])
        return self.paid if alone or led or EACH.match(self.text, quantity.end) else NOBODY

    def _is_often(self, quantity: Quantity, sentence: Sentence) -> bool:
        """Tell whether a number says how often each of a row's came ("each member visited 6 times")."""
        if not TIMES.search(self.text, quantity.start, quantity.end + TIMES_REACH):
            return False
        before, _ = neighbours(quantity, sentence)
        led = EVERY.search(self.text, before, quantity.start) is not None
        return led or AVERAGE.match(self.text, quantity.end) is not None

    def told(self, quantity: Quantity, sentence: Sentence, fitting: Fitting) -> frozenset[int]:
        """Return the first column of averages behind the column that was named last before a number."""
        if not self.columns or not LED.search(self.text[max(0, quantity.start - REACH) : quantity.start]):
            return NOBODY
        counted = [m for m, _ in fitting if m.end <= quantity.start and m.columns.isdisjoint(self.columns)]
        if not counted or len(counted[-1].columns) != 1:
            return NOBODY
        (column,) = counted[-1].columns
        return frozenset([c for c in self.columns if c > column][:1])
