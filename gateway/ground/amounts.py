"""Figures written in text cells: amounts with a unit or a gloss, clock readings, numbers among words."""

import re
from collections.abc import Iterator
from decimal import Decimal

from gateway.ground.measures import measures_of
from gateway.ground.numerals import CORE, parse_numeral
from gateway.ground.units import CURRENCY_MARKS, Measured
from traces.records import Value

IN_TEXT = re.compile(rf"(?P<money>[$€£¥₹])?\s?(?P<number>[-−]?{CORE})(?P<percent>\s?%)?")
CLOCK = r"\d{1,3}:[0-5]\d(?::[0-5]\d)?(?:\.\d+)?"
CLOCKS = re.compile(rf"(?<![\w:.]){CLOCK}(?![\w:])")
# A clock that is no time of day: hours with seconds, or parts of a second.
LAPS = re.compile(rf"(?<![\w:.])(?=\d+:\d\d(?::\d\d|\.\d)){CLOCK}(?![\w:])")
# An amount in a text cell: a clock, money, or a number with decimals, thousands, a unit or a gloss.
AMOUNT = re.compile(
    rf"(?:{CLOCK}|[<>~+\-\u2212]?\s?(?:(?:US\$|[$\u20ac\u00a3\u00a5\u20b9])\s?(?P<money>\d)[\d,]*(?:\.\d+)?"
    r"|\d{1,3}(?:(?P<groups>,\d{3})+|\d*)(?P<decimals>\.\d+)?)"
    r"(?P<unit>\s?(?:%|(?!st\b|nd\b|rd\b|th\b)[a-z\u00b2\u00b3/]{1,12}[23]?))?)"
    r"(?P<gloss>\s?[(\[][^()\[\]]*\d[^()\[\]]*[)\]])?",
)
# A day in words: its digits are no figures ("14 October 1901").
DAY = re.compile(
    r"\b\d{1,2}\s(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov"
    r"|Dec)[a-z]*\.?\s\d{1,2}\b"
)
# "2004 athens" is a name; "1990 km" is none.
YEAR_LED = re.compile(r"(?:19|20)\d\d\s[a-z]{3,}")


def is_amount(text: str) -> bool:
    """Tell whether a text is an amount and no name, date, season, rank or bare count."""
    found = AMOUNT.fullmatch(text)
    if found is not None:
        named = YEAR_LED.match(text) is not None and not measures_of(text)
        return not named and (":" in text or any(found.groups()))
    parts = re.split(r",\s|;\s?", text)
    return len(parts) > 1 and all(map(is_amount, parts))


def clock_value(text: str) -> Decimal:
    """Return a clock reading ("2:07:14", "19:32.5") counted in its last unit."""
    total = Decimal(0)
    for part in text.split(":"):
        total = total * 60 + Decimal(part)
    return total


def numbers_in(value: Value) -> Iterator[tuple[Measured, Decimal]]:
    """Yield the numbers written inside a text cell ("10 (20%)"), with what their marks say they measure."""
    if (
        not isinstance(value, str)
        or len(value) > 80
        or re.fullmatch(r"\s*(?:1[5-9]|20)\d\d(?:-\d\d)*\s*", value)
        or DAY.search(value)
    ):
        return
    for clock in CLOCKS.finditer(value):
        yield Measured("clock"), clock_value(clock.group())
    for found in IN_TEXT.finditer(CLOCKS.sub(" ", value)):
        parsed = parse_numeral(found["number"].lstrip("-−"), comma=False)
        if parsed is None:
            continue
        unit = Measured("percent") if found["percent"] else Measured("number", "text")
        if found["money"]:
            unit = Measured(
                "currency",
                sorted(CURRENCY_MARKS[found["money"]], key=lambda code: code not in ("USD", "JPY"))[0],
            )
        before = value[found.start("number") - 1 : found.start("number")] if found.start("number") else ""
        negative = found["number"][0] in "-\u2212" and not before.isalnum()
        yield unit, -parsed[0] if negative else parsed[0]
