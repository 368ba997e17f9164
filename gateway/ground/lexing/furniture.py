"""Digits in a draft that are furniture or names: addresses, list markers, footnotes, clock times, codes."""

import re
from collections.abc import Callable, Iterator

from gateway.ground.lexing.lexicon import words
from gateway.ground.lexing.tokens import Kind, Mark

# Names everybody knows, each with letters that a text in lower case must hold for it to be there.
_KNOWN: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"B2[BCG]", ("b2",)), (r"C2C", ("c2c",)), (r"[2345]G", ("2g", "3g", "4g", "5g")),
    (r"COVID[- ]?19", ("covid",)), (r"24/7", ("24/7",)), (r"24x7", ("24x7",)), (r"CO2e?", ("co2",)),
    (r"H2O", ("h2o",)), (r"[23]D", ("2d", "3d")), (r"MP[34]", ("mp3", "mp4")),
    (r"A[0-5](?=\s+(?:paper|size))", ("paper", "size")), (r"Web3", ("web3",)), (r"G7", ("g7",)),
    (r"G20", ("g20",)), (r"S&P\s?500", ("s&p",)), (r"Fortune\s(?:100|500)", ("fortune",)),
    (r"Office\s365", ("office",)), (r"Microsoft\s365", ("microsoft",)), (r"ISO[ -]?\d{3,5}", ("iso",)),
    (r"9[- ]to[- ]5", ("to 5", "to-5")), (r"9-11", ("9-11",)), (r"Web\s?2\.0", ("web",)),
    (r"Industry\s4\.0", ("industry",)), (r"UTF-8", ("utf-8",)), (r"k8s", ("k8s",)), (r"H1N1", ("h1n1",)),
    (r"P&L", ("p&l",)), (r"F1", ("f1",)), (r"Formula\s1", ("formula",)),
    (r"(?:Billboard\s)?Hot\s100", ("hot",)), (r"(?:US\s|UK\s)?Billboard\s200", ("billboard",)),
    (r"Top\s(?:20|40|75|100)(?=\s(?:hit|single|chart|album))", ("top",)), (r"K-12", ("k-12",)),
    (r"401\(?k\)?", ("401k", "401(k")), (r"UTC[+-]\d{1,2}", ("utc",)),
)  # fmt: skip
DESIGNATORS = words(
    "store shop branch region zone site line flight gate terminal batch wave phase tier level group "
    "segment cohort series model version release chapter unit room floor aisle lane route platform "
    "device product item sku customer client account order invoice ticket case issue team sector "
    "warehouse depot plant campaign channel plan package class category type grade division district "
    "ward block lot slot bay rack bin node server cluster shard partition project programme program "
    "contract"
)
_RAISED = r"\u00b9\u00b2\u00b3\u2070\u2074-\u2079"
_SECTIONS = "table|figure|fig\\.|section|appendix|footnote|note|step|page|slide|chapter|annex|exhibit"
# An address has letters in every part of its host; numbers in its path are days, years or short ones.
_HOST = r"(?:(?=[\w-]{0,63}?[^\W\d_])[\w-]{1,63}\.)*[^\W\d_]{2,63}(?![\w-])"
_DATED = r"(?:(?:19|20)\d\d|\d\d?)(?![\w-]|[.,]\d)"
_ID = r"\d{1,6}(?![\w-]|[.,][^\s)])"
_PATH = (
    rf"(?!/(?!{_DATED})\d[\d.,]*(?![\w-]))"
    rf"(?![^\s<>)\]]{{1,500}}?(?:[/=#:](?!{_DATED}|{_ID})\d[\d.,]*(?![\w-])|\d,\d))[^\s<>)\]]{{0,500}}"
)

# Between a word and its number: a line end parts them.
_GAP = r"[^\S\n]"
_SMALL_DIGITS = "".join(map(chr, (0xB9, 0xB2, 0xB3, 0x2070, *range(0x2074, 0x207A), *range(0x2080, 0x208A))))

