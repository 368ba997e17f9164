"""Moves from one place in an order to another ("climbed from 9th to 6th"): up is to a smaller number."""

import re
from collections.abc import Iterator

from gateway.ground.compared.verdict import Verdict
from gateway.ground.naming.headers import NTH
from gateway.ground.sentence.clauses import Sentence

_NTH = rf"(?:\d{{1,3}}(?:st|nd|rd|th)|(?:{'|'.join(NTH)})|(?:position|place|rank|number|no\.|\#)\s?\d{{1,3}})"
_ENDS = (
    r"(?=[,.;)]|\Z|\s(?:in|on|at|to|by|for|and|but|with|after|during|when|overall|place|position|spot|as|before"
    r"|(?:1\d|20)\d\d)\b)"
)
MOVED = re.compile(
    r"\b(?:(?P<up>improv(?:ed|es|ing)|climb(?:ed|s|ing)|rose|ris(?:es|en|ing)|mov(?:ed|es|ing)\sup|jumped|shot\sup|leapt)"
    r"|(?P<down>worsen(?:ed|s|ing)|dropp?(?:ed|s|ing)|fell|fall(?:s|en|ing)|slip(?:ped|s|ping)|slid|declin(?:ed|es|ing)"
    r"|mov(?:ed|es|ing)\sdown|tumbled|sank|deteriorated))"
    rf"\s(?:[a-z]+\s){{0,3}}?from\s(?:the\s)?(?P<one>{_NTH}){_ENDS}[^,;.]{{0,40}}?\sto\s(?:the\s)?(?P<other>{_NTH}){_ENDS}",
    re.IGNORECASE,
)
DIGITS = re.compile(r"\d+")


def places_moved(text: str, sentence: Sentence) -> Iterator[Verdict]:
    """Yield whether each move from one place to another goes the way its verb says."""
    for said in MOVED.finditer(text, sentence.start, sentence.end):
        one, other = (_number(said[group]) for group in ("one", "other"))
        if one != other:
            yield Verdict((other < one) == (said["up"] is not None), f"from place {one} to place {other}")


def _number(place: str) -> int:
    digits = DIGITS.search(place)
    return int(digits.group()) if digits else NTH[place.lower()]
