"""`sql check`: what the checks think of a text, on the record like any question. Nothing is executed."""

from hashlib import sha256

from gateway.asking import NO_DOOR, Door, Entry
from gateway.house import House
from gateway.record.journal import Journal
from gateway.record.recorder import Recorder
from gateway.reply import Refusal, SqlReport, issue_of
from metric_layer.issues import Issue
from policies.entitlement import Entitlement
from policies.facts import SqlFacts
from policies.register import SQL_CHECKS, judge, worst
from traces.records import Ask, Caller, Query


def check_sql(
    house: House, recorder: Recorder, caller: Caller, sql: str, *, door: Door = NO_DOOR
) -> SqlReport | Refusal:
    """Say what the checks think of a text. The trace is on disk before this returns."""
    role = house.entitlements.of(caller)
    if role is None or "check_sql" not in role.role.may:
        return _refused(role)
    journal = Journal(house, recorder, caller, Ask(dry_run=True), origin="free", entry=Entry(door))
    with journal.timing("check"):
        reading = role.reader.read(sql, house.now())
        digest = sha256(reading.sql.encode()).hexdigest()
        journal.query = Query(sql=reading.sql, dialect=house.engine.dialect, origin="free", digest=digest)
        journal.submitted = sql
        facts = SqlFacts("free", house.governed.policy, role.catalogue, reading, None)
        journal.decisions.extend(judge(SQL_CHECKS, facts, digest))
    verdict = worst(journal.decisions)
    receipt = journal.close("denied" if verdict == "hard" else "dry_run")
    return SqlReport(
        verdict="allow" if verdict == "skipped" else verdict,
        sql=sql,
        regenerated=reading.sql,
        decisions=tuple(journal.decisions),
        trace_id=journal.trace_id,
        receipt=receipt,
    )


def _refused(role: Entitlement | None) -> Refusal:
    refused = Issue(
        code="right_missing",
        message="Your role may not try SQL against the checks: it lacks the right check_sql.",
        seen=role.role_name if role else "no role",
        next_step="Ask the policy's owner for the right check_sql.",
    )
    return Refusal(issues=(issue_of(refused, "input"),))
