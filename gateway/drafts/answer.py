"""Drafts of a calling agent: every number is bound to a cell of the results it cites, or it stays here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from pydantic import TypeAdapter, ValidationError

from gateway.drafts.approval import comes_back, draft_matter, released_now, settle_claims
from gateway.drafts.listed import listed
from gateway.engines.base import EngineBusy, EngineError, Identity, Rows
from gateway.engines.table import table_of
from gateway.ground import GroundRules, ground, missing
from gateway.ground.question import scope_of
from gateway.ground.several import ground_several, refuse_slots
from gateway.ground.wording import own_answer
from gateway.house import House, limits_of
from gateway.record.entitled import CHANGED, still_entitled
from gateway.record.journal import new_id
from gateway.record.recorder import Recorder
from gateway.reply import TOLD, DraftReply, ReplyIssue, issue_of
from gateway.stages.settlement import Settlement, unknown_approval
from gateway.stages.spending import on_day
from gateway.state import StateStore
from gateway.stores.results import ResultStore
from metric_layer.resolve import resolve
from metric_layer.resolved import ResolvedPlan
from metric_layer.validate import plain, pointer_text, problems_of
from policies.entitlement import Entitlement
from policies.facts import AnswerFacts, CostFacts
from policies.reading import protect
from policies.register import ANSWER_CHECKS, COST_CHECKS, judge, worst
from policies.small_groups import count_groups
from traces.grounding import Grounding
from traces.records import (
    AnswerAttempt,
    Approval,
    Caller,
    Close,
    Decision,
    Derivation,
    ModelCall,
    Receipt,
    Table,
    Trace,
    mono_us,
)
from traces.seal import seal
from traces.shape import shape_of
from traces.store.base import TraceStore

Attempted = Literal["passed", "blocked", "fixed_message", "abstained", "held"]
DECLARATIONS = TypeAdapter(tuple[Derivation, ...])
HEADROOM = 131_072
SETTLED: Mapping[str, Attempted] = {
    "through": "passed",
    "held": "held",
    "denied": "blocked",
    "expired": "blocked",
}
"""What becomes of a draft whose claims were settled."""
_OVER = "The result is kept no longer, and its query would not run again without a person or a new budget."


class _Refused(Exception):
    """The draft cannot be judged at all. Never leaves this file."""

    def __init__(self, outcome: Literal["invalid", "result_expired"], issues: Sequence[ReplyIssue]) -> None:
        super().__init__(outcome)
        self.reply = DraftReply(outcome=outcome, issues=tuple(issues))


@dataclass(frozen=True, slots=True)
class Draft:
    """A text that wants to leave, the traces it cites, and the derivations declared with it, still unread.

    `approval_id` is the hold under which it was accepted, where it was held before.
    `calls` are those of the model that wrote it.
    """

    text: str
    trace_ids: Sequence[str]
    declare: object = ()
    approval_id: str = ""
    calls: tuple[ModelCall, ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of the n-th draft at a trace, and why."""

    trace_id: str
    number: int
    outcome: Attempted
    decisions: Sequence[Decision]
    grounding: Grounding
    approvals: tuple[Approval, ...] = ()


def check_draft(
    house: House,
    traces: TraceStore,
    results: ResultStore,
    state: StateStore,
    recorder: Recorder,
    caller: Caller,
    draft: Draft,
) -> DraftReply:
    """Judge a draft against the results of answers to the same asker; the attempt is recorded first.

    It counts as an attempt at every trace it cites, before it is judged and before anything is run again;
    one that comes back accepted does not.
    """
    subject = house.subject(caller)
    if not draft.text.strip():
        return _empty()
    try:
        declared = _declared(draft.declare)
        cited = _all_cited(traces, draft.trace_ids, subject)
        _demand_entitled(house, caller, cited)
    except _Refused as refused:
        return refused.reply
    most = house.governed.policy.answers.attempts
    matter = draft_matter(house, recorder, caller, cited, (draft.text, declared), draft.approval_id)
    with traces.reserve(HEADROOM):
        before = {trace.trace_id: len(trace.attempts) for trace in cited}
        back = comes_back(house, recorder.approvals, matter)
        number = max(before.values()) if back else state.take_attempt(before, most)
        if number is None:
            return _used_up(cited[0], most)
        try:
            tables = tuple(_table(house, results, recorder, caller, trace) for trace in cited)
        except _Refused as refused:
            return refused.reply.model_copy(update={"attempts_left": most - number})
        grounding = listed(_ground(house, caller, draft.text, cited, tables, declared))
        decisions = judge(ANSWER_CHECKS, AnswerFacts(grounding=grounding))
        outcome = _outcome(grounding, decisions, last=number >= most)
        unknown = unknown_approval(house, recorder.approvals, caller, draft.approval_id)
        settled = Settlement("through", issues=unknown)
        if outcome == "held":
            settled = settle_claims(house, recorder.approvals, matter, decisions)
            outcome = SETTLED[settled.outcome]
        judged = Judged(cited[0].trace_id, number, outcome, decisions, grounding, settled.approvals)
        attempt = _attempt(house, subject, draft, judged)
        receipt = traces.append(attempt, durable=True)
    return _told(judged, settled, receipt, most).model_copy(update={"link": house.page_of(settled.hold_id)})


