"""The time field of each leaf: the plan's, a clock's, or each metric's own; asked where it is open."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from metric_layer.definitions import TIME_TYPES, Clock, Dimension
from metric_layer.describing import option_of
from metric_layer.expand import LeafSpec
from metric_layer.issues import Issue, Option
from metric_layer.layer import Layer
from metric_layer.paths import find_path
from metric_layer.plan import MetricPlan
from metric_layer.visible import Visible
from metric_layer.vocabulary import near


@dataclass(frozen=True, slots=True)
class Clocks:
    """The time dimension of each leaf by leaf id, and what has to be said about it."""

    fields: Mapping[str, Dimension]
    notes: tuple[str, ...] = ()


def choose_clocks(
    plan: MetricPlan, specs: Iterable[LeafSpec], layer: Layer, visible: Visible, choices: Mapping[str, str]
) -> Clocks | Issue:
    """Return the time dimension each leaf counts by, or the one issue that keeps it open."""
    leaves = tuple(specs)
    if plan.time is None:
        return Clocks({})
    asked = plan.time.field or choices.get("time")
    if asked is None:
        return _defaults(leaves, layer, visible)
    place = "/time/field" if plan.time.field else "/choices/time"
    clock = layer.clocks.get(asked)
    if clock is not None and _clock_visible(clock, layer, visible):
        return _by_clock(clock, leaves, layer, visible, place)
    dimension = layer.dimensions.get(asked)
    if dimension is None or not visible.dimension(dimension):
        return _unknown(asked, place, layer, visible)
    if layer.dimension_type(dimension) not in TIME_TYPES:
        message = f"{asked} is not a time dimension."
        times = _times(layer, visible)
        step = f"Name one of: {', '.join(times)}." if times else "Leave the window out."
        return Issue(
            code="wrong_type", message=message, path=place, seen=asked, candidates=times, next_step=step
        )
    return Clocks({leaf.id: dimension for leaf in leaves})


def unknown_clock(
    plan: MetricPlan, layer: Layer, visible: Visible, choices: Mapping[str, str]
) -> tuple[Issue, ...]:
    """Return what is wrong with the time field that a plan names, though none of its metrics is known."""
    named = plan.time is not None and plan.time.field is not None
    found = choose_clocks(plan, (), layer, visible, choices) if named else None
    return (found,) if isinstance(found, Issue) else ()


def _defaults(leaves: tuple[LeafSpec, ...], layer: Layer, visible: Visible) -> Clocks | Issue:
    missing = [leaf.metric.name for leaf in leaves if leaf.time_field is None]
    if missing:
        return Issue(
            code="no_time_field",
            message=f"{visible.called(missing[0])} has no time field of its own, so the window needs one.",
            path="/time/field",
            candidates=_shared_times(leaves, layer, visible),
            next_step="Name a time dimension in time.field.",
        )
    names = {leaf.time_field or "" for leaf in leaves}
    own = Clocks({leaf.id: layer.dimensions[leaf.time_field or ""] for leaf in leaves})
    if len(names) == 1:
        return own
    covering = [clock for clock in layer.clocks.values() if names <= set(clock.fields)]
    return (
        Clocks(own.fields, _notes(own.fields, leaves, visible))
        if covering
        else _ambiguous(leaves, names, layer, visible)
    )


def _by_clock(
    clock: Clock, leaves: tuple[LeafSpec, ...], layer: Layer, visible: Visible, place: str
) -> Clocks | Issue:
    found = {leaf.id: _field_of(clock, leaf, layer, visible) for leaf in leaves}
    fields = {leaf: dimension for leaf, dimension in found.items() if dimension is not None}
    if len(fields) == len(found):
        return Clocks(fields, _notes(fields, leaves, visible))
    left = ", ".join(
        dict.fromkeys(visible.called(leaf.metric.name) for leaf in leaves if leaf.id not in fields)
    )
    return Issue(
        code="unreachable",
        message=f"The clock {clock.name} has no field that {left} can be counted by.",
        path=place,
        seen=clock.name,
        candidates=_shared_times(leaves, layer, visible),
        next_step="Name a time dimension every metric reaches, or ask the metrics one by one.",
    )


def _field_of(clock: Clock, leaf: LeafSpec, layer: Layer, visible: Visible) -> Dimension | None:
    """Return the clock's field nearest to the leaf; its own default first among equals."""
    if leaf.metric.snapshot is not None:
        over = leaf.metric.snapshot.over
        return layer.dimensions[over] if over in clock.fields else None
    reached: list[tuple[int, bool, str]] = []
    for name in clock.fields:
        path = find_path(layer, leaf.metric.dataset, layer.dimensions[name], visible)
        if isinstance(path, tuple):
            reached.append((len(path), name != leaf.time_field, name))
    return layer.dimensions[min(reached)[2]] if reached else None


def _ambiguous(leaves: tuple[LeafSpec, ...], names: set[str], layer: Layer, visible: Visible) -> Issue:
    clocks = [
        Option(
            name=clock.name,
            description=clock.description or f"each metric by its own: {', '.join(clock.fields)}",
        )
        for clock in layer.clocks.values()
        if _clock_visible(clock, layer, visible)
        and all(_field_of(clock, leaf, layer, visible) for leaf in leaves)
    ]
    shared = set(_shared_times(leaves, layer, visible))
    fields = [option_of(layer, name) for name in sorted(names & shared)]
    counted = "; ".join(
        dict.fromkeys(f"{visible.called(leaf.metric.name)} by {leaf.time_field}" for leaf in leaves)
    )
    step = "Send one option as choices.time." if clocks or fields else "Ask the metrics one by one."
    return Issue(
        code="ambiguous_clock",
        message=f"The metrics count time by different fields and no clock joins them: {counted}.",
        path="/time/field",
        term="time",
        options=(*clocks, *fields),
        next_step=step,
    )


def _notes(
    fields: Mapping[str, Dimension], leaves: tuple[LeafSpec, ...], visible: Visible
) -> tuple[str, ...]:
    if len({dimension.name for dimension in fields.values()}) < 2:
        return ()
    told = {
        f"{visible.called(leaf.metric.name)} by {fields[leaf.id].label or fields[leaf.id].name}"
        for leaf in leaves
    }
    return (f"Time is counted for each metric by its own field: {', '.join(sorted(told))}.",)


def _unknown(asked: str, place: str, layer: Layer, visible: Visible) -> Issue:
    known = _times(layer, visible)
    clocks = tuple(name for name, clock in layer.clocks.items() if _clock_visible(clock, layer, visible))
    candidates = near(asked, (*known, *clocks))
    return Issue(
        code="unknown_dimension",
        message=f"There is no time dimension {asked!r}.",
        path=place,
        seen=asked,
        candidates=candidates,
        next_step=f"Did you mean {candidates[0]}?" if candidates else f"Time dimensions: {', '.join(known)}.",
    )


def _clock_visible(clock: Clock, layer: Layer, visible: Visible) -> bool:
    return all(visible.dimension(layer.dimensions[name]) for name in clock.fields)


def _times(layer: Layer, visible: Visible) -> tuple[str, ...]:
    return tuple(
        name
        for name, dimension in layer.dimensions.items()
        if visible.dimension(dimension) and layer.dimension_type(dimension) in TIME_TYPES
    )


def _shared_times(leaves: tuple[LeafSpec, ...], layer: Layer, visible: Visible) -> tuple[str, ...]:
    return tuple(
        name
        for name in _times(layer, visible)
        if all(
            isinstance(find_path(layer, leaf.metric.dataset, layer.dimensions[name], visible), tuple)
            for leaf in leaves
        )
    )
