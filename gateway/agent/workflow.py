"""The fixed order behind a question that intake cannot read: plan by a model, else SQL by a model.

Nothing here judges what a model writes: its plan and its SQL go through the same checks as anybody's, and
whether they answer the question is put to the judge.
"""

from collections.abc import Sequence
from dataclasses import replace

from gateway.agent.draft import drafted
from gateway.agent.endings import at_limit, ended, missing_issue, without_model
from gateway.agent.free import ask_free, is_allowed
from gateway.agent.meter import Exhausted
from gateway.agent.planner import planned
from gateway.agent.resume import Resumed, resumed
from gateway.agent.run import Run
from gateway.agent.task import Task
from gateway.agent.together import Checked
from gateway.intake.outcome import IntakeAbstain, IntakeAsk, Reason
from gateway.models.verb import Left, ModelFault
from gateway.reply import Reply, ReplyIssue

READABLE: frozenset[Reason] = frozenset(
    (
        "unknown_metric",
        "unknown_dimension",
        "unknown_value",
        "missing_metric",
        "missing_dimension",
        "incompatible_dimension",
    )
)
"""What a model may read where intake cannot: other words. What is open or unsupported stays so."""


def is_readable(found: IntakeAsk | IntakeAbstain) -> bool:
    """Say whether only words stand between a question and its plan: all else is asked back, or refused."""
    return all(problem.reason in READABLE for problem in found.problems)


def answer_with_model(task: Task, problems: Sequence[ReplyIssue]) -> Reply:
    """Answer a question that intake could not read; `problems` is what it said. Every end is on record."""
    task = replace(task, unread=tuple(problems))
    back = resumed(task)
    if back is not None and back.sql:
        return worded(task, ask_free(task, back.sql))
    try:
        checked = Checked(back.reply) if back is not None and back.reply else planned(task)
    except Exhausted as fault:
        return at_limit(task, fault, "plan")
    except ModelFault as fault:
        return without_model(task, fault, "plan")
    except Left:
        return ended(task, "left", "plan", ())
    if checked.reply.steps:
        return worded(task, *_ran(task, checked, back))
    if is_allowed(task.house.governed.policy):
        return worded(task, ask_free(task))
    return ended(task, "abstained", "plan", (missing_issue(checked.reply.missing),), problems)


def worded(task: Task, reply: Reply, sources: Sequence[Reply] = ()) -> Reply:
    """Have the model word an answer, where the policy lets it; any other outcome stays as it is."""
    if reply.outcome != "answered" or task.rules.draft == "never":
        return reply
    return drafted(task, reply, sources or (reply,))


def _ran(task: Task, checked: Checked, back: Resumed | None) -> tuple[Reply, Sequence[Reply]]:
    run = Run(task, back)
    reply = run.through(checked)
    return reply, tuple(each for _, each in run.done if each.outcome == "answered")
