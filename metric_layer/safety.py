"""Numbers that a plan would make wrong: amounts of mixed units, states added up, large tables without end."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from metric_layer.arithmetic import names_in
from metric_layer.calendar import ONE_DAY
from metric_layer.clock import Clocks
from metric_layer.definitions import ADDED, GRAINS, Aggregate
from metric_layer.expand import LeafSpec
from metric_layer.issues import Issue
from metric_layer.layer import Layer
from metric_layer.plan import MetricPlan
from metric_layer.resolved import Arithmetic, Leaf
from metric_layer.units import Unit
from metric_layer.visible import Visible


@dataclass(frozen=True, slots=True)
class Judged:
    """What the rules of one plan look at: each leaf with what it was made from."""

    plan: MetricPlan
    layer: Layer
    visible: Visible
    clocks: Clocks
    metrics: Mapping[str, Arithmetic]
    leaves: Mapping[str, tuple[LeafSpec, Leaf]]

    def place(self, leaf: str) -> str:
        """Return where the plan asks for the first metric that rests on a leaf."""
        users = (index for index, name in enumerate(self.plan.metrics) if self._rests_on(name, leaf))
        return f"/metrics/{next(users, 0)}"

    def _rests_on(self, name: str, leaf: str) -> bool:
        return name in self.metrics and leaf in names_in(self.metrics[name])

    def told(self, dimension: str) -> bool:
        """Say whether a dimension may be named to the caller."""
        return self.visible.dimension(self.layer.dimensions[dimension])

    def units(self, node: Arithmetic) -> frozenset[Unit]:
        """Return the units that rows bring themselves under a finished metric, as this plan settles them."""
        found = (self.leaves[name] for name in names_in(node))
        return frozenset(unit for spec, leaf in found if (unit := self._unit(spec, leaf)) is not None)

    def _unit(self, spec: LeafSpec, leaf: Leaf) -> Unit | None:
        dimension = spec.metric.unit_dimension
        if dimension is None:
            return None
        return Unit(pinned(leaf, dimension) or "", dimension)


def pinned(leaf: Leaf, dimension: str) -> str | None:
    """Return the one value of a dimension that a leaf's filters leave, or None."""
    for each in (*leaf.filters, *(leaf.pick.filters if leaf.pick else ())):
        values = set(each.values)
        if each.name == dimension and each.op in ("eq", "in") and len(values) == 1:
            return str(values.pop())
    return None


def mixed_units(judged: Judged) -> Iterator[Issue]:
    """Yield each asked metric whose rows bring several units that the plan does not hold apart."""
    for index, name in enumerate(judged.plan.metrics):
        node = judged.metrics.get(name)
        units = judged.units(node) if node is not None else frozenset()
        loose = sorted(
            unit.dimension for unit in units if not unit.name and unit.dimension not in judged.plan.dimensions
        )
        if loose:
            yield _mixed(judged, name, loose[0], f"/metrics/{index}")
        elif node is not None and len(_summed(judged, node)) > 1:
            seen = " and ".join(sorted(_summed(judged, node)))
            message = f"{name} adds or subtracts {seen}."
            step = "Ask the metrics one by one, or one converted by its owner."
            yield Issue(
                code="mixed_units", message=message, path=f"/metrics/{index}", seen=seen, next_step=step
            )


def _mixed(judged: Judged, name: str, dimension: str, place: str) -> Issue:
    told = judged.told(dimension)
    step = f"Add {dimension} to dimensions, or filter it to one value." if told else "Ask its owner."
    return Issue(
        code="mixed_units",
        message=f"The rows of {name} bring units of their own, and one figure would add them up.",
        path=place,
        seen=name,
        candidates=(dimension,) if told else (),
        next_step=step,
    )


def _summed(judged: Judged, node: Arithmetic) -> frozenset[str]:
    """Return the named units on the two sides of a sum, where they differ."""
    if node.left is None or node.right is None:
        return frozenset()
    for side in (node.left, node.right):
        if found := _summed(judged, side):
            return found
    names = frozenset(unit.name for unit in judged.units(node) if unit.name)
    return names if node.op in ("add", "sub") and len(names) > 1 else frozenset()


