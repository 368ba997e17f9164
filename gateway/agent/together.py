"""The steps of a plan checked together before any of them runs: every check, every estimate, no run."""

from dataclasses import dataclass

from gateway.agent.dialogue import Rejected
from gateway.agent.replies import PlanReply, StepReply
from gateway.agent.steps import Known, probe, step_issues
from gateway.agent.task import Task
from gateway.asking import Entry
from gateway.pipeline import answer
from gateway.record.recorder import MemoryRecorder
from gateway.reply import Reply, ReplyIssue
from metric_layer.issues import Issue
from traces.records import Ask, Close

ENGINE = frozenset(("failed", "partial"))


@dataclass(frozen=True, slots=True)
class Checked:
    """A plan that may run. `refused` is the step that a hard check denies: it is asked alone, on record."""

    reply: PlanReply
    refused: StepReply | None = None


def check_together(task: Task, reply: PlanReply, known: Known) -> Checked | Rejected:
    """Return a plan as it may run, or everything to be mended in it. Raises Exhausted."""
    issues = step_issues(reply, known)
    if issues:
        return Rejected(issues)
    expected = 0
    for place, step in enumerate(reply.steps):
        priced, closed = _dry_run(task, step)
        wrong = [issue for issue in priced.issues if issue.verdict in ("soft", "hard", None)]
        if priced.outcome in ENGINE:
            continue  # what the database could not say now, it says when the step runs
        if priced.outcome != "dry_run":
            if wrong and all(map(_mendable, wrong)):
                return Rejected(tuple(_issue(f"/steps/{place}/plan", issue) for issue in wrong))
            return Checked(reply, refused=step)
        expected += closed.estimate.bytes or 0 if closed.estimate else 0
    task.meter.foresee(expected)
    return Checked(reply)


def _dry_run(task: Task, step: StepReply) -> tuple[Reply, Close]:
    """Check and price a step without a trace; what is refused is asked again on record."""
    memory = MemoryRecorder(approvals=(), was_guarded=False)
    asked = Ask(plan=probe(step), dry_run=True)
    entry = Entry(task.door)
    priced = answer(task.house, memory, task.caller, asked, cancellation=task.leaver, entry=entry)
    closed = memory.trace().closed
    assert closed is not None, "a question always ends"
    return priced, closed


def _mendable(issue: ReplyIssue) -> bool:
    """Say whether a new plan may be tried: it did not resolve, or the check itself says so."""
    return issue.retry or issue.verdict == "soft" or (issue.stage == "plan" and issue.verdict is None)


def _issue(path: str, issue: ReplyIssue) -> Issue:
    return Issue(
        code=issue.code,
        message=issue.message,
        path=f"{path}{issue.path if issue.path.startswith('/') else ''}",
        seen=issue.seen,
        candidates=issue.candidates or tuple(option.name for option in issue.options),
        next_step=issue.next_step,
    )
