"""Rows named by a distance and what is done over it: "the 200 m" of "200-meter dash", "the 60 metres"."""

import re
from collections.abc import Iterable, Iterator, Mapping

NAMED = re.compile(
    r"(?P<lead>(?:[^\W\d_]+['\u2019]?s?\s){0,2})(?P<legs>\d{1,2}\s?[x\u00d7]\s?)?(?P<number>\d{1,3}(?:,\d{3})+|\d{1,5})(?P<gap>[\s-]?)(?P<unit>m|met(?:er|re)s?|yd|yards?|y|km|kilomet(?:er|re)s?|miles?)\b[\s-]?"
    r"(?P<rest>[^\d]{0,40})",
    re.IGNORECASE,
)
# No name of a distance is without it.
UNIT = re.compile(r"\d[\s-]?[myk]", re.IGNORECASE)
# "4 x 400" of a relay.
LEGS = re.compile(r"\s?[x\u00d7]\s?")
CROSSES = "x\u00d7"
WRITTEN: Mapping[str, tuple[str, ...]] = {
    "m": (" m", "m", " meter", " metre"),
    "y": (" yd", "yd", " yard"),
    "k": (" km", "km", " kilometer", " kilometre"),
    "i": (" mile",),
}
# What leads to the name of a distance, and to no length.
LED = re.compile(
    r"\b(?:the|over|(?:wo)?men['\u2019]?s|boys['\u2019]?|girls['\u2019]?|his|her|their|in|at)\s\Z",
    re.IGNORECASE,
)


def ways_of(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield (name, another way to write it), without what is done over a distance where one row has it."""
    told = {name: found for name in names if UNIT.search(name) and (found := NAMED.fullmatch(name.strip()))}
    by_distance: dict[tuple[str, str], list[str]] = {}
    for name, found in told.items():
        legs = LEGS.sub("x", found["legs"] or "")
        by_distance.setdefault((legs + found["number"], _kind(found["unit"])), []).append(name)
    for (number, kind), alike in by_distance.items():
        for name in alike:
            rest = told[name]["rest"].strip()
            if told[name]["lead"] and len(alike) > 1:
                continue
            for unit in WRITTEN[kind]:
                for digits in {number, number.replace(",", ""), *_crossed(number)}:
                    if rest:
                        yield name, f"{digits}{unit} {rest}"
                    if not rest or len(alike) == 1:
                        yield name, f"{digits}{unit}"


def _crossed(number: str) -> Iterator[str]:
    """Yield how the legs of a relay are written ("4 x 400")."""
    yield from (number.replace("x", f" {cross} ") for cross in CROSSES)


def _kind(unit: str) -> str:
    low = unit.lower()
    return "i" if low.startswith("mi") else low[0]
