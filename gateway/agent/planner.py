"""The model planner: a question and a narrow slice of the layer in, a whole plan out, checked first."""

from collections.abc import Mapping, Sequence

from gateway.agent.dialogue import Rejected
from gateway.agent.narrow import Slice, slice_of
from gateway.agent.replies import PlanReply, StepReply, read_shape, schema_of
from gateway.agent.steps import Known
from gateway.agent.task import Task
from gateway.agent.together import Checked, check_together
from gateway.reply import Reply
from metric_layer.issues import Issue
from traces.records import Table


def planned(task: Task) -> Checked:
    """Return the plan that a model wrote, or one without steps that names what is missing.

    Raises Exhausted, ModelFault and Left.
    """
    part = slice_of(task.house, task.caller, task.question, task.rules)
    known = Known(task.house, task.role, task.periods, task.rules.queries, previous=task.previous)
    before = task.previous
    previous = before.model_dump(mode="json", by_alias=True, exclude_none=True) if before else None
    fields = {**_fields(task, part, task.rules.queries), "previous": previous}

    def read(found: Mapping[str, object]) -> Checked | Rejected:
        return _read(task, found, known)

    return task.dialogue.ask("plan", fields, schema_of(PlanReply, part.metrics, part.dimensions), read)


def revised(
    task: Task,
    plan: Sequence[StepReply],
    done: Sequence[tuple[StepReply, Reply]],
    results: Mapping[str, Table],
    problem: Issue | None,
) -> Checked:
    """Return the steps that are still needed, now that the results so far are known.

    The model sees of each result what its asker sees. Raises Exhausted, ModelFault and Left.
    """
    part = slice_of(task.house, task.caller, task.question, task.rules)
    most = min(task.rules.queries, max(task.rules.steps - task.meter.steps, 0))
    columns = {name: frozenset(column.name for column in table.columns) for name, table in results.items()}
    known = Known(task.house, task.role, task.periods, most, task.previous, columns)
    fields = {
        **_fields(task, part, most),
        "plan": [step.model_dump(mode="json", by_alias=True, exclude_none=True) for step in plan],
        "results": [{"step": step.id, **result_fields(reply)} for step, reply in done],
        "problem": problem.message if problem else None,
    }

    def read(found: Mapping[str, object]) -> Checked | Rejected:
        return _read(task, found, known)

    return task.dialogue.ask("revise", fields, schema_of(PlanReply, part.metrics, part.dimensions), read)


def result_fields(reply: Reply) -> Mapping[str, object]:
    """Return a result as a model may see it: the rows that policy shows its asker, and the summary of all."""
    return {
        "columns": [
            {"name": column.name, "label": column.label, "unit": str(column.unit or "")}
            for column in reply.columns
        ],
        "rows": [
            {"row": place, "cells": list(row)} for place, row in zip(_places(reply), reply.rows, strict=True)
        ],
        "row_count": reply.row_count,
        "summary": reply.summary.model_dump(mode="json") if reply.summary else None,
        "scope": reply.scope,
    }


def _places(reply: Reply) -> Sequence[int]:
    return reply.row_numbers or range(len(reply.rows))


def _fields(task: Task, part: Slice, most: int) -> Mapping[str, object]:
    return {
        "question": task.question,
        "today": str(task.house.now().date()),
        "periods": task.periods.told(),
        "most_queries": most,
        **part.fields,
    }


def _read(task: Task, found: Mapping[str, object], known: Known) -> Checked | Rejected:
    reply = read_shape(found, PlanReply)
    if not isinstance(reply, PlanReply):
        return Rejected(reply, unreadable=True)
    return check_together(task, reply, known)
