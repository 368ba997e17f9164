"""Words and signs between a name and a number that say whether the one belongs to the other."""

import re

CUE_AFTER = re.compile(
    r"\s?(?:(?!and\s|but\s|while\s|with\s|then\s|or\s|followed\s)[^\W\d_]+[\s-]){0,4}?"
    r"(?:for|in|from|at|by|of|among|across|on|during|to)\s(?:the\s|[^\W\d_]+\s)?|\s?[(\[]\s?"
    # "the fastest lap, 100.97 mph, went to Ferri"
    r"|\s?[^\s,;]{0,12},\s(?:(?:went|goes|belong(?:s|ed)|fell)\sto|(?:was|were)\s(?:set|held|posted|clocked|recorded|scored"
    r"|achieved|taken)\sby|came\sfrom)\s(?:the\s)?",
    re.IGNORECASE,
)
CUE_BEFORE = re.compile(
    r"\s?(?:[:(=|]|\u2013|\u2014|,?\s?(?:with|at|was|were|is|had|has|made|reached|recorded|placed|held|brought\sin"
    r"|contributed|came\sin\sat|of|sold|did))\s*",
    re.IGNORECASE,
)
OPENS = re.compile(
    r"(?:\s[a-z]+){0,2}?\s?(?:[:(=|]|(?:of|at|was|were|is|stood\sat|totall?ed|von|de|di|van)\s)\s*(?:[$\u20ac\u00a3]|about\s|just\s|only\s|number\s|no\.\s|#)*",
    re.IGNORECASE,
)
# A name right before the next number, behind a pause, is its own ("on 10.5 points, losing one game").
LEADS_NEXT = re.compile(
    r"\s(?:(?:in|at|for|of|with|from|was|were|is)\s)?(?:only\s|just\s|about\s|some\s|over\s|nearly\s|a\s)?",
    re.IGNORECASE,
)
MOVED_FROM = re.compile(r"[^,;()]{0,24},\sfrom\s(?:about\s|just\s)?\W?", re.IGNORECASE)
# A place said in an order takes the name behind it ("in third place with 84 points").
NTH = re.compile(
    r"\b(?:\d(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)[\s-]\Z",
    re.IGNORECASE,
)
FROM_COLUMN = re.compile(r"(?:\s[a-z]+)?\sfrom\s(?:the\s)?", re.IGNORECASE)
MOVED_TO = re.compile(
    r"(?:\s(?:percentage\s)?(?:points?|pts))?[\s,]*(?:(?:in|during|by)\s[^\s,;.]+(?:\s\d{4})?\s)?to\s(?:just\s|only\s|about\s|around\s|a\stotal\sof\s)?",
    re.IGNORECASE,
)
# "Stood at 9.3% in 2007 before rising again to 12.7%": what the same column came to.
MOVES_ON = re.compile(
    r"[^;:()]{0,40}?(?:,?\s(?:(?:before|and|then|but|only\sto|later|it|they|had|has)\s)+|,\s)"
    r"(?:(?:ris|climb|recover|rebound|bounc|grow|jump|increas|mov|fall|drop|slid|slip|declin|decreas|sink|sank|dip|return|eas|surg|soar|rose|fell"
    r"|grew|crept|creep|went|plung|tumbl|reced|retreat)[a-z]*|(?:was|were)\sback)"
    r"(?:\s(?:again|back|once\smore|further|steadily|sharply|slightly|slowly|quickly))*\s(?:to|at)\s"
    r"(?:just\s|only\s|about\s|around\s|nearly\s|over\s|a\s(?:high|low|peak|record)\sof\s)?[^\w\s]?",
    re.IGNORECASE,
)
RESTATES = re.compile(r"[\s,(]*(?:i\.e\.|that\sis|or)[\s,]+(?:about\s|roughly\s|nearly\s)?", re.IGNORECASE)
# What somebody did after it: "played nine games for Ames and then went to Bell", "..., then he went to Bell".
THEN = re.compile(
    r"\s(?:and|before|but)\s(?:then|later|subsequently|afterwards)\s"
    r"|,\s(?:then|later|afterwards|after\swhich)\s(?:he|she|it|they)\s",
    re.IGNORECASE,
)
# One of these is in any text that says so.
LATER = frozenset(("then", "later", "subsequently", "afterwards", "after"))
PAUSE = re.compile(r"[,;:!?\n()]|\.(?:\s|\Z)")
TURNS = re.compile(r"\b(?:but|while|whilst|whereas|although)\s", re.IGNORECASE)
TURN_WORDS = frozenset(("but", "while", "whilst", "whereas", "although"))
AWAY = re.compile(
    r"[\s-]?(?!(?:was|were|is|are|came|comes?|hail(?:s|ed)?)\b)[^\W\d_]+\)?\s(?:away\s)?(?:from|(?:north|south|east|west)[a-z]*\s(?:of|from))\s(?:the\s)?",
    re.IGNORECASE,
)
AGED = re.compile(r"\b(?:aged?|at\sage)\s(?:of\s)?\Z", re.IGNORECASE)
OLD = re.compile(r"[\s-]years?[\s-](?:old|of\sage)\b", re.IGNORECASE)
BASELINE = re.compile(
    r"\s(?:from|since|on|over|against|versus|vs\.?|compared\s(?:with|to))\s(?:the\s)?", re.IGNORECASE
)
# What a multiple is counted from: "2.4x that of Iberia", "three times as many as Iberia", "twice Iberia's".
MULTIPLE_OF = re.compile(
    r"(?:\stimes)?(?:\sas\s[^,;:()\d]{1,40}\sas|\s(?:that|those|the\s[a-z]+)\s(?:of|in|at|for))?\s(?:the\s|in\s)?(?:that\sof\s|those\sof\s)?",
    re.IGNORECASE,
)
RESUMES = re.compile(r",?\s(?:and|with|but|while)\s", re.IGNORECASE)
ITS_OWN = re.compile(
    r"\.?(?:,\s(?:an?|the)\s(?=\S\Z)|'s?\s|\s?\(|,?\s(?:which|who|whose|where)\b|[^,]*\band\b)", re.IGNORECASE
)
OF_COLUMN = re.compile(
    r"\s?(?:worth\s)?(?:of|in|for|during|on|at|by)\s(?:the\s|total\s|all\s|them\s|these\s|those\s|which\s)?",
    re.IGNORECASE,
)
# Words between two numbers of one column: another row or period is meant, or the same one said again.
ANOTHER = re.compile(
    r"\b(?:than|versus|vs|against|compared|above|below|ahead|behind|from|(?<!close\s)to|earlier|before|after|then|later|or|i\.e|rest|others?"
    r"|remaining|followed|respectively|both|each|by)\b|[;:(\[]",
    re.IGNORECASE,
)
JOINS = frozenset((",", "and", ", and"))
LIST_GAPS = frozenset((",", "and", ", and", "or", "to", "-", "\u2013"))
# "Reprised her role from 2016 as": of another row, the part of which she took up again.
REPRISED = re.compile(
    r"\b(?:repris|return|resum|revisit)\w*\s[^;:.,]{0,40}\b(?:role|part|character)s?\b[^;:.,]{0,40}\bfrom\s(?:the\s)?\Z",
    re.IGNORECASE,
)
# "Number 40 and number 17".
_NUMBERED = re.compile(r"\b(?:number|no\.)\s?\Z|#\Z", re.IGNORECASE)
_NUMBERS = ("number", "no.", "#")
OF_WHICH = re.compile(r",\s(?:of\swhich|of\sthese|of\sthem|with|including|to\swhich)\s", re.IGNORECASE)
# The first or last name of a stretch ("between 2001 and ") names none of its rows alone.
SPANNED = re.compile(
    r"\b(?:between|from)\s(?:[^\s,;.]{1,12}\s){1,3}(?:and|to)\s\Z|\bbetween\s\Z", re.IGNORECASE
)
TOTAL_OF = re.compile(r"\btotal\sof\s(?:about\s|over\s)?\Z", re.IGNORECASE)
TO_THEIRS = re.compile(r"\d\D{0,24}\bto\s(?:his|her|their|its)\s\Z", re.IGNORECASE)
LAST_WORD = re.compile(r"([^\W\d_]+)\s\W?\Z")
PER_GAME = re.compile(r"\sper\s(?:game|match|season|innings?|round|set|start|appearance)\b", re.IGNORECASE)
NUMBER_LED = re.compile(r"\b(?:number|no\.|nr\.)\s\Z|#\s?\Z", re.IGNORECASE)
RANKS = frozenset(("rank", "ranking", "position", "pos", "place", "chart", "peak", "seed"))
WHOLE_GAP = re.compile(
    r"\s?[^\W\d_]{1,12}\sof\s(?:its|the|their|his|her)\s(?:total\s|whole\s)?", re.IGNORECASE
)
OF_THE = re.compile(r"\sof\s(?:the|its|their|his|her|these|those)\s", re.IGNORECASE)
# "13 of 21", "13 of the company's 21".
PART_GAP = re.compile(
    r"(?:out\s)?of(?:\s(?:all|(?:the|its|our|their|his|her)(?:\stotal|(?:\s[a-z]+)?\s[a-z]+['\u2019]s?)?|a\stotal\sof|[^\W\d_][\w.-]*(?:\s[^\W\d_][\w.-]*)?['\u2019]s?))?(?:\stotal)?",
    re.IGNORECASE,
)
# "28 points in 111 games": two numbers of one row.
IN_NEXT = re.compile(r"\s[a-z]+\s(?:in|from|across|over)\s(?:just\s|only\s|his\s|her\s)?", re.IGNORECASE)
# "By 13.4% to 4,975": a change and what it came to.
CHANGED_TO = re.compile(r"(?:\s[a-z]+)?,?\sto\s(?:just\s|only\s|about\s)?[^\w\s]?", re.IGNORECASE)
OWN_NOUN = re.compile(r"\s([a-z]{3,})\b")


def list_gap(gap: str) -> str:
    """Return what stands between two numbers that may be of one list ("3 and number 4"), in lower case."""
    said = gap.rstrip()
    named = said.endswith(_NUMBERS) or said.lower().endswith(_NUMBERS)
    return (_NUMBERED.sub("", gap) if named else gap).strip().lower()