def _told(judged: Judged, settled: Settlement, receipt: Receipt, most: int) -> DraftReply:
    """Return what the sender of a draft gets; its text only where it may leave."""
    leaves, grounding = judged.outcome in ("passed", "fixed_message"), judged.grounding
    said = tuple(issue_of(each, "answer") for each in settled.issues)
    return DraftReply(
        outcome=judged.outcome,
        trace_id=judged.trace_id,
        receipt=receipt,
        text=grounding.text if leaves else "",
        citations=grounding.citations if leaves else (),
        findings=grounding.findings,
        flags=grounding.flags,
        attempts_left=most - judged.number,
        hold_id=settled.hold_id,
        issues=(_spent(most, grounding),) if judged.outcome == "abstained" else said,
    )


def _attempt(house: House, subject: str, draft: Draft, judged: Judged) -> AnswerAttempt:
    """Return the record of a draft: its words sealed, also as they leave where its slots were printed."""
    grounding = judged.grounding
    printed = judged.outcome == "passed" and grounding.text != draft.text
    codes = {((f.start, f.end), f.message): f.code for f in grounding.findings}
    return AnswerAttempt(
        trace_id=judged.trace_id,
        at=house.now(),
        mono_us=mono_us(),
        attempt=judged.number,
        passed=judged.outcome == "passed",
        outcome=judged.outcome,
        decisions=tuple(_unquoted(decision, codes) for decision in judged.decisions),
        citations=grounding.citations,
        sealed_text=seal(house.keys, subject, draft.text),
        sealed_told=seal(house.keys, subject, grounding.text) if printed else "",
        digest=sha256(draft.text.encode("utf-8", "surrogatepass")).hexdigest(),
        approvals=judged.approvals,
        calls=draft.calls,
    )


def _unquoted(decision: Decision, codes: Mapping[tuple[tuple[int, int], str], str]) -> Decision:
    """Return a decision as the trace keeps it in clear: what was found and where, no word of the draft."""
    if decision.verdict in ("allow", "skipped"):
        return decision
    return Decision(
        stage=decision.stage,
        check=decision.check,
        verdict=decision.verdict,
        reason=codes.get((decision.span or (0, 0), decision.reason), decision.check),
        span=decision.span,
        retry=decision.retry,
        duration_us=decision.duration_us,
    )


def _declared(declare: object) -> tuple[Derivation, ...]:
    try:
        return DECLARATIONS.validate_python(declare or ())
    except ValidationError as fault:
        raise _Refused(
            "invalid",
            [
                _issue(
                    "bad_declaration",
                    problem.message,
                    f"/declare{pointer_text(problem.pointer)}",
                    next_step=problem.next_step,
                )
                for problem in problems_of(fault, plain(declare), tuple[Derivation, ...])
            ],
        ) from fault


def _all_cited(traces: TraceStore, trace_ids: Sequence[str], subject: str) -> tuple[Trace, ...]:
    if not trace_ids:
        raise _Refused("invalid", (_issue("no_trace", "A draft cites at least one trace.", "/trace_ids"),))
    places = {trace_id: number for number, trace_id in reversed(list(enumerate(trace_ids)))}
    return tuple(_cited(traces, each, places[each], subject) for each in dict.fromkeys(trace_ids))


def _cited(traces: TraceStore, trace_id: str, number: int, subject: str) -> Trace:
    """Return an answered trace of this asker; somebody else's is answered like one that does not exist."""
    trace = traces.read(trace_id)
    path = f"/trace_ids/{number}"
    if trace is None or trace.opened.subject != subject:
        raise _Refused(
            "invalid",
            (
                _issue(
                    "unknown_trace",
                    f"You have no trace {trace_id!r}.",
                    path,
                    seen=trace_id,
                    next_step="Take the trace_id of an answer that you received.",
                ),
            ),
        )
    if trace.closed is None or trace.closed.outcome not in TOLD:
        seen = trace.closed.outcome if trace.closed else "unfinished"
        message = "This question has no result that a draft could cite."
        raise _Refused("invalid", (_issue("no_result", message, path, seen=seen),))
    return trace


def _demand_entitled(house: House, caller: Caller, cited: Sequence[Trace]) -> None:
    for trace in cited:
        if not still_entitled(house, caller, trace):
            raise _expired(trace, f"{CHANGED}, so its result is not told any more.")


def _table(house: House, results: ResultStore, recorder: Recorder, caller: Caller, trace: Trace) -> Table:
    """Return the stored result, or run the recorded SQL again as the same asker and demand the same rows."""
    kept = results.get(trace.trace_id, house.subject(caller))
    if kept is not None:
        return kept.table
    again = _again(house, recorder, caller, trace, trace.closed) if trace.closed else None
    if again is None:
        message = "The result is kept no longer, and running its query again did not give the same rows."
        raise _expired(trace, message)
    return again


