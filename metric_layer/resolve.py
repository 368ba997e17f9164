"""A plan held against the layer: every name replaced by what it means, or every reason why that cannot be."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal

from metric_layer.allowed import not_allowed
from metric_layer.calendar import ONE_DAY
from metric_layer.clock import Clocks, choose_clocks, unknown_clock
from metric_layer.comparison import asked_of, compared_twice, without_difference
from metric_layer.definitions import ColumnType
from metric_layer.expand import Expansion, formula_type
from metric_layer.frames import Frames
from metric_layer.grain_choice import with_grain
from metric_layer.issues import Issue
from metric_layer.layer import Layer
from metric_layer.leaves import Leaves
from metric_layer.naming import check_names, out_of_force
from metric_layer.notes import compared_days, notes_of
from metric_layer.outputs import order_of, outputs_of, used_of
from metric_layer.plan import Dialect, MetricFilter, MetricPlan
from metric_layer.reach import Reach
from metric_layer.resolved import Arithmetic, HavingFilter, ResolvedPlan
from metric_layer.safety import Judged, mixed_units, unbounded, unsafe_sums
from metric_layer.settle import Words, settled
from metric_layer.values import ValueFault, type_values
from metric_layer.visible import Visible
from metric_layer.windows import spine_of, window_issues
from metric_layer.zones import is_zone

Resolved = ResolvedPlan | tuple[Issue, ...]
Allowed = Literal["draft", "expired"]


def resolve(
    plan: MetricPlan,
    layer: Layer,
    *,
    visible: Visible,
    choices: Mapping[str, str],
    today: date,
    dialect: Dialect | None = None,
    allow: Collection[Allowed] = (),
) -> Resolved:
    """Resolve a plan for a caller who may see `visible`, or return every issue that stands in the way.

    `choices` maps an ambiguous term to the reading the caller chose; `today` decides which definitions are in
    effect, and `allow` names the kinds of definitions that are used although they are not in force.
    """
    asked = _read(plan, layer, visible, choices)
    plan = asked.plan
    asked.issues[:0] = [
        *_dialect(plan, dialect),
        *check_names(plan, asked.words, today, allow),
        *asked.windows,
    ]
    if not asked.metrics:
        asked.issues.extend(unknown_clock(plan, layer, visible, choices))
        return tuple(dict.fromkeys(asked.issues))
    asked.issues.extend(_parts(asked, visible, today, allow))
    reach = Reach(layer, visible, choices, _zone(plan, layer))
    asked.issues.extend(not_allowed(plan, asked.expansion.metrics, reach))
    asked.issues.extend(compared_twice(plan, asked.expansion))
    judged, frames = _judged(asked, reach, today)
    types = {name: leaf.type for name, (_, leaf) in judged.leaves.items()}
    asked.issues.extend(without_difference(plan, asked.metrics, types))
    having = _having(judged, types, asked.issues)
    spine = () if asked.windows else spine_of(plan, layer.calendar, reach.zone)
    if isinstance(spine, Issue):
        asked.issues.append(spine)
    if asked.issues or isinstance(spine, Issue):
        return tuple(dict.fromkeys(asked.issues))
    outputs = outputs_of(judged, dialect, compared_days(judged))
    said = notes_of(judged, asked.expansion.metrics, frames, today, dialect)
    return ResolvedPlan(
        plan=plan,
        outputs=outputs,
        leaves=tuple(leaf for _, leaf in judged.leaves.values()),
        metrics=tuple(asked.metrics.items()),
        having=having,
        start=plan.time.from_ if plan.time else None,
        end=plan.time.to + ONE_DAY if plan.time else None,
        grain=plan.time.grain if plan.time else None,
        order=order_of(plan, outputs),
        limit=plan.limit,
        used=used_of(judged, asked.expansion.metrics),
        notes=tuple(dict.fromkeys((*asked.readings, *said, *judged.clocks.notes, *sorted(reach.notes)))),
        zone=reach.zone,
        spine=spine,
        held_to=frames.held_to(spec.reading for spec, _ in judged.leaves.values()),
    )


@dataclass
class _Asked:
    """A plan with chosen readings put in, taken apart as far as its names are known."""

    plan: MetricPlan
    words: Words
    readings: tuple[str, ...]
    windows: tuple[Issue, ...]
    expansion: Expansion
    metrics: dict[str, Arithmetic]
    issues: list[Issue]


def _read(plan: MetricPlan, layer: Layer, visible: Visible, choices: Mapping[str, str]) -> _Asked:
    words = Words(layer, visible, choices)
    plan, readings = settled(plan, words)
    plan, open_grain = with_grain(plan, layer, visible, choices)
    expansion = Expansion(layer)
    metrics = {
        column: formula
        for name in plan.metrics
        if words.is_metric(name)
        for column, formula in asked_of(plan, name, expansion)
    }
    windows = tuple(window_issues(plan, layer.calendar))
    return _Asked(plan, words, readings, windows, expansion, metrics, open_grain)


def _judged(asked: _Asked, reach: Reach, today: date) -> tuple[Judged, Frames]:
    """Resolve every leaf, and hold what came of it against the rules for numbers."""
    plan, layer, specs = asked.plan, reach.layer, asked.expansion.specs
    chosen = choose_clocks(plan, specs.values(), layer, reach.visible, reach.choices)
    clocks = Clocks({}) if isinstance(chosen, Issue) else chosen
    frames = Frames(plan, layer.calendar, today)
    found = Leaves(plan, layer, clocks, reach, None if asked.windows else frames)
    leaves = {leaf.id: (specs[leaf.id], leaf) for leaf in found.of(specs)}
    judged = Judged(plan, layer, reach.visible, clocks, asked.metrics, leaves)
    if isinstance(chosen, Issue):
        asked.issues.append(chosen)
    else:
        asked.issues.extend(unbounded(judged))
    asked.issues.extend((*reach.issues, *found.issues, *mixed_units(judged)))
    if not isinstance(chosen, Issue) and not asked.windows:
        asked.issues.extend(unsafe_sums(judged))
    return judged, frames


def _zone(plan: MetricPlan, layer: Layer) -> str:
    """Return the zone whose days are meant; one that does not exist has its issue already."""
    asked = plan.time.zone if plan.time else None
    return asked if asked is not None and is_zone(asked) else layer.calendar.rules.time_zone


def _dialect(plan: MetricPlan, dialect: Dialect | None) -> Iterator[Issue]:
    if dialect and plan.dialect and plan.dialect != dialect:
        message = f"The plan is written for {plan.dialect}; this project runs on {dialect}."
        yield Issue(
            code="wrong_dialect",
            message=message,
            path="/dialect",
            seen=plan.dialect,
            candidates=(dialect,),
            next_step=f"Write {dialect}, or leave the dialect out.",
        )


def _parts(asked: _Asked, visible: Visible, today: date, allow: Collection[str]) -> Iterator[Issue]:
    """Yield the parts of the asked metrics that are not in force; a hidden one goes unnamed."""
    for name, metric in asked.expansion.metrics.items():
        if name in asked.plan.metrics:
            continue
        for issue in out_of_force(metric, "/metrics", today, allow):
            if visible.metric(name):
                yield issue
            else:
                message = "A metric that the plan rests on is a draft or not in effect."
                yield Issue(code=issue.code, message=message, path="/metrics", next_step="Ask its owner.")


def _having(judged: Judged, types: Mapping[str, ColumnType], issues: list[Issue]) -> tuple[HavingFilter, ...]:
    found: list[HavingFilter] = []
    for index, asked in enumerate(judged.plan.filters):
        if not isinstance(asked, MetricFilter) or asked.metric not in judged.metrics:
            continue
        kind = formula_type(judged.metrics[asked.metric], types)
        try:
            kind = "decimal" if kind == "integer" else kind
            op, values = type_values(asked.op, asked.values, kind)
        except ValueFault as fault:
            message = f"{asked.metric}: {fault.message}"
            place, step = f"/filters/{index}/values", "Compare the metric with numbers."
            issues.append(
                Issue(code=fault.code, message=message, path=place, seen=fault.seen, next_step=step)
            )
            continue
        found.append(HavingFilter(asked.metric, op, values))
    return tuple(found)
