"""The words of periods that only questions use: next, ago, weekdays, vague times, named periods."""

import re
from collections.abc import Sequence

from metric_layer.asking import NamedPeriod
from metric_layer.period_words import COUNTS, GRAMMAR, MONTHS, TENS, Patterns


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTH_WORDS = word_set(
    "january february april june july august september october november december "
    "jan feb apr jun jul aug sept oct nov dec"
)

_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_COUNT = r"\d{1,4}|" + "|".join(sorted({**COUNTS, **TENS}, key=len, reverse=True))
_DAYS = "|".join(WEEKDAYS)
_UNIT = r"(?P<unit>day|week|month|quarter|half[\s-]year|half|year)"
_UNITS = r"(?P<unit>day|week|month|quarter|half[\s-]year|half|halve|year)s?"
_BY = r"(?:(?P<by>fiscal|financial|calendar)\s)?"
_WHOLE = r"(?:full\s|completed?\s|closed\s|whole\s|entire\s|consecutive\s)?"
_YEAR = r"(?:19|20)\d\d"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_TO = r"\s*(?:-|–|—|to|through|thru|until|till|and)\s*(?:the\s)?"
_TAIL = rf"(?:,?\s(?:of\s|in\s)?(?P<year>{_YEAR})|\s?'(?P<short>\d\d))?"
_PART = r"(?:week|month|quarter|half|year)"
_SAME = r"same\s(?:quarter|month|week|period|time|days?|half|dates|window)"
_LAST = word_set("last past previous prior preceding latest")
_THIS = _LAST | {"this", "current", "present"}
_NEXT = word_set("next coming upcoming following")
_NUMBERS = frozenset(COUNTS) | {"0"}

_SEASONS = (
    r"weekends?|spring|summer|autumn|winter|christmas|easter|holidays?|holiday\sseason|season|thanksgiving"
    r"|fortnight|decade|century|morning|afternoon|evening|night|semester|trimester|black\sfriday|cyber\smonday"
)
_VAGUE = (
    r"(?:(?:the\s)?(?:last|past|previous|recent|these)\s)?(?:few|couple\sof|couple|several|some|many|recent)\s"
    r"(?:day|week|month|quarter|year)s"
    r"|lately|recently|recent|nowadays|these\sdays|at\sthe\smoment|so\sfar|to\sdate|a\swhile(?:\sago|\sback)?"
    r"|the\sother\sday|in\sthe\spast(?!\s\w+\s(?:day|week|month|quarter|half|year)|\s(?:day|week|month|quarter|half|year))|historically|currently|right\snow|soon|earlier|previously|over\stime"
    r"|some\stime(?:\sago)?|before|after|of\slate|in\sthe\slong\srun"
    rf"|(?:(?:last|this|next|past|the)\s)?(?:{_SEASONS})(?:\s{_YEAR})?"
    r"|(?:last|this|past|previous|current)\s(?:period|hour|time|(?:\d+\s)?(?:hours|minutes))"
    r"|(?:for|in|over|during)\sthe\s(?:day|week|month|quarter|half(?:[\s-]year)?|year)(?![\s-]year)"
    r"(?!\s(?:of|commencing|starting|beginning|end(?:ing|ed)|from|to|up\sto|before|after|\d))"
    rf"|(?:on\s)?the\s\d{{1,2}}(?:st|nd|rd|th)(?!\s(?:of\s)?(?:{_MONTH})\b|{_TO}\d|\s(?:quarter|half))"
    r"|(?:the\s)?(?:start|beginning|end|middle|close|turn)\sof\s(?:the\s|last\s|this\s)?"
    r"(?:day|week|month|quarter|half|year)|(?:year|month|quarter)[\s-]end"
)
_VAGUE_OPENS = word_set(
    "the last past previous current recent these few couple several some many lately recently nowadays at "
    "so to a in for historically currently right soon earlier previously over before after of during this "
    "next weekend weekends spring summer autumn winter christmas easter holiday holidays season "
    "thanksgiving fortnight decade century morning afternoon evening night semester trimester black cyber "
    "start beginning end middle close turn year month quarter on"
)
_SHIFT = (
    rf"{_SAME}(?:\s(?:of|in))?\s(?:the\s)?(?:last|previous|prior|preceding)\s{_PART}"
    rf"|{_SAME}\s(?:a|one|the)\syear\s(?:earlier|ago|before|prior)"
    r"|(?:the\s)?(?:previous|prior|preceding)\s(?:period|window)|(?:the\s)?period\sbefore(?:\sthat)?"
    r"|(?:the\s)?(?:day|week|month|quarter|half|year)\s(?:before|earlier|prior)(?!\slast)(?:\sthat)?"
    rf"|(?:the\s)?(?:{_COUNT})\s(?:day|week|month|quarter|year)s\s(?:before|earlier|prior)(?:\sthat)?"
    r"|(?:month|quarter|week)[\s-](?:over|on)[\s-](?:month|quarter|week)|mom|qoq|wow"
)
_SHIFT_OPENS = (
    word_set("same a one the year month quarter week day half mom qoq wow previous prior preceding period")
    | _NUMBERS
)

