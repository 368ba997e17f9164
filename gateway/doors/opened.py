"""Opens the project that a verb of the command line works on, and closes it again."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from gateway.doors.identity import Callers
from gateway.doors.json_input import BadInput
from gateway.doors.project import definitions_at, policy_at, settings_of
from gateway.house import House
from gateway.service import Gateway
from gateway.settings.file import Settings
from gateway.settings.sharing import part_of
from gateway.wiring import candidate, open_gateway
from metric_layer.issues import Issue


@dataclass(frozen=True, slots=True)
class Opened:
    """A project and its gateway, open."""

    settings: Settings
    gateway: Gateway
    callers: Callers


@contextmanager
def opened(project: Path | None, processes: int = 1) -> Iterator[Opened]:
    """Open a project for the length of a block. Raises what an unusable project raises.

    One of several `processes` takes its part of what they may use together.
    """
    settings = part_of(settings_of(project), processes)
    gateway = open_gateway(settings.folder, processes=processes)
    try:
        yield Opened(
            settings=settings,
            gateway=gateway,
            callers=Callers(settings.identity, settings.folder, gateway.state.tokens),
        )
    finally:
        gateway.close()


def _there(path: Path) -> Path:
    """Return a path that exists. Raises BadInput for another."""
    if path.exists():
        return path
    message, step = f"{path} is not there.", "Name a folder, a project, or one policy file."
    raise BadInput(Issue(code="no_file", message=message, place=str(path), seen=str(path), next_step=step))


@contextmanager
def candidate_of(house: Opened, others: Mapping[str, Path]) -> Iterator[House | None]:
    """Yield the house that a replay runs against, or None for the project as it is."""
    if not others:
        yield None
        return
    layer, policy = others.get("layer"), others.get("policy")
    other = candidate(
        house.gateway,
        house.settings,
        layer=definitions_at(_there(layer)) if layer else None,
        policy=policy_at(_there(policy)) if policy else None,
    )
    try:
        yield other
    finally:
        other.engine.close()
