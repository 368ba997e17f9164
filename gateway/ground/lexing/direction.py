"""Which sign the words around a number give it: "fell by 4%", "a 4% drop", brackets, "net loss of"."""

import re
from bisect import bisect_left
from typing import NamedTuple

from gateway.ground.lexing.spoken import Spoken
from gateway.ground.lexing.tokens import Quantity

RISING = (
    r"rose|rise[sn]?|rising|increas(?:e|es|ed|ing)|grew|grow(?:s|n|ing)?|growth|(?<!\bbe\s)climb(?:ed|s|ing)?|jump(?:ed|s|ing)?|up|gain(?:s|ed|ing)?|added|adds|adding"
    r"|surg(?:e|es|ed|ing)|soar(?:ed|s|ing)?|improv(?:e|es|ed|ing|ement)|expand(?:ed|s|ing)?|expansion|widen(?:ed|s|ing)?|higher|advanc(?:e|ed|es)"
    r"|accelerat(?:ed|es)|uplift|above|ahead|overspen(?:t|d|ds|ding)|oversho(?:t|ot)|inflows?|overr[au]n|exceed(?:s|ed|ing)?|puts?\son|putting\son|gestiegen|stieg|wuchs"
)
FALLING = (
    r"fell|fall(?:s|en|ing)?|declin(?:e|es|ed|ing)|drop(?:s|ped|ping)?|decreas(?:e|es|ed|ing)|down|shr[aiu]nk(?:s|ing)?|slip(?:ped|s|ping)?|slid|slide|sank|sink"
    r"|plung(?:ed|es|ing)|plummet(?:ed|s)?|tumbl(?:ed|es)|reduc(?:ed|es|tion|ing)|cut|contract(?:ed|s|ion)|narrow(?:ed|s|ing)?|lower|worsen(?:ed|s)?|deteriorat(?:ed|es)|dip(?:ped|s)?"
    r"|lost|los(?:es|ing|s|ses)|shed|below|behind|underspen(?:t|d|ds|ding)|undersho(?:t|ot)|miss(?:ed|es)?|outflows?|burn(?:ed|t|ing|s)?|eased|dwindl(?:ed|es)|reced(?:ed|es|ing)|retreat(?:ed|s|ing)|g[ai]v(?:e|es|en|ing)\s(?:back|up)|gave\s(?:back|up)|gesunken|sank|fiel"
)
SOFT = re.compile(
    r"(?:inflow|outflow|burn|gain|add|lost|los|shed|put|g[ai]v(?:e|es|en|ing)\sup|above|below|ahead|behind|lower|higher|cut|up\b|down\b|contract|over|under|exceed|miss|sank|sink)",
    re.IGNORECASE,
)
BRIDGE = (
    r"(?:\s(?:by|of|a|an|another|further|only|just|some|about|around|approximately|roughly|nearly|almost|over"
    r"|more\sthan|less\sthan|at\sleast|well|a\sfurther|net|(?:the\s)?most(?:\s[a-z]+)?,|slightly|sharply|[a-z]+ly))*"
)
# "The loss ratio rose", "the growth rate fell": the name of what moved, and no move.
NO_RATE = r"(?!\s(?:rate|ratio)s?\b)"
GOVERNS = re.compile(
    rf"\b(?<!\bmade\s)(?<!\bmakes\s)(?<!\bmake\s)(?<!\bmaking\s)(?<!\btake\s)(?<!\btakes\s)(?<!\btook\s)(?<!\btaking\s)(?<!\bset\s)(?<!\bended\s)(?:(?P<rise>{RISING})|(?P<fall>{FALLING})){NO_RATE}(?:{BRIDGE}[\s:~]*|(?:\s[\w&/'%-]+){{1,8}}?(?:,?\sby|\sof)(?:\s(?:a|an|about|around|approximately|nearly|almost|over|only|just|roughly))?\s)\Z",
    re.IGNORECASE,
)
MEASURED_AGAINST = re.compile(
    r"(?:above|below|ahead|behind)\s(?:of\s)?(?:its|the|their|an?|our|his|her)\s(?:[\w&/'%-]+\s){1,6}?of\s(?:[a-z]+\s)?",
    re.IGNORECASE,
)
NOUN_WAS = re.compile(
    r"\b(?:(?P<rise>increase|rise|growth|gain|improvement)|(?P<fall>decrease|decline|drop|fall|reduction|loss))\b[^.;:()]{0,90}?\b(?:was|were|is|amounted\sto|equals|equaled|equalled|totall?ed|of|came\sto)\s(?:about\s|approximately\s|around\s)?\Z",
    re.IGNORECASE,
)
FOLLOWS = re.compile(
    r"\s?(?:[a-z]+-on-[a-z]+\s|year-over-year\s|yoy\s|(?!was\s|were\s|is\s|are\s|or\s|and\s|but\s|no\s)[a-z]+\s(?=(?:more|less|fewer|higher|lower)\s(?:[^,;:.]{1,30}\s)?than\b))?(?:(?P<rise>increase|rise|growth|gain|jump|surge|improvement|uplift|higher|more|above|up|expansion|ahead|clear(?=\sof)"
    r"|over(?=\s(?:the\s|its\s|their\s)?(?:budget|plan|target|forecast)|[.,;)]|\Z))"
    r"|(?P<fall>decrease|decline|drop|fall|reduction|loss|dip|lower|less|fewer|below|down|slump|contraction|short|behind|under(?=\s(?:the\s|its\s|their\s)?(?:budget|plan|target|forecast)|[.,;)]|\Z)))\b",
    re.IGNORECASE,
)
NEUTRAL = re.compile(
    rf"\b(?:gap|difference|differ(?:s|ed)?|spread|margin|swing|loss(?:es)?|deficit|shortfall|versus|apart)\b{NO_RATE}[^.;]{{0,40}}\Z",
    re.IGNORECASE,
)
NEUTRAL_AFTER = re.compile(
    r"\s?(?:gap|difference|spread|swing|apart|loss|deficit|shortfall)\b", re.IGNORECASE
)
COPULA = re.compile(
    r"(?:^|\b(?:was|were|is|are|of|to|by|at|from|reached|totall?ed|came\sto|came\sin\sat)|[:|=])\s*\Z",
    re.IGNORECASE,
)
# How a word starts that one of the patterns above could need: without one near a number, none is tried.
OPENS = re.compile(
    rf"{RISING}|{FALLING}|decrease|reduction|gap|differ|spread|margin|swing|deficit|shortfall|versus|apart"
    r"|surge|more|over|clear|less|fewer|slump|short|under|puts?|putting|g[ai]v",
    re.IGNORECASE,
)
UNIT = re.compile(r"[\s-]?(?:percentage\s)?(?:points?|pts)\b", re.IGNORECASE)
REACH_BEFORE, REACH_AFTER = 120, 32


