"""Words that tell what a sentence does with its numbers: add up, average, rank, compare."""

import re
from collections.abc import Callable

from gateway.ground.lexing.contests import OUTDO, TRAIL

LETTERS = re.compile(r"[a-z]+(?![?*])")


def one_of(*words: str) -> re.Pattern[str]:
    """Return a pattern for any of these phrases, whole and in any case."""
    pattern = "|".join(word.replace(" ", r"\s") for word in words)
    return re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE)


def opener(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    """Return a cheap test: may a phrase of `one_of` open with this word in lower case?"""
    phrases = pattern.pattern.removeprefix("(?<!\\w)(?:").split("|")
    starts = tuple(found.group() for phrase in phrases if (found := LETTERS.match(phrase)))
    return lambda word: word.startswith(starts)


def words(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


TOTALS = one_of(
    "totals?", "totall?ed", "totall?ing", "sum", "summed", "together", "combined", "overall", "altogether",
    "aggregate", "in all", "across", r"all(?!-time)", "insgesamt", "both",
)  # fmt: skip
EVERYWHERE = one_of(
    "world-?wide", "global(?:ly)?", "internationally", "company-?wide", "group-?wide", "nation-?wide",
    "everywhere", "across the (?:board|company|business|group|world)", "all over", "around the world",
    "in total for the company",
)  # fmt: skip
MEANS = one_of("averaged?", "averaging", "mean", "on average", "typical", r"durchschnitt\w*")
# A bare "range" may be the name of a figure.
SPREAD = ("ranged", "ranging", "range from", "range between", "ranges from", "ranges between")
# "In the first half", "over the last nine months": no row is first or last there.
NO_SPAN = r"(?! (?:[a-z0-9]+ )?(?:half|halves|quarters?|years?|months?|weeks?|days?)\b)"
HIGHS = one_of(
    "highest", "largest", "biggest", "greatest", "most", "maximum", "max", "top", "peak(?:ed)?", "best",
    "strongest",
    "leading", "longest", "tallest", "busiest", "oldest", "fastest", "heaviest", "deepest", "richest",
    "widest", "costliest", "priciest", "earliest", "hottest", "wettest", *SPREAD,
    "leads?", "led", rf"first{NO_SPAN}",
)  # fmt: skip
LOWS = one_of(
    "lowest", "smallest", "least", "fewest", "minimum", "min", "bottom", "worst", "weakest", "shortest",
    "youngest", "slowest", "lightest", "cheapest", "poorest", "narrowest", "newest", "coldest", "driest",
    *SPREAD, "trough", rf"last{NO_SPAN}",
)  # fmt: skip
PARTS = re.compile(
    r"[,;:()|!?]|\b(?:and|but|while|whereas|then|versus|vs|against|compared|than)\b", re.IGNORECASE
)
BREAKS = re.compile(
    r"[,;:()|]|\b(?:and|or|but|with|on|from|in|for|at|of|to|by|against|versus|vs|than|while|plus)\b",
    re.IGNORECASE,
)
COMPARED = re.compile(
    rf"\b(?:than|{OUTDO}|{TRAIL}|beaten|defeat\w*|behind|ahead\s(?:only\s)?of|above|below|over|up\son|down\son"
    r"|versus|vs\.?|against|compared\s(?:with|to)|unlike|following)\s"
    r"(?:the\s|that\sof\s|those\sof\s|in\s|its\s)?\Z",
    re.IGNORECASE,
)
EARLIER = re.compile(
    r"\b(?:previous|prior|preceding|last)(?:\s(?:year|month|quarter|week|day|period))?\b|\bly\b|\bpy\b",
    re.IGNORECASE,
)
CURRENT = re.compile(
    r"\b(?:this|current)(?:\s(?:year|month|quarter|week|day|period))?\b|\bty\b|\bcy\b", re.IGNORECASE
)
EARLIER_SAID = re.compile(
    r"\b(?:previous(?:ly)?|prior|preceding|earlier|before|year-ago|last\s(?:year|month|quarter|week))\b",
    re.IGNORECASE,
)
# Who is counted by what they are to a business, whatever a column calls them.
PEOPLE = words(
    "people persons staff workers employees colleagues hires patients callers customers clients users "
    "members subscribers visitors guests passengers riders travellers travelers students pupils "
    "learners applicants candidates donors readers viewers listeners players participants attendees "
    "tenants residents drivers shoppers buyers respondents borrowers policyholders accounts"
)
# A figure of another period or of a plan: never meant where a text names no column.
OTHER_LABEL = re.compile(
    r"\b(?:previous|prior|preceding|last\s(?:year|month|quarter|week)|year\sago|budget(?:ed)?|target|plan(?:ned)?"
    r"|forecast|quota(?!\s(?:attain|achiev|reach)))\b",
    re.IGNORECASE,
)
# What was planned, and no figure of what came.
PLAN_LABEL = re.compile(
    r"\b(?:budget(?:ed)?|targets?|plan(?:ned)?|forecast|quota|allowance|allocat(?:ion|ed))\b",
    re.IGNORECASE,
)
CHANGE_LABEL = re.compile(
    r"chang|\+\s?/\s?[-\u2212\u2013]|growth|delta|diff|varianc|\bvs\b|yoy|\bmom\b|qoq|like.for.like|\blfl\b|movement|swing|[\u0394\u00b1]"
    r"|increase|decrease|gain",
    re.IGNORECASE,
)
# A column of what periods came to since a start.
TO_DATE = re.compile(
    r"\bcumul|\baccumulat|\bto[\s-]date\b|\b[ymqwl]td\b|\brunning\s(?:total|sum|count)|\bso\sfar\b"
    r"|\bsince\s(?:start|launch|inception)",
    re.IGNORECASE,
)
