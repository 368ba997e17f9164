"""Rates told as parts of what they count ("took 32% of all admissions" of an admission rate)."""

import re

from gateway.ground.lexing.stems import split_words, stem
from gateway.ground.pointing.bound import Binding
from gateway.ground.sentence.clauses import Sentence, neighbours
from gateway.ground.table.sheet import Sheet

RATE = re.compile(r"(?P<event>[^\W\d_]{3,})\s(?:rate|ratio)\b", re.IGNORECASE)
_WHOLE = (
    r"of\s(?:all\s|the\s|our\s|total\s|these\s|those\s|entire\s|whole\s|company(?:'s)?\s)*(?P<noun>[^\W\d_]+)"
)
OF = re.compile(rf"\s{_WHOLE}", re.IGNORECASE)
LED_OF = re.compile(rf"\b{_WHOLE},\s(?:about\s|some\s|just\s|only\s)?\Z", re.IGNORECASE)
# Who only has or sees a part of others' figures, and does nothing that the rate counts.
HAS = re.compile(
    r"\b(?:ha[ds]|have|saw|sees|got|took|takes|drew|dr[ae]ws?|received|handled|holds|held|made\sup|makes\sup|brought\sin"
    r"|account(?:s|ed)\sfor|contribut(?:es|ed)|represent(?:s|ed)|generat(?:es|ed)|provid(?:es|ed))\s"
    r"(?:about\s|some\s|just\s|only\s|around\s|nearly\s|almost\s)?\Z",
    re.IGNORECASE,
)
ENDS = re.compile(
    r"\s*(?:[.,;:!?)]|\Z)|\s(?:in|during|over|this|last|and|but|while|whereas|across)\b", re.IGNORECASE
)
OWN = re.compile(r"\s*of\s(?:its|their|his|her|those|these|them)\b", re.IGNORECASE)
REACH = 60


class SharesOfEvents:
    """Reads what the rates of one text are said to be a part of, over one sheet."""

    def __init__(self, sheet: Sheet, text: str) -> None:
        """Stand on a sheet and a text."""
        self.sheet = sheet
        self.text = text
        rated = (c for c in sheet.numeric if sheet.measured[c].carrier in ("percent", "fraction"))
        said = {c: RATE.search(sheet.label(c)) for c in rated} if "%" in text or "percent" in text else {}
        # of a "Late payment rate" payments are what it is a part of
        self.events = {c: stem(found["event"]) for c, found in said.items() if found and not found.start()}

    def deny(self, binding: Binding, sentence: Sentence) -> bool:
        """Tell whether a rate of one row is told as its part of what all rows have."""
        cell, quantity = binding.cell, binding.quantity
        if cell is None or cell[1] not in self.events or quantity.slot is not None or self.sheet.height < 2:
            return False
        before, after = neighbours(quantity, sentence)
        since = max(before, quantity.start - REACH)
        behind = OF.match(self.text, quantity.end, after)
        led = LED_OF.search(self.text, since, quantity.start)
        event = self.events[cell[1]]
        if any(said is not None and stem(said["noun"]) == event for said in (behind, led)):
            return True
        if behind is None or OWN.match(self.text, quantity.end) or not ENDS.match(self.text, behind.end()):
            return False
        row = any(cell[0] in m.rows for m in sentence.rows if m.end <= quantity.start)
        return row and HAS.search(self.text, since, quantity.start) is not None and self._is_counted(behind)

    def _is_counted(self, behind: re.Match[str]) -> bool:
        """Tell whether a noun is what another column of the result counts."""
        noun = split_words(behind["noun"])
        return any(noun == split_words(self.sheet.label(c)) for c in self.sheet.counts)
