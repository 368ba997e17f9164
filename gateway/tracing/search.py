"""Finds recorded questions by what is known of them: everybody their own, who may audit the tenant's."""

from collections.abc import Iterator
from typing import cast, get_args

from gateway.house import House
from gateway.reply import Refusal, ReplyIssue
from gateway.tracing.figures import readings_of
from gateway.tracing.found import FoundTrace, FoundTraces, Wanted
from metric_layer.vocabulary import near
from policies.register import check_ids
from traces.keys import pseudonym
from traces.records import Caller, Outcome
from traces.store.index import Hit, Search, TraceIndex

UNFINISHED = "unfinished"
OUTCOMES: tuple[str, ...] = (*get_args(Outcome), UNFINISHED)
_PSEUDONYM = 34


def find(house: House, index: TraceIndex, caller: Caller, wanted: Wanted) -> FoundTraces | Refusal:
    """Return the questions that match; a Refusal names all that is wrong with the search."""
    problems = tuple(_problems(wanted))
    if problems:
        return Refusal(issues=problems)
    audits = "audit" in house.rights(caller)
    own = house.subject(caller)
    person = _subject(house, caller, wanted.person)
    if not audits and person not in ("", own):
        return FoundTraces(traces=(), own_only=True)
    search = Search(
        tenant=caller.tenant,
        subject=person if audits else own,
        definition=wanted.metric,
        version=wanted.version,
        check=wanted.check,
        outcome=cast("Outcome", wanted.outcome) if wanted.outcome not in ("", UNFINISHED) else None,
        unfinished=wanted.outcome == UNFINISHED,
        table=wanted.table,
        numbers=readings_of(wanted.number),
        since=wanted.since,
        until=wanted.until,
        sql=wanted.sql,
        dialect=house.engine.dialect,
        limit=wanted.limit + 1,
    )
    hits = index.find(search)
    return FoundTraces(
        traces=tuple(map(_line, hits[: wanted.limit])),
        more=len(hits) > wanted.limit,
        own_only=not audits,
        near=() if hits else _near(house, caller, wanted),
    )


def _problems(wanted: Wanted) -> Iterator[ReplyIssue]:
    if wanted.number and not readings_of(wanted.number):
        yield _issue(
            "unreadable_number",
            "This is not one number.",
            "number",
            wanted.number[:100],
            "Write it as it stood in the answer: 1234567.8, 1,234,568 or 1.23M.",
        )
    if wanted.version is not None and not wanted.metric:
        yield _issue(
            "version_of_what",
            "A version is of a definition, and none is named.",
            "version",
            str(wanted.version),
            "Name the metric with --metric.",
        )
    if wanted.outcome and wanted.outcome not in OUTCOMES:
        yield _issue(
            "unknown_outcome",
            "There is no such outcome.",
            "outcome",
            wanted.outcome[:100],
            f"One of: {', '.join(OUTCOMES)}.",
        ).model_copy(update={"candidates": near(wanted.outcome, OUTCOMES)})
    if wanted.since and wanted.until and wanted.since >= wanted.until:
        yield _issue(
            "empty_period",
            "The period ends before it begins.",
            "until",
            wanted.until.isoformat(),
            "Give an --until after --since; it is left out itself.",
        )


def _issue(code: str, message: str, key: str, seen: str, next_step: str) -> ReplyIssue:
    return ReplyIssue(
        code=code, message=message, stage="input", path=f"/{key}", seen=seen, next_step=next_step
    )


def _subject(house: House, caller: Caller, person: str) -> str:
    """Return the pseudonym of a person of the caller's tenant, by user name or by the pseudonym itself."""
    if not person or (person.startswith("u_") and len(person) == _PSEUDONYM):
        return person
    return pseudonym(house.keys, person, caller.tenant)


def _near(house: House, caller: Caller, wanted: Wanted) -> tuple[str, ...]:
    """Return names that the caller may see like a definition, or a check, that nothing has."""
    if wanted.metric and wanted.metric not in house.layer.metrics:
        visible = house.visible_for(caller)
        return near(wanted.metric, tuple(name for name in house.layer.metrics if visible.metric(name)))
    known = check_ids()
    return near(wanted.check, known) if wanted.check and wanted.check not in known else ()


def _line(hit: Hit) -> FoundTrace:
    return FoundTrace(
        trace_id=hit.trace_id,
        at=hit.at.isoformat(timespec="seconds"),
        outcome=hit.outcome or UNFINISHED,
        metrics=hit.metrics,
        role=hit.role,
        subject=hit.subject,
    )