_DATE = (
    rf"(?:(?P<day>{_DAY})\s(?:of\s)?(?P<month>{_MONTH})|(?P<month_first>{_MONTH})\s(?P<day_late>{_DAY}))"
    rf",?{_TAIL}"
)
_PART_OF = (
    r"(?:the\s)?(?:first|second|third|fourth|last|final|1st|2nd|3rd|4th|latter|other)\s(?:\d{1,2}\s)?"
    rf"(?:half|days?|weeks?|weekend|months?)\s(?:of|in)\s(?:{_MONTH}|Q[1-4]|H[12]|FY\s?\d|{_YEAR}|the\s{_PART})"
)
_PART_OPENS = word_set("the first second third fourth last final latter other") | {"0"}
_ENDING = (
    rf"(?:the\s)?(?:(?P<count>{_COUNT})[\s-])?{_BY}{_UNITS}\s"
    r"(?:(?:ended|ending)(?:\s(?:in|on))?|(?:(?<=s\s)|(?<=year\s))(?:up\s)?to)\s"
    rf"(?:(?:the\s)?end\sof\s)?(?:(?P<last_day>{_DAY})\s(?:of\s)?)?(?P<month>{_MONTH})\b\.?{_TAIL}(?!\s?\d)"
)
_ENDING_OPENS = word_set("the week month quarter half year fiscal financial calendar") | _NUMBERS | {*TENS}

