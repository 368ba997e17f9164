"""Tells how an answer came about, from its trace and from nothing else."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from gateway.asking import EVALUATION
from gateway.ground.naming.phrases import NONE
from gateway.record.evidence import Evidence, MetricSource
from gateway.reviews.plan_words import plan_in_words
from gateway.tracing.explained import NumberTold, WhyReport
from gateway.tracing.figures import readings_of
from metric_layer.plan import MetricPlan
from metric_layer.resolved import Used
from traces.literals import MARK
from traces.precisions import shown_as, spelled
from traces.records import (
    AnswerAttempt,
    Approval,
    Citation,
    Close,
    Decision,
    Estimate,
    Judgement,
    Run,
    Trace,
)
from traces.signatures import stands

MOST_NUMBERS = 12
MOST_CHECKS = 6
_HIDDEN = "sealed"
_LET = {"accept": "accepted", "deny": "denied", "revoke": "took back", "expired": "let expire"}
_FORGED = " No key of this project signed that."
_DOORS = {"cli": "the command line", "http": "HTTP", EVALUATION.name: "an evaluation"}


@dataclass(frozen=True, slots=True)
class Reader:
    """What somebody reads of a trace: `plain` with its values, of a number that is `followed` only that one.

    `question` holds the asker's words, for the asker. `signed` says whether a key of the project signed a
    judgement.
    """

    plain: bool
    signed: Callable[[Judgement], bool]
    question: str = ""
    followed: str = ""


def explain(trace: Trace, shown: Trace, found: Evidence, reader: Reader) -> WhyReport:
    """Return the story of a trace as its reader may see it.

    `shown` is the trace without what the reader may not read, `found` its evidence.
    """
    closed = shown.closed
    told = () if found.asked.own and not reader.plain else _numbers(trace, shown, reader)
    base = WhyReport(
        trace_id=trace.trace_id,
        outcome=found.outcome,
        who=_who(found),
        asked=_asked(shown.opened.ask.plan, reader.question),
        readings=tuple(_readings(shown)),
        decided=tuple(_decided(shown, reader)),
        numbers=told[:MOST_NUMBERS],
        left_off=max(len(told) - MOST_NUMBERS, 0),
        followed=reader.followed,
        missing=tuple(_missing(trace, found)),
    )
    if closed is None:
        return base
    return base.model_copy(
        update={
            "definitions": tuple(_definitions(found.metrics, closed)),
            "query": tuple(_query(closed, found)),
            "checks": tuple(_checks(closed, trace.attempts)),
            "cost": _cost(closed),
            "answer": found.sent.text if found.sent and found.sent.text else found.told.text,
            "drafted": bool(found.sent and found.sent.text),
            "record": _record(found),
        }
    )


def _withheld(found: Evidence) -> bool:
    return bool(found.told.withheld) and found.outcome in ("answered", "no_rows")


def _who(found: Evidence) -> str:
    asked = found.asked
    door = "an agent over MCP" if asked.client.startswith("mcp") else _DOORS.get(asked.client, asked.client)
    through = f" through {door}" if door else ""
    role = f" as {asked.role}" if asked.role else " without a role"
    return f"{asked.asker}{role}{through}, {asked.at:%Y-%m-%d %H:%M:%S} UTC"


def _asked(plan: MetricPlan | None, question: str) -> str:
    words = f"“{question}”: " if question else ""
    if plan is None:
        return f"{words}a question that no metric plan stands for"
    return words + plan_in_words(plan).replace(MARK, _HIDDEN)


def _readings(trace: Trace) -> Iterator[str]:
    """Say how each term with more than one reading came to its reading."""
    for term, option in trace.opened.ask.choices.items():
        yield f"{term} was read as {option}: the asker chose that in this question".replace(MARK, _HIDDEN)
    for term, option in (trace.closed.readings if trace.closed else {}).items():
        if term not in trace.opened.ask.choices:
            yield f"{term} was read as {option}: the asker's team had chosen that before".replace(
                MARK, _HIDDEN
            )


def _definitions(metrics: Iterable[MetricSource], closed: Close) -> Iterator[str]:
    for one in metrics:
        said = one.formula or one.description or one.remark
        asked = "" if one.asked else " (a part of it)"
        owner = f", owned by {one.owner}" if one.owner else ""
        yield f"{one.name} v{one.version}{asked}{owner}{f': {said}' if said else ''}"
    used = ", ".join(f"{each.name} v{each.version}" for each in _used(closed, "dimension"))
    if used:
        yield f"dimensions: {used}"


def _used(closed: Close, kind: str) -> list[Used]:
    return [each for each in (closed.pins.used if closed.pins else ()) if each.kind == kind]


def _query(closed: Close, found: Evidence) -> Iterator[str]:
    """Say what the SQL did: what it read, along which joins, how that is known to be right, on which data."""
    if closed.query is None:
        yield "No SQL was written."
        return
    scanned = (scan.relation for scan in closed.estimate.scans) if closed.estimate else ()
    tables = [each.name for each in _used(closed, "dataset")] or sorted(set(scanned))
    joins = [each.name for each in _used(closed, "relationship")]
    who = {"plan": "The plan", "analysis": "A saved analysis", "free": "A planner's SQL"}[closed.query.origin]
    along = f", joined along {', '.join(joins)}" if joins else ""
    yield f"{who} read {', '.join(tables) or 'no table'}{along}."
    if closed.query.guard:
        yield "A second statement counted beside it that no join repeated or lost a row."
    shape = found.ran.shape
    if shape is not None:
        cut = ", cut at a limit" if shape.truncated else ""
        yield f"It gave {shape.rows:,} rows of {len(shape.columns)} columns{cut}."
    if closed.run is not None:
        yield _given(closed.run)
    if closed.pins is not None:
        data = closed.pins.data
        at = f", data {data.kind.replace('_', ' ')} {data.value[:16]}" if data.value else ""
        through = f" through {closed.pins.driver}" if closed.pins.driver else ""
        yield f"On {closed.pins.engine} {closed.pins.engine_version}{through}{at}."


def _given(run: Run) -> str:
    limits = run.limits
    most = f"{limits.rows:,} rows, {limits.bytes:,} bytes and {limits.seconds:,.1f} s"
    where = f" in process {run.backend}" if run.backend else ""
    return f"It was allowed {most} at most; it began at {run.started:%H:%M:%S} UTC as {run.query_id}{where}."


def _checks(closed: Close, attempts: Iterable[AnswerAttempt]) -> Iterator[str]:
    verdicts = [each.verdict for each in closed.decisions]
    if verdicts:
        yield f"{verdicts.count('allow')} of {len(verdicts)} checks allowed it."
    told = [each for each in closed.decisions if each.verdict not in ("allow", "skipped")]
    for each in told[:MOST_CHECKS]:
        yield _verdict(each)
    if len(told) > MOST_CHECKS:
        yield f"{len(told) - MOST_CHECKS} more did not allow it."
    for issue in () if told else closed.issues[:MOST_CHECKS]:
        yield f"{issue.code}: {issue.message}".replace(MARK, _HIDDEN)
    for attempt in attempts:
        yield f"Draft {attempt.attempt} of the calling agent: {attempt.outcome.replace('_', ' ')}."


def _verdict(decision: Decision) -> str:
    seen = f" (seen {decision.seen}{f', line {decision.threshold}' if decision.threshold else ''})"
    said = f"{decision.check} said {decision.verdict}: {decision.reason}"
    return (said + (seen if decision.seen else "")).replace(MARK, _HIDDEN)


def _cost(closed: Close) -> str:
    said = _estimated(closed.estimate) if closed.estimate else ""
    if closed.actual is None:
        return f"{said}; nothing ran." if said else ""
    took = f"{closed.actual.ms:,.0f} ms in the database"
    read = f", {closed.actual.bytes:,} bytes read" if closed.actual.bytes is not None else ""
    return f"{said}; it took {took}{read}.".lstrip("; ")


def _estimated(estimate: Estimate) -> str:
    trust = {"exact": "exactly", "upper": "at most", "guess": "about", "unknown": "perhaps"}[estimate.bound]
    parts = [
        f"{amount:,} {what}"
        for amount, what in ((estimate.rows, "rows"), (estimate.bytes, "bytes"))
        if amount is not None
    ]
    return f"The database expected to read {trust} {' and '.join(parts)}" if parts else ""


def _decided(trace: Trace, reader: Reader) -> Iterator[str]:
    """Say who held the question, who decided, and who let a finding pass."""
    for hold in trace.holds:
        checks = ", ".join(dict.fromkeys(each.check for each in hold.findings))
        what = "A draft" if hold.about == "draft" else "The question"
        yield f"{what} waited for a decision on {checks} until {hold.expires:%Y-%m-%d %H:%M} UTC at most."
    for judgement in trace.judgements:
        yield _judged(judgement) + ("" if stands(judgement, trace.opened.v, reader.signed) else _FORGED)
    closed = trace.closed
    for approval in closed.approvals if closed else ():
        yield _approved(approval)


def _judged(judgement: Judgement) -> str:
    if judgement.verdict == "expired":
        return f"Nobody decided in time; it ended {judgement.at:%Y-%m-%d %H:%M} UTC."
    own = ", who had asked it themself" if judgement.own else ""
    by = f"{judgement.by}{own} {_LET[judgement.verdict]} it"
    why = "; the reason is sealed under the asker's key" if judgement.sealed_reason else ""
    return f"{by} on {judgement.at:%Y-%m-%d %H:%M} UTC{why}."


def _approved(approval: Approval) -> str:
    judge = {"person": "a person", "model": "a decision model", "rules": "the policy's rules"}[approval.judge]
    sure = f" (probability {approval.chance:.2f})" if approval.chance is not None else ""
    ended = "let it pass" if approval.ruling != "deny" else "ended it"
    return f"On {approval.check}, {judge} {ended}{sure}: {approval.ruling}."


def _record(found: Evidence) -> str:
    receipt = found.receipt
    return f"record {receipt.seq} of log {receipt.log}, hash {receipt.hash[:16]}" if receipt else ""


def _numbers(trace: Trace, shown: Trace, reader: Reader) -> tuple[NumberTold, ...]:
    """Return the numbers of the answer, then those of the last draft that passed."""
    typed = {spelled(each) for each in readings_of(reader.followed)}
    pairs = [(one, other, False) for one, other in zip(_answer(trace), _answer(shown), strict=True)]
    pairs += [(one, other, True) for one, other in zip(_draft(trace), _draft(shown), strict=True)]
    return tuple(
        _told(seen, draft=draft, plain=reader.plain)
        for whole, seen, draft in pairs
        if not reader.followed or typed & shown_as(whole.value, whole.text)
    )


def _answer(trace: Trace) -> tuple[Citation, ...]:
    return trace.closed.answer if trace.closed else ()


def _draft(trace: Trace) -> tuple[Citation, ...]:
    passed = [attempt.citations for attempt in trace.attempts if attempt.passed]
    return passed[-1] if passed else ()


def _told(citation: Citation, *, draft: bool, plain: bool) -> NumberTold:
    return NumberTold(
        said=citation.text if plain and citation.text != MARK else "",
        source=_source(citation, plain=plain),
        metric=citation.metric,
        version=citation.version,
        draft=draft,
    )


def _source(citation: Citation, *, plain: bool) -> str:
    of = f" of trace {citation.trace_id}" if citation.trace_id else ""
    match citation.kind:
        case "cell":
            return f"{_cell(citation, plain=plain)}{of}"
        case "derivation":
            how = citation.expression if plain and citation.expression != MARK else "cells of the result"
            return f"computed from {how}{of}"
        case "row_count":
            return f"the number of rows{of}"
    return f"a value of the question itself{of}"


def _cell(citation: Citation, *, plain: bool) -> str:
    if citation.cell is None:
        return "a cell of the result"
    keys = [key or NONE for key in citation.row_key if key != MARK] if plain else []
    named = f" ({', '.join(keys)})" if keys else ""
    return f"row {citation.cell.row + 1}{named}, column {citation.cell.column}"


def _missing(trace: Trace, found: Evidence) -> Iterator[str]:
    if trace.erased:
        yield "The asker was erased: their words, filter values and cited numbers can be read by nobody."
    elif not found.asked.own:
        yield "Words, filter values and numbers are sealed; `cellbound trace unseal` opens them, on record."
    elif _withheld(found):
        yield found.told.withheld
