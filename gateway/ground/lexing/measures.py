"""Units of size that a label, a cell or the word after a number may name: km and kilometres are one."""

import re
from collections.abc import Mapping

_WRITTEN: Mapping[str, str] = {
    "km": "km kilometre kilometres kilometer kilometers",
    "m": "m metre metres meter meters",
    "cm": "cm centimetre centimetres centimeter centimeters",
    "mm": "mm millimetre millimetres millimeter millimeters",
    "mi": "mi mile miles",
    "nmi": "nmi",
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
    "w": "watt watts",
    "khz": "khz kilohertz",
    "mhz": "mhz megahertz",
    "ghz": "ghz gigahertz",
    "kw": "kw kilowatt kilowatts",
    "mw": "mw megawatt megawatts",
    "gw": "gw gigawatt gigawatts",
    "kwh": "kwh",
    "gwh": "gwh",
    "mwh": "mwh",
    "twh": "twh",
    "hp": "hp bhp horsepower",
    "deg": "\u00b0 degree degrees",
    "l": "l litre litres liter liters",
    "tb": "tb terabyte terabytes",
    "gb": "gb gigabyte gigabytes",
}
NAMES: Mapping[str, str] = {word: name for name, words in _WRITTEN.items() for word in words.split()} | {
    "nautical mile": "nmi",
    "nautical miles": "nmi",
}
# Units of one kind: a number in one of them is no figure of a column that is in another.
_KINDS = (
    "km m cm mm mi nmi ft in yd",
    "kg lb t",
    "min h s day week month year",
    "w kw mw gw hp",
    "khz mhz ghz",
    "kwh mwh gwh twh",
    "tb gb",
    "kmh mph",
)
KIND_OF: Mapping[str, str] = {name: kind for kind in _KINDS for name in kind.split()}
# Letters that also stand for millions or thousands are a unit in a label only.
_WORDS = "|".join(sorted(map(re.escape, NAMES), key=len, reverse=True))
AFTER = re.compile(
    rf"[\s\u00a0-]?(?P<square>square\s|sq\.?\s?)?(?P<word>{_WORDS})(?P<power>[\u00b2\u00b32-3]|\^[23])?(?![\w/])",
    re.IGNORECASE,
)
IN_LABEL = re.compile(
    rf"(?:(?<![\w/])(?<!per\s)|(?<=\d)(?=\u00b0))(?P<square>square\s|sq\.?\s?)?(?P<word>{_WORDS})(?P<power>[\u00b2\u00b32-3]|\^[23])?(?![\w/])",
    re.IGNORECASE,
)
WATTS = re.compile(r"[(\[,]\s?W\s?[)\]]")
MILEPOST = re.compile(r"\b(miles?|km|kilomet(?:re|er)s?)\s\Z", re.IGNORECASE)
POWERS = {"2": "2", "3": "3", "\u00b2": "2", "\u00b3": "3", "^2": "2", "^3": "3"}


def measure_after(text: str, end: int) -> str:
    """Return the unit of size that follows a number ("1,123 km", "62 square miles"); empty for none."""
    found = AFTER.match(text, end)
    return _name(found) if found else ""


# What a rate is on: "t/ha".
PER_UNIT = re.compile(r"/[a-z]")


def size_said(text: str, number: str, end: int) -> str:
    """Return the unit of size behind a number, also one that was read as its scale ("98 m", "51 mm")."""
    swallowed = re.search(r"\d\s?(m|mm|t)\W*\Z", number)
    found = AFTER.match(text, end)
    if PER_UNIT.match(text, found.end() if found else end):
        return ""  # "8.2 t/ha" are no tons
    return _name(found) if found else swallowed.group(1) if swallowed else ""


def mile_said(text: str, start: int) -> str:
    """Return the unit of length in front of a number that says where on a road ("at mile 11.65")."""
    led = MILEPOST.search(text[max(0, start - 14) : start])
    return measure_after(led[1], 0) if led else ""


def is_other_size(said: str, sizes: frozenset[str]) -> bool:
    """Tell whether a unit of size is of the same kind as those of a column and none of them."""
    own = _kind(said)
    return bool(own[0]) and said not in sizes and any(_kind(size) == own for size in sizes)


def measures_of(label: str) -> frozenset[str]:
    """Return the units of size that a label names ("Height m (ft)", "Area (sq mi)")."""
    found = frozenset(_name(found) for found in IN_LABEL.finditer(label))
    return found | {"w"} if WATTS.search(label) else found


def ordered_measures(text: str) -> list[str]:
    """Return the units of size of a text in order ("Height m (ft)", "688 ft (210 m)")."""
    return [_name(found) for found in IN_LABEL.finditer(text)]


def _name(found: re.Match[str]) -> str:
    power = "2" if found["square"] else POWERS.get(found["power"] or "", "")
    return NAMES[found["word"].lower()] + power


def _kind(size: str) -> tuple[str, str]:
    """Return the kind of a unit of size and its power ("km2": length, 2)."""
    name = size.rstrip("23")
    return KIND_OF.get(name, ""), size[len(name) :]
