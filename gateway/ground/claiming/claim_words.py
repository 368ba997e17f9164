"""The words of each class of claim, and where the same words claim nothing."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

# "Due mainly to", "thanks in part to".
_PARTLY = r"(?:\s(?:in\s(?:[a-z]+\s)?part|in\sno\ssmall\s(?:part|measure)|[a-z]+ly))?"
# "Due to open in May": what is planned, and no reason.
_PLANNED = (
    r"be|open|reopen|begin|launch|arrive|expire|finish|come|go|join|move|leave|take|become|retire|resume"
)
# What a figure does in time to come ("should carry 300 again"), with a word before it ("should again carry").
_SOON = r"(?:not\s|never\s|again\s|also\s|then\s|soon\s|still\s|now\s|once\smore\s|even\s|[a-z]+ly\s)?"
_FIGURES = (
    r"reach|exceed|hit|pass|grow|rise|fall|continue|climb|drop|decline|increase|decrease|double|recover|rebound"
    r"|improve|worsen|remain|stay|return|carry|earn|bring|sell|draw|attract|total|average|handle|serve|produce"
    r"|deliver|generate|yield|cross|surpass|overtake|gain|lose|win|go\sup|go\sdown|go\sback|end\sup|level\soff"
)
# What a reader does with a figure: advice, and nothing to come ("should be read with care").
_ADVICE = (
    r"read|noted|treated|taken|seen|used|compared|checked|considered|interpreted|understood|borne|kept|viewed|regarded"
    r"|added|counted|quoted|cited|remembered|mentioned|reviewed|verified|confirmed|handled|ignored|excluded|included"
    r"|careful|cautious|aware|clear|able|stressed|pointed|said|reported|rounded|weighed|judged"
)
CAUSE = (
    r"because", rf"due{_PARTLY}\sto(?!\s(?:{_PLANNED})\b)", rf"owing{_PARTLY}\sto", rf"thanks{_PARTLY}\sto",
    r"driven\sby", r"driver", r"drove", r"driving\s(?:up|down|this|growth)",
    r"on\saccount\sof", r"by\svirtue\sof", r"courtesy\sof", r"on\sthe\sstrength\sof",
    r"in\s(?:the\swake|light|consequence)\sof",
    r"(?:traced|traceable|ascribed|credited|put\sdown|chalked\sup)\s(?:back\s)?to", r"blamed?\s(?:on|for)",
    r"ow(?:es|ed|ing)\s(?:much|most|this|that|everything|its\s\w+|their\s\w+)\s(?:[a-z]+\s){0,2}?to",
    r"(?:was|is|were|are)\s(?:[a-z]+ly\s)?down\sto\s(?:the|a|an|its|our|their)",
    r"(?:arise|arises|arising|arose)\s(?:from|out\sof)", r"(?:rooted|grounded)\sin",
    r"born\s(?:out\s)?of\s(?:the|a)",
    r"g(?:ave|ives|iven|iving)\srise\sto", r"bring(?:s|ing)?\sabout",
    r"pl(?:ays|ayed)\sa\s(?:[a-z]+\s)?(?:role|part)\sin",
    r"(?:is|was|were|are|lies|lay)\sbehind\s(?:the|this|that)\s"
    r"(?:rise|fall|drop|growth|increase|decrease|decline|gain|loss|jump|surge|change|improvement)",
    r"caus(?:e|es|ed|ing)",
    r"led\sto", r"leads\sto", r"leading\sto", r"result(?:s|ed|ing)?\s(?:in|from)",
    r"(?:as\s)?(?:a|the)\sresult\sof",
    r"as\sa\sresult", r"attribut(?:ed|able|es?)", r"on\sthe\sback\sof",
    r"(?:boost|help|fuel|lift|hit|hurt|dragg|push|pull|underpinn|support|power|held)(?:l?ed)?\s(?:up\s|down\s|back\s)?by",
    r"explain(?:s|ed|ing)?", r"reflect(?:s|ed|ing)", r"stem(?:s|med|ming)?\sfrom", r"lifted", r"pushed",
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
    r"will", r"won't", r"would", r"shall", r"expect(?:s|ed|ing|ations?)?", r"forecast(?:s|ed|ing)?",
    r"project(?:ed|ion|ions|s\sto)", r"predict(?:s|ed|ions?|ing)?", r"on\s(?:track|course|pace)",
    r"(?:un)?likely",
    r"set\sto(?!\s[\d$\u20ac\u00a3])",
    r"going\sto", r"outlook", r"anticipat(?:e|es|ed|ing|ion)", r"poised",
    r"head(?:ing|ed)\s(?:for|to|towards?)",
    r"bound\sto", r"destined\s(?:to|for)", r"(?:is|are)\s(?:scheduled|slated|planned)\s(?:to|for)",
    r"about\sto",
    rf"due\sto\s(?:{_PLANNED})", r"on\sthe\sverge\sof", r"going\sforward", r"looking\sahead",
    r"foresee(?:s|n|able)?",
    r"estimated\sto\s(?:reach|exceed|hit|grow|rise|fall)", r"promises?\sto",
    r"(?:months|years|weeks|quarters)\s(?:ahead|to\scome)",
    rf"(?:should|ought\sto)\s{_SOON}(?:{_FIGURES}|see|come|land|end|close|be(?!\s(?:[a-z]+ly\s)?(?:{_ADVICE})\b))",
    rf"(?:could|may|might)\s{_SOON}(?:{_FIGURES}|well)",
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
    r"down\son", r"dominat\w+", r"rank(?:s|ed|ing)?", r"(?:came|finished|ranked|placed)\slast",
    r"(?:was|were)\slast(?=\s(?:with|on|at|of)\b)", r"in\slast",
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


SMALL = re.compile(
    r"^(?:(?:in|on|at|by|is|as|a|the|of|to)\\s|\(\?:(?:(?:is|was|were|are|lies|lay)\|?)+\)\\s)+"
)


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
TREND_WORDS = CLASSES[2][1]
# Verbs that move nothing with "up" or "down" behind them: "made up 44%", "signed up", "picked up the phone".
_PHRASAL = (
    r"sign|open|follow|end|add|show|back|clean|call|dial|log|line|mix|wrap|warm|hook|wak|join|top|fill|save|own|team"
    r"|clos|settl|nail|not|pin|track|load|free|check|cover|look|round|divid|split|queu"
)
PHRASAL = re.compile(
    rf"\b(?:(?:{_PHRASAL})(?:[bdgmnpt]?(?:ed|ing)|e?s|e)?|ma(?:de|kes?|king)|t(?:akes?|ook|aking|aken)|sets?|setting"
    r"|g(?:ave|ives?|iven|iving)|puts?|putting|picks|picking|wr(?:ote|ites?|itten|iting)|br(?:oke|eaks?|oken|eaking)"
    r"|shuts?|shutting|caught|catch(?:es|ing)?|laid|lays|stood|stands?|sat|sits?|hung|hangs?)\s\Z",
    re.IGNORECASE,
)
# What such a verb has moved all the same: "opened up 3%", "gave up 5 points".
MOVED = re.compile(
    r"\s(?:by\b|from\b|on\s(?:the|last|a)\s(?:day|week|month|quarter|year)"
    r"|[^\w\s]?\d[\d.,]*\s?(?:%|per\s?cent|percent|pp\b|points?\b|pts\b|bps\b|basis))",
    re.IGNORECASE,
)
# "Picked up the phone": it was a thing, and no pace.
THING = re.compile(r"\s(?:\d|(?:the|an?|its|their|our|his|her)\s(?!pace|speed|slack)[a-z])", re.IGNORECASE)
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
    # "128 seats going to independents": to whom, and nothing to come
    "going to": re.compile(r"\s(?:the\s|an?\s|[A-Z]|others?\b|[a-z]+s(?:[.,;)]|\Z))"),
    "led": re.compile(r"\sto\b"),
    "leads": re.compile(r"\sto\b"),
    "leading": re.compile(r"\sto\b"),
    "up": re.compile(r"\s(?:to|of|until|against|the\srear)\b", re.IGNORECASE),
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
