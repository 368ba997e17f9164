"""A number with all that stands around it: sign, currency, scale, percent, hedge, brackets, unit word."""

import re
import unicodedata
from collections.abc import Iterator, Mapping

from gateway.ground.lexing.hedges import hedge_of
from gateway.ground.lexing.numerals import AMBIGUOUS, SCALES
from gateway.ground.lexing.tokens import Quantity, Reading
from gateway.ground.lexing.units import CURRENCY_CODES, CURRENCY_MARKS, CURRENCY_WORDS, TIME_UNITS, Measure

_MARKS = "|".join(re.escape(mark) for mark in sorted(CURRENCY_MARKS, key=len, reverse=True))
_CODES = "|".join(sorted(CURRENCY_CODES))
_SCALES = "|".join(sorted(SCALES, key=len, reverse=True))
# Ten thousands and their powers, in scripts that put no space behind them.
_MYRIADS = "万萬億亿"
_WORDS = "|".join(sorted(CURRENCY_WORDS, key=len, reverse=True))

BEFORE = re.compile(
    rf"(?:(?P<outer>(?<!\w)(?i:{_MARKS})|(?<!\w)(?:{_CODES})\s?)(?=\())?"
    r"(?P<open>\()?"
    r"(?P<sign>[-+±]|(?<![\w)\]])\u2013|(?:\bminus|\bnegative)\s)?"
    rf"(?:(?P<money>(?<!\w)(?i:{_MARKS})\.?|(?<!\w)(?:{_CODES}))[\s\u00a0]?(?P<late>[-+])?)?\Z"
)
AFTER = re.compile(
    r"(?P<exponent>[eE][+-]?\d{1,2}(?!\w)"
    r"|\s?[×x]\s?10\^?\{?(?P<power>-?\d{1,2}|[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+)\}?)?"
    rf"(?P<scale>(?:[\s\u00a0-]?(?:(?i:{_SCALES})(?![^\W_]|[\u00b2\u00b3])|[{_MYRIADS}](?![{_MYRIADS}\d])))+\.?)?"
    r"(?P<plus>\+(?!\d))?"
    r"(?P<unit>[\s\u00a0-]{0,2}(?:"
    r"(?P<percent>%|(?i:percent(?!age)|per\scent|pct\.?|prozent|pour\scent|por\sciento|procent|percento)(?!\w)"
    r"|v\.?H\.?(?!\w))(?P<inpoints>[\s-]?(?i:points?|pts?)\b)?"
    r"|(?P<permille>‰|(?i:per\s?mille?)(?!\w))"
    r"|(?P<points>(?i:percentage[\s-]points?|percent[\s-]points?|prozentpunkte?n?|points?\sde\spourcentage|ppts?"
    r"|p\.p\.|pp|%-?points?)(?!\w))"
    r"|(?P<basis>(?i:bps|bp|basis[\s-]points?|basispunkte?)(?!\w))"
    r"|(?P<times>[x×](?![\w])|(?i:times|fold|-fold)(?!\w))"
    rf"|(?:(?i:d'|de\s|di\s))?(?P<money>(?i:{_MARKS}|{_WORDS})(?!\w)|(?:{_CODES})(?!\w)|円)))?"
)
NOTHING_BEFORE = BEFORE.search("")
ENDINGS = ("", ".", ",", ";", ")", "\n")  # no part of a number starts with one of these
LEADING_WORDS = frozenset(("minus", "negative", *(mark for mark in CURRENCY_MARKS if mark.isalpha())))
SCALE_AFTER = re.compile(rf"\s(?i:{_SCALES})(?![^\W_])")
PERCENT_AFTER = re.compile(r"\s?%")
UNIT_WORD = re.compile(r"[\s\u00a0-]?([^\W\d_]{1,12})\b")
OVER_TIME = re.compile(r"(?<!just )\bover\s\Z", re.IGNORECASE)
OVER_THINGS = re.compile(r"\d(?:\s?%)?(?:\s(?!and\b|or\b|but\b|with\b)[a-z]+){0,4}\sover\s\Z")
RANGE = re.compile(r"\s?(?:[–-]|\bto\b|\band\b|\bbis\b)\s?[-]?\Z", re.IGNORECASE)
RANGE_LEAD = re.compile(r"\b(?:between|from)\s\Z", re.IGNORECASE)
WON = "won"
Groups = Mapping[str, str | None]


