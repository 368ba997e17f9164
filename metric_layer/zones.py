"""Names of time zones: which exist, and which one a misspelt name may have meant."""

from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from metric_layer.vocabulary import near

_OF_THE_MACHINE = frozenset({"localtime", "Factory"})


def is_zone(name: str) -> bool:
    """Say whether a name is that of a time zone which is the same on every machine."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return name not in _OF_THE_MACHINE


def near_zones(name: str) -> tuple[str, ...]:
    """Return the zones closest to a name; a city alone leads to its zone."""
    names = _names()
    cities = tuple(zone for zone in names if zone.casefold().endswith(f"/{name.strip().casefold()}"))
    return cities[:3] or near(name.replace("/", " "), names)


@cache
def _names() -> tuple[str, ...]:
    return tuple(sorted(available_timezones() - _OF_THE_MACHINE))
