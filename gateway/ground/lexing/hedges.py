"""The words around a number that make it a bound or an estimate: "over", "at least", "nearly", "about"."""

import operator
import re
from collections.abc import Callable
from typing import Any

from gateway.ground.lexing.tokens import Hedge

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
# What stands behind most numbers, and opens no hedge.
NOT_TRAILED = ("", ".", ",", ";", ":", ")", "%")
# "51.9m over 540 loans": across them, no bound.
ACROSS = re.compile(r"\d[\d.,]*\s?(?:[kmb]|bn|thousand|million|billion)?\sover\s\Z", re.IGNORECASE)
# "Over 111 games, he scored eight goals": in the course of them.
IN_COURSE = re.compile(
    r"(?:\s[^\W\d_]+){0,2}\s(?:games|matches|seasons|years|appearances|starts|innings|races|episodes|months|weeks|days)"
    r"(?:\s(?:with|for|in|at)\s[^,;:.\d]{1,40})?,\s",
    re.IGNORECASE,
)
# "Turned over 2.1m", "added up to 2.1m": a verb of two words, no bound.
VERB_OVER = re.compile(
    r"\b(?:(?:turn(?:s|ed|ing)?|hand(?:s|ed|ing)?|carr(?:ies|ied))\sover|add(?:s|ed|ing)?\sup\sto|sums?\sup\sto)\s\W?\Z",
    re.IGNORECASE,
)
# What no hedge ends with: cheap to see, and what stands before most numbers.
NO_HEDGE = ("was ", "were ", "is ", "are ", "had ", "has ", "and ", "with ", "at ", "by ", ": ", "| ")
BOUNDS: tuple[tuple[Callable[[Any, Any], bool], str], ...] = (
    (operator.ge, r"at\sleast|no\s(?:less|fewer|lower)\sthan|not\s(?:less|fewer)\sthan|a\sminimum\sof|≥|>="),
    (operator.le, r"at\smost|no\s(?:more|higher)\sthan|not\smore\sthan|up\sto|a\smaximum\sof|≤|<="),
    (
        operator.gt,
        r"over|above|(?:more|greater|higher|larger|bigger|better)\sthan|in\sexcess\sof|exceed(?:s|ed|ing)?|topp(?:ed|ing)|beyond|>",
    ),
    (operator.lt, r"under|below|(?:less|fewer|lower|smaller)\sthan|short\sof|<"),
    (operator.ne, r"(?:other|different)\sthan|not(?:\sexactly)?"),
    (operator.eq, r"exactly|precisely|equal(?:s|led)?(?:\sto)?|equall?ing|of\sjust"),
)
BOUND_LEADS = tuple(
    (test, re.compile(rf"(?:^|(?<=[\s(]))(?:{words})\s?(?:an?\s|the\s)?\Z", re.IGNORECASE))
    for test, words in BOUNDS
)
BOUND_TRAILS: tuple[tuple[Callable[[Any, Any], bool], re.Pattern[str]], ...] = (
    (
        operator.ge,
        re.compile(r"\s(?:[a-z]+\s)?(?:or\s(?:more|higher|above)|and\s(?:above|up|more))\b", re.IGNORECASE),
    ),
    (operator.le, re.compile(r"\s(?:[a-z]+\s)?or\s(?:less|fewer|under|lower|below)\b", re.IGNORECASE)),
)


def hedge_of(text: str, start: int, end: int) -> Hedge:
    """Return the hedge governing the number at `text[start:end]`; empty where there is none."""
    before = text[max(0, start - WINDOW) : start]
    for hedge, pattern in LEADS if before and not before.lower().endswith(NO_HEDGE) else ():
        if pattern.search(before):
            across = hedge == "over" and (ACROSS.search(before) or _is_in_course(text, start, end))
            return "" if across or VERB_OVER.search(before) else hedge
    for hedge, pattern in TRAILS if text[end : end + 1] not in NOT_TRAILED else ():
        if pattern.match(text, end):
            return hedge
    return ""


def _is_in_course(text: str, start: int, end: int) -> bool:
    """Tell whether "over" opens a sentence with what somebody did something in the course of."""
    led = text[max(0, start - 9) : start - 5].rstrip(' "(')[-1:]
    opens = text.endswith(("Over ", "over "), 0, start) and led in ("", ".", "\n")
    return opens and IN_COURSE.match(text, end) is not None


def bound_of(text: str, start: int, end: int) -> Callable[[Any, Any], bool] | None:
    """Return the comparison that the words around `text[start:end]` make of it; None for none."""
    for test, pattern in BOUND_TRAILS:
        if pattern.match(text, end):
            return test
    before = text[max(0, start - WINDOW) : start]
    return next((test for test, pattern in BOUND_LEADS if pattern.search(before)), None)
