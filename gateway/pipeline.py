"""The sentence: a plan is resolved, compiled, checked, priced, run as the asker, grounded and traced."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from hashlib import sha256
from typing import TypeVar

from gateway.asking import EVALUATION, Entry
from gateway.cancellation import Cancellation
from gateway.chosen import definition_of, needed, settle, team_of, unused, unused_note
from gateway.engines.base import Identity
from gateway.engines.table import limit_note, table_of
from gateway.ground import print_own
from gateway.ground.question import scope_of
from gateway.ground.wording import scope_line, word
from gateway.house import House
from gateway.record.journal import Journal
from gateway.record.recorder import Recorder
from gateway.reply import Reply
from gateway.stages.approval import demand_approval
from gateway.stages.conservation import Guard, counted, guard_of, together
from gateway.stages.differencing import hold_differences
from gateway.stages.like_for_like import freshness, unlike
from gateway.stages.owners_words import answer_of_sql, borne_out
from gateway.stages.plan_facts import plan_facts
from gateway.stages.replies import reply_of
from gateway.stages.resolving import counting_groups, reading_of
from gateway.stages.running import pinned_run
from gateway.stages.second_opinion import explained, priced, report
from gateway.stages.spending import on_account, refund_unrun
from gateway.stages.stage import Stopped, call_engine, judge_cost, judge_sql, judge_stage, pin_data
from gateway.stages.unlisted import misspelt_values, unlisted_values
from gateway.stages.watermarks import marks_beside, watermarks_in
from gateway.team_choice import Choice
from metric_layer.compile import compile_plan
from metric_layer.issues import Issue
from metric_layer.resolved import ResolvedPlan
from metric_layer.sql import Catalogue, Reading
from policies.entitlement import Entitlement
from policies.facts import AnswerFacts, CostFacts, GuardFacts, Opinion, SqlFacts
from policies.reading import protect, tells_rows
from policies.register import ANSWER_CHECKS, COST_CHECKS, GUARD_CHECKS, PLAN_CHECKS, SQL_CHECKS, judge
from policies.small_groups import told_of
from traces.records import Answer, Ask, Caller, Estimate, Origin, Query, Receipt, Table
from traces.shape import shape_of

Planner = Callable[[Catalogue], str]
F = TypeVar("F")
UNNAMED = Entry()


def answer(
    house: House,
    recorder: Recorder,
    caller: Caller,
    ask: Ask,
    *,
    planner: Planner | None = None,
    cancellation: Cancellation | None = None,
    entry: Entry = UNNAMED,
) -> Reply:
    """Answer one question, or say what stopped it. The trace is on disk before this returns.

    `planner` writes free SQL over the caller's catalogue; no door passes one. The SQL of a saved analysis
    takes the same way.
    """
    journal = Journal(house, recorder, caller, ask, origin=_origin(planner, entry), entry=entry)
    leaver = cancellation or Cancellation()
    journal.told = leaver.reached
    try:
        role = _entitle(journal)
        plan = _resolve(journal, role)
        reading = _compile(journal, role, plan, planner)
        query = _check(journal, role, plan, reading)
        guard = _guard(journal, role, plan, leaver)
        with ExitStack() as shared:
            shared.enter_context(house.engine.one_snapshot(journal.trace_id))
            guard = _explain(journal, role, reading, query, guard, leaver)
            _stop_dry_run(journal)
            if journal.waiting:
                shared.close()  # no transaction stays open while somebody decides
            demand_approval(journal)
            table = _run(journal, role, plan, query, guard, leaver)
        _ground(journal, plan, table)
        receipt = _trace(journal)
    except Stopped as stop:
        refund_unrun(journal)
        journal.issues.extend(stop.issues)
        return reply_of(journal, stop.outcome, journal.close(stop.outcome, stop.failed_step))
    except BaseException:
        journal.close("failed", journal.step)
        raise
    return reply_of(journal, "answered", receipt, table)


def _origin(planner: Planner | None, entry: Entry) -> Origin:
    if planner is None:
        return "plan"
    return "analysis" if entry.saved and entry.saved.sql else "free"


def _entitle(journal: Journal) -> Entitlement:
    """Demand a role in force; a caller without one is refused like by any other plan check, on the record."""
    role = journal.entitlement
    if role is None:
        judge_stage(journal, PLAN_CHECKS, plan_facts(journal, None, ()), journal.plan_digest)
        raise Stopped("denied")
    return role


def _resolve(journal: Journal, role: Entitlement) -> ResolvedPlan | None:
    """Replace every name of the plan by what it means, and judge the plan checks. Free SQL has no plan."""
    house, asked = journal.house, journal.ask.plan
    with journal.timing("resolve"):
        resolved: ResolvedPlan | None = None
        issues: tuple[Issue, ...] = ()
        if asked is not None:
            resolving, chosen = partial(reading_of, journal, role, asked), journal.ask.choices
            team = team_of(journal.caller, journal.subject)
            found, kept = settle(resolving, chosen, lambda: journal.recorder.chosen(team), house.layer)
            if journal.entry.saved is None:
                journal.notes.extend(filter(None, (unused_note(unused(resolving, chosen, kept)),)))
            if isinstance(found, ResolvedPlan):
                journal.read_as(kept)
                journal.classify(found.plan)
                found = counting_groups(journal, role, found)
            if isinstance(found, ResolvedPlan):
                resolved = found
            else:
                issues = found
        journal.resolved = resolved
        journal.issues.extend(issues)
        judge_stage(journal, PLAN_CHECKS, plan_facts(journal, role, issues), journal.plan_digest)
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
        return house.kept.statement((role.role_name, journal.today, plan), lambda: read_plan(plan))
    if planner is None:
        raise Stopped("invalid_plan", "resolve")
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
        digest=_digest(reading.sql),
    )
    journal.query = query
    journal.submitted = "" if journal.origin == "plan" else reading.text
    with journal.timing("check"):
        judge_sql(journal, _sql_facts(journal, role, plan, reading), query.digest)
    return query


def _sql_facts(
    journal: Journal,
    role: Entitlement,
    plan: ResolvedPlan | None,
    reading: Reading,
    counted: ResolvedPlan | None = None,
) -> SqlFacts:
    return SqlFacts(
        origin=journal.origin,
        policy=journal.house.governed.policy,
        catalogue=role.catalogue,
        reading=reading,
        resolved=plan,
        counted=counted,
    )


def _guard(journal: Journal, role: Entitlement, plan: ResolvedPlan | None, leaver: Cancellation) -> Guard:
    """Write the statement that counts the rows of the query's joins, where policy wants them counted now."""
    with journal.timing("explain"):
        journal.data = pin_data(journal, leaver)
    if plan is None:
        return Guard(skipped="free SQL has no plan to hold its joins against")
    with journal.timing("check"):
        evaluated = journal.entry.door == EVALUATION
        known = journal.attested
        guard = guard_of(
            journal.house, journal.recorder, role, plan, journal.data, known, evaluated=evaluated
        )
        if guard.reading is None:
            judge_stage(journal, GUARD_CHECKS, GuardFacts(skipped=guard.skipped), _query_digest(journal))
            if guard.counted_at:
                journal.notes.append(f"Its joins were last counted at {guard.counted_at:%Y-%m-%d %H:%M} UTC.")
            return guard
        facts = _sql_facts(journal, role, None, guard.reading, counted=plan)
        wrong = [d for d in judge(SQL_CHECKS, facts) if d.verdict not in ("allow", "skipped")]
        if wrong:
            return _unguarded(journal, f"{wrong[0].check}: {wrong[0].reason}")
    return guard


