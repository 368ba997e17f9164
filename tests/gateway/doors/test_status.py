"""One table, and everything is in it."""

import json
from typing import get_args

import pytest

from gateway.doors.faults import FAULTS, refusal_for, status_for
from gateway.doors.status import DRAFTS, OUTCOMES, SQL_VERDICTS, status_of
from gateway.engines.base import EngineError
from gateway.errors import Busy, IdentityRefused, SettingsInvalid
from gateway.reply import DraftReply, Refusal, ReplayReport, Reply, ReplyIssue, SqlReport, Verification
from metric_layer.issues import Issue
from metric_layer.record import Record
from traces.errors import TraceUnwritable
from traces.records import Outcome, Verdict

ISSUE = Issue(code="c", message="m", place="somewhere/on/this/disk")


def test_every_outcome_has_its_row() -> None:
    assert set(OUTCOMES) == set(get_args(Outcome))
    assert set(DRAFTS) == set(get_args(DraftReply.model_fields["outcome"].annotation))
    assert set(SQL_VERDICTS) == set(get_args(Verdict))


def test_exit_statuses_are_the_published_ones() -> None:
    published = {
        0: {"answered", "dry_run"},
        2: {"invalid_plan"},
        3: {"denied", "not_released", "expired"},
        4: {"held", "needs_clarification"},
        5: {"abstained", "no_rows"},
        6: {"partial", "left"},
        7: {"failed"},
    }
    assert {o: row.exit for o, row in OUTCOMES.items()} == {
        o: e for e, many in published.items() for o in many
    }


def test_exit_statuses_of_drafts_and_of_checked_sql_are_the_published_ones() -> None:
    assert {outcome: row.exit for outcome, row in DRAFTS.items()} == {
        "passed": 0,
        "fixed_message": 5,
        "abstained": 5,
        "held": 4,
        "blocked": 3,
        "invalid": 2,
        "result_expired": 3,
    }
    assert {verdict: row.exit for verdict, row in SQL_VERDICTS.items()} == {
        "allow": 0,
        "skipped": 0,
        "soft": 4,
        "hold": 4,
        "hard": 3,
    }


def test_what_asks_the_caller_for_more_is_no_error() -> None:
    assert not any(OUTCOMES[outcome].is_error for outcome in ("held", "needs_clarification", "dry_run"))


@pytest.mark.parametrize(
    ("result", "status"),
    [
        (Reply(outcome="held"), 4),
        (DraftReply(outcome="blocked"), 3),
        (SqlReport(verdict="soft", sql="", regenerated="", decisions=()), 4),
        (SqlReport(verdict="hard", sql="", regenerated="", decisions=()), 3),
        (ReplayReport(trace_id="t", verdict="same", detail=""), 0),
        (ReplayReport(trace_id="t", verdict="data", detail=""), 3),
        (Verification(ok=False, records=1, segments=1), 3),
        (Verification(ok=True, records=1, segments=1), 0),
        (Refusal(issues=(ReplyIssue(code="c", message="m", stage="input"),)), 2),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Record) else str(value),
)
def test_a_result_leaves_the_command_line_with_its_status(result: Record, status: int) -> None:
    assert status_of(result).exit == status


@pytest.mark.parametrize(
    ("fault", "http", "code"),
    [
        (Busy([ISSUE]), 503, "c"),
        (IdentityRefused([ISSUE]), 401, "c"),
        (SettingsInvalid([ISSUE]), 503, "c"),
        (EngineError("database_locked", "It is locked."), 503, "database_locked"),
        (TraceUnwritable("disk_full", "No room.", place="somewhere/on/this/disk"), 503, "disk_full"),
        (PermissionError(13, "Permission denied", "somewhere/on/this/disk"), 503, "file_unusable"),
        (RuntimeError("somewhere/on/this/disk"), 503, "defect"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else str(value),
)
def test_a_fault_is_told_by_code_and_says_no_place_of_the_server_to_a_distant_caller(
    fault: Exception, http: int, code: str
) -> None:
    refusal = refusal_for(fault)
    assert (status_for(fault).http, refusal.issues[0].code) == (http, code)
    assert "somewhere" not in refusal.model_dump_json()


def test_a_local_caller_is_told_the_place() -> None:
    assert refusal_for(SettingsInvalid([ISSUE]), local=True).issues[0].place == ISSUE.place


def test_a_broken_house_exits_with_one() -> None:
    faults = [kind.__new__(kind) for kind in FAULTS]
    for fault in faults:
        vars(fault).update(issues=(ISSUE,), code="c")
    assert {status_for(fault).exit for fault in faults} == {1}


def test_a_defect_is_told_by_the_line_of_ours_that_met_it() -> None:
    ours: dict[str, object] = {"__name__": "gateway.somewhere", "loads": json.loads}
    try:
        exec(compile("\nloads('{')", "/installed/gateway/somewhere.py", "exec"), ours)
    except ValueError as fault:
        (issue,) = refusal_for(fault, local=True).issues
    assert (issue.code, issue.place) == ("defect", "somewhere.py:2")
