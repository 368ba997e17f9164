"""A plan of steps, checked as a whole: names, windows, what a step reads of an earlier one, their number."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gateway.agent.narrow import Periods
from gateway.agent.replies import PlanReply, StepReply, Uses
from gateway.house import House
from metric_layer.asked_periods import ONE_DAY
from metric_layer.issues import Issue
from metric_layer.plan import MAX_VALUES, Filter, MetricPlan, Scalar
from metric_layer.resolve import resolve
from metric_layer.resolved import ResolvedPlan
from policies.entitlement import Entitlement
from traces.records import Table, Value


@dataclass(frozen=True, slots=True)
class Known:
    """What a plan is checked against. `columns` are those of steps that ran before, by id."""

    house: House
    role: Entitlement
    periods: Periods
    most: int
    previous: MetricPlan | None = None
    columns: Mapping[str, frozenset[str]] | None = None


def step_issues(reply: PlanReply, known: Known) -> tuple[Issue, ...]:
    """Return everything that is wrong with a plan, without asking the database anything."""
    found: list[Issue] = []
    if not reply.steps and not reply.missing and known.columns is None:
        advice = "Give steps, or say under missing what is not there."
        found.append(
            Issue(code="empty_plan", message="There is neither a step nor what is missing.", next_step=advice)
        )
    if len(reply.steps) > known.most:
        found.append(
            Issue(
                code="too_many_queries",
                message="The plan needs more queries than its class allows.",
                path="/steps",
                seen=f"{len(reply.steps)} steps, at most {known.most}",
                next_step=f"Answer it in {known.most} steps or fewer.",
            )
        )
    columns = dict(known.columns or {})
    for place, step in enumerate(reply.steps):
        found.extend(_issues(f"/steps/{place}", step, known, columns))
    return tuple(found)


def _issues(path: str, step: StepReply, known: Known, columns: dict[str, frozenset[str]]) -> Iterator[Issue]:
    if step.id in columns:
        yield Issue(
            code="duplicate_step",
            message="Two steps have one id.",
            path=f"{path}/id",
            seen=step.id,
            next_step="Give each step an id of its own.",
        )
    for place, uses in enumerate(step.uses):
        yield from _uses_issues(f"{path}/uses/{place}", uses, columns)
    yield from _window_issues(f"{path}/plan/time", step.plan, known)
    resolved = resolve(
        probe(step),
        known.house.layer,
        visible=known.role.visible,
        choices={},
        today=known.house.now().date(),
        dialect=known.house.engine.dialect,
        allow=known.house.governed.policy.askable,
    )
    if isinstance(resolved, ResolvedPlan):
        columns[step.id] = frozenset(column.name for column in resolved.outputs)
        return
    columns[step.id] = frozenset((*step.plan.metrics, *step.plan.dimensions))
    for issue in resolved:
        offered = tuple(option.name for option in issue.options)
        yield issue.model_copy(
            update={
                "path": f"{path}/plan{issue.path}",
                "candidates": issue.candidates or offered,
                "options": (),
            }
        )


def _uses_issues(path: str, uses: Uses, columns: Mapping[str, frozenset[str]]) -> Iterator[Issue]:
    if uses.step not in columns:
        yield Issue(
            code="unknown_step",
            message="A step uses one that does not come before it.",
            path=f"{path}/step",
            seen=uses.step,
            candidates=tuple(columns),
            next_step="Use an earlier step.",
        )
    elif uses.column not in columns[uses.step]:
        yield Issue(
            code="unknown_result_column",
            message="The step that is used has no such column.",
            path=f"{path}/column",
            seen=uses.column,
            candidates=tuple(sorted(columns[uses.step])),
            next_step="Use a column of that step's result.",
        )


def _window_issues(path: str, plan: MetricPlan, known: Known) -> Iterator[Issue]:
    """Demand the windows that the question names; a follow-up that names none keeps the one before."""
    readings, said = known.periods.readings, known.periods.told()
    before = known.previous.time if known.previous else None
    if not readings and before is not None:
        readings = frozenset(((before.from_, before.to + ONE_DAY),))
        said = [{"from": str(before.from_), "to": str(before.to)}]
    if not readings:
        return
    window = (plan.time.from_, plan.time.to + ONE_DAY) if plan.time else None
    if window not in readings:
        yield Issue(
            code="not_the_window",
            message="The window is not one that the question names.",
            path=path,
            seen=f"{plan.time.from_} to {plan.time.to}" if plan.time else "no window",
            candidates=tuple(f"{each['from']} to {each['to']}" for each in said),
            next_step="Take a window of `periods`.",
        )


def probe(step: StepReply) -> MetricPlan:
    """Return the plan of a step as it can be checked before its values are there."""
    filters = (Filter(field=uses.field, op="not_null") for uses in step.uses)
    return step.plan.model_copy(update={"filters": (*step.plan.filters, *filters), "dialect": None})


def filled(step: StepReply, results: Mapping[str, Table]) -> MetricPlan | Issue:
    """Return the plan of a step with the values that its earlier steps found, or why there are none."""
    filters: list[Filter] = []
    for uses in step.uses:
        values = _values(results[uses.step], uses.column)
        if not values or len(values) > MAX_VALUES:
            return Issue(
                code="nothing_to_go_on" if not values else "too_many_values",
                message="The step before it found nothing to go on with."
                if not values
                else f"The step before it found more than {MAX_VALUES:,} values.",
                path=f"/steps/{step.id}",
                seen=f"{len(values)} values of {uses.column}",
                next_step="Ask for the parts one by one.",
            )
        filters.append(Filter(field=uses.field, op=uses.op, values=values))
    return step.plan.model_copy(update={"filters": (*step.plan.filters, *filters), "dialect": None})


def _values(table: Table, column: str) -> tuple[Scalar, ...]:
    """Return the distinct values of a column, empty ones left out."""
    place = [each.name for each in table.columns].index(column)
    found: dict[Value, None] = dict.fromkeys(row[place] for row in table.rows if row[place] is not None)
    return tuple(_scalar(value) for value in found)


def _scalar(value: Value) -> Scalar:
    match value:
        case bool() | int() | str():
            return value
        case _:
            return str(value)


def in_words(steps: Sequence[StepReply]) -> str:
    """Return the steps by the names of the layer; no value of a filter is in it."""
    said = (
        f"{place}: {', '.join(step.plan.metrics)}"
        + (f" by {', '.join(step.plan.dimensions)}" if step.plan.dimensions else "")
        for place, step in enumerate(steps, start=1)
    )
    return "; ".join(said)