def unsafe_sums(judged: Judged) -> Iterator[Issue]:
    """Yield each sum or count that would add up rows over a dimension its owner forbids."""
    for spec, leaf in judged.leaves.values():
        metric = spec.metric
        for dimension in metric.non_additive if metric.type in ADDED else ():
            own_moments = metric.snapshot is not None and metric.snapshot.over == dimension
            if not own_moments and not _kept_apart(judged, spec, leaf, dimension):
                yield _unsafe(judged, spec, dimension)


def _kept_apart(judged: Judged, spec: LeafSpec, leaf: Leaf, dimension: str) -> bool:
    if dimension in judged.plan.dimensions or pinned(leaf, dimension) is not None:
        return True
    clock, time = judged.clocks.fields.get(spec.id), judged.plan.time
    if clock is None or time is None or clock.name != dimension or spec.reading.cumulative:
        return False
    start, end = (leaf.frame.start, leaf.frame.end) if leaf.frame else (time.from_, time.to + ONE_DAY)
    single = start is not None and start + ONE_DAY == end and time.from_ == time.to
    return single or time.grain in ("hour", _finest(spec.metric))


def _finest(metric: Aggregate) -> str:
    """Return the shortest grain of at least a day that a metric allows."""
    return next((grain for grain in GRAINS[1:] if grain in metric.grains), "day")


def _unsafe(judged: Judged, spec: LeafSpec, dimension: str) -> Issue:
    name, told = spec.metric.name, judged.told(dimension)
    what = dimension if told else "a dimension you cannot see"
    clock = judged.clocks.fields.get(spec.id)
    step = f"Add {dimension} to dimensions, or filter it to one value." if told else "Ask its owner."
    if told and dimension in (clock.name if clock else "", spec.time_field):
        step = f"Count by {dimension} with time.grain {_finest(spec.metric)}, or give a window of one day."
    return Issue(
        code="unsafe_aggregation",
        message=f"{judged.visible.called(name)} may not be added up over {what}.",
        path=judged.place(spec.id),
        seen=name if judged.visible.metric(name) else "",
        candidates=(dimension,) if told else (),
        next_step=step,
    )


def unbounded(judged: Judged) -> Iterator[Issue]:
    """A large dataset is only asked with a window on its own time column, and no wider than it allows."""
    found: dict[str, Issue] = {}
    for spec, leaf in judged.leaves.values():
        name = judged.visible.called(spec.metric.name)
        dataset = judged.layer.datasets[leaf.dataset]
        if not dataset.large or dataset.name in found:
            continue
        bounded = leaf.time is not None and not leaf.time.path and leaf.time.column == dataset.time_column
        if not bounded:
            found[dataset.name] = _missing_window(judged, leaf, name)
        elif leaf.frame is not None:
            start, most = leaf.frame.start, dataset.max_window_days
            days = None if start is None else (leaf.frame.end - start).days
            if days is None or days > most + 1:
                seen = "every day there is" if days is None else f"{days} days"
                found[dataset.name] = Issue(
                    code="window_too_wide",
                    message=f"{dataset.name} is large: {name} would read {seen}, and {most} are allowed.",
                    path="/time",
                    seen=seen,
                    next_step="Ask a shorter window, or a metric that reaches back less far.",
                )
    yield from found.values()


def _missing_window(judged: Judged, leaf: Leaf, name: str) -> Issue:
    dataset = judged.layer.datasets[leaf.dataset]
    fields = tuple(
        d.name
        for d in judged.layer.dimensions.values()
        if (d.dataset, d.column) == (dataset.name, dataset.time_column)
    )
    return Issue(
        code="missing_window",
        message=f"{dataset.name} is large: {name} needs a window on {', '.join(fields)}.",
        path="/time",
        candidates=fields,
        next_step=f"Give time.from and time.to no more than {dataset.max_window_days} days apart.",
    )
