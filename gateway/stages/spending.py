"""The day of a user: what a question is expected to read is counted before it runs."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date

from gateway.engines.base import EngineBusy
from gateway.record.journal import Journal
from gateway.record.recorder import Recorder
from gateway.state import Amount
from policies.checks.budget import whole
from policies.facts import CostFacts
from policies.policy import Lines, Measures
from traces.records import Estimate

NO_LINE = 10**30
NO_LINES = Measures()


@contextmanager
def on_account(journal: Journal, facts: CostFacts) -> Iterator[CostFacts]:
    """Count a question for its asker's day while the block judges it; one that ends there counts no more.

    A question that only runs dry is judged by the day as it is, and not counted. Days are days of UTC.
    """
    recorder, today = journal.recorder, journal.house.now().date()
    dry = journal.ask.dry_run or journal.release.stage == "dry_run"
    if dry and facts.budget.day != NO_LINES:
        journal.day = recorder.spent(journal.subject, today)
        yield replace(facts, day=journal.day)
        return
    with on_day(recorder, journal.trace_id, journal.subject, today, facts) as priced:
        journal.day = priced.day
        yield priced


@contextmanager
def on_day(
    recorder: Recorder, query_id: str, subject: str, today: date, facts: CostFacts
) -> Iterator[CostFacts]:
    """Count a query under its id for a day while the block judges it; one that ends there counts no more."""
    lines = facts.budget.day
    if lines == NO_LINES:
        yield facts
        return
    day = recorder.spend(query_id, subject, today, _amount(facts.estimate), _hard(lines))
    runs = False
    try:
        yield replace(facts, day=day)
        runs = True
    finally:
        if not runs:
            recorder.refund(query_id)


def refund_unrun(journal: Journal) -> None:
    """Count a question no more that no session of the database was free for; its accept counts again."""
    if any(isinstance(fault, EngineBusy) for fault in journal.faults):
        journal.recorder.refund(journal.trace_id)
        journal.recorder.approvals.give_back(journal.trace_id)


def _amount(estimate: Estimate) -> Amount:
    measured = (estimate.bytes, estimate.rows, estimate.cost)
    read, rows, cost = (0 if measure is None else whole(measure) for measure in measured)
    return read, rows, cost


def _hard(lines: Measures) -> Amount:
    def line(found: Lines | None) -> int:
        return found.hard if found else NO_LINE

    return line(lines.bytes), line(lines.rows), line(lines.cost)