# Tried before the shared grammar, because the shared one would read a part of them.
_FIRST: tuple[tuple[str, frozenset[str], str], ...] = (
    (
        "part_days",
        word_set("the first last"),
        rf"(?:the\s)?(?P<edge>first|last)\s(?P<count>{_COUNT})\sdays\s(?:of|in)\s(?P<month>{_MONTH})\b\.?{_TAIL}",
    ),
    (
        "vague",
        _PART_OPENS,
        rf"(?!(?:the\s)?(?:first|second|1st|2nd)\shalf\s(?:of|in)\s(?:FY|{_YEAR}|the\syear)){_PART_OF}",
    ),
    ("week_of", frozenset("w"), rf"w/c\s{_DATE}"),
    ("week_ending", frozenset(("week", "w")), rf"(?:week\s(?:ending|ended|to)|w/e)\s(?:on\s)?{_DATE}"),
    ("ending", _ENDING_OPENS, _ENDING),
    (
        "day_span",
        frozenset("0"),
        rf"(?P<day>{_DAY}){_TO}(?P<last_day>{_DAY})\s(?:of\s)?(?P<month>{_MONTH})\b\.?{_TAIL}",
    ),
    (
        "day_span",
        frozenset(MONTHS),
        rf"(?P<month>{_MONTH})\.?\s(?P<day>{_DAY}){_TO}(?P<last_day>{_DAY})(?!\d|[\s-](?:{_MONTH})\b)"
        rf"(?:,?\s(?P<year>{_YEAR}))?",
    ),
    (
        "short_date",
        frozenset("0"),
        r"(?P<one>\d{1,2})(?:/(?P<two>\d{1,2})(?:/(?P<late>\d\d))?|[.-](?:\d{1,2})[.-]\d\d)(?![./-]?\d)",
    ),
    (
        "week_number",
        frozenset(("week", "cw", "calendar")),
        rf"(?:calendar\sweek|week|cw)\s(?P<number>\d{{1,2}}){_TAIL}",
    ),
    (
        "half",
        frozenset(("first", "second", "0")),
        rf"(?P<ordinal>first|second|1st|2nd)[\s-]{_BY}half(?![\s-]?(?:of\s)?(?:FY|fiscal))(?:[\s-]year)?"
        rf"(?:\sof\sthe\s(?:calendar\s)?year)?{_TAIL}",
    ),
    (
        "to_date",
        frozenset(("this", "current")),
        rf"(?:this|current)\s{_BY}(?P<unit>week|month|quarter|half|year)\s(?:to\sdate|so\sfar)",
    ),
    (
        "to_date",
        frozenset(("since", "from")),
        rf"(?:since|from)\sthe\s(?:start|beginning)\sof\s(?:the|this)\s{_BY}(?P<unit>week|month|quarter|half|year)",
    ),
    ("to_date", frozenset(("so",)), rf"so\sfar\sthis\s{_BY}(?P<unit>week|month|quarter|half|year)"),
    (
        "to_date",
        frozenset(("half", "fiscal", "financial", "calendar")),
        rf"{_BY}(?P<unit>half)(?:[\s-]year)?[\s-]to[\s-]date",
    ),
    ("last_n", _LAST | {"trailing", "rolling"}, rf"[a-z]+\s(?P<count>{_COUNT})[\s-]{_WHOLE}{_BY}{_UNITS}"),
    ("twelve_months", frozenset(("ttm", "ltm")), r"ttm|ltm"),
    ("before_last", frozenset(("the",)), rf"the\s{_UNIT}\sbefore\s(?P<which>last|yesterday)"),
    ("month", frozenset("0"), rf"(?P<month>0?[1-9]|1[0-2])[/.-](?P<year>{_YEAR})(?![./-]?\d)"),
    ("month", frozenset("0"), rf"(?P<year>{_YEAR})-(?P<month>[1-9])(?![./-]?\d)"),
    ("quarter", frozenset(("quarter",)), rf"quarter\s(?P<number>[1-4])(?!\d){_TAIL}"),
    ("this_fiscal_year", _THIS, r"(?P<which>[a-z]+)\sFY(?!\s?'?\d)(?:'s)?"),
    ("shift", _SHIFT_OPENS, _SHIFT),
)
_LATER: tuple[tuple[str, frozenset[str], str], ...] = (
    ("this_unit", _THIS, rf"(?P<which>[a-z]+)\s{_WHOLE}{_BY}{_UNIT}(?:'?s)?"),
    ("ago", _NUMBERS | {"a", "an"}, rf"(?P<count>{_COUNT}|an?)\s{_UNITS}\sago"),
    ("future", _NEXT, rf"[a-z]+\s(?:(?:{_COUNT}|few|couple\sof|several)\s)?{_BY}{_UNITS}(?:'s)?"),
    ("future", _NEXT, rf"[a-z]+\s(?:{_MONTH}|{_DAYS}|weekend|{_SEASONS})"),
    (
        "future",
        frozenset(("tomorrow", "rest", "remainder", "later", "the", "future")),
        r"tomorrow|(?:the\s)?(?:rest|remainder)\sof\s(?:the|this)\s(?:fiscal\s)?(?:week|month|quarter|half|year)"
        r"|later\sthis\s(?:week|month|quarter|half|year)|(?:the\s)?(?:near\s)?future",
    ),
    (
        "weekday",
        frozenset((*WEEKDAYS, "last", "this", "past", "previous")),
        (rf"(?:(?P<which>last|this|past|previous)\s)?(?P<weekday>{_DAYS})"),
    ),
    (
        "last_part",
        frozenset(("last", "past", "previous", "this")),
        rf"(?P<which>last|past|previous|this)\s{_BY}(?:(?P<month>{_MONTH})|Q(?P<number>[1-4])|H(?P<half>[12]))"
        r"(?!,?\s+\d)",
    ),
    ("invalid", frozenset(("q", "h")), r"(?:Q[05-9]|H[03-9])(?:\s(?:FY)?\s?\d{2,4})?"),
    ("invalid", frozenset(("fy",)), r"FY\s?\d{2,4}[\s-]?(?:Q|H)\d"),
    (
        "invalid",
        frozenset("0"),
        rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?(?P<month>{_MONTH})(?:,?\s(?P<year>{_YEAR}))?",
    ),
    ("invalid", frozenset("0"), r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})"),
    (
        "invalid",
        frozenset("0"),
        r"(?P<one>\d{1,2})(?P<mark>[./-])(?P<two>\d{1,2})[./-](?P<year>\d{4})",
    ),
    (
        "invalid",
        frozenset(MONTHS),
        rf"(?P<month>{_MONTH})\s(?P<day>\d\d)(?:st|nd|rd|th)?(?!\d|[\s-]+\d)(?:,?\s(?P<year>{_YEAR}))?",
    ),
    ("vague", _VAGUE_OPENS, _VAGUE),
)
ASKED_PATTERNS = Patterns((*_FIRST, *GRAMMAR, *_LATER))
EDGE = re.compile(
    r"\b(?<!what\s)(?<!how\s)(?:early|late|mid|middle\sof|beginning\sof|start\sof|end\sof|around|about|circa|roughly|towards|half\sof|part\sof"
    r"|most\sof)[\s-](?:the\s)?\Z",
    re.IGNORECASE,
)
LEADS_MONTH = re.compile(
    r"\b(?:in|for|during|since|of|from|to|until|till|through|and|vs\.?|versus|last|this|between|before|after|with|over)"
    r"\s\Z",
    re.IGNORECASE,
)