class Direction(NamedTuple):
    """The sign a number takes from its words. `firm` words describe a change; soft ones also name levels.

    `either` is true where the words leave the sign open; `word` is the governing word; `delta` says that the
    number is the size of a change and no level.
    """

    sign: int
    firm: bool = True
    either: bool = False
    word: str = ""
    start: int = -1
    delta: bool = False


NO_DIRECTION = Direction(0)


class Directions:
    """Reads the words of direction of one text."""

    def __init__(self, spoken: Spoken) -> None:
        """Find the words of a text that may give a number its sign."""
        self.text = spoken.text
        self._starts = [spoken.words[place][0] for place in spoken.places(OPENS.match)]

    def of(self, quantity: Quantity, since: int, until: int) -> Direction:
        """Return the direction governing a quantity, reading from `since` to `until`."""
        offset = max(since, quantity.start - REACH_BEFORE)
        before = self.text[offset : quantity.start]
        if quantity.sign:
            return Direction(quantity.sign, word="sign")
        if quantity.bracketed and COPULA.search(before):
            return Direction(-1, word="brackets")
        end = min(until, quantity.end + REACH_AFTER)
        near = bisect_left(self._starts, offset)
        if near == len(self._starts) or self._starts[near] >= end:
            return NO_DIRECTION
        return _read(quantity, before, offset, self.text[quantity.end : end])


def _read(quantity: Quantity, before: str, offset: int, after: str) -> Direction:
    """Return the direction that the words before and after a quantity give it."""
    unit = UNIT.match(after) if quantity.unit_word == "points" or quantity.measure == "points" else None
    found = FOLLOWS.match(after, unit.end() if unit else 0)
    if found and quantity.measure != "multiple" and not quantity.bracketed:
        than = re.match(r"\s(?:[a-z]+\s){0,2}(?:than|on|over)\b", after[found.end() :]) is not None
        return _direction(found, quantity.end, delta=than or quantity.measure == "percent")
    found = GOVERNS.search(before)
    listed = found is not None and ":" in found.group() and quantity.measure in ("plain", "currency", "clock")
    if found and not listed and not _is_level(found):
        return _direction(
            found, offset, delta=quantity.measure == "percent" or before.rstrip().endswith(" by")
        )
    found = NOUN_WAS.search(before)
    if found:
        return _direction(found, offset, delta=False)
    neutral = NEUTRAL.search(before)
    if neutral or NEUTRAL_AFTER.match(after):
        return Direction(0, either=True, start=offset + neutral.start() if neutral else -1)
    return Direction(0)


def _is_level(found: re.Match[str]) -> bool:
    """Tell whether a place word is followed by what it is measured against ("below its rate of 6.6%")."""
    return MEASURED_AGAINST.fullmatch(found.group()) is not None


def _direction(found: re.Match[str], offset: int, *, delta: bool) -> Direction:
    word = found["rise"] or found["fall"]
    start = offset + (found.start("rise") if found["rise"] else found.start("fall"))
    firm = not SOFT.match(word)
    return Direction(
        1 if found["rise"] else -1,
        firm=firm,
        word=word,
        start=start,
        delta=delta and (firm or start > offset),
    )
