"""Findings of a question that wait are settled before anything runs, or end it there."""

from gateway.record.journal import Journal
from gateway.stages.settlement import Matter, settle, unknown_approval
from gateway.stages.stage import Stopped
from metric_layer.issues import Issue
from policies.judge import Case


def demand_approval(journal: Journal, *, ran: bool = False) -> None:
    """Go on where every finding that waits is let through; else hold the question, or end it. Raises Stopped.

    `ran` says that the query ran already, so that what was accepted for that run counts for no other.
    """
    waiting = tuple(journal.waiting)
    journal.waiting.clear()
    journal.runs = ran or not waiting
    saved = journal.entry.saved
    if not waiting and saved is not None and saved.waits:
        journal.runs = False
        raise Stopped("dry_run")
    if not waiting:
        journal.issues.extend(() if ran else _unknown(journal))
        return
    if ran and journal.in_shadow:
        raise Stopped("held")  # nobody decides what nobody is told
    settled = settle(journal.house, journal.recorder.approvals, _matter(journal, ran=ran), waiting)
    journal.issues.extend(settled.issues)
    journal.approvals.extend(settled.approvals)
    journal.notes.extend(settled.notes)
    journal.hold_id = settled.hold_id
    journal.changed = settled.changed or journal.changed
    if settled.outcome == "through":
        journal.runs = True
        return
    if not ran:
        journal.recorder.refund(journal.trace_id)
    raise Stopped(settled.outcome)


def _unknown(journal: Journal) -> tuple[Issue, ...]:
    approvals, approval = journal.recorder.approvals, journal.ask.approval_id
    return unknown_approval(journal.house, approvals, journal.caller, approval)


def _matter(journal: Journal, *, ran: bool) -> Matter:
    return Matter(
        kind="question",
        trace_id=journal.trace_id,
        run=journal.trace_id,
        caller=journal.caller,
        role=journal.entitlement.role_name if journal.entitlement else "",
        parts=journal.parts(),
        case=_case(journal),
        approval_id=journal.ask.approval_id,
        changed=journal.changed,
        ran=ran,
        people_only=journal.release.stage == "reviewed",
    )


def _planned(journal: Journal) -> str:
    """Return the plan in question: all its steps, where a model planned several."""
    plan, work = journal.ask.plan, journal.entry.work
    if work is not None and work.plan:
        return work.plan
    return plan.model_dump_json(by_alias=True, exclude_none=True) if plan else ""


def _case(journal: Journal) -> Case:
    plan, words, metrics = journal.ask.plan, journal.entry.words, journal.house.layer.metrics
    described = (
        f"{name} v{metrics[name].version}: {metrics[name].description}"
        for name in sorted(plan.metrics if plan else ())
        if name in metrics
    )
    return Case(
        role=journal.entitlement.role_name if journal.entitlement else "",
        metrics=tuple(plan.metrics) if plan else (),
        words=words.text if words else "",
        plan=_planned(journal),
        sql=journal.query.sql if journal.query else "",
        definitions="\n".join(described),
    )
