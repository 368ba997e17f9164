"""How a question ends where no query of it does: at a limit, without a model, with something missing."""

from collections.abc import Sequence

from gateway.agent.meter import Exhausted, limit_issues
from gateway.agent.task import Task
from gateway.models.verb import ModelFault
from gateway.record.journal import Journal
from gateway.reply import Reply, ReplyIssue, issue_of
from metric_layer.issues import Issue
from traces.records import Ask, Outcome

ADVICE = {
    "no_client": "Install cellbound[agent], or ask in the words of the layer.",
    "no_key": "Set CELLBOUND_AGENT_KEY where the gateway runs, or name a base_url under [agent].",
    "unreachable": "Look at base_url under [agent] and at the way there, or ask in the words of the layer.",
    "not_allowed": "Set CELLBOUND_AGENT_KEY to a key that the provider takes.",
    "no_such_model": "Name another model under [agent].",
    "misconfigured": "Look at provider, base_url and parameters under [agent].",
    "quota": "Top the account up, or ask in the words of the layer.",
}
MISSING = "not_in_layer"


def fault_issue(fault: ModelFault) -> Issue:
    """Return why a model gave no reply."""
    return Issue(
        code=f"model_{fault.code}",
        message=f"The model could not be asked: {fault}.",
        next_step=ADVICE.get(fault.code, "Ask again later, or in the words of the layer."),
    )


def missing_issue(names: Sequence[str]) -> Issue:
    """Return what a model did not find. Its words are told to the asker, and kept sealed."""
    return Issue(
        code=MISSING,
        message="The definitions do not hold what this question needs.",
        path="/question",
        seen=", ".join(names)[:400],
        next_step="Ask for what there is: search_catalog lists it. Or ask a metric owner for it.",
    )


def ended(
    task: Task,
    outcome: Outcome,
    step: str,
    issues: Sequence[Issue],
    told: Sequence[ReplyIssue] = (),
    done: Sequence[Reply] = (),
) -> Reply:
    """Close a question on record without another query. `done` are the steps that were answered before."""
    first = done[0].trace_id if done else ""
    asked = Ask(dry_run=task.options.dry_run, step_of=first)
    journal = Journal(task.house, task.recorder, task.caller, asked, origin="plan", entry=task.entry())
    journal.issues.extend(issues)
    receipt = journal.close(outcome, step)
    return Reply(
        outcome=outcome,
        trace_id=journal.trace_id,
        receipt=receipt,
        plan=done[-1].plan if done else None,
        notes=tuple(journal.notes),
        issues=(*(issue_of(issue, "input") for issue in issues), *told),
    )


def at_limit(task: Task, fault: Exhausted, step: str, done: Sequence[Reply] = ()) -> Reply:
    """End a question as `partial` at a limit, naming the step that could not be done."""
    return ended(task, "partial", step, limit_issues(fault), done=done)


def without_model(task: Task, fault: ModelFault, step: str, done: Sequence[Reply] = ()) -> Reply:
    """End a question as `partial` where its model cannot be asked."""
    return ended(task, "partial", step, (fault_issue(fault),), done=done)
