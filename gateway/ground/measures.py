"""Units of size that a label, a cell or the word after a number may name: km and kilometres are one."""

import re
from collections.abc import Mapping

_WRITTEN: Mapping[str, str] = {
    "km": "km kilometre kilometres kilometer kilometers",
    "m": "m metre metres meter meters",
    "cm": "cm centimetre centimetres centimeter centimeters",
    "mm": "mm millimetre millimetres millimeter millimeters",
    "mi": "mi mile miles",
    "ft": "ft feet foot",
    "in": "inch inches",
    "yd": "yd yds yard yards",
    "kg": "kg kilogram kilograms kilos",
    "lb": "lb lbs pound pounds",
    "t": "t ton tons tonne tonnes tonnage",
    "ha": "ha hectare hectares",
    "acre": "acre acres ac",
    "min": "min mins minute minutes",
    "h": "h hr hrs hour hours",
    "s": "s sec secs second seconds",
    "day": "day days",
    "week": "week weeks",
    "month": "month months",
    "year": "year years yr yrs",
    "kmh": "km/h kph kmh",
    "mph": "mph",
    "kw": "kw kilowatt kilowatts",
    "mw": "mw megawatt megawatts",
    "gwh": "gwh",
    "mwh": "mwh",
    "hp": "hp bhp horsepower",
    "l": "l litre litres liter liters",
    "tb": "tb terabyte terabytes",
    "gb": "gb gigabyte gigabytes",
}
NAMES: Mapping[str, str] = {word: name for name, words in _WRITTEN.items() for word in words.split()}
# Letters that also stand for millions or thousands are a unit in a label only.
_WORDS = "|".join(sorted(map(re.escape, NAMES), key=len, reverse=True))
AFTER = re.compile(
    rf"[\s\u00a0-]?(?P<square>square\s|sq\.?\s?)?(?P<word>{_WORDS})(?P<power>[\u00b2\u00b32-3]|\^[23])?(?![\w/])",
    re.IGNORECASE,
)
IN_LABEL = re.compile(
    rf"(?<![\w/])(?P<square>square\s|sq\.?\s?)?(?P<word>{_WORDS})(?P<power>[\u00b2\u00b32-3]|\^[23])?(?![\w/])",
    re.IGNORECASE,
)
POWERS = {"2": "2", "3": "3", "\u00b2": "2", "\u00b3": "3", "^2": "2", "^3": "3"}


def measure_after(text: str, end: int) -> str:
    """Return the unit of size that follows a number ("1,123 km", "62 square miles"); empty for none."""
    found = AFTER.match(text, end)
    return _name(found) if found else ""


def measures_of(label: str) -> frozenset[str]:
    """Return the units of size that a label names ("Height m (ft)", "Area (sq mi)")."""
    return frozenset(_name(found) for found in IN_LABEL.finditer(label))


def _name(found: re.Match[str]) -> str:
    power = "2" if found["square"] else POWERS.get(found["power"] or "", "")
    return NAMES[found["word"].lower()] + power
