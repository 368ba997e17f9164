"""What a number measures: currencies, percent, points, multiples; and which of them a source can carry."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

Measure = Literal["plain", "percent", "points", "basis_points", "multiple", "fraction", "currency", "clock"]
Carrier = Literal[
    "number", "currency", "percent", "fraction", "points", "ratio", "change", "share", "clock", "swing"
]

DOLLARS = frozenset(("USD", "CAD", "AUD", "NZD", "SGD", "HKD", "MXN", "TWD", "ARS", "CLP", "COP"))
CURRENCY_MARKS: dict[str, frozenset[str]] = {
    "us$": frozenset(("USD",)), "c$": frozenset(("CAD",)), "ca$": frozenset(("CAD",)),
    "a$": frozenset(("AUD",)),
    "au$": frozenset(("AUD",)), "hk$": frozenset(("HKD",)), "s$": frozenset(("SGD",)),
    "nz$": frozenset(("NZD",)),
    "r$": frozenset(("BRL",)), "$": DOLLARS, "€": frozenset(("EUR",)), "£": frozenset(("GBP",)),
    "¥": frozenset(("JPY", "CNY")), "₹": frozenset(("INR",)), "₩": frozenset(("KRW",)),
    "₽": frozenset(("RUB",)),
    "₺": frozenset(("TRY",)), "₪": frozenset(("ILS",)), "₫": frozenset(("VND",)), "฿": frozenset(("THB",)),
    "₦": frozenset(("NGN",)), "₱": frozenset(("PHP",)), "₴": frozenset(("UAH",)), "zł": frozenset(("PLN",)),
    "kr": frozenset(("SEK", "NOK", "DKK", "ISK")), "rs": frozenset(("INR", "PKR", "LKR")),
    "kč": frozenset(("CZK",)),
}  # fmt: skip
CURRENCY_WORDS: dict[str, frozenset[str]] = {
    "dollar": DOLLARS, "dollars": DOLLARS, "bucks": DOLLARS, "euro": frozenset(("EUR",)),
    "euros": frozenset(("EUR",)),
    "pounds sterling": frozenset(("GBP",)), "yen": frozenset(("JPY",)), "円": frozenset(("JPY",)),
    "yuan": frozenset(("CNY",)),
    "rupees": frozenset(("INR",)), "francs": frozenset(("CHF",)), "won": frozenset(("KRW",)),
}  # fmt: skip
CURRENCY_CODES = frozenset(
    [
        "USD",
        "EUR",
        "GBP",
        "JPY",
        "CNY",
        "INR",
        "KRW",
        "RUB",
        "TRY",
        "ILS",
        "VND",
        "THB",
        "NGN",
        "PHP",
        "UAH",
        "PLN",
        "SEK",
        "NOK",
        "DKK",
        "ISK",
        "CZK",
        "HUF",
        "RON",
        "BGN",
        "CHF",
        "CAD",
        "AUD",
        "NZD",
        "SGD",
        "HKD",
        "TWD",
        "MXN",
        "BRL",
        "ARS",
        "CLP",
        "COP",
        "ZAR",
        "AED",
        "SAR",
        "EGP",
        "PKR",
        "LKR",
        "IDR",
        "MYR",
    ]
)
PERCENT_UNITS = frozenset(("percent", "%", "pct", "per cent"))
FRACTION_UNITS = frozenset(("fraction", "share", "proportion"))
POINT_UNITS = frozenset(("pp", "points", "percentage points", "percentage_points"))
RATIO_UNITS = frozenset(("x", "ratio", "times", "multiple"))
RATES = frozenset(("percent", "fraction", "ratio", "points", "share", "change", "swing"))
TIME_UNITS: dict[str, str] = {
    "second": "seconds", "seconds": "seconds", "sec": "seconds", "secs": "seconds", "s": "seconds",
    "minute": "minutes", "minutes": "minutes", "min": "minutes", "mins": "minutes",
    "hour": "hours", "hours": "hours", "hr": "hours", "hrs": "hours", "h": "hours",
    "day": "days", "days": "days", "week": "weeks", "weeks": "weeks", "month": "months", "months": "months",
    "year": "years", "years": "years", "millisecond": "milliseconds", "milliseconds": "milliseconds",
    "ms": "milliseconds", "decade": "decades", "decades": "decades", "quarters": "quarters",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Measured:
    """What a source's value measures: the carrier, and the currency code or unit word where it has one."""

    carrier: Carrier
    unit: str = ""


def measured(unit: str) -> Measured:
    """Return what a column of this declared unit carries."""
    word = unit.strip()
    if word.upper() in CURRENCY_CODES:
        return Measured("currency", word.upper())
    low = word.lower()
    if low in PERCENT_UNITS:
        return Measured("percent")
    if low in FRACTION_UNITS:
        return Measured("fraction")
    if low in POINT_UNITS:
        return Measured("points")
    if low in RATIO_UNITS:
        return Measured("ratio")
    return Measured("number", low)


def factor(measure: Measure, currencies: frozenset[str], source: Measured) -> Decimal | None:
    """Return the factor that makes a source comparable with a number of this measure, or None."""
    carrier = source.carrier
    if measure == "plain":
        return None if carrier == "clock" else Decimal(1)
    if measure == "currency":
        return Decimal(1) if carrier == "currency" and source.unit in currencies else None
    if currencies:
        return None
    return CONVERSIONS[measure].get(carrier)


CONVERSIONS: dict[str, dict[str, Decimal]] = {
    "percent": {"percent": Decimal(1), "fraction": Decimal(100), "ratio": Decimal(100), "change": Decimal(1),
    "share": Decimal(1), "swing": Decimal(1)},
    "points": {"points": Decimal(1), "swing": Decimal(1)},
    "basis_points": {"points": Decimal(100), "swing": Decimal(100)},
    "multiple": {"ratio": Decimal(1), "number": Decimal(1)},
    "clock": {"clock": Decimal(1)},
    "fraction": {"share": Decimal("0.01"), "percent": Decimal("0.01"), "fraction": Decimal(1),
    "ratio": Decimal(1), "change": Decimal("0.01")},
}  # fmt: skip