def _unguarded(journal: Journal, why: str) -> Guard:
    """Hold a question whose joins cannot be counted; one that was accepted goes on without."""
    judge_stage(journal, GUARD_CHECKS, GuardFacts(blocked=why), _query_digest(journal))
    return Guard(skipped=why)


def _explain(
    journal: Journal,
    role: Entitlement,
    reading: Reading,
    query: Query,
    guard: Guard,
    leaver: Cancellation,
) -> Guard:
    """Ask the database what the query would cost and read, and judge the cost checks. Nothing runs.

    Its guard is priced with it; one that takes the two over the hard line is left out, and that is held.
    """
    price = partial(_priced, journal, role, leaver)
    with journal.timing("explain"):
        journal.estimate = price(query.sql)
        counted = ((guard.reading, price(guard.reading.sql)),) if guard.reading else ()
        both = together(journal.estimate, counted[0][1]) if counted else None
        read = ((reading, journal.estimate), *counted)
        opinion, journal.estimate = priced(journal.house, role, journal.caller.user, read, price)
        report(opinion, journal.trace_id)
    alone = _cost_facts(journal, role, journal.estimate, opinion)
    whole = replace(alone, estimate=both) if both else alone
    over = any(d.verdict == "hard" for d in judge(COST_CHECKS, whole)) if both else False
    with journal.timing("check"), on_account(journal, alone if over else whole) as counts:
        facts = replace(counts, estimate=alone.estimate) if both else counts
        judge_cost(journal, facts, query.digest)
        if over:
            return _unguarded(journal, "together with the query it goes over the budget")
    if both:
        journal.notes.append("The estimate includes the query that counts the rows of its joins.")
        journal.estimate_alone = alone.estimate
    journal.estimate = whole.estimate
    return guard


def _priced(journal: Journal, role: Entitlement, leaver: Cancellation, sql: str) -> Estimate:
    engine, who = journal.house.engine, _identity(journal, role)
    return call_engine(journal, leaver, lambda limits: explained(engine, sql, who, limits, journal.trace_id))


def _cost_facts(journal: Journal, role: Entitlement, estimate: Estimate, opinion: Opinion) -> CostFacts:
    return CostFacts(
        role=role.role,
        policy=journal.house.governed.policy,
        catalogue=role.catalogue,
        estimate=estimate,
        release_class=journal.release.question_class,
        opinion=opinion,
    )


