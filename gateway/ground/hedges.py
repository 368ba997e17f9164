"""The words around a number that make it a bound or an estimate: "over", "at least", "nearly", "about"."""

import re

from gateway.ground.tokens import Hedge

BEFORE: tuple[tuple[Hedge, str], ...] = (
    (
        "at_least",
        r"at\sleast|no\s(?:less|fewer)\sthan|not\sless\sthan|upwards\sof|a\sminimum\sof|≥|>=|mindestens|au\smoins",
    ),
    (
        "at_most",
        r"at\smost|no\smore\sthan|not\smore\sthan|up\sto|a\smaximum\sof|maximum\sof|≤|<=|höchstens|au\splus",
    ),
    (
        "over",
        r"(?:(?:just|slightly|well|a\slittle)\s)?(?:over|above|more\sthan|greater\sthan|higher\sthan|in\sexcess\sof"
        r"|exceeding|exceeds|exceeded|upward\sof|north\sof|topping|topped)|>|mehr\sals|über|plus\sde",
    ),
    (
        "under",
        r"(?:(?:just|slightly|a\slittle)\s)?(?:under|below|less\sthan|fewer\sthan|lower\sthan|nearly|almost|close\sto"
        r"|shy\sof|short\sof|approaching|south\sof|not\squite)|<|fast|knapp|weniger\sals|moins\sde",
    ),
    (
        "about",
        r"about|around|approximately|approx\.?|roughly|circa|ca\.|c\.|~|some|an?\sestimated|in\sthe\sregion\sof"
        r"|or\sso|on\sthe\sorder\sof|rund|etwa|ungefähr|environ",
    ),
)
AFTER: tuple[tuple[Hedge, str], ...] = (
    ("about", r"\s?(?:or\sso|-?ish|give\sor\stake)\b"),
    ("at_least", r"\s(?:or\smore|or\shigher|and\s(?:above|up))\b"),
    ("at_most", r"\s(?:or\s(?:less|fewer|under))\b"),
)
LEADS = tuple(
    (hedge, re.compile(rf"(?:^|(?<=[\s(~<>≥≤]))(?:{words})\s?(?:an?\s)?\Z", re.IGNORECASE))
    for hedge, words in BEFORE
)
TRAILS = tuple((hedge, re.compile(words, re.IGNORECASE)) for hedge, words in AFTER)
WINDOW = 28


def hedge_of(text: str, start: int, end: int) -> Hedge:
    """Return the hedge governing the number at `text[start:end]`; empty where there is none."""
    before = text[max(0, start - WINDOW) : start]
    for hedge, pattern in LEADS:
        if pattern.search(before):
            return hedge
    for hedge, pattern in TRAILS:
        if pattern.match(text, end):
            return hedge
    return ""
