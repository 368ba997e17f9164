"""The reply to a question, put together from its journal."""

from math import ceil

from gateway.engines.base import EngineBusy
from gateway.engines.fault import replied
from gateway.record.journal import Journal
from gateway.reply import TOLD, Reply, ReplyIssue, issue_of, refusal_of
from gateway.shown import with_result
from policies.estimate_view import shown_estimate
from traces.records import Outcome, Receipt, Table


def reply_of(journal: Journal, outcome: Outcome, receipt: Receipt, table: Table | None = None) -> Reply:
    """Return what the asker gets: what stopped the question, or what it came to; in shadow nothing of it."""
    if journal.came_to(outcome):
        return untold(journal, receipt)
    stopped = () if outcome == "answered" else journal.decisions
    refused = tuple(
        refusal_of(d) for d in stopped if d.verdict in ("soft", "hold", "hard") and d.check != "plan"
    )
    issues = tuple(issue_of(issue) for issue in journal.issues)
    faults = tuple(replied(fault) for fault in journal.faults)
    told = journal.answer if outcome in TOLD else None
    role = journal.entitlement
    reply = Reply(
        outcome=outcome,
        trace_id=journal.trace_id,
        receipt=receipt,
        plan=journal.ask.plan,
        sql=journal.query.sql if journal.query else "",
        estimate=shown_estimate(journal.estimate, role.role) if journal.estimate and role else None,
        actual=journal.actual,
        columns=table.columns if table else (),
        answer=told.text if told else "",
        scope=told.scope if told else "",
        citations=told.citations if told else (),
        notes=tuple(journal.notes),
        hold_id=journal.hold_id,
        link=journal.house.page_of(journal.hold_id),
        retry_after=next((ceil(f.retry_after) for f in journal.faults if isinstance(f, EngineBusy)), None),
        decisions=tuple(journal.decisions) if outcome == "dry_run" else (),
        issues=(*issues, *faults, *refused),
    )
    if table is None:
        return reply
    return with_result(reply, table, journal.resolved, journal.house.governed.policy.reading)


def untold(journal: Journal, receipt: Receipt) -> Reply:
    """Return the reply to a question in shadow: that it is recorded, the same whatever it came to."""
    name = journal.release.question_class
    issue = ReplyIssue(
        code="in_shadow",
        message=f"Questions of class {name} are in shadow: it was recorded for comparison, and is not told.",
        stage="plan",
        seen=name,
        threshold="reviewed",
        next_step="Ask an analyst, as before; the policy's owner releases the class.",
    )
    return Reply(
        outcome="not_released",
        trace_id=journal.trace_id,
        receipt=receipt,
        plan=journal.ask.plan,
        issues=(issue,),
    )
