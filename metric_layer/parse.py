"""JSON values -> MetricPlan, or every problem of the plan by JSON pointer, in our own words."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import date
from functools import partial

from metric_layer.issues import Issue
from metric_layer.plan import MetricPlan
from metric_layer.telling import json_kind
from metric_layer.validate import Problem, plain, pointer_text, read_value

DAY_LENGTH = 10


def parse_plan(raw: object, *, visible_names: Iterable[str] = ()) -> MetricPlan | tuple[Issue, ...]:
    """Read a plan from parsed JSON; one of `visible_names` used as a key is told where it belongs."""
    if isinstance(raw, MetricPlan):
        return raw
    if not isinstance(raw, dict):
        message, step = "A plan is a JSON object.", 'Send {"metrics": ["..."]}.'
        return (Issue(code="not_an_object", message=message, seen=json_kind(raw), next_step=step),)
    found = read_value(_with_days(plain(raw)), partial(MetricPlan.model_validate, strict=True), MetricPlan)
    if isinstance(found, MetricPlan):
        return found
    names = frozenset(visible_names)
    return tuple(_issue(problem, names) for problem in found)


def _with_days(value: object) -> object:
    """Return a plan whose windows hold days, for which JSON has texts only; one that is no day stays one."""
    if not isinstance(value, dict):
        return value
    windows = {key: value[key] for key in ("time", "compare") if isinstance(value.get(key), dict)}
    return {**value, **{key: {**window, **dict(_days_of(window))} for key, window in windows.items()}}


def _days_of(window: Mapping[str, object]) -> Iterator[tuple[str, date]]:
    for key in ("from", "to"):
        text = window.get(key)
        if isinstance(text, str) and len(text) == DAY_LENGTH:
            with suppress(ValueError):
                yield key, date.fromisoformat(text)


def _issue(problem: Problem, names: frozenset[str]) -> Issue:
    step = problem.next_step
    if problem.code == "unknown_key" and problem.seen in names and not problem.candidates:
        step = f"{problem.seen} is a name of the layer: put it into the list metrics or dimensions."
    return Issue(
        code=problem.code,
        message=problem.message,
        path=pointer_text(problem.pointer),
        seen=problem.seen,
        candidates=problem.candidates,
        next_step=step,
    )
