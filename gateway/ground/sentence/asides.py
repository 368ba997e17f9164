"""Names beside a number that it is not about: an apposition, a place it is measured from, another's owner."""

import re
from bisect import bisect_left
from collections.abc import Sequence

from gateway.ground.lexing.cues import AWAY
from gateway.ground.lexing.lexicon import PARTS
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.mentions import Mention
from gateway.ground.sentence.clauses import Sentence

# "The Ottel, a tributary of the Sarn, is 871 km long": the Sarn stands in an aside on the Ottel.
ASIDE_OPENS = re.compile(r"(?:'s)?,\s(?:an?|the|one\sof|which|who|whose|part\sof|based|located)\s[^,;:()]*\Z")
ASIDE_ENDS = re.compile(r"[^,;:()\d]{0,40},\s(?!and\b|but\b|while\b|whereas\b|then\b|or\b)[a-z]+\b")
SAID_BEST = re.compile(
    r"\b(?:led|driven|headed|topped|dominated|with|where|of\swhich|including|(?:most|half|much|some|part)\sof\s(?:it|that|which)|mostly|mainly|largely|thanks)\b",
    re.IGNORECASE,
)
OWNS = re.compile(r"\s(?:only\s|just\s|about\s|own\s)?[$\u20ac\u00a3]?\Z")


def subjects(text: str, quantity: Quantity, sentence: Sentence, earlier: list[Mention]) -> list[Mention]:
    """Return the names before a number that it may be about, at least one if there was one."""
    while len(earlier) > 1 and _is_aside(text, quantity, sentence, earlier):
        earlier = earlier[:-1]
    return earlier


def _is_aside(text: str, quantity: Quantity, sentence: Sentence, earlier: Sequence[Mention]) -> bool:
    """Tell whether the last name before a number only explains the one before it, or says from where."""
    subject, last = earlier[-2], earlier[-1]
    if ASIDE_OPENS.match(text, subject.end, last.start) and ASIDE_ENDS.match(text, last.end, quantity.start):
        return True
    return any(
        other.end <= last.start and AWAY.fullmatch(text, other.end, last.start) is not None
        for other in _between(sentence, subject.end, last.start)
    )


def _between(sentence: Sentence, start: int, end: int) -> Sequence[Quantity]:
    """Return the numbers that start in a stretch of a sentence."""
    first = bisect_left(sentence.quantities, start, key=lambda other: other.start)
    return sentence.quantities[first : bisect_left(sentence.quantities, end, lo=first, key=lambda o: o.start)]


def is_owner(text: str, mention: Mention, sentence: Sentence) -> bool:
    """Tell whether a name owns the number right behind it ("Teel's 29%")."""
    if not text[mention.start : mention.end].endswith(("'s", "\u2019s", "s'")):
        return False
    return any(
        mention.end <= other.start and OWNS.fullmatch(text, mention.end, other.start) is not None
        for other in sentence.quantities
    )


def is_aside(text: str, quantity: Quantity, mention: Mention) -> bool:
    """Tell whether a name behind the number only says who did best ("was 900, led by Iberia")."""
    gap = text[quantity.end : mention.start]
    return PARTS.search(gap) is not None and (
        SAID_BEST.search(gap) is not None or not gap.strip(" ,;:()-\u2013\u2014")
    )
