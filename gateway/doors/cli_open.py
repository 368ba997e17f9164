"""Opens the project that a verb of the command line works on, and closes it again."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from gateway.doors.identity import Callers
from gateway.doors.project import settings_of
from gateway.house import House
from gateway.service import Gateway
from gateway.settings import Settings
from gateway.wiring import candidate, open_gateway


@dataclass(frozen=True, slots=True)
class Opened:
    """A project and its gateway, open."""

    settings: Settings
    gateway: Gateway
    callers: Callers


@contextmanager
def opened(project: Path | None) -> Iterator[Opened]:
    """Open a project for the length of a block. Raises what an unusable project raises."""
    settings = settings_of(project)
    gateway = open_gateway(settings.folder)
    try:
        yield Opened(settings=settings, gateway=gateway, callers=Callers(settings.identity))
    finally:
        gateway.close()


@contextmanager
def candidate_of(house: Opened, others: Mapping[str, Path]) -> Iterator[House | None]:
    """Yield the house that a replay runs against, or None for the project as it is."""
    if not others:
        yield None
        return
    other = candidate(house.gateway, house.settings, layer=others.get("layer"), policy=others.get("policy"))
    try:
        yield other
    finally:
        other.engine.close()
