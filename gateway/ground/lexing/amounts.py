"""Figures written in text cells: amounts with a unit or a gloss, clock readings, numbers among words."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from gateway.ground.lexing.measures import measures_of
from gateway.ground.lexing.numerals import CORE, SCALES, parse_numeral
from gateway.ground.lexing.units import CURRENCY_MARKS, Measured
from traces.records import Value

# "$963 million", "12 thousand", "US$1.45bn": short forms only behind money.
SCALE = (
    r"(?:\s?(?P<scale>thousand|million|billion|trillion|lakh|crore)s?(?![^\W\d_])"
    r"|(?(money)\s?(?P<short>k|mn|mln|m|bn|b|tn)(?![^\W\d_])))"
)
IN_TEXT = re.compile(
    rf"(?P<money>[$€£¥₹])?\s?(?P<number>[-−]?{CORE})(?P<percent>\s?%)?(?:{SCALE})?", re.IGNORECASE
)
CLOCK = r"\d{1,3}:[0-5]\d(?::[0-5]\d)?(?:\.\d+)?"
# "1hr 12:33.07", "12:33.07mins".
HOURS = r"\d{1,2}\s?h(?:(?:ou)?rs?)?\.?\s"
CLOCK_ENDS = r"(?=(?:m|mins?|s|secs?)\b|(?![\w:]))"
HOUR_MARK = re.compile(r"\s?h[a-z]*\.?\s", re.IGNORECASE)
CLOCKS = re.compile(rf"(?<![\w:.])(?:{HOURS})?{CLOCK}{CLOCK_ENDS}")
# A clock that is no time of day: hours with seconds, or parts of a second.
LAPS = re.compile(rf"(?<![\w:.])(?=(?:{HOURS})?\d+:\d\d(?::\d\d|\.\d))(?:{HOURS})?{CLOCK}{CLOCK_ENDS}")
# An amount in a text cell: a clock, money, or a number with decimals, thousands, a unit or a gloss.
AMOUNT = re.compile(
    rf"(?:{CLOCK}|[<>~+\-\u2212]?\s?(?:(?:US\$|[$\u20ac\u00a3\u00a5\u20b9])\s?(?P<money>\d)[\d,]*(?:\.\d+)?"
    r"|\d{1,3}(?:(?P<groups>,\d{3})+|\d*)(?P<decimals>\.\d+)?)"
    r"(?P<unit>(?:\s?(?:thousand|million|billion|trillion)s?)?\s?(?:%|\u00b0[CF]?|(?:USD|EUR|GBP|JPY|CAD|AUD|CHF|CNY|INR)\b|(?!st\b|nd\b|rd\b|th\b)[a-z\u00b5\u03bc\u00b2\u00b3/]{1,12}[23]?))?)"
    r"(?P<gloss>\s?[(\[][^()\[\]]*\d[^()\[\]]*[)\]])?",
)
# Names in one cell, each with a figure of its own behind it: "Ann Holt (53.10) Ida Moss (52.90)".
FIGURE_OF = re.compile(r"(?P<name>[^\W\d_][^\d()]{1,58}[^\W\d_.])\s?\((?P<figure>\d[\d.,:]*)\),?\s*")
LISTED = re.compile(rf"(?:{FIGURE_OF.pattern.replace('?P<name>', '?:').replace('?P<figure>', '?:')}){{2,12}}")
# A day in words: its digits are no figures ("14 October 1901").
DIGIT = re.compile(r"\d")
DAY = re.compile(
    r"\b\d{1,2}\s(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov"
    r"|Dec)[a-z]*\.?\s\d{1,2}\b"
)
# "2004 athens" is a name; "1990 km" is none.
YEAR_LED = re.compile(r"(?:19|20)\d\d\s[a-z]{3,}")


# A count with a mark behind it: "300+", "12*".
MARKED = re.compile(r"\d{1,3}(?:,\d{3})*|\d+[+*\u2020\u2021]?|\d{1,3}(?:,\d{3})*[+*\u2020\u2021]")


# A change in text: "+1", "\u201315", "-2.5%".
CHANGED = re.compile(r"[+\u2013\u2212-]?\s?\d[\d,]*(?:\.\d+)?\s?%?")


def is_change(text: str) -> bool:
    """Tell whether a text of a column of changes is one, or says in a word why there is none ("New")."""
    return CHANGED.fullmatch(text) is not None or not any(c.isdigit() for c in text)


def are_counts(texts: Sequence[str]) -> bool:
    """Tell whether the texts of a column are whole numbers, some of them with a mark ("300+", "12*")."""
    return any(not text[-1:].isdigit() for text in texts) and all(map(MARKED.fullmatch, texts))


def is_amount(text: str) -> bool:
    """Tell whether a text is an amount and no name, date, season, rank or bare count."""
    found = AMOUNT.fullmatch(text)
    if found is not None:
        named = YEAR_LED.match(text) is not None and not measures_of(text)
        return not named and (":" in text or any(found.groups()))
    parts = re.split(r",\s|;\s?|\s(?:or|/)\s", text)
    return len(parts) > 1 and all(map(is_amount, parts))


def clock_value(text: str) -> Decimal:
    """Return a clock reading ("2:07:14", "19:32.5", "2hr 07:14") counted in its last unit."""
    total = Decimal(0)
    for part in HOUR_MARK.sub(":", text).split(":"):
        total = total * 60 + Decimal(part)
    return total


def numbers_in(value: Value) -> Iterator[tuple[Measured, Decimal]]:
    """Yield the numbers written inside a text cell ("10 (20%)"), with what their marks say they measure."""
    if (
        not isinstance(value, str)
        or DIGIT.search(value) is None
        or (len(value) > 80 and not (value[-1:] == ")" and LISTED.fullmatch(value)))
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
        negative = negative or (before == "\u2013" and CHANGED.fullmatch(value.strip()) is not None)
        power = (
            SCALES[(found["scale"] or found["short"] or "").lower()]
            if found["scale"] or found["short"]
            else 0
        )
        figure = parsed[0].scaleb(power)
        yield unit, -figure if negative else figure
