"""A call of a saved analysis, and a query that is to become one, as a door takes them in."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from gateway.asking import NO_DOOR, NO_OPTIONS, AskOptions, Door
from gateway.playbooks.definition import Wanted

NOTHING_WANTED = Wanted()


@dataclass(frozen=True, slots=True)
class AnalysisCall:
    """The name of an analysis, its parameters as they were sent, and what stands beside them."""

    name: str
    parameters: Mapping[str, object] = field(default_factory=dict)
    options: AskOptions = NO_OPTIONS
    door: Door = NO_DOOR

    def choosing(self, choices: Mapping[str, str]) -> "AnalysisCall":
        """Return the call with readings chosen beside those that were sent."""
        chosen = {**self.options.choices, **choices}
        return replace(self, options=self.options.model_copy(update={"choices": chosen}))


@dataclass(frozen=True, slots=True)
class NewAnalysis:
    """What an accepted query is to be called, who owns it, and what it is for.

    `wanted` are the parameters that it is to take, with the call that the accepted statement answers: each
    literal of the statement that is a value of that call becomes the parameter.
    """

    name: str
    owner: str
    description: str
    version: int = 1
    wanted: Wanted = NOTHING_WANTED
