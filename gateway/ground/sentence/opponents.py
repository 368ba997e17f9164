"""Who beat whom ("Vale defeated Reed with 61%", "61% to 39%"): names that a number is not about."""

import re
from bisect import bisect_left
from collections.abc import Sequence

from gateway.ground.lexing.contests import BEAT, BEATEN_IT, LOSE, PLACE, TAKE_FROM, TITLE, WIN
from gateway.ground.lexing.tokens import Quantity
from gateway.ground.naming.mentions import Mention, is_name
from gateway.ground.sentence.clauses import Sentence, position

# "Vale defeated Labour nominee Reed with 61%", "Reed lost to Vale with 39%": what follows is the first's.
BEATEN = re.compile(
    rf"\.?[^;:.()\d]{{0,60}}?\b(?:(?:{BEAT})(?:\sout)?|(?:{LOSE})(?:\s[a-z]+){{0,3}}?\sto"
    rf"|(?:{WIN})\s(?:narrowly\s)?(?:over|against)|{TAKE_FROM}|defeat\sof)\s{TITLE}",
    re.IGNORECASE,
)
# "Vale was beaten by Reed with 39%": of either, as it may be read.
BEATEN_BY = re.compile(
    rf"\.?[^;:.()\d]{{0,60}}?\b(?:(?:{BEATEN_IT})(?:\sout)?(?:\s[a-z]+){{0,4}}?\sby|(?:defeat|loss)\s(?:by|to|against)"
    rf"|at\sthe\shands\sof|(?:{PLACE})\sto)\s{TITLE}",
    re.IGNORECASE,
)
# "Moss was behind Sorel and took silver in 2:08": what both verbs say is said of the first.
PLACED = re.compile(rf"\s(?:[a-z]+\s){{0,4}}?(?:behind|ahead\sof|in\sfront\sof|trailing)\s{TITLE}")
AND_DID = re.compile(
    r",?\s(?:and|but|to)\s(?!(?:the|his|her|their|its|an?|with|who|which|whose|where|fellow|then|of|in|for)\b)[a-z]+\b"
)
# What follows is said of the name right before it.
HAS_OWN = re.compile(r"\.?(?:'s?\s|,?\s(?:who|which|whose|where)\b|\s?\(|[^,]*\band\b)", re.IGNORECASE)
OF_LIST = re.compile(r",?\s(?:with|by|in|on|at)\s", re.IGNORECASE)
LIST_GAPS = (", ", " and ", ", and ", " & ")
TO_OTHER = re.compile(r"(?:(?:\sof\s(?:the|all))?\s[^\W\d_]+)?\sto\s\W?", re.IGNORECASE)
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


def others_told(text: str, quantity: Quantity, sentence: Sentence, *, either: bool = False) -> Span:
    """Return the stretch of names that a number is not about, where a sentence says who beat whom.

    What stands behind "was beaten by Reed" is of the one beaten in the reading of `either` alone.
    """
    place, numbers = position(quantity, sentence), sentence.quantities
    second = bool(place) and TO_OTHER.fullmatch(text, numbers[place - 1].end, quantity.start) is not None
    after = numbers[place + 1].start if place + 1 < len(numbers) else quantity.end
    scored = second or TO_OTHER.fullmatch(text, quantity.end, after) is not None
    first = place - 1 if second else place
    since = numbers[first - 1].end if first else sentence.start
    until = numbers[first].start
    if until - since > 4 * FAR:
        return NOTHING
    first_name = bisect_left(sentence.rows, since, key=lambda m: m.start)
    last_name = bisect_left(sentence.rows, until, lo=first_name, key=lambda m: m.start)
    led = [m for m in sentence.rows[first_name:last_name] if m.end <= until and is_name(text, m)]
    for beaten in reversed(led):
        head = _head(text, led, beaten, until)
        for subject in reversed(led):
            near = subject.end < head.start < subject.end + FAR
            near = near and not subject.rows & (head.rows | beaten.rows)
            span = head.start, beaten.end
            if near and _is_beaten(text, subject, span, until, either=either and not scored):
                return (sentence.start, subject.end) if second else (subject.end, beaten.end)
    return NOTHING


def _head(text: str, led: Sequence[Mention], last: Mention, until: int) -> Mention:
    """Return the first name of the list that a name closes, where what follows is said of none of them."""
    if last.end == until or not OF_LIST.match(text, last.end, until + 1):
        return last
    head = last
    for name in reversed(led):
        if name.end < head.start and text[name.end : head.start] in LIST_GAPS:
            head = name
    return head


def _is_beaten(text: str, subject: Mention, beaten: Span, until: int, *, either: bool) -> bool:
    """Tell whether one name defeated the others, or lost to them, and what follows is said of the first."""
    if PLACED.fullmatch(text, subject.end, beaten[0]) and AND_DID.match(text, beaten[1], until):
        return True
    told = BEATEN.fullmatch(text, subject.end, beaten[0])
    if told is None and (not either or BEATEN_BY.fullmatch(text, subject.end, beaten[0]) is None):
        return False
    return HAS_OWN.match(text, beaten[1], until + 1) is None


def is_beaten_behind(text: str, quantity: Quantity, mention: Mention) -> bool:
    """Tell whether a name behind a number is of whom somebody named before won over by it, or came behind."""
    near = mention.start - quantity.end <= FAR
    over = near and OVER.fullmatch(text, quantity.end, mention.start) is not None
    return over or (near and AHEAD_OF_IT.match(text, mention.end) is not None)


def two_sides(text: str, mentions: Sequence[Mention], until: int) -> Sequence[Mention]:
    """Return the names before a place that may be the sides of a contest, each place once, last names too."""
    led = [m for m in mentions if m.end <= until and is_name(text, m)]
    return list({m.start: m for m in sorted(led, key=lambda m: (m.start, m.full))}.values())
