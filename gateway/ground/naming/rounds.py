"""Columns that are the rounds of a contest (R1, R2; Round 1; 1st leg), and which of them words mean."""

import re

from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.phrases import NOBODY
from gateway.ground.table.sheet import Sheet

KINDS = r"rounds?|rd|legs?|runs?|laps?|sets?|heats?|days?|quarters?|innings|periods?|halves|half|games?"
HEADER = re.compile(
    rf"(?P<word>r|{KINDS})[\s-]?(?P<n>[1-9])|(?P<nth>[1-9])(?:st|nd|rd|th)(?:\s(?P<kind>{KINDS}))?",
    re.IGNORECASE,
)
PLACES = {
    "opening": 1, "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "closing": -1,
    "last": -1, "final": -1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
}  # fmt: skip
ORDINALS = r"opening|first|second|third|fourth|fifth|sixth|closing|last|final"
# "His last-round 69", "a final round of 70".
LED = re.compile(
    rf"\b(?P<nth>{ORDINALS})[\s-](?:{KINDS})(?:\s(?:score\s|time\s)?of|\swas)?\s(?:an?\s)?\Z", re.IGNORECASE
)
# "Closed with a 70", "opened with 66": one round, not all of them.
BEGAN = re.compile(r"\b(?:(?P<first>opened|started|began)|closed)\swith\san?\s\Z", re.IGNORECASE)
# "A 70 in the final round", "66 in round two".
BEHIND = re.compile(
    rf"\s(?:in|on|from)\s(?:the\s|his\s|her\s|their\s|its\s)?(?:(?P<nth>{ORDINALS})\s(?:{KINDS})|(?:{KINDS})\s(?P<n>one|two|three|four|five|six|\d))\b",
    re.IGNORECASE,
)
LEAST, REACH = 2, 40


class Rounds:
    """The rounds of one sheet, in order; none where its columns are no such run."""

    def __init__(self, sheet: Sheet) -> None:
        """Read the headers once."""
        found = ((HEADER.fullmatch(sheet.label(c).strip()), c) for c in sorted(sheet.numeric))
        self.columns = {int(said["n"] or said["nth"]): c for said, c in found if said}
        if sorted(self.columns) != list(range(1, len(self.columns) + 1)) or len(self.columns) < LEAST:
            self.columns = {}

    def told(self, text: str, quantity: Quantity) -> frozenset[int]:
        """Return the column of the round that the words around a number mean."""
        place = self._place(text, quantity) if self.columns else 0
        column = self.columns.get(place if place > 0 else len(self.columns)) if place else None
        return NOBODY if column is None else frozenset((column,))

    def _place(self, text: str, quantity: Quantity) -> int:
        """Return which round is meant, -1 for the last one; 0 where none is."""
        if quantity.measure not in ("plain", "clock"):
            return 0
        lead = text[max(0, quantity.start - REACH) : quantity.start]
        behind = BEHIND.match(text, quantity.end, quantity.end + REACH)
        led = LED.search(lead)
        began = BEGAN.search(lead)
        if led or behind:
            said = (led["nth"] if led else (behind["nth"] or behind["n"]) if behind else "").lower()
            return int(said) if said.isdigit() else PLACES[said]
        return (1 if began["first"] else -1) if began else 0
