"""Questions on record, for who may audit: what was asked, what became of it, since when."""

from collections.abc import Iterator
from datetime import date

from gateway.asking import EVALUATION
from gateway.house import House
from gateway.reply import Refusal, issue_of
from metric_layer.issues import Issue
from traces.assembly import questions
from traces.records import Caller, Close, Open
from traces.store.base import TraceStore

Ended = tuple[Open, Close]


def recorded(
    house: House, traces: TraceStore, caller: Caller, since: date | None = None
) -> Iterator[Ended] | Refusal:
    """Return the questions of the caller's tenant that ended, evaluations left out, oldest first.

    Raises TraceDamaged, while they are read, where a log cannot be.
    """
    role = house.entitlements.of(caller)
    if role is None or "audit" not in role.role.may:
        refused = Issue(
            code="right_missing",
            message="Your role may not read other people's questions: it lacks the right audit.",
            seen=role.role_name if role else "no role",
            next_step="Ask the policy's owner for the right audit.",
        )
        return Refusal(issues=(issue_of(refused, "input"),))
    return ended_of(traces, caller.tenant, since)


def ended_of(traces: TraceStore, tenant: str, since: date | None = None) -> Iterator[Ended]:
    """Yield the questions of a tenant that ended, for a caller whose right was checked."""
    for opened, closed in questions(traces.records()):
        asked = opened.tenant == tenant and opened.client != EVALUATION.name
        if closed is not None and asked and (since is None or opened.at.date() >= since):
            yield opened, closed