# What is no number, in the order it is looked for, with what a text must hold for it to be worth a look.
_PATTERNS: tuple[tuple[Kind, str, tuple[str, ...]], ...] = (
    (
        "structural",
        rf"\]\([^()\s]{{1,2000}}\)|<?(?:https?|ftp)://{_HOST}{_PATH}|\bwww\.{_HOST}{_PATH}",
        ("](", "://", "www."),
    ),
    ("structural", rf"\b(?=[\w.+-]{{0,64}}?[^\W\d_])[\w.+-]{{1,64}}@{_HOST}", ("@",)),
    (
        "structural",
        # it marks what stands on its own line; a number with nothing behind it is what the line says
        r"^[ \t]*(?:[-*\u2022+][ \t]+|>[ \t]?|\#{1,6}[ \t]+)*"
        r"(?:\(?\d{1,2}[.)]|\#{1,6})[ \t]+(?![\d\s])(?=.*?\w)",
        (),
    ),
    ("structural", r"(?<=[\w.,;:%)\"'])\[\^?\d{1,3}\](?:\(\S*\))?|^[ \t]*\[\^?\d{1,3}\]:?", ("[",)),
    ("structural", r"(?<=\s)\[\^?\d{1,2}\](?=\s*[.,;:]?\s*(?:\Z|\n))", ("[",)),
    (
        "structural",
        rf"\b(?:{_SECTIONS}){_GAP}\d{{1,2}}(?:\.\d{{1,2}})?\b(?!\s?%|,\d)",
        tuple(_SECTIONS.replace("\\.", "").split("|")),
    ),
    (
        "structural",
        rf"(?<=[A-Za-z.,;)])[{_RAISED}]+|(?<=[A-Za-z])[\u2080-\u2089]+|^[{_RAISED}]+",
        tuple(_SMALL_DIGITS),
    ),
    (
        "structural",
        r"\b(?:[kcdm]?m|ft|mi|in|yd|sq)[23\u00b2\u00b3](?!\w)",
        tuple(f"{end}{power}" for end in ("m", "ft", "mi", "in", "yd", "sq") for power in "23\u00b2\u00b3"),
    ),
    (
        "temporal",
        r"\b(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:\.\d+)?"
        rf"(?:{_GAP}?(?:am|pm|UTC|GMT|CET|CEST))?(?!\d|:\d)",
        (":",),
    ),
    (
        "temporal",
        rf"[1-9](?<!\w[1-9])(?:(?<=1)[0-2])?{_GAP}?(?:am|pm|a\.m\.|p\.m\.)(?!\w)",
        ("am", "pm", "a.m.", "p.m."),
    ),
    (
        "temporal",
        r"\b(?:as\sof|as\sat|back\sin|late|early|mid-?|spring|summer|autumn|fall|winter|circa|year|class\sof|born)"
        rf"{_GAP}(?:the{_GAP})?(?:1[5-9]|20)\d\d(?![\w%]|[.,]\d)",
        (
            "as of",
            "as at",
            "back in",
            "late",
            "early",
            "mid",
            "spring",
            "summer",
            "autumn",
            "fall",
            "winter",
            "circa",
            "year",
            "class of",
            "born",
        ),
    ),
    (
        "temporal",
        r"\b(?:[a-z-]*est|best-[a-z]+|top|most|first|last)\s(?:[a-z-]+\s){1,3}of"
        rf"{_GAP}(?:19|20)\d\d(?![\w%]|[.,]\d)",
        (" of 19", " of 20"),
    ),
    (
        "temporal",
        rf"\b\d{{1,2}}(?:st|nd|rd|th)?(?={_GAP}?(?:to|and|through|until|[-\u2013]){_GAP}?"
        rf"\d{{1,2}}(?:st|nd|rd|th)?{_GAP}(?:of\s)?"
        r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))",
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
    ),
    ("temporal", r"\b(?:1[89]|20)\d0'?s\b|(?<!\w)'\d0s\b", ("0s", "0's")),
    (
        "temporal",
        rf"\b\d{{1,2}}(?:st|nd|rd|th){_GAP}(?:century|anniversary)\b",
        ("century", "anniversary"),
    ),
    (
        "label",
        rf"(?<![\w$€£])(?:{'|'.join(name for name, _ in _KNOWN)})(?!\w)".replace(r"\s", _GAP),
        tuple(needle for _, needles in _KNOWN for needle in needles),
    ),
)
STRUCTURAL: tuple[tuple[Kind, re.Pattern[str], tuple[str, ...]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE | re.MULTILINE), needles) for kind, pattern, needles in _PATTERNS
)
CODE = re.compile(
    r"(?<![\w.,$€£¥%])(?:[A-Za-z]{1,12}(?:[-_/]?[A-Za-z]{0,12}){0,3}[-_/#]?\d+(?:[-_/.]?[A-Za-z0-9]+)*"
    r"|\d+[A-Za-z]+[-_]?\d+[A-Za-z0-9]*|\d+[-_][A-Za-z]{1,3}\d+\w*|v\d+(?:\.\d+)*)(?!\w|[.,]\d)"
)
CODE_NUMBER = re.compile(r"(?<![\d.,])\d+(?:\.\d+)*[A-Za-z]?(?![\w%]|[.,]\d)")
LED_BY = re.compile(r"(?<!\w)(?P<word>[^\W\d_]\w*)(?P<join>[\s\u00a0-]?\#?)\Z")
CAMEL = re.compile(r"[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*")
TOKEN = re.compile(r"[A-Za-z0-9_/#.,-]++")
LETTER = re.compile(r"[A-Za-z]")
DIGITS = "0123456789"
ORDINAL = re.compile(r"(?<![\w.,])\d{1,4}(?:st|nd|rd|th)(?!\w)", re.IGNORECASE)
ORDINAL_END = re.compile(r"\d[snrtSNRT][tdhTDH]")
AFFIXED = re.compile(
    r"\d[\d.,]*(?:k|K|M|m|mn|MM|mm|B|b|bn|t|T|tn|trn|x|X|bps?|pp|pts?|ppts?|ft|km|kg|g|lb|lbs|TB|GB|MB|kWh|MWh|GWh"
    r"|h|s|ms|min|hrs?|days?|wk|cr|mi|in|cm|L|l|EUR|USD|GBP|CHF|JPY|kr|hp|mph|kmh)?"
)
IDENTIFIED = re.compile(
    r"(?i:USD|EUR|GBP|JPY|CHF|INR|CNY|CAD|AUD|SEK|NOK|DKK|PLN|Rs\.?|kr)[.]?[\d][\d.,]*\w*"
)