def is_english_month(found: re.Match[str]) -> bool:
    """Tell whether a month is English or has a year behind it: "Mars" alone may be something else."""
    parts = found.groupdict()
    name = (parts.get("month") or "").lower()
    dated = parts.get("year") or parts.get("short") or name.isdigit() or not name
    return bool(dated) or name in MONTH_WORDS or name in ("may", "march", "mar", "sep")


def reads_as_month(found: re.Match[str]) -> bool:
    """Tell whether a month in small letters is one: "october", and "march" where a period may stand."""
    word = found.group("month") or ""
    if word.lower() in MONTH_WORDS:
        return True
    leads = LEADS_MONTH.search(found.string[: found.start()]) is not None
    return word.lower() in ("may", "march", "mar", "sep") and leads


def named_pattern(periods: Sequence[NamedPeriod]) -> re.Pattern[str] | None:
    """Return a pattern for the names of periods, longest first, with their year; None without names."""
    names = sorted({name for each in periods for name in (each.name, *each.synonyms)}, key=len, reverse=True)
    if not names:
        return None
    either = "|".join(r"\s+".join(map(re.escape, name.split())) for name in names)
    return re.compile(
        rf"(?<!\w)(?:(?P<which>last|previous|latest|this|next)\s)?(?P<name>{either})(?:,?\s(?:of\s|in\s)?(?P<year>{_YEAR}))?(?!\w)",
        re.IGNORECASE,
    )
