"""Targets missed and met, by how much: "missed its target of 700 by 60", "a shortfall of 60 on target"."""

import re

from gateway.ground.derived.derive import Derived
from gateway.ground.lexing.direction import Direction
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.sentence.clauses import Sentence, position
from gateway.ground.sourcing.plans import BARE, PLANNED
from gateway.ground.table.sheet import Sheet

_PLAN = PLANNED.pattern
# "Missed its target of 700 by 60": what was missed stands between the verb and the number.
MISSED = re.compile(
    r"\b(?:missed|fell\sshort\sof|came\sin\sbelow|undershot|underspent)\s[^;:()]{1,60}\Z", re.IGNORECASE
)
BY_VERB = re.compile(
    r"\b(?:(?P<under>miss(?:ed|es)|fell\sshort\sof|came\sin\s(?:below|under)|undershot|underspent|trail(?:ed|s)"
    r"|lag(?:ged|s)(?:\sbehind)?|fell\sbehind|(?:was|were|is|are)\sbehind)"
    r"|(?P<over>beats?|beaten|exceed(?:ed|s)|overshot|topped|surpassed|outdid|overspent))"
    rf"\s[^;:()]{{0,60}}?{_PLAN}[^;:()]{{0,40}}?\sby\s(?:about\s|just\s|only\s)?[^\w\s]?\Z",
    re.IGNORECASE,
)
# "60 short of its plan", "60 above its 700 target".
SIDE = re.compile(
    r"(?:\s[^\W\d_]{1,12})?\s(?:(?P<over>over|above|more\sthan|ahead\sof|in\sexcess\sof|beyond)"
    r"|(?P<under>under|below|less\sthan|short\sof|shy\sof|behind|adrift\sof|off))"
    rf"\s(?:[^\s,;:()]+\s){{0,3}}?{_PLAN}",
    re.IGNORECASE,
)
BY = re.compile(r",?\sby\s(?:about\s|just\s|only\s)?\W?", re.IGNORECASE)
# "Needs 6 points more to reach its target".
TO_REACH = re.compile(
    rf"(?:\s[a-z]+){{0,2}}\sto\s(?:reach|meet|hit|get\sto)\s(?:[^\s,;:()]+\s){{0,2}}?(?P<under>{_PLAN})",
    re.IGNORECASE,
)
# What moved did so in time, and not from its plan.
MOVED = re.compile(
    r"\b(?:rose|ris(?:en|es?|ing)|fell|fall(?:s|en|ing)?|gr[eo]w(?:s|n|ing)?|climb\w*|increas\w+|decreas\w+|declin\w+"
    r"|dropp(?:ed|ing)|slipp(?:ed|ing)|slid|jump(?:ed|s|ing))\b",
    re.IGNORECASE,
)
SHORT = re.compile(r"\b(?:shortfall|underspend|undershoot)\b[^;:.]{0,30}\Z", re.IGNORECASE)
SHORT_AFTER = re.compile(r"\s(?:shortfall|underspend)\b", re.IGNORECASE)
REACH, BY_REACH, VERB_REACH = 70, 16, 140


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


def bears_out(
    text: str, sheet: Sheet, derived: Derived, quantity: Quantity, sentence: Sentence
) -> bool | None:
    """Tell whether a difference to a plan lies on the side that its words say, None where they say none."""
    planned = {c for c in derived.columns if PLANNED.search(sheet.label(c))}
    if derived.op not in ("difference", "pct_change", "pp_change") or derived.lead is None:
        return None
    if len(derived.columns) != 2 or len(planned) != 1:
        return None
    way = _way(text, quantity, sentence)
    if not way and PLANNED.search(text, sentence.start, sentence.end) is None:
        moved = MOVED.search(text, max(sentence.start, quantity.start - REACH), quantity.start)
        return False if moved else None
    over = derived.value if derived.lead[1] not in planned else -derived.value
    return (over > 0) == (way == "over") if way else None


def _way(text: str, quantity: Quantity, sentence: Sentence) -> str:
    """Return on which side of a plan a number is said to lie; "" where nothing says so."""
    if SHORT.search(text[max(0, quantity.start - REACH) : quantity.start]) or SHORT_AFTER.match(
        text, quantity.end
    ):
        return "under"
    bare = BARE.match(text, quantity.end)
    if bare is not None and PLANNED.search(text, sentence.start, quantity.start) is None:
        bare = None
    found = (
        SIDE.match(text, quantity.end, sentence.end)
        or TO_REACH.match(text, quantity.end, sentence.end)
        or bare
        or BY_VERB.search(text, max(sentence.start, quantity.start - VERB_REACH), quantity.start)
    )
    side = (found.lastgroup or "") if found is not None else ""
    return {"above": "over", "below": "under"}.get(side, side)
