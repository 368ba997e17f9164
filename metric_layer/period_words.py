"""The words of periods: month names, ordinals, one pattern for each way to say a period."""

import re
from collections.abc import Iterable
from functools import cache

from metric_layer.plan import Grain

MONTH_NAMES: tuple[tuple[str, ...], ...] = (
    ("january", "jan", "januar", "janvier", "enero"),
    ("february", "feb", "februar", "février", "febrero"),
    ("march", "mar", "märz", "mars", "marzo"),
    ("april", "apr", "avril", "abril"),
    ("may", "mai", "mayo"),
    ("june", "jun", "juni", "juin", "junio"),
    ("july", "jul", "juli", "juillet", "julio"),
    ("august", "aug", "août", "agosto"),
    ("september", "sept", "sep", "septembre", "septiembre"),
    ("october", "oct", "oktober", "okt", "octobre", "octubre"),
    ("november", "nov", "novembre", "noviembre"),
    ("december", "dec", "dezember", "dez", "décembre", "diciembre"),
)
MONTHS = {name: number for number, names in enumerate(MONTH_NAMES, 1) for name in names}
ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4}
ORDINALS |= {"ersten": 1, "zweiten": 2, "dritten": 3, "vierten": 4}
COUNTS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
}  # fmt: skip
TENS = {"fifteen": 15, "eighteen": 18, "twenty": 20, "thirty": 30, "sixty": 60, "ninety": 90, "hundred": 100}
UNITS: dict[str, Grain] = {
    "day": "day",
    "week": "week",
    "month": "month",
    "quarter": "quarter",
    "year": "year",
}
FISCAL_UNITS: dict[str, Grain] = {"month": "fiscal_month", "quarter": "fiscal_quarter", "year": "fiscal_year"}

_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_ORDINAL = "|".join(ORDINALS)
_COUNT = r"\d{1,4}|" + "|".join(COUNTS)
_YEAR = r"(?:19|20)\d\d"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|\.)?"
_TAIL = rf"(?:[\s/-]*(?:of\s+|in\s+)?(?P<year>{_YEAR})|\s?'(?P<short>\d\d)\b)?"
_WEEK = r"week\s+(?:of|commencing|beginning|starting|from)\s+"
_EARLIER = r"(?:last\syear|previous\syear|prior\syear|a\syear\s(?:earlier|ago))"
# A fiscal year by its number: FY27, FY 2027, FY26/27, fiscal 2027, financial year 2027.
_FISCAL_YEAR = (
    r"(?:FY\s?'?|(?:fiscal|financial)\s(?:year\s'?|'|(?=\d{4})))(?P<year>(?:20|19)?\d\d)(?!\d)"
    r"(?:[/-](?P<late_year>\d\d)(?!\d))?"
)
_CALENDAR = r"(?P<by>fiscal|financial|calendar)"
_BY = frozenset(("fiscal", "financial", "calendar"))
_LAST = frozenset(("last", "past", "previous", "trailing", "prior", "this", "current"))
_DIGITS = frozenset("0")

