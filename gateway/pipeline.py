"""The sentence: a plan is resolved, compiled, checked, priced, run as the asker, grounded and traced."""

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import TypeVar

from gateway.asked import scope_of
from gateway.cancellation import Cancellation
from gateway.engines.base import EngineCancelled, EngineError, EngineTimeout, Identity, Rows
from gateway.engines.fault import replied
from gateway.engines.table import table_of
from gateway.ground import print_own
from gateway.house import House, limits_of
from gateway.journal import Journal
from gateway.recorder import Recorder
from gateway.reply import TOLD, Reply, issue_of, refusal_of
from gateway.shown import with_result
from gateway.wording import scope_line, word
from metric_layer.compile import compile_plan
from metric_layer.issues import Issue
from metric_layer.resolve import resolve
from metric_layer.resolved import ResolvedPlan
from metric_layer.sql import Catalogue, Reading
from policies.entitlement import Entitlement
from policies.estimate_view import shown_estimate
from policies.facts import AnswerFacts, Check, CostFacts, PlanFacts, SqlFacts
from policies.reading import protect, tells_rows
from policies.register import ANSWER_CHECKS, COST_CHECKS, PLAN_CHECKS, SQL_CHECKS, judge
from policies.small_groups import count_groups
from traces.records import Answer, Ask, Caller, Decision, Outcome, Query, Receipt, Table
from traces.shape import shape_of

Planner = Callable[[Catalogue], str]
F = TypeVar("F")


class _Stopped(Exception):
    """A stage ended the question. Never leaves this file."""

    def __init__(self, outcome: Outcome, failed_step: str = "") -> None:
        super().__init__(outcome)
        self.outcome = outcome
        self.failed_step = failed_step


def answer(
    house: House,
    recorder: Recorder,
    caller: Caller,
    ask: Ask,
    *,
    planner: Planner | None = None,
    cancellation: Cancellation | None = None,
    client: str = "",
) -> Reply:
    """Answer one question, or say what stopped it. The trace is on disk before this returns.

    `planner` writes free SQL over the caller's catalogue; no door passes one.
    """
    journal = Journal(house, recorder, caller, ask, origin="free" if planner else "plan", client=client)
    leaver = cancellation or Cancellation()
    try:
        role = _entitle(journal)
        plan = _resolve(journal, role)
        reading = _compile(journal, role, plan, planner)
        query = _check(journal, role, plan, reading)
        _explain(journal, role, query, leaver)
        _stop_dry_run(journal)
        table = _run(journal, role, plan, reading, query, leaver)
        _ground(journal, plan, table)
        receipt = _trace(journal)
    except _Stopped as stop:
        return _reply(journal, stop.outcome, journal.close(stop.outcome, stop.failed_step))
    except BaseException:
        journal.close("failed", journal.step)
        raise
    return _reply(journal, "answered", receipt, table)


def _entitle(journal: Journal) -> Entitlement:
    """Demand a role in force; a caller without one is refused like by any other plan check, on the record."""
    role = journal.entitlement
    if role is None:
        _judge(journal, PLAN_CHECKS, _plan_facts(journal, None, ()))
        raise _Stopped("denied")
    return role


def _resolve(journal: Journal, role: Entitlement) -> ResolvedPlan | None:
    """Replace every name of the plan by what it means, and judge the plan checks. Free SQL has no plan."""
    house, asked = journal.house, journal.ask.plan
    with journal.timing("resolve"):
        resolved: ResolvedPlan | None = None
        issues: tuple[Issue, ...] = ()
        if asked is not None:
            found = resolve(
                asked,
                house.layer,
                visible=role.visible,
                choices=journal.ask.choices,
                today=house.now().date(),
                dialect=house.engine.dialect,
            )
            if isinstance(found, ResolvedPlan):
                resolved = count_groups(found, house.layer, role)
            else:
                issues = found
        journal.resolved = resolved
        journal.issues.extend(issues)
        _judge(journal, PLAN_CHECKS, _plan_facts(journal, role, issues))
    return resolved