def _stop_dry_run(journal: Journal) -> None:
    """End a question that was asked as a dry run, or whose class is not released beyond one."""
    if journal.ask.dry_run or journal.release.stage == "dry_run":
        raise Stopped("dry_run")


def _run(
    journal: Journal,
    role: Entitlement,
    plan: ResolvedPlan | None,
    query: Query,
    guard: Guard,
    leaver: Cancellation,
) -> Table:
    """Run the query as the asker and hide what the role may not read. The trace gets the shape, no rows.

    The guard's count comes first: a figure over joins that lost or repeated rows reaches nobody.
    """
    house = journal.house
    if guard.reading:
        query = query.model_copy(update={"guard": guard.reading.sql})
        journal.query = query
    with journal.timing("run"):
        beside = _marks(journal, role, plan, guard, leaver) or query.guard
        who = _identity(journal, role)
        rows = call_engine(journal, leaver, partial(pinned_run, journal, who, query, beside))
    journal.watermarks = watermarks_in(rows, house.governed.policy.answers.min_group)
    if plan is not None and guard.reading:
        judge_stage(journal, GUARD_CHECKS, counted(house, role, plan, rows), _digest(query.guard))
        demand_approval(journal, ran=True)
        journal.recorder.note_held(guard.key)
    with journal.timing("ground"):
        smallest = house.governed.policy.reading.min_group
        counted_table = table_of(rows, plan)
        hold_differences(journal, plan, counted_table)
        table, notes = protect(counted_table, plan, smallest)
        journal.notes.extend(filter(None, (*notes, limit_note(rows, plan) if plan else "")))
        journal.actual = told_of(rows.actual, table, plan)
        journal.recorder.correct(journal.trace_id, rows.actual)
        journal.shape = shape_of(table, house.keys, house.governed.policy.answers.min_group)
    with journal.timing("keep"):
        journal.keep(table)
    return table


def _marks(
    journal: Journal, role: Entitlement, plan: ResolvedPlan | None, guard: Guard, leaver: Cancellation
) -> str:
    """Write the statement that says how far the data goes, to run in the question's snapshot."""
    if plan is None or journal.entry.door == EVALUATION:
        return ""
    price = partial(_priced, journal, role, leaver)
    return marks_beside(journal.house, role, plan, guard, journal.data, journal.estimate, price)


def _ground(journal: Journal, plan: ResolvedPlan | None, table: Table) -> None:
    """Word the table by its cells: code prints each value and cites where it stands."""
    house = journal.house
    if plan is None:
        journal.answer = answer_of_sql(journal, table)
        return
    with journal.timing("ground"):
        rows = journal.entitlement.role.rows if journal.entitlement else ()
        scope = house.kept.scopes.of(
            (journal.entitlement and journal.entitlement.role_name, journal.today, plan),
            lambda: scope_of(plan.plan, house.words, journal.today, rows),
        )
        said = word(table) if tells_rows(table, house.governed.policy.reading) else ()
        grounding = (borne_out(journal, table, scope) if said else None) or print_own(said, table, scope)
        uneven = unlike(plan, house.layer, journal.watermarks, journal.today)
        fresh = freshness(plan, house.layer, journal.watermarks, journal.today)
        journal.notes.extend(filter(None, (*plan.notes, uneven.note)))
        journal.answer = Answer(
            text=grounding.text,
            citations=grounding.citations,
            scope="; ".join(filter(None, (scope_line(table, plan, scope), fresh, uneven.said))),
            flags=grounding.flags,
        )
        judge_stage(journal, ANSWER_CHECKS, AnswerFacts(grounding=grounding), _digest(grounding.text))
        demand_approval(journal, ran=True)
        if grounding.verdict == "fixed_message":
            raise Stopped("no_rows", issues=unlisted_values(house.layer, plan.plan, rows))
        journal.issues.extend(misspelt_values(house.layer, plan.plan, rows))


def _trace(journal: Journal) -> Receipt:
    """Write the closing record: on disk before the answer leaves."""
    journal.step = "trace"
    _keep_readings(journal)
    return journal.close("answered")


def _keep_readings(journal: Journal) -> None:
    """Keep the readings that the asker had to choose for their team's next question."""
    role, plan, asked = journal.entitlement, journal.ask.plan, journal.ask.choices
    if not asked or role is None or plan is None:
        return
    team = team_of(journal.caller, journal.subject)
    for term in needed(partial(reading_of, journal, role, plan), asked):
        definition, version = definition_of(journal.house.layer, asked[term])
        journal.recorder.choose(
            Choice(team, term, asked[term], definition, version, journal.subject, journal.house.now())
        )


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _query_digest(journal: Journal) -> str:
    return journal.query.digest if journal.query else ""


def _identity(journal: Journal, role: Entitlement) -> Identity:
    return Identity(user=journal.caller.user, role=role.role_name, tenant=journal.caller.tenant)
