"""Who beat whom ("Vale defeated Reed with 61%", "61% to 39%"): names that a number is not about."""

import re
from bisect import bisect_left
from collections.abc import Sequence

from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.mentions import Mention, is_name
from gateway.ground.sentence.clauses import Sentence, position

# "Vale defeated Labour nominee Reed with 61%", "Reed lost to Vale with 39%": what follows is the first's.
BEATEN = re.compile(
    r"\.?[^;:.()\d]{0,60}?\b(?:defeat(?:s|ed|ing)|beat(?:s|ing)?|outpoll\w*|unseat\w*|oust(?:s|ed|ing)|overcame|edg(?:es|ed|ing)(?:\sout)?"
    r"|topp(?:ed|ing)|trounc(?:es|ed|ing)|los(?:t|es|ing)\sto"
    r"|(?:w[io]ns?|winning|victory|prevail\w*|triumph\w*)\s(?:narrowly\s)?(?:over|against))\s"
    r"(?:(?!(?:with|by|in|on|at|and|of|for|to|from|but|while|who|when)\b)[\w.'\u2019-]+,?\s){0,4}",
    re.IGNORECASE,
)
# What follows is said of the name right before it.
HAS_OWN = re.compile(r"\.?(?:'s?\s|,?\s(?:who|which|whose|where)\b|\s?\(|[^,]*\band\b)", re.IGNORECASE)
TO_OTHER = re.compile(r"(?:\s[^\W\d_]+)?\sto\s\W?", re.IGNORECASE)
# "Won 59.6% of the vote over Ames": the name behind a number is the one who lost.
OVER = re.compile(
    r"[^,;:()\d]{0,60}?,?\s(?:over|against|ahead\sof|followed\s(?:closely\s)?by|to\s(?:defeat|beat|oust|unseat)|(?:defeat|beat|oust|unseat)ing)\s"
    r"(?:[\w.'\u2019-]+\s){0,4}",
    re.IGNORECASE,
)
# "Took 19% of the vote, with Ames and Bell ahead of him": they only say how many were better.
AHEAD_OF_IT = re.compile(
    r"(?:(?!\b(?:who|which|had|has|have|was|were|is|are)\b)[^;:.()\d]){0,80}?"
    r"\s(?:(?P<ahead>ahead\sof|in\sfront\sof|above)|behind|below|trailing)\s(?:him|her|it|them)\b",
    re.IGNORECASE,
)
FAR = 120
Span = tuple[int, int]
NOTHING: Span = (0, 0)


def others_told(text: str, quantity: Quantity, sentence: Sentence) -> Span:
    """Return the stretch of names that a number is not about, where a sentence says who beat whom."""
    place, numbers = position(quantity, sentence), sentence.quantities
    second = bool(place) and TO_OTHER.fullmatch(text, numbers[place - 1].end, quantity.start) is not None
    first = place - 1 if second else place
    since = numbers[first - 1].end if first else sentence.start
    until = numbers[first].start
    if until - since > 4 * FAR:
        return NOTHING
    first_name = bisect_left(sentence.rows, since, key=lambda m: m.start)
    last_name = bisect_left(sentence.rows, until, lo=first_name, key=lambda m: m.start)
    led = [m for m in sentence.rows[first_name:last_name] if m.end <= until and is_name(text, m)]
    for beaten in reversed(led):
        for subject in reversed(led):
            near = subject.end < beaten.start < subject.end + FAR and not subject.rows & beaten.rows
            if near and _is_beaten(text, subject, beaten, until):
                return (sentence.start, subject.end) if second else (subject.end, beaten.end)
    return NOTHING


def _is_beaten(text: str, subject: Mention, beaten: Mention, until: int) -> bool:
    """Tell whether one name defeated the other, or lost to it, and what follows is said of the first."""
    if BEATEN.fullmatch(text, subject.end, beaten.start) is None:
        return False
    return HAS_OWN.match(text, beaten.end, until + 1) is None


def is_beaten_behind(text: str, quantity: Quantity, mention: Mention) -> bool:
    """Tell whether a name behind a number is of whom somebody named before won over by it, or came behind."""
    near = mention.start - quantity.end <= FAR
    over = near and OVER.fullmatch(text, quantity.end, mention.start) is not None
    return over or (near and AHEAD_OF_IT.match(text, mention.end) is not None)


def two_sides(text: str, mentions: Sequence[Mention], until: int) -> Sequence[Mention]:
    """Return the names before a place that may be the sides of a contest, each place once, last names too."""
    led = [m for m in mentions if m.end <= until and is_name(text, m)]
    return list({m.start: m for m in sorted(led, key=lambda m: (m.start, m.full))}.values())
