"""A call of a saved analysis, and a query that is to become one, as a door takes them in."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from gateway.asking import NO_OPTIONS, AskOptions


@dataclass(frozen=True, slots=True)
class AnalysisCall:
    """The name of an analysis, its parameters as they were sent, and what stands beside them."""

    name: str
    parameters: Mapping[str, object] = field(default_factory=dict)
    options: AskOptions = NO_OPTIONS
    client: str = ""


@dataclass(frozen=True, slots=True)
class NewAnalysis:
    """What an accepted query is to be called, who owns it, and what it is for."""

    name: str
    owner: str
    description: str
    version: int = 1