def _expired(trace: Trace, message: str) -> _Refused:
    step = "Ask the question again."
    issue = _issue("result_expired", message, "/trace_ids", seen=trace.trace_id, next_step=step)
    return _Refused("result_expired", (issue,))


def _again(house: House, recorder: Recorder, caller: Caller, trace: Trace, closed: Close) -> Table | None:
    role, plan = house.entitlements.of(caller), trace.opened.ask.plan
    if role is None or plan is None or closed.query is None or closed.pins is None or closed.shape is None:
        return None
    if closed.pins.layer != house.layer.digest:
        return None
    resolved = resolve(
        plan, house.layer, visible=role.visible, choices=trace.choices, today=house.now().date()
    )
    if not isinstance(resolved, ResolvedPlan):
        return None
    smallest = house.governed.policy.reading.min_group
    counted = count_groups(resolved, house.layer, role, smallest)
    if not isinstance(counted, ResolvedPlan):
        return None
    try:
        rows = _run(house, recorder, caller, role, trace, closed.query.sql)
    except EngineError:
        return None
    table = protect(table_of(rows, counted), counted, smallest).table
    shape = shape_of(table, house.keys, house.governed.policy.answers.min_group)
    return table if shape.keyed_hash == closed.shape.keyed_hash else None


def _run(house: House, recorder: Recorder, caller: Caller, role: Entitlement, trace: Trace, sql: str) -> Rows:
    """Run a recorded query again, priced and counted for its asker's day like one that is asked now.

    One that would be held, or only run dry, is a question to ask again. Raises EngineError.
    """
    now, engine, policy, limits = house.now(), house.engine, house.governed.policy, limits_of(role.caps)
    who, query_id = Identity(user=caller.user, role=role.role_name, tenant=caller.tenant), new_id(now)
    release = released_now(house, recorder, trace)
    if release.stage in ("dry_run", "shadow"):
        raise _expired(trace, _OVER)
    estimate = engine.explain(sql, who, limits, query_id)
    facts = CostFacts(role.role, policy, role.catalogue, estimate, release.question_class)
    with on_day(recorder, query_id, house.subject(caller), now.date(), facts) as priced:
        if worst(judge(COST_CHECKS, priced)) not in ("allow", "skipped"):
            raise _expired(trace, _OVER)
    try:
        rows = engine.run(sql, who, limits, query_id)
    except EngineBusy:
        recorder.refund(query_id)
        raise
    recorder.correct(query_id, rows.actual)
    return rows


def _ground(
    house: House,
    caller: Caller,
    draft: str,
    cited: Sequence[Trace],
    tables: Sequence[Table],
    declared: Sequence[Derivation],
) -> Grounding:
    """Ground a draft in every result it cites; with several of them no slot says whose row it means."""
    role = house.entitlements.of(caller)
    rows = role.role.rows if role else ()
    answers = house.governed.policy.answers
    rules = GroundRules(chance=answers.chance)
    today = house.now().date()
    if len(cited) > 1 and (refused := refuse_slots(draft)):
        return refused
    scopes = {trace.trace_id: scope_of(trace.opened.ask.plan, house.words, today, rows) for trace in cited}
    if len(cited) == 1 and (ours := own_answer(draft, tables[0], scopes[cited[0].trace_id])):
        return ours
    found = {
        trace.trace_id: ground(draft, table, scopes[trace.trace_id], declared, rules)
        for trace, table in zip(cited, tables, strict=True)
    }
    return ground_several(found, scopes)


def _outcome(grounding: Grounding, decisions: Sequence[Decision], *, last: bool) -> Attempted:
    if grounding.verdict == "fixed_message":
        return "fixed_message"
    verdict = worst(decisions)
    if verdict in ("hard", "soft"):
        return "abstained" if last else "blocked"
    return "held" if verdict == "hold" else "passed"


def _empty() -> DraftReply:
    message, step = "The draft holds no words.", "Send the text that is to leave."
    return DraftReply(outcome="invalid", issues=(_issue("empty_draft", message, "/draft", next_step=step),))


def _used_up(trace: Trace, used: int) -> DraftReply:
    return DraftReply(outcome="abstained", trace_id=trace.trace_id, issues=(_spent(used, None),))


def _spent(used: int, last: Grounding | None) -> ReplyIssue:
    """Return the last word on an answer: its attempts are used up, and what its last draft was missing."""
    lacks = missing(last.findings) if last is not None else ""
    return _issue(
        "attempts_used_up",
        f"All {used} attempts at this answer are used up; it ends as an abstention."
        + (f" The last draft failed on: {lacks}." if lacks else ""),
        "/trace_ids",
        seen=str(used),
        next_step="Use the answer that came with the question, or ask again.",
    )


def _issue(code: str, message: str, path: str, *, seen: str = "", next_step: str = "") -> ReplyIssue:
    return ReplyIssue(code=code, message=message, stage="answer", path=path, seen=seen, next_step=next_step)
