"""The rules a layer must satisfy before anybody may ask it, in the order they are checked."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from metric_layer.asking_rules import check_askings, check_one_asking
from metric_layer.calendar_rules import check_calendar
from metric_layer.draft import Draft
from metric_layer.fault import Fault
from metric_layer.graph_rules import (
    check_clocks,
    check_datasets,
    check_dimensions,
    check_levels,
    check_relationships,
    check_unique_names,
)
from metric_layer.issues import Issue
from metric_layer.kind_rules import check_comparisons, check_events, check_running, check_successors
from metric_layer.layer import Layer, build_layer
from metric_layer.meaning_rules import (
    check_allowed_dimensions,
    check_currencies,
    check_drafts,
    check_metric_filters,
    check_numbers,
    check_time_fields,
)
from metric_layer.metric_rules import (
    check_aggregates,
    check_cycles,
    check_dates,
    check_references,
    check_sizes,
)
from metric_layer.personal_rules import check_personal_tags
from metric_layer.reach_rules import (
    check_conversions,
    check_hierarchies,
    check_non_additive,
    check_snapshots,
    check_units,
)

GRAPH_RULES: tuple[Callable[[Draft], Iterator[Fault]], ...] = (
    check_unique_names,
    check_calendar,
    check_one_asking,
    check_datasets,
    check_personal_tags,
    check_relationships,
    check_dimensions,
    check_levels,
    check_clocks,
)
METRIC_RULES: tuple[Callable[[Draft], Iterator[Fault]], ...] = (
    check_aggregates,
    check_references,
    check_cycles,
    check_sizes,
    check_dates,
    check_running,
    check_comparisons,
    check_events,
    check_successors,
)
MEANING_RULES: tuple[Callable[[Draft, Layer], Iterator[Issue]], ...] = (
    check_metric_filters,
    check_time_fields,
    check_allowed_dimensions,
    check_numbers,
    check_currencies,
    check_drafts,
    check_snapshots,
    check_units,
    check_non_additive,
    check_conversions,
    check_hierarchies,
)


def check_rules(draft: Draft) -> list[Issue]:
    """Return every rule that the definitions break.

    What needs paths is only judged over datasets, relationships and dimensions that are whole; a faulty
    metric, or one that rests on it, is left out of that judgement so that the others still get theirs.
    """
    graph = [fault for rule in GRAPH_RULES for fault in rule(draft)]
    metrics = [fault for rule in METRIC_RULES for fault in rule(draft)]
    issues = [fault.issue for fault in (*graph, *metrics)]
    if graph or any(section != "metrics" for section, _ in draft.broken):
        return issues
    unsound = _resting_on({fault.name for fault in metrics} | {name for _, name in draft.broken}, draft)
    sound = replace(draft, metrics=tuple(item for item in draft.metrics if item[0].name not in unsound))
    layer = build_layer(sound.document())
    issues += (issue for rule in MEANING_RULES for issue in rule(sound, layer))
    return [*issues, *check_askings(sound, layer, unsound)]


def _resting_on(faulty: set[str], draft: Draft) -> set[str]:
    """Return the faulty metrics, and all that are made of them however far away."""
    users: dict[str, list[str]] = {}
    for metric, _ in draft.metrics:
        for part in draft.parts_of(metric.name):
            users.setdefault(part, []).append(metric.name)
    found, waiting = set(faulty), list(faulty)
    while waiting:
        fresh = set(users.get(waiting.pop(), ())) - found
        found |= fresh
        waiting.extend(fresh)
    return found