# Each way to say a period: its name, the words or "0" (digits) it opens with, its pattern. Earlier ones win.
GRAMMAR: tuple[tuple[str, frozenset[str], str], ...] = (
    ("iso_week", _DIGITS, r"(?P<year>\d{4})-?W(?P<number>\d{1,2})"),
    ("iso_day", _DIGITS, r"(?P<year>\d{4})[-/](?P<month>\d{2})[-/](?P<day>\d{2})"),
    ("cjk_day", _DIGITS, r"(?P<year>\d{4})年(?:(?P<month>\d{1,2})月(?:(?P<day>\d{1,2})日)?)?"),
    (
        "numeric",
        _DIGITS,
        r"(?P<one>\d{1,2})(?P<mark>[./-])(?P<two>\d{1,2})(?P=mark)(?P<year>\d{4})(?![./-]\d)",
    ),
    (
        "fiscal",
        frozenset(("fy",)),
        r"FY\s?(?P<year>(?:20|19)?\d\d)[\s-]P(?P<period>0?[1-9]|1[0-3])(?![\w.,]?\d)",
    ),
    (
        "fiscal",
        frozenset(("q", "h", "fy", "fiscal", "financial")),
        rf"(?:(?:fiscal\s)?(?:Q(?P<number>[1-4])|H(?P<half>[12]))[\s,-]*(?:of\s(?:the\s)?)?)?{_FISCAL_YEAR}"
        r"(?:[\s,-]*(?:Q(?P<late>[1-4])|H(?P<late_half>[12])))?",
    ),
    (
        "fiscal",
        frozenset(ORDINALS) | _DIGITS,
        rf"(?P<ordinal>{_ORDINAL})[\s-]+(?:fiscal\s)?(?P<part>quarter|half),?\s(?:of\s|in\s)?(?:the\s)?"
        + _FISCAL_YEAR,
    ),
    (
        "this_unit",
        _LAST,
        rf"(?P<which>this|last|previous|current|prior)\s+{_CALENDAR}\s+(?P<unit>year|quarter|half)",
    ),
    ("calendar_year", frozenset(("calendar", "cy")), rf"(?:calendar\s(?:year\s)?|CY\s?'?)(?P<year>{_YEAR})"),
    ("split_year", _DIGITS, r"(?P<year>(?:19|20)\d\d)[/–](?P<next>\d\d|(?:19|20)\d\d)"),
    (
        "quarter",
        frozenset(("q", "0")),
        rf"(?:(?P<year_first>{_YEAR})[\s-]?Q(?P<late>[1-4])|Q(?P<number>[1-4]){_TAIL}"
        r"|(?P<number_first>[1-4])Q[\s-]?(?P<short_year>(?:20)?\d\d))",
    ),
    (
        "quarter",
        frozenset(ORDINALS) | _DIGITS,
        rf"(?P<ordinal>{_ORDINAL})[\s-]+(?:{_CALENDAR}\s+)?(?:quarter|quartal){_TAIL}",
    ),
    (
        "quarter",
        _BY,
        rf"{_CALENDAR}\s(?:Q(?P<number>[1-4])|(?P<ordinal>{_ORDINAL})\squarter){_TAIL}",
    ),
    ("half", _BY, rf"{_CALENDAR}\s(?:H(?P<number>[12])|(?P<ordinal>first|second)\shalf){_TAIL}"),
    (
        "half",
        frozenset(("h", "0")),
        rf"(?:H(?P<number>[12]){_TAIL}|(?P<number_first>[12])H[\s-]?(?P<short_year>(?:20)?\d\d))",
    ),
    (
        "half",
        frozenset(("first", "second")),
        rf"(?P<ordinal>first|second)\s+half(?=\s+(?:of\s+)?(?:the\s+year|{_YEAR})|[.,;]|$)(?:\s+of\s+the\s+year)?{_TAIL}",
    ),
    (
        "week_of",
        frozenset(("week",)),
        rf"{_WEEK}(?:(?P<day>{_DAY})\s+(?:of\s+)?(?P<month>{_MONTH})|(?P<month_first>{_MONTH})\s+(?P<day_late>{_DAY})),?{_TAIL}",
    ),
    ("week_of", frozenset(("week",)), rf"{_WEEK}(?P<year>\d{{4}})-(?P<month>\d{{2}})-(?P<day>\d{{2}})"),
    ("iso_week", frozenset(("week",)), rf"week\s+(?P<number>\d{{1,2}})(?:,?\s*(?:of\s+)?(?P<year>{_YEAR}))?"),
    (
        "day_span",
        _DIGITS,
        rf"(?P<day>{_DAY})(?:\s?[-\u2013]\s?|\s(?:to|through|until|till)\s)(?:the\s)?(?P<last_day>{_DAY})"
        rf"\s(?:of\s)?(?P<month>{_MONTH})\b\.?{_TAIL}",
    ),
    ("day", _DIGITS, rf"(?P<day>{_DAY})\s*(?:of\s+)?(?P<month>{_MONTH})\b\.?,?{_TAIL}"),
    (
        "day",
        frozenset(MONTHS),
        rf"(?P<month>{_MONTH})\.?\s+(?P<day>{_DAY})(?!\d|\s?%|,\d|\.\d)(?:,?\s+(?P<year>{_YEAR}))?",
    ),
    ("month_span", frozenset(MONTHS), rf"(?P<month>{_MONTH})\.?\s*[–-]\s*(?P<last>{_MONTH})\b\.?{_TAIL}"),
    ("month", frozenset(MONTHS), rf"(?P<month>{_MONTH})\b\.?,?{_TAIL}"),
    (
        "month",
        _DIGITS,
        r"(?P<year>(?:19|20)\d\d)-(?P<month>0[1-9]|1[0-2])|(?P<month_first>0[1-9]|1[0-2])/(?P<year_late>(?:19|20)\d\d)",
    ),
    (
        "last_n",
        _LAST,
        rf"(?:last|past|previous|trailing|prior)\s+(?P<count>{_COUNT})[\s-]+(?P<unit>day|week|month|quarter|year)s?",
    ),
    (
        "this_unit",
        _LAST,
        r"(?P<which>this|current|last|past|previous|prior)\s+(?P<unit>week|month|quarter|year)(?:'?s)?",
    ),
    (
        "to_date",
        frozenset(("year", "month", "quarter", "week", "ytd", "mtd", "qtd", "wtd", "fytd", "fy")) | _BY,
        rf"(?:{_CALENDAR}\s)?(?:(?P<unit>year|month|quarter|week)[\s-]to[\s-]date|(?P<short>[YMQW]TD))"
        r"|(?P<fiscal>FYTD|FY[\s-]to[\s-]date)",
    ),
    (
        "shift",
        frozenset(("same",)),
        rf"same\s(?:quarter|month|week|period|time|day|half)\s(?:of\s|in\s)?(?:the\s)?{_EARLIER}",
    ),
    ("same_in", frozenset(("same",)), rf"same\s(?P<unit>quarter|month|half)\s(?:of|in)\s(?P<year>{_YEAR})"),
    (
        "shift",
        frozenset(("a", "one", "the", "year", "yoy")),
        r"(?:a|one|the)\s+(?:year|month|quarter|week)\s+(?:earlier|ago|before|prior)|year[\s-](?:over|on)[\s-]year|yoy",
    ),
    ("named_day", frozenset(("yesterday", "today")), r"(?P<which>yesterday|today)"),
    ("all_time", frozenset(("all", "since")), r"all[\s-]time|since\s+(?:launch|inception)"),
)


