"""A held question comes back: what the model replied stands sealed in its trace."""

from dataclasses import dataclass

from gateway.agent.replies import NotJson, PlanReply, read_object, read_shape
from gateway.agent.task import CHECK, Task
from metric_layer.plan import MetricPlan
from traces.errors import Unsealable
from traces.records import ModelCall, Trace
from traces.seal import unseal


@dataclass(frozen=True, slots=True)
class Resumed:
    """What was held: the plan of the step that waited and all steps, or the statement.

    `plan_accepted` says that the plan as a whole was let through before a later step was held.
    """

    reply: PlanReply | None = None
    plan: MetricPlan | None = None
    sql: str = ""
    plan_accepted: bool = False


def resumed(task: Task) -> Resumed | None:
    """Return what the asker comes back with, where it is the same question of their own; else None."""
    approval = task.options.approval_id
    held = task.recorder.approvals.find(approval) if approval else None
    trace = task.stores.traces.read(held.hold.trace_id) if held and held.hold.trace_id else None
    if trace is None or trace.closed is None or trace.opened.subject != task.subject:
        return None
    if _unsealed(task, trace.opened.sealed_question) != task.question:
        return None
    if trace.opened.origin == "free":
        sql = _unsealed(task, trace.closed.sealed_submitted)
        return Resumed(sql=sql) if sql else None
    first = task.stores.traces.read(trace.opened.ask.step_of) if trace.opened.ask.step_of else trace
    call = _plan_call(first) if first else None
    reply = _read(task, call) if call else None
    if reply is None or call is None:
        return None
    again = {"attempt": 0, "tokens_in": 0, "tokens_out": 0, "ms": 0}
    task.dialogue.work.calls.append(call.model_copy(update=again))
    return Resumed(reply, trace.opened.ask.plan, plan_accepted=first is not trace and _accepted(first))


def _accepted(first: Trace | None) -> bool:
    closed = first.closed if first else None
    return closed is not None and any(each.check == CHECK for each in closed.approvals)


def recorded_plan(task: Task, trace: Trace) -> PlanReply | None:
    """Return the plan that a model had written for a question, from its sealed reply."""
    call = _plan_call(trace)
    return _read(task, call) if call else None


def _plan_call(trace: Trace) -> ModelCall | None:
    calls = trace.closed.calls if trace.closed else ()
    return next((c for c in reversed(calls) if c.purpose == "plan" and c.outcome == "used"), None)


def _read(task: Task, call: ModelCall) -> PlanReply | None:
    try:
        reply = read_shape(read_object(_unsealed(task, call.sealed_reply)), PlanReply)
    except NotJson:
        return None
    return reply if isinstance(reply, PlanReply) and reply.steps else None


def _unsealed(task: Task, blob: str) -> str:
    try:
        return unseal(task.house.keys, task.subject, blob) if blob else ""
    except Unsealable:
        return ""
