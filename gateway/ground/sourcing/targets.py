"""Targets missed and met, by how much: "missed its target of 700 by 60", "a shortfall of 60 on target"."""

import re

from gateway.ground.derived.derive import Derived
from gateway.ground.lexing.direction import Direction
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.sentence.clauses import Sentence, position
from gateway.ground.sourcing.plans import PLANNED
from gateway.ground.table.sheet import Sheet

# "Missed its target of 700 by 60": what was missed stands between the verb and the number.
MISSED = re.compile(
    r"\b(?:missed|fell\sshort\sof|came\sin\sbelow|undershot|underspent)\s[^;:()]{1,60}\Z", re.IGNORECASE
)
BY = re.compile(r",?\sby\s(?:about\s|just\s|only\s)?\W?", re.IGNORECASE)
SHORT = re.compile(r"\b(?:shortfall|underspend|undershoot)\b[^;:.]{0,30}\Z", re.IGNORECASE)
SHORT_AFTER = re.compile(r"\s(?:shortfall|underspend)\b", re.IGNORECASE)
REACH, BY_REACH = 70, 16


def missed_by(text: str, quantity: Quantity, sentence: Sentence) -> Direction | None:
    """Return the direction of a number that says by how much the number before it was missed."""
    if " by " not in text[max(0, quantity.start - BY_REACH) : quantity.start]:
        return None
    place = position(quantity, sentence)
    first = sentence.quantities[place - 1] if place else None
    if first is None or BY.fullmatch(text, first.end, quantity.start) is None:
        return None
    found = MISSED.search(text[max(sentence.start, first.start - REACH) : first.start])
    return Direction(-1, word="missed", delta=True) if found else None


def denies_shortfall(text: str, sheet: Sheet, derived: Derived, quantity: Quantity) -> bool:
    """Tell whether a shortfall is said of what came to more than was planned."""
    planned = {c for c in derived.columns if PLANNED.search(sheet.label(c))}
    if derived.op != "difference" or derived.lead is None or len(derived.columns) != 2 or len(planned) != 1:
        return False
    said = SHORT.search(text[max(0, quantity.start - REACH) : quantity.start])
    if said is None and SHORT_AFTER.match(text, quantity.end) is None:
        return False
    over = derived.value if derived.lead[1] not in planned else -derived.value
    return over > 0
