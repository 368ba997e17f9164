"""The words of each class of claim, and where the same words claim nothing."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

CAUSE = (
    r"because", r"due\sto", r"owing\sto", r"thanks\sto", r"driven\sby", r"driver", r"drove",
    r"caus(?:e|es|ed|ing)",
    r"led\sto", r"leads\sto", r"leading\sto", r"result(?:s|ed|ing)?\s(?:in|from)",
    r"(?:as\s)?(?:a|the)\sresult\sof",
    r"as\sa\sresult", r"attribut(?:ed|able|es?)", r"on\sthe\sback\sof",
    r"(?:boost|help|fuel|lift|hit|hurt|dragg|push|pull|underpinn|support|power|held)(?:l?ed)?\s(?:up\s|down\s|back\s)?by",
    r"explain(?:s|ed)?", r"reflect(?:s|ed|ing)", r"stem(?:s|med|ming)\sfrom", r"lifted", r"pushed",
    r"propelled",
    r"boosted", r"hurt", r"helped", r"dragged", r"fuell?ed", r"pulled", r"contribut(?:ed|es|ing)\sto",
    r"after\s(?:the|an?|its|our)\s(?!first|second|third|fourth|quarter|month|year|week|end|close|summer|winter|period)\w+",
    r"coincid(?:ed|es|ing)\swith", r"in\sresponse\sto", r"(?:impact|effect)\sof", r"spurred", r"triggered",
    r"sparked",
    r"prompted", r"reasons?\s(?:for|why|is|was)", r"why", r"consequence", r"following\sthe\s\w+",
    r"paid\soff",
    r"weighed\son", r"responsible\sfor", r"brought\sabout", r"came\sfrom\sthe", r"made\spossible\sby",
)  # fmt: skip
FORECAST = (
    r"will", r"won't", r"would", r"shall", r"expect(?:s|ed|ing|ation)?", r"forecast(?:s|ed)?",
    r"project(?:ed|ion|ions|s\sto)", r"predict(?:s|ed|ion)?", r"on\s(?:track|course|pace)", r"(?:un)?likely",
    r"set\sto",
    r"going\sto", r"outlook", r"anticipat(?:e|es|ed)", r"poised", r"heading\s(?:for|to|towards?)",
    r"should\s(?:reach|exceed|hit|pass|grow|rise|fall|be|continue|see|come|land|end|close)",
    r"(?:could|may|might)\s(?:reach|exceed|hit|pass|grow|rise|fall|well)",
    r"next\s(?:quarter|month|year|week)",
    r"by\syear[\s-]end", r"in\sthe\scoming", r"at\sthis\s(?:rate|pace)", r"is\sto\s(?:reach|exceed)",
    r"(?:looks|appears)\s(?:set|likely|on)",
)  # fmt: skip
TREND = (
    r"rose", r"ris(?:e|es|en|ing)", r"gr[eo]w(?:s|n|ing|th)?", r"increas(?:e|es|ed|ing)",
    r"declin(?:e|es|ed|ing)",
    r"fell", r"fall(?:s|en|ing)?", r"dropp?(?:s|ed|ing)?", r"climb(?:s|ed|ing)?", r"decreas(?:e|es|ed|ing)",
    r"slow(?:s|ed|ing|down|er\sgrowth)", r"slowdown", r"accelerat\w+", r"decelerat\w+",
    r"recover(?:s|ed|ing|y)?",
    r"rebound(?:s|ed|ing)?", r"improv\w+", r"worsen\w*", r"deteriorat\w+", r"trend(?:s|ed|ing)?", r"momentum",
    r"stead(?:y|ily)", r"stable", r"flat", r"unchanged", r"plateau\w*", r"peaked",
    r"month\s(?:after|over|on)\smonth",
    r"year\s(?:after|over|on)\syear", r"year-(?:on|over)-year", r"consecutive", r"streak", r"upward",
    r"downward",
    r"continu(?:e|es|ed|ing)\sto", r"doubl(?:ed|ing)", r"tripl(?:ed|ing)", r"halv(?:ed|ing)",
    r"widen(?:s|ed|ing)?",
    r"narrow(?:s|ed|ing)?", r"shrank", r"shrink\w*", r"shrunk", r"surg(?:e|es|ed|ing)", r"soar(?:s|ed|ing)?",
    r"plung(?:e|es|ed|ing)", r"plummet\w*", r"dipp?(?:s|ed|ing)", r"slipp?(?:s|ed|ing)", r"slump\w*",
    r"tumbl\w+",
    r"jump(?:s|ed|ing)?", r"up", r"down", r"bounced\sback", r"gained", r"gaining", r"gathering\space",
    r"losing\sground", r"picked\sup", r"tailed\soff", r"cool(?:ed|ing)", r"expand(?:s|ed|ing)?",
    r"contract(?:ed|ing)",
    r"stabili[sz]\w+",
    r"soften\w*",
    r"weaken(?:ed|s|ing)",
    r"strengthen\w*",
    r"volatil\w+",
    r"stagnat\w+",
    r"dwindl\w+",
    r"slid(?:ing)?", r"slides\sto", r"(?:s[au]nk|sinks|collapsed)\s(?:to|by|from)",
    r"eas(?:ed|es|ing)\s(?:to|by|from|back)", r"edg(?:ed|es|ing)\s(?:higher|lower|up|down)",
    r"ebbed", r"ebbing", r"crept", r"inched", r"retreated", r"spik(?:ed|ing)", r"(?:sky)?rocketed",
    r"swelled", r"swollen", r"levell?ed\soff", r"bottom(?:ed|ing)\sout", r"gaining\sground",
    r"each\smonth",
    r"every\smonth",
    r"from\smonth\sto\smonth",
)  # fmt: skip
COMPARISON = (
    r"higher", r"lower", r"more", r"less", r"fewer", r"above", r"below", r"exceed(?:s|ed|ing)",
    r"outperform\w*",
    r"outsold", r"outpac\w+", r"out-?earn\w*", r"outstripp?\w*", r"lag(?:s|ged|ging)?", r"behind", r"ahead",
    r"larg(?:er|est)", r"small(?:er|est)", r"bigg(?:er|est)", r"highest", r"lowest", r"greater", r"greatest",
    r"best",
    r"better", r"worst", r"worse", r"strong(?:er|est)", r"weak(?:er|est)", r"top(?:ped|s)?", r"leading",
    r"leads?", r"led",
    r"leader", r"most", r"least", r"fewest", r"compared", r"versus", r"vs\.?", r"than", r"twice", r"double",
    r"half\s(?:of|as|the)", r"trail(?:s|ed|ing)?", r"beat(?:s|ing)?", r"surpass\w*",
    r"overt(?:ook|ake|aken)", r"up\son",
    r"down\son", r"dominat\w+", r"rank(?:s|ed|ing)?", r"(?:came|finished|ranked|placed)\slast", r"in\slast",
    r"(?:increase|decrease|rise|drop|gain|improvement|decline)\s(?:on|over|against)", r"first", r"second",
    r"third",
    r"runner-up", r"fast(?:er|est)", r"slow(?:er|est)", r"in\scontrast", r"by\scontrast", r"unlike",
    r"similar",
    r"same\sas", r"equal(?:led|s)?", r"on\sa?\s?par", r"dwarf\w*", r"bottom", r"maximum", r"minimum",
    r"number\sone",
    r"short\sof", r"far\sfrom", r"well\sover", r"the\srest", r"all\sothers?", r"narrowest", r"widest",
    r"longest",
    r"shortest", r"tallest", r"busiest", r"richest", r"poorest", r"match(?:es|ed)",
)  # fmt: skip


SMALL = re.compile(r"^(?:(?:in|on|at|by|is|as|a|the|of|to)\\s)+")


def _opener(phrases: Iterable[str]) -> Callable[[str], bool]:
    """Return a cheap test: may one of these phrases open with a lower-case word?"""
    starts = tuple({start for phrase in phrases for start in _starts(phrase) if len(start) > 1})
    return lambda word: word.startswith(starts)


def _starts(phrase: str) -> Iterator[str]:
    """Yield letters that any text with a phrase must hold: those of its first word that says something."""
    phrase = SMALL.sub("", phrase)
    group = re.match(r"\(\?:([^()]*)\)(\?)?", phrase)
    for part in group.group(1).split("|") if group else [phrase]:
        letters = re.match(r"[a-z]+(?!\?)", part)
        yield letters.group() if letters else ""
    if group and group.group(2):
        yield from _starts(phrase[group.end() :])


def _class(name: str, phrases: Sequence[str]) -> tuple[str, re.Pattern[str], Callable[[str], bool]]:
    pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(phrases)})(?![\w-])", re.IGNORECASE)
    return name, pattern, _opener(phrases)


CLASSES = (
    _class("cause", CAUSE),
    _class("forecast", FORECAST),
    _class("trend", TREND),
    _class("comparison", COMPARISON),
)
# "made up 44%" says no more than a share.
MADE_UP = re.compile(r"\b(?:ma(?:de|kes?|king)|t(?:akes?|ook|aking|aken)|set|ended)\s\Z", re.IGNORECASE)
TO_COME = re.compile(
    r"\b(?:will|would|should|could|may|might|to)\s(?:again\s|further\s|even\s|continue\sto\s|well\s)?\Z",
    re.IGNORECASE,
)
HEDGES = frozenset(
    (
        "more",
        "less",
        "fewer",
        "above",
        "below",
        "exceeding",
        "well over",
        "higher",
        "lower",
        "than",
        "least",
        "most",
    )
)
# Behind a number these are what it counts ("in 26 matches").
NOUNS = frozenset(("matches", "rebounds"))
HEDGED_NUMBER = re.compile(
    r"\s?(?:than\s)?(?:about\s)?[~$€£¥(]?\s?(?:[A-Z]{3}\s)?"
    r"(?:\d|one|two|three|four|five|six|seven|eight|nine|ten|half|a\s(?:million|thousand|hundred|dozen))",
    re.IGNORECASE,
)
ENDS_IN_NUMBER = re.compile(r"[\d%]\s*\w*\s*\Z")
COUNTED = re.compile(
    r"(?:\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten))(?:\s\w+)?\s\Z", re.IGNORECASE
)
NO_CLAIM: dict[str, re.Pattern[str]] = {
    "led": re.compile(r"\sto\b"),
    "leads": re.compile(r"\sto\b"),
    "leading": re.compile(r"\sto\b"),
    "up": re.compile(r"\s(?:to|of|until|against)\b", re.IGNORECASE),
    "down": re.compile(r"\s(?:to\sthe|payment)", re.IGNORECASE),
    "most": re.compile(r"\sof\b", re.IGNORECASE),
    "first": re.compile(r"\s(?:half|quarter|month|week|day|time|name|of|year)\b", re.IGNORECASE),
    "second": re.compile(r"\s(?:half|quarter|month|week|time|of)\b", re.IGNORECASE),
    "third": re.compile(r"\s(?:half|quarter|month|week|time|of|party)\b", re.IGNORECASE),
    "flat": re.compile(r"\s(?:fee|rate)\b", re.IGNORECASE),
    "will": re.compile(r"\sof\b"),
    "double": re.compile(r"[- ]digit"),
    "top": re.compile(r"\s(?:[$\u20ac\u00a3]\d|\d{1,3}(?:,\d{3})+)"),
    "topped": re.compile(r"\s[$\u20ac\u00a3]?\d"),
    "tops": re.compile(r"\s[$\u20ac\u00a3]?\d"),
    "rises": re.compile(r"\s(?:to\s)?\d[\d.,]*\s(?:feet|ft|metres|meters|m)\b", re.IGNORECASE),
}