Taken = Callable[[int, int], bool]


def structural_marks(text: str, taken: Taken) -> Iterator[Mark]:
    """Yield addresses, list markers, footnotes, references, clock times and names everybody knows."""
    low = " ".join(text.lower().split())
    for kind, pattern, needles in STRUCTURAL:
        for found in pattern.finditer(text) if not needles or any(map(low.__contains__, needles)) else ():
            if not taken(*found.span()):
                yield Mark(kind, *found.span(), found.group())


def code_marks(text: str, taken: Taken, heads: frozenset[str]) -> Iterator[Mark]:
    """Yield codes and numbered names that no name of the result explains.

    `heads` are lower-case words that stand before a number in the result's own names ("iphone" of "iPhone
    15").
    """
    for number in CODE_NUMBER.finditer(text):
        led = LED_BY.search(text, max(0, number.start() - 24), number.start())
        if led is None:
            continue
        word, join = led["word"], led["join"]
        start, end = led.start(), number.end()
        plain = text[end - 1].isdigit() and join in (" ", "\u00a0", "-")
        joined = word.lower() in DESIGNATORS and join != "-"
        camel = plain and join != "-" and CAMEL.fullmatch(word) is not None
        headed = plain and word.lower() in heads
        if (joined or camel or headed) and not taken(start, end):
            yield Mark("unknown_label", start, end, text[start:end])
    for token in TOKEN.finditer(text):
        said = token.group()
        if said.isalpha() or not (LETTER.search(said) and any(map(said.__contains__, DIGITS))):
            continue
        for found in CODE.finditer(text, *token.span()):
            word = found.group()
            counted = AFFIXED.fullmatch(word) or IDENTIFIED.fullmatch(word) or ORDINAL.fullmatch(word)
            if not counted and not taken(*found.span()):
                yield Mark("unknown_label", *found.span(), word)


def ordinal_marks(text: str, taken: Taken) -> Iterator[Mark]:
    """Yield ordinals written with digits."""
    for found in ORDINAL.finditer(text) if ORDINAL_END.search(text) else ():
        if not taken(*found.span()):
            yield Mark("ordinal", *found.span(), found.group(), int(re.sub(r"\D", "", found.group())))