def _compile(
    journal: Journal, role: Entitlement, plan: ResolvedPlan | None, planner: Planner | None
) -> Reading:
    """Write the SQL, or have the planner write it, and read it: only the text that `read` returns may run."""
    house = journal.house

    def read_plan(resolved: ResolvedPlan) -> Reading:
        with journal.timing("compile"):
            statement = compile_plan(resolved, house.layer, house.engine.dialect, role.caps.rows + 1)
        with journal.timing("check"):
            return role.reader.read(statement, house.now())

    if plan is not None:
        return house.statements.reading(role.role_name, plan, lambda: read_plan(plan))
    if planner is None:
        raise _Stopped("invalid_plan", "resolve")
    with journal.timing("compile"):
        text = planner(role.catalogue)
    with journal.timing("check"):
        return role.reader.read(text, house.now())


def _check(journal: Journal, role: Entitlement, plan: ResolvedPlan | None, reading: Reading) -> Query:
    """Judge the SQL checks on the reading; what passes is the text regenerated from the checked tree."""
    house = journal.house
    query = Query(
        sql=reading.sql,
        dialect=house.engine.dialect,
        origin=journal.origin,
        digest=sha256(reading.sql.encode()).hexdigest(),
    )
    journal.query = query
    journal.submitted = reading.text if journal.origin == "free" else ""
    with journal.timing("check"):
        facts = SqlFacts(
            origin=journal.origin,
            policy=house.governed.policy,
            catalogue=role.catalogue,
            reading=reading,
            resolved=plan,
        )
        _judge(journal, SQL_CHECKS, facts, query.digest)
    return query


def _explain(journal: Journal, role: Entitlement, query: Query, leaver: Cancellation) -> None:
    """Ask the database what the query would cost, and judge the cost checks. Nothing runs."""
    house = journal.house
    with journal.timing("explain"):
        estimate = _engine(
            journal,
            leaver,
            lambda: house.engine.explain(query.sql, _identity(journal, role), limits_of(role.caps)),
        )
    journal.estimate = estimate
    with journal.timing("check"):
        facts = CostFacts(
            role=role.role, policy=house.governed.policy, catalogue=role.catalogue, estimate=estimate
        )
        _judge(journal, COST_CHECKS, facts, query.digest)


def _stop_dry_run(journal: Journal) -> None:
    """End a question that was asked as a dry run, or whose class is not released beyond one."""
    stage = journal.house.governed.policy.stage_of(_release_class(journal))
    if journal.ask.dry_run or stage == "dry_run":
        raise _Stopped("dry_run")


def _run(
    journal: Journal,
    role: Entitlement,
    plan: ResolvedPlan | None,
    reading: Reading,
    query: Query,
    leaver: Cancellation,
) -> Table:
    """Run the query as the asker and hide what the role may not read. The trace gets the shape, no rows."""
    house = journal.house
    with journal.timing("run"):
        rows = _engine(journal, leaver, lambda: _pinned_run(journal, role, query))
    with journal.timing("ground"):
        smallest = house.governed.policy.reading.min_group
        table, notes = protect(table_of(rows, plan), plan, smallest)
        journal.notes.extend(notes)
        journal.actual = rows.actual
        journal.shape = shape_of(table, house.keys, house.governed.policy.answers.min_group)
    with journal.timing("keep"):
        journal.recorder.keep(journal.trace_id, journal.subject, table)
    return table


def _pinned_run(journal: Journal, role: Entitlement, query: Query) -> Rows:
    """Run between two looks at the data: rows of data that changed meanwhile belong to no pin."""
    engine = journal.house.engine
    journal.data = engine.pin()
    rows = engine.run(query.sql, _identity(journal, role), limits_of(role.caps), journal.trace_id)
    if engine.pin() != journal.data:
        raise EngineError(
            "data_changed",
            "the data changed while the query ran",
            retryable=True,
            next_step="Ask the question again.",
        )
    return rows