class Patterns:
    """The patterns of a grammar by the word they open with, each made when its word is first met."""

    def __init__(self, grammar: Iterable[tuple[str, frozenset[str], str]]) -> None:
        self._texts: dict[str, list[tuple[str, str]]] = {}
        for kind, openers, pattern in grammar:
            for word in openers:
                self._texts.setdefault(word, []).append((kind, pattern))
        self._made: dict[str, tuple[tuple[str, re.Pattern[str]], ...]] = {}

    def of(self, word: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
        """Return the kinds and patterns that a word opens, in the order of the grammar."""
        made = self._made.get(word)
        if made is None:
            found = self._texts.get(word)
            if found is None:
                return ()
            made = self._made[word] = tuple((kind, _whole_words(pattern)) for kind, pattern in found)
        return made


@cache
def _whole_words(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w$€£])(?:{pattern})(?![\w])", re.IGNORECASE)


PATTERNS = Patterns(GRAMMAR)
OPENER = re.compile(r"[^\W\d_]+|\d+")

YEAR = re.compile(
    r"(?<![\w.,$€£¥#+])(?:1[5-9]|20)\d\d(?![\w%]|[.,]\d|\s?(?:thousand|million|billion|percent|per\scent|k\b))"
)
NEXT_YEAR = re.compile(r"\s?(?:,|and|or|&|,\s?and|–|-|/|to|through)\s?", re.IGNORECASE)
AT_YEAR = re.compile(
    r"(?:\b(?:in|since|during|until|till|through|throughout|years?|calendar|season|im|en|seit|jahr|année|año)\s"
    r"|\bFY\s?)\Z",
    re.IGNORECASE,
)
NEAR_YEAR = re.compile(
    r"(?:\b(?:for|after|before|between|versus|vs\.?|from|and|over|late|early|mid|the|his|her|their|its|our|this|that"
    r"|by|of|than\sin)[\s-]|\(|(?:^|[.!?:]\s|\n|\|\s?))\Z",
    re.IGNORECASE,
)
OF_SPAN = re.compile(
    r"(?:end|beginning|start|middle|summer|winter|spring|autumn|fall|season|part|most|rest|all|half|quarter|class"
    r"|census|election|edition|months?|\w+ember|\w+uary)\sof\s\Z",
    re.IGNORECASE,
)
CHANGED_BY = re.compile(
    r"\b(?:increas|decreas|rose|ris|fell|fall|gr[eo]w|declin|dropp|up|down|more|less|chang)\w*\sby\s\Z",
    re.IGNORECASE,
)
OWNED = re.compile(r"\b(?:the|his|her|their|its|our|this|that)\s\Z", re.IGNORECASE)
PLURAL = re.compile(r"(?!was$|has$|does$|its$|this$|plus$)[a-z]{2,}[^su]s")
COUNT_WORDS = frozenset(
    (
        "people", "men", "women", "children", "votes", "km", "m", "ft", "metres", "meters", "miles", "units",
        "points",
        "copies", "seats", "goals", "runs", "euros", "dollars", "tonnes", "tons", "pounds",
    )
)  # fmt: skip
SENTENCE_YEAR = frozenset(("was", "is", "saw", "had", "has", "brought", "ended", "began", "marked"))


def is_year(text: str, start: int, end: int, nouns: frozenset[str]) -> bool:
    """Tell whether four digits are a year ("in 2026") and no count ("of 2026 orders")."""
    before = text[max(0, start - 24) : start]
    if AT_YEAR.search(before):
        return True
    if not NEAR_YEAR.search(before) or CHANGED_BY.search(before):
        return False
    following = re.match(r"\s(?P<first>[a-z]+)(?:\s(?P<second>[a-z]+))?", text[end : end + 32])
    first, second = (following["first"], following["second"] or "") if following else ("", "")
    if {first, second} & (nouns | COUNT_WORDS) or (PLURAL.fullmatch(first) and not OWNED.search(before)):
        return False
    if before.lower().endswith(" of "):
        return OF_SPAN.search(before) is not None
    opens = before == "" or before[-2:] in (". ", "! ", "? ", ": ") or before[-1] in "\n|"
    return not opens or not first or first in SENTENCE_YEAR
