"""Completion over MCP: names as a person types them, of what the caller may see and nothing else."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from mcp.server import MCPServer
from mcp_types import (
    Completion,
    CompletionArgument,
    CompletionContext,
    PromptReference,
    ResourceTemplateReference,
)

from gateway.doors.face import Face
from gateway.doors.faults import FAULTS
from gateway.doors.http.auth import may
from gateway.doors.identity.scopes import METRICS, TRACES
from gateway.doors.workers import Workers
from gateway.reply import MetricCard
from traces.records import Caller

MOST = 100
"""Values in one completion, by the protocol."""
EVERY_METRIC = 10_000
RECENT_TRACES = 200
WANTED: Mapping[str, str] = {
    "metric": METRICS,
    "dimension": METRICS,
    "analysis": METRICS,
    "trace_id": TRACES,
}
"""The arguments that are completed, and the scope that their values take."""

Reference = PromptReference | ResourceTemplateReference


class _Names:
    """What a house has of each kind, for one caller."""

    def __init__(self, face: Face, caller: Caller, given: Mapping[str, str]) -> None:
        self._face = face
        self._caller = caller
        self._given = given

    def of(self, argument: str) -> Sequence[str]:
        """Return all values of an argument."""
        match argument:
            case "metric":
                found = self._face.list_metrics(self._caller, "", EVERY_METRIC)
                return [metric.name for metric in found.metrics]
            case "dimension":
                return self._dimensions()
            case "analysis":
                return [card.name for card in self._face.list_analyses(self._caller).analyses]
        return [line.trace_id for line in self._face.list_traces(self._caller, RECENT_TRACES)]

    def _dimensions(self) -> Sequence[str]:
        """Return the dimensions of the metric that is already filled in, else all of them."""
        metric = self._given.get("metric", "")
        card = self._face.describe_metric(self._caller, metric) if metric else None
        if isinstance(card, MetricCard):
            return [dimension.name for dimension in card.dimensions]
        return self._face.list_metrics(self._caller, "", 1).dimensions


def add_completion(
    server: MCPServer[Any],
    face: Face,
    who: Callable[[], Caller],
    workers: Workers,
    granted: Callable[[], frozenset[str]],
) -> None:
    """Complete the arguments of prompts and resources; what the token does not reach stays empty."""

    @server.completion()  # type: ignore[no-untyped-call, untyped-decorator] # the library has no types here
    async def complete(
        ref: Reference, argument: CompletionArgument, context: CompletionContext | None
    ) -> Completion:
        wanted = WANTED.get(argument.name)
        if wanted is None or not may(granted(), frozenset((wanted,))):
            return Completion(values=[], total=0, has_more=False)
        names = _Names(face, who(), (context.arguments if context else None) or {})
        try:
            found = await workers.call(partial(names.of, argument.name))
        except FAULTS:
            return Completion(values=[], total=0, has_more=False)
        fitting = _fitting(argument.value, found)
        return Completion(values=fitting[:MOST], total=len(fitting), has_more=len(fitting) > MOST)


def _fitting(typed: str, names: Sequence[str]) -> list[str]:
    """Return the names that begin with what was typed, then those that hold it."""
    begun = typed.lower()
    first = [name for name in names if name.lower().startswith(begun)]
    return first + [name for name in names if begun in name.lower() and name not in first]
