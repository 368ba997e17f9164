"""JSON values -> MetricPlan, or every problem of the plan by JSON pointer, in our own words."""

from collections.abc import Iterable
from functools import partial

from metric_layer.issues import Issue
from metric_layer.plan import MetricPlan
from metric_layer.telling import json_kind
from metric_layer.validate import Problem, plain, pointer_text, read_value


def parse_plan(raw: object, *, visible_names: Iterable[str] = ()) -> MetricPlan | tuple[Issue, ...]:
    """Read a plan from parsed JSON; one of `visible_names` used as a key is told where it belongs."""
    if isinstance(raw, MetricPlan):
        return raw
    if not isinstance(raw, dict):
        message, step = "A plan is a JSON object.", 'Send {"metrics": ["..."]}.'
        return (Issue(code="not_an_object", message=message, seen=json_kind(raw), next_step=step),)
    found = read_value(plain(raw), partial(MetricPlan.model_validate, strict=True), MetricPlan)
    if isinstance(found, MetricPlan):
        return found
    names = frozenset(visible_names)
    return tuple(_issue(problem, names) for problem in found)


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