def _ground(journal: Journal, plan: ResolvedPlan | None, table: Table) -> None:
    """Word the table with slots: code prints each value and cites its cell."""
    house = journal.house
    if plan is None:
        journal.answer = Answer(text="")
        return
    with journal.timing("ground"):
        rows = journal.entitlement.role.rows if journal.entitlement else ()
        scope = scope_of(plan.plan, house.words, house.now().date(), rows)
        text = word(table) if tells_rows(table, house.governed.policy.reading) else ""
        grounding = print_own(text, table, scope)
        journal.notes.extend(plan.notes)
        journal.answer = Answer(
            text=grounding.text,
            citations=grounding.citations,
            scope=scope_line(table, plan, scope),
            flags=grounding.flags,
        )
        _judge(journal, ANSWER_CHECKS, AnswerFacts(grounding=grounding))
        if grounding.verdict == "fixed_message":
            raise _Stopped("no_rows")


def _trace(journal: Journal) -> Receipt:
    """Write the closing record: on disk before the answer leaves."""
    journal.step = "trace"
    return journal.close("answered")


def _judge(journal: Journal, checks: Sequence[Check[F]], facts: F, digest: str = "") -> None:
    """Run all checks of a stage, keep every decision, and end the question at the severest verdict."""
    decisions = judge(checks, facts, digest)
    journal.decisions.extend(decisions)
    if any(d.verdict == "hard" for d in decisions):
        raise _Stopped(_refusal(journal, decisions))
    judgeable = journal.house.governed.policy.judgeable
    soft = [d for d in decisions if d.verdict == "soft"]
    if any(d.check not in judgeable for d in soft):
        raise _Stopped("denied")
    waiting = (*(d for d in decisions if d.verdict == "hold"), *soft)
    if not waiting or journal.ask.dry_run:
        return
    if not _accepted(journal):
        journal.hold(waiting)
        raise _Stopped("held")
    journal.notes.append(f"accepted by a reviewer: {', '.join(dict.fromkeys(d.check for d in waiting))}")


def _accepted(journal: Journal) -> bool:
    """Say whether somebody entitled accepted exactly this question; an accept is used up here."""
    approval = journal.ask.approval_id
    return bool(approval) and journal.recorder.accepted(approval, journal.binding(), journal.subject)


def _refusal(journal: Journal, decisions: Sequence[Decision]) -> Outcome:
    checks = {d.check for d in decisions if d.verdict == "hard"}
    if checks == {"plan"}:
        return "needs_clarification" if all(issue.options for issue in journal.issues) else "invalid_plan"
    if checks == {"release"}:
        return "not_released"
    if decisions[0].stage == "answer":
        return "abstained"
    return "denied"


def _engine(journal: Journal, leaver: Cancellation, call: Callable[[], F]) -> F:
    """Call the engine so that a caller who leaves stops it, and name what went wrong when it fails."""
    if leaver.cancelled:
        raise _Stopped("left", journal.step)
    try:
        with leaver.stopping(lambda: journal.house.engine.cancel(journal.trace_id)):
            return call()
    except EngineCancelled as fault:
        raise _Stopped("left", journal.step) from fault
    except EngineTimeout as fault:
        journal.faults.append(fault)
        raise _Stopped("partial", journal.step) from fault
    except EngineError as fault:
        journal.faults.append(fault)
        raise _Stopped("failed", journal.step) from fault


def _identity(journal: Journal, role: Entitlement) -> Identity:
    return Identity(user=journal.caller.user, role=role.role_name)


def _release_class(journal: Journal) -> str:
    return "free" if journal.origin == "free" else "governed"


def _plan_facts(journal: Journal, role: Entitlement | None, issues: tuple[Issue, ...]) -> PlanFacts:
    return PlanFacts(
        caller=journal.caller,
        role_name=role.role_name if role else "",
        role=role.role if role else None,
        policy=journal.house.governed.policy,
        plan=journal.ask.plan,
        issues=issues,
        release_class=_release_class(journal),
        dry_run=journal.ask.dry_run,
    )


def _reply(journal: Journal, outcome: Outcome, receipt: Receipt, table: Table | None = None) -> Reply:
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
        answer=told.text if told else "",
        scope=told.scope if told else "",
        citations=told.citations if told else (),
        notes=tuple(journal.notes),
        hold_id=journal.hold_id,
        decisions=tuple(journal.decisions) if outcome == "dry_run" else (),
        issues=(*issues, *faults, *refused),
    )
    if table is None:
        return reply
    return with_result(reply, table, journal.resolved, journal.house.governed.policy.reading)
