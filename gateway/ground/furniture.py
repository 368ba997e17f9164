"""Digits in a draft that are furniture or names: addresses, list markers, footnotes, clock times, codes."""

import re
from collections.abc import Callable, Iterator

from gateway.ground.tokens import Kind, Mark

KNOWN_NAMES = (
    r"B2[BCG]|C2C|[2345]G|COVID[- ]?19|24/7|24x7|CO2e?|H2O|[23]D|MP[34]|A[0-5](?=\s+(?:paper|size))|Web3|G7|G20|S&P\s?500|Fortune\s(?:100|500)"
    r"|Office\s365|Microsoft\s365|ISO[ -]?\d{3,5}|9[- ]to[- ]5|9-11|Web\s?2\.0|Industry\s4\.0|UTF-8|k8s|H1N1|P&L|F1|Formula\s1|(?:Billboard\s)?Hot\s100|(?:US\s|UK\s)?Billboard\s(?:200|Hot\s100)|Top\s(?:20|40|75|100)(?=\s(?:hit|single|chart|album))|K-12|401\(?k\)?|UTC[+-]\d{1,2}"
)
DESIGNATORS = (
    r"store|shop|branch|region|zone|site|line|flight|gate|terminal|batch|wave|phase|tier|level|group|segment|cohort|series|model|version|release"
    r"|chapter|unit|room|floor|aisle|lane|route|platform|device|product|item|sku|customer|client|account|order|invoice|ticket|case|issue|team|sector"
    r"|warehouse|depot|plant|campaign|channel|plan|package|class|category|type|grade|division|district|ward|block|lot|slot|bay|rack|bin|node|server"
    r"|cluster|shard|partition|project|programme|program|contract"
)
STRUCTURAL: tuple[tuple[Kind, str], ...] = (
    ("structural", r"\]\([^()\s]{1,2000}\)|<?(?:https?|ftp)://[^\s<>)\]]+|\bwww\.[^\s<>)\]]+|\b[\w.+-]+@[\w-]+\.[\w.-]+"),
    ("structural", r"(?m:^)[ \t]*(?:[-*\u2022+][ \t]+|>[ \t]?|\#{1,6}[ \t]+)*(?:\(?\d{1,2}[.)]|\#{1,6})[ \t]+(?=\D)"),
    ("structural", r"(?<=[\w.,;:%)\"'])\[\^?\d{1,3}\](?:\(\S*\))?|(?<=\s)\[\^?\d{1,2}\](?=\s*[.,;:]?\s*(?:\Z|\n))|(?m:^)[ \t]*\[\^?\d{1,3}\]:?"),
    ("structural", r"\b(?:table|figure|fig\.|section|appendix|footnote|note|step|page|slide|chapter|annex|exhibit)\s\d{1,2}(?:\.\d{1,2})?\b(?!\s?%|,\d)"),
    ("structural", r"(?<=[A-Za-z.,;)])[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]+|(?<=[A-Za-z])[\u2080-\u2089]+|(?m:^)[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]+"),
    ("structural", r"\b(?:[kcdm]?m|ft|mi|in|yd|sq)[23\u00b2\u00b3](?!\w)"),
    ("temporal", r"\b(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:\.\d+)?(?:\s?(?:am|pm|UTC|GMT|CET|CEST))?(?![\d:])|\b(?:1[0-2]|[1-9])\s?(?:am|pm|a\.m\.|p\.m\.)(?!\w)"),
    ("temporal", r"\b(?:1[89]|20)\d0'?s\b|(?<!\w)'\d0s\b|\b\d{1,2}(?:st|nd|rd|th)\s(?:century|anniversary)\b"),
    ("label", rf"(?<![\w$€£])(?:{KNOWN_NAMES})(?!\w)"),
)  # fmt: skip
CODE = re.compile(
    r"(?<![\w.,$€£¥%])(?:[A-Za-z]{1,12}(?:[-_/]?[A-Za-z]{0,12}){0,3}[-_/#]?\d+(?:[-_/.]?[A-Za-z0-9]+)*"
    r"|\d+[A-Za-z]+[-_]?\d+[A-Za-z0-9]*|\d+[-_][A-Za-z]{1,3}\d+\w*|v\d+(?:\.\d+)*)(?!\w|[.,]\d)"
)
NAMED = re.compile(rf"(?i:(?<!\w)(?P<word>{DESIGNATORS}))[\s\u00a0]?\#?(?P<number>\d+(?:\.\d+)*[A-Za-z]?)(?![\w%]|[.,]\d)")
CAMEL = re.compile(r"(?<!\w)(?P<word>[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*)\s(?P<number>\d+(?:\.\d+)*)(?![\w%]|[.,]\d)")
ORDINAL = re.compile(r"(?<![\w.,])\d{1,4}(?:st|nd|rd|th)(?!\w)", re.IGNORECASE)
AFFIXED = re.compile(
    r"(?:\d[\d.,]*)(?:k|K|M|m|mn|MM|mm|B|b|bn|t|T|tn|trn|x|X|bps?|pp|pts?|ppts?|ft|km|kg|g|lb|lbs|TB|GB|MB|kWh|MWh|GWh|h|s|ms|min|hrs?|days?|wk|cr|mi|in|cm|L|l|EUR|USD|GBP|CHF|JPY|kr|hp|mph|kmh)?"
)
IDENTIFIED = re.compile(r"(?i:USD|EUR|GBP|JPY|CHF|INR|CNY|CAD|AUD|SEK|NOK|DKK|PLN|Rs\.?|kr)[.]?[\d][\d.,]*\w*")

Taken = Callable[[int, int], bool]


def structural_marks(text: str, taken: Taken) -> Iterator[Mark]:
    """Yield addresses, list markers, footnotes, references, clock times and names everybody knows."""
    for kind, pattern in STRUCTURAL:
        for found in re.finditer(pattern, text, re.IGNORECASE):
            if not taken(*found.span()):
                yield Mark(kind, *found.span(), found.group())


def code_marks(text: str, taken: Taken, heads: frozenset[str]) -> Iterator[Mark]:
    """Yield codes and numbered names that no name of the result explains.

    `heads` are lower-case words that stand before a number in the result's own names ("iphone" of "iPhone 15").
    """
    for pattern in (NAMED, CAMEL):
        for found in pattern.finditer(text):
            if not taken(*found.span()) and not taken(*found.span("number")):
                yield Mark("unknown_label", *found.span(), found.group())
    for found in re.finditer(r"(?<!\w)(?P<word>[^\W\d_]+)[\s\u00a0-](?P<number>\d+(?:\.\d+)*)(?![\w%]|[.,]\d)", text):
        if found["word"].lower() in heads and not taken(*found.span()):
            yield Mark("unknown_label", *found.span(), found.group())
    for found in CODE.finditer(text):
        word = found.group()
        if taken(*found.span()) or AFFIXED.fullmatch(word) or IDENTIFIED.fullmatch(word):
            continue
        if not re.fullmatch(r"\d+(?:st|nd|rd|th)", word, re.IGNORECASE):
            yield Mark("unknown_label", *found.span(), word)


def ordinal_marks(text: str, taken: Taken) -> Iterator[Mark]:
    """Yield ordinals written with digits."""
    for found in ORDINAL.finditer(text):
        if not taken(*found.span()):
            yield Mark("ordinal", *found.span(), found.group(), int(re.sub(r"\D", "", found.group())))
