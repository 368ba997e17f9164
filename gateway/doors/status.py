"""The one table from what became of a request to HTTP status, exit status and MCP error flag."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from gateway.reply import Comparison, DraftOutcome, DraftReply, Refusal, Reply, SqlReport, Verification
from metric_layer.record import Record
from traces.records import Outcome, Verdict


class DoorStatus(NamedTuple):
    """How one result leaves each door."""

    http: int
    exit: int
    is_error: bool


OK = DoorStatus(200, 0, False)
NOT_FOUND = DoorStatus(404, 2, True)
BROKEN = DoorStatus(503, 1, True)
BUSY = DoorStatus(503, 1, True)
OVERRUN = DoorStatus(503, 7, True)
UNKNOWN_CALLER = DoorStatus(401, 2, True)
USAGE = DoorStatus(400, 2, True)
FINDINGS = DoorStatus(200, 3, False)

CONFLICT = DoorStatus(409, 3, True)
REUSED_KEY = DoorStatus(409, 2, True)
SPENT_APPROVAL = DoorStatus(409, 4, False)
SPENT = frozenset(("approval_used", "approval_stale"))
"""Why an accept did not let its question run: the question waits anew, and the request was a conflict."""
REFUSALS: Mapping[str, DoorStatus] = MappingProxyType(
    {
        "already_decided": CONFLICT,
        "hold_expired": CONFLICT,
        "hold_stale": CONFLICT,
        "own_question": CONFLICT,
        "reason_missing": DoorStatus(422, 2, True),
        "unknown_verdict": DoorStatus(422, 2, True),
        "unknown_finding": DoorStatus(422, 2, True),
        "unknown_status": DoorStatus(422, 2, True),
        "right_missing": DoorStatus(403, 3, True),
        "subject_held": CONFLICT,
    }
)
"""The refusals that are not about something that is not there."""

OUTCOMES: Mapping[Outcome, DoorStatus] = MappingProxyType(
    {
        "answered": OK,
        "dry_run": OK,
        "no_rows": DoorStatus(200, 5, False),
        "abstained": DoorStatus(200, 5, False),
        "partial": DoorStatus(200, 6, False),
        "held": DoorStatus(202, 4, False),
        "needs_clarification": DoorStatus(409, 4, False),
        "invalid_plan": DoorStatus(422, 2, True),
        "denied": DoorStatus(403, 3, True),
        "not_released": DoorStatus(403, 3, True),
        "expired": DoorStatus(403, 3, True),
        "left": DoorStatus(499, 6, True),
        "failed": DoorStatus(502, 7, True),
    }
)

DRAFTS: Mapping[DraftOutcome, DoorStatus] = MappingProxyType(
    {
        "passed": OK,
        "fixed_message": DoorStatus(200, 5, False),
        "abstained": DoorStatus(200, 5, False),
        "held": DoorStatus(202, 4, False),
        "blocked": DoorStatus(200, 3, False),
        "invalid": DoorStatus(422, 2, True),
        "result_expired": DoorStatus(410, 3, True),
    }
)

SQL_VERDICTS: Mapping[Verdict, DoorStatus] = MappingProxyType(
    {
        "allow": OK,
        "skipped": OK,
        "soft": DoorStatus(200, 4, False),
        "hold": DoorStatus(200, 4, False),
        "hard": DoorStatus(200, 3, False),
    }
)


def status_of(result: Record) -> DoorStatus:
    """Return the row of the table that a result of the service falls under."""
    match result:
        case Reply(outcome="held") if any(issue.code in SPENT for issue in result.issues):
            return SPENT_APPROVAL
        case Reply(outcome="invalid_plan", issues=(issue,)) if issue.code == "idempotency_key_reused":
            return REUSED_KEY
        case Reply(retry_after=None):
            return OUTCOMES[result.outcome]
        case Reply():
            return OVERRUN
        case DraftReply():
            return DRAFTS[result.outcome]
        case SqlReport():
            return SQL_VERDICTS[result.verdict]
        case Refusal():
            return REFUSALS.get(result.issues[0].code, NOT_FOUND) if result.issues else NOT_FOUND
        case Comparison():
            return OK if result.verdict == "same" else FINDINGS
        case Verification():
            return OK if result.ok else FINDINGS
    return OK
