"""Which library speaks to a database, as traces pin it."""

from functools import cache
from importlib.metadata import version


@cache
def driver_of(distribution: str) -> str:
    """Return an installed distribution with its version."""
    return f"{distribution} {version(distribution)}"
