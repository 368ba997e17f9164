"""The saved analyses of a project, by name, and who may know of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from types import MappingProxyType

from gateway.playbooks.definition import Analysis, ValueParameter
from metric_layer.known import metric_visible
from metric_layer.layer import Layer
from metric_layer.plan import Filter, MetricFilter, MetricPlan
from metric_layer.visible import Visible


@dataclass(frozen=True, slots=True)
class Saved:
    """An analysis with its content hash. `plans` and `statements` are those of its example, by step."""

    analysis: Analysis
    digest: str
    plans: Mapping[str, MetricPlan]
    statements: Mapping[str, str]

    @property
    def metrics(self) -> tuple[str, ...]:
        """Return the metrics that the plans ask for."""
        return tuple(dict.fromkeys(name for plan in self.plans.values() for name in plan.metrics))

    def shown_to(self, layer: Layer, visible: Visible) -> bool:
        """Say whether a caller may see every name that the plans and the parameters rest on."""
        metrics = {name for plan in self.plans.values() for name in _metrics(plan)}
        dimensions = {name for plan in self.plans.values() for name in _dimensions(plan)}
        dimensions |= {p.dimension for p in self.analysis.parameters if isinstance(p, ValueParameter)}
        known = (layer.dimensions[name] for name in dimensions if name in layer.dimensions)
        return all(metric_visible(layer, name, visible) for name in metrics) and all(
            visible.dimension(each) for each in known
        )


@dataclass(frozen=True, slots=True)
class Shelf:
    """All saved analyses of a project. `digest` is that of their contents together."""

    analyses: Mapping[str, Saved] = field(default_factory=lambda: MappingProxyType({}))
    digest: str = ""


def shelve(found: Mapping[str, Saved]) -> Shelf:
    """Return analyses in the order of their names, with the hash of them all."""
    ordered = dict(sorted(found.items()))
    lines = "\n".join(f"{name} {saved.digest}" for name, saved in ordered.items())
    return Shelf(MappingProxyType(ordered), sha256(lines.encode()).hexdigest() if ordered else "")


def content_digest(analysis: Analysis) -> str:
    """Return the content hash of an analysis; the order of keys in its file does not matter."""
    return sha256(analysis.model_dump_json().encode()).hexdigest()


def _metrics(plan: MetricPlan) -> tuple[str, ...]:
    return (*plan.metrics, *(f.metric for f in plan.filters if isinstance(f, MetricFilter)))


def _dimensions(plan: MetricPlan) -> tuple[str, ...]:
    field_of_time = (plan.time.field,) if plan.time and plan.time.field else ()
    return (*plan.dimensions, *(f.field for f in plan.filters if isinstance(f, Filter)), *field_of_time)