def dress(
    text: str, start: int, end: int, readings: tuple[Reading, ...], *, digits: int, won: bool = True
) -> Quantity:
    """Return the number at `text[start:end]` as a quantity with everything around it that belongs to it.

    Where `won` is no money, it is any other word ("94 won deals").
    """
    groups, until = _after(text, end, won=won)
    before = _before(text[max(0, start - 24) : start])
    begin = start - len(before.group()) if before else start
    closed = bool(before and before["open"]) and text[until : until + 1] == ")"
    if before and before["open"] and not closed:
        begin += len(before["outer"] or "") + 1
    if closed and not groups.get("scale"):
        scale = SCALE_AFTER.match(text, until + 1)
        if scale is not None:
            until, groups = scale.end() - 1, {**groups, "scale": scale.group()}
    if closed and not groups.get("percent") and (percent := PERCENT_AFTER.match(text, until + 1)):
        until, groups = percent.end() - 1, {**groups, "percent": "%"}
    money = before["money"] or (before["outer"] if closed else None) if before else None
    measure, currencies = _measure(groups, (money or "").strip())
    scaled = tuple(_scaled(readings, groups))
    if currencies and len(scaled) > 1:
        scaled = scaled[:1]  # no sum of money is told in metres
    hedge = hedge_of(text, begin, until)
    if hedge == "over" and OVER_THINGS.search(text[max(0, begin - 40) : begin]):
        hedge = ""
    if hedge == "over" and scaled[0].value <= 20 and OVER_TIME.search(text[max(0, begin - 6) : begin]):
        hedge = ""
    return Quantity(
        begin,
        until + closed,
        text[begin : until + closed],
        scaled,
        measure=measure,
        currencies=currencies,
        sign=_sign(text, before, begin) if before else 0,
        hedge=hedge or ("at_least" if groups.get("plus") else ""),
        bracketed=closed,
        digits=digits,
        unit_word=_unit_word(text, until),
    )


def _after(text: str, end: int, *, won: bool) -> tuple[Groups, int]:
    """Return what stands behind a number and belongs to it, and where that ends."""
    found = AFTER.match(text, end) if text[end : end + 1] not in ENDINGS else None
    if found is None:
        return {}, end
    if not won and (found["money"] or "").lower() == WON:
        return {**found.groupdict(), "money": None}, found.start("unit")
    return found.groupdict(), found.end()


def _before(text: str) -> re.Match[str] | None:
    """Return what stands before a number and belongs to it; behind a plain word that is nothing."""
    word = text.rpartition(" ")[0].rpartition(" ")[2] if text.endswith(" ") else ""
    plain = word.isalpha() and word.islower() and word not in LEADING_WORDS
    return NOTHING_BEFORE if plain else BEFORE.search(text)


def has_currency_before(text: str, start: int) -> bool:
    """Tell whether the letters right before a number are a currency mark ("CHF1")."""
    found = BEFORE.search(text[max(0, start - 24) : start])
    return found is not None and bool(found["money"])


def scale_power(quantity: Quantity) -> int:
    """Return the power of ten of the scale word inside a quantity's text."""
    found = re.search(rf"\d\s?({_SCALES})", quantity.text, re.IGNORECASE)
    return SCALES.get(found.group(1).lower(), 0) if found else 0


def _unit_word(text: str, until: int) -> str:
    found = UNIT_WORD.match(text, until) if text[until : until + 1] not in ENDINGS else None
    word = found.group(1).lower() if found else ""
    return "points" if word in ("point", "points", "pts") else TIME_UNITS.get(word, "")


