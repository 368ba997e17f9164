"""The metrics that a dbt import has put together so far, and the parts of metrics with names of their own."""

from dataclasses import dataclass, field

from metric_layer.interchange.dbt_aggregates import granularity_of
from metric_layer.interchange.dbt_filters import filters_of
from metric_layer.interchange.dbt_graph import DbtGraph, Unresolved
from metric_layer.interchange.dbt_models import Aggregation, Model, owner_of
from metric_layer.interchange.gathered import UNOWNED, Gathered
from metric_layer.interchange.names import Names
from metric_layer.interchange.reading import Part

Payload = dict[str, object]


@dataclass(frozen=True, slots=True)
class Declared:
    """A metric as dbt declares it; `model` is set where it stands inside one (the newer layout)."""

    name: str
    given: str
    part: Part = field(repr=False)
    model: Model | None = field(default=None, repr=False)

    @property
    def params(self) -> Part:
        """Return where its parameters stand: under `type_params`, or flat beside its name."""
        return self.part.part("type_params") or self.part


@dataclass(frozen=True, slots=True)
class Scope:
    """What a metric is made of in the end: the models it aggregates, and how fine their times are."""

    models: frozenset[str]
    granularities: frozenset[str]
    time: str = ""


class MetricBook:
    """Metrics are staged first: only when the one that needs them can be kept are they added."""

    def __init__(self, graph: DbtGraph, gathered: Gathered, names: Names) -> None:
        self.graph = graph
        self.names = names
        self.scopes: dict[str, Scope] = {}
        self._gathered = gathered
        self._staged: list[tuple[Payload, str]] = []

    def begin(self) -> int:
        """Return where the parts of the next metric begin."""
        return len(self._staged)

    def forget(self, since: int) -> None:
        """Drop what was staged since then: the metric that needs it is left out."""
        del self._staged[since:]

    def commit(self, since: int) -> None:
        """Add what was staged since then; parts of a metric have its owner."""
        owner = self._staged[-1][0]["owner"] if self._staged[since:] else UNOWNED
        for payload, place in self._staged[since:]:
            if payload["owner"] == UNOWNED:
                payload["owner"] = owner
            self._gathered.add("metrics", payload, place)
        self.forget(since)

    def restricted(self, name: str, filters: tuple[Payload, ...], declared: Declared, wanted: str) -> str:
        """Return a metric under filters, staged under a name of its own."""
        given = self.names.give("asked", wanted)
        payload: Payload = {"type": "filtered", "metric": name, "filters": filters}
        self.helper(given, payload, declared, self.scopes[name])
        return given

    def helper(self, given: str, payload: Payload, declared: Declared, scope: Scope) -> None:
        """Stage a part of a metric."""
        head: Payload = {"name": given, "version": 1, "owner": UNOWNED, "status": "draft"}
        said = f"Part of {declared.given}."
        self.stage(head | {"description": said} | payload, declared.part, scope)

    def filters(self, texts: tuple[str, ...], scope: Scope) -> tuple[Payload, ...]:
        """Return filters that mean the same in every model under a metric. Raises Unresolved."""
        if not texts:
            return ()
        found = {model: filters_of(texts, model, scope.time, self.graph) for model in sorted(scope.models)}
        first = next(iter(found.values()))
        if any(other != first for other in found.values()):
            raise Unresolved("its filter names other dimensions in each of the models it is made of")
        return first

    def head(self, part: Part, name: str, given: str, found: Aggregation | None = None) -> Payload:
        """Return what a metric says of itself; `found` speaks where it says nothing."""
        described = part.text("description") or (found.description if found else "")
        if not described:
            part.lose("no_description", name)
        owner = self.graph.models[found.model].owner if found else ""
        return {
            "name": given,
            "version": 1,
            "owner": owner_of(part, name) or owner or UNOWNED,
            "label": part.text("label") or (found.label if found else ""),
            "description": described or f"{name}, as dbt computes it; no description was given.",
            "status": "draft",
        }

    def stage(self, payload: Payload, part: Part, scope: Scope) -> None:
        """Note a metric that is to be added, and what it is made of."""
        self._staged.append((payload, part.place()))
        self.scopes[str(payload["name"])] = scope

    def scope_of(self, found: Aggregation) -> Scope:
        """Return what an aggregation is made of: itself."""
        time = found.time or self.graph.models[found.model].default_time
        return Scope(frozenset((found.model,)), frozenset((granularity_of(found, self.graph),)), time)

    def together(self, names: list[str]) -> Scope:
        """Return what several metrics are made of."""
        scopes = [self.scopes[name] for name in names]
        times = {scope.time for scope in scopes}
        return Scope(
            models=frozenset().union(*(scope.models for scope in scopes)),
            granularities=frozenset().union(*(scope.granularities for scope in scopes)),
            time=times.pop() if len(times) == 1 else "",
        )