def _scaled(readings: tuple[Reading, ...], groups: Groups) -> Iterator[Reading]:
    """Yield the readings that a scale suffix allows; an ambiguous letter ("m") also allows none."""
    if not groups:
        yield from readings
        return
    words = re.findall(r"[^\W\d_]+", groups.get("scale") or "")
    power = sum(SCALES[word.lower()] for word in words) + _exponent(groups) - bool(groups.get("permille"))
    for reading in readings:
        if power:
            yield Reading(reading.value.scaleb(power), reading.step.scaleb(power), bool(words))
        if not power or (words and words[-1] in AMBIGUOUS):
            yield reading


def _exponent(groups: Groups) -> int:
    text = groups.get("exponent") or ""
    if not text:
        return 0
    power = groups.get("power")
    if power is None:
        return int(text[1:])
    return int("".join(str(unicodedata.digit(c)) if c != "-" else c for c in power))


def _measure(groups: Groups, money: str) -> tuple[Measure, frozenset[str]]:
    """Return what the marks around a number say it measures; a percent of a currency fits nothing."""
    if not (groups or money):
        return "plain", frozenset()
    if groups.get("points") or groups.get("inpoints"):
        return "points", frozenset()
    if groups.get("basis"):
        return "basis_points", frozenset()
    if groups.get("percent") or groups.get("permille"):
        return "percent", frozenset((money.upper(),) if money else ())
    if groups.get("times"):
        return "multiple", frozenset()
    mark = money.lower().rstrip(".") or (groups.get("money") or "").lower()
    if not mark:
        return "plain", frozenset()
    codes = CURRENCY_MARKS.get(mark) or CURRENCY_WORDS.get(mark) or frozenset((mark.upper(),))
    return "currency", codes


def _sign(text: str, before: re.Match[str], begin: int) -> int:
    """Return -1 or 1 for a written sign, 0 for none; a hyphen after a word or digit only joins."""
    sign = (before["sign"] or before["late"] or "").strip().lower()
    if not sign or sign == "±":
        return 0
    if sign == "+":
        return 1
    previous = text[begin - 1 : begin] if begin else ""
    joins = sign in "-\u2013" and (previous.isalnum() or previous in tuple(")%]"))
    return 0 if joins else -1


def inherit(first: Quantity, second: Quantity, text: str) -> Quantity:
    """Return the first number of a range with unit and scale of the second ("1.2-1.4 million").

    In a list only decimals take the percent of the next ("took 28.7 and 20.5 percent").
    """
    if second.measure == "percent" and first.measure == "plain" and _are_listed(first, second, text):
        return first._replace(measure="percent")
    if not is_range(first, second, text) or (first.measure != "plain" and first.measure != second.measure):
        return first
    readings = first.readings
    if second.readings[0].scaled and not readings[0].scaled:
        power = scale_power(second)
        readings += tuple(Reading(r.value.scaleb(power), r.step.scaleb(power), True) for r in first.readings)
    currencies = first.currencies or second.currencies
    return first._replace(measure=second.measure, currencies=currencies, readings=readings)


def _are_listed(first: Quantity, second: Quantity, text: str) -> bool:
    """Tell whether two numbers with decimals stand side by side in a list."""
    broken = all(reading.step < 1 and not reading.scaled for q in (first, second) for reading in q.readings)
    return broken and text[first.end : second.start].strip().lower() in (",", "and", ", and")


def is_range(first: Quantity, second: Quantity, text: str) -> bool:
    """Tell whether two numbers are the ends of one range."""
    gap = text[first.end : second.start]
    if len(gap) > 5 or not RANGE.fullmatch(gap) or first.loose or second.loose:
        return False
    return gap.strip().lower() != "and" or RANGE_LEAD.search(text[: first.start]) is not None
