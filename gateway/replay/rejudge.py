"""Recorded questions under two policies: which of them would get another verdict.

Nothing runs: each plan is resolved, compiled and read again for the role it was asked in, free SQL is read as
it was kept, and the database's recorded estimate is held against both budgets.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from gateway.house import House
from gateway.replay.artefacts import Artefacts
from gateway.replay.steps import Recorded, take
from metric_layer.record import Record
from policies.load import Governed
from traces.assembly import questions
from traces.records import Caller, Close, Open
from traces.store.base import TraceStore

SHOWN = 200
"""Distinct questions that a report lists at most."""

Standing = Literal["passes", "runs_dry", "in_shadow", "held", "denied"]


class RejudgedQuestion(Record):
    """A recorded question that would stand otherwise. `times` says how often it was asked in that role.

    `because` names the checks that say so under the new policy, or that said so under the old one.
    """

    trace_id: str
    times: int
    role: str
    metrics: tuple[str, ...] = ()
    old: Standing
    new: Standing
    because: tuple[str, ...] = ()


class Rejudgement(Record):
    """What two policies make of the questions that were recorded.

    `own_only` says that the reader may read their own questions only; `left_off` are changed and not listed.
    `unread` have neither a plan nor SQL that was kept, or were erased.
    """

    questions: int
    distinct: int
    same: int
    unread: int
    own_only: bool
    changed: tuple[RejudgedQuestion, ...] = ()
    left_off: int = 0


@dataclass(slots=True)
class _Asked:
    """A distinct question as it was asked last, with the estimate it got, and how often it was asked."""

    opened: Open
    closed: Close
    times: int = 1


def rejudge(house: House, traces: TraceStore, caller: Caller, old: Governed, new: Governed) -> Rejudgement:
    """Judge every question of the caller's tenant under both policies; without `audit`, their own only.

    Raises TraceDamaged where a log cannot be read.
    """
    audits = "audit" in house.rights(caller)
    asked, unread = _distinct(_recorded(traces, caller.tenant, "" if audits else house.subject(caller)))
    sides = [_side(house, governed) for governed in (old, new)]
    changed: list[RejudgedQuestion] = []
    same = 0
    for question in asked:
        before, after = (_standing(side, question) for side in sides)
        if before[0] == after[0]:
            same += question.times
        else:
            changed.append(_rejudged(question, before, after))
    changed.sort(key=lambda each: (-each.times, each.trace_id))
    return Rejudgement(
        questions=sum(question.times for question in asked) + unread,
        distinct=len(asked),
        same=same,
        unread=unread,
        own_only=not audits,
        changed=tuple(changed[:SHOWN]),
        left_off=max(len(changed) - SHOWN, 0),
    )


def _side(house: House, governed: Governed) -> Artefacts:
    schema = next(iter(house.entitlements)).catalogue.default_schema
    return Artefacts(house.layer, governed, house.engine.dialect, schema)


def _recorded(traces: TraceStore, tenant: str, subject: str) -> Iterator[tuple[Open, Close]]:
    """Yield each question that ended."""
    for opened, closed in questions(traces.records()):
        if closed is not None and opened.tenant == tenant and subject in ("", opened.subject):
            yield opened, closed


def _distinct(recorded: Iterator[tuple[Open, Close]]) -> tuple[list[_Asked], int]:
    """Return the distinct questions, and how many there is nothing to read of."""
    found: dict[tuple[str, str, str], _Asked] = {}
    unread = 0
    for opened, closed in recorded:
        asked = opened.ask.plan.model_dump_json() if opened.ask.plan else _sql(closed)
        if not asked or opened.sealed:  # what is still sealed has been erased
            unread += 1
            continue
        readings = repr(sorted({**closed.readings, **opened.ask.choices}.items()))
        known = found.setdefault((asked, readings, opened.role), _Asked(opened, closed, times=0))
        known.times += 1
        if opened.at >= known.opened.at:
            known.opened, known.closed = opened, closed
    return list(found.values()), unread


def _sql(closed: Close) -> str:
    return closed.query.sql if closed.query else ""


def _standing(side: Artefacts, asked: _Asked) -> tuple[Standing, tuple[str, ...]]:
    """Return how a question stands under a policy, and the checks that say so."""
    opened = asked.opened
    steps = take(Recorded(opened, asked.closed, opened.role, _sql(asked.closed)), side)
    if steps.denied:
        return "denied", steps.denied
    waiting = tuple(dict.fromkeys(d.check for d in steps.decisions if d.verdict in ("soft", "hold")))
    stage = next((d.seen for d in steps.decisions if d.check == "release"), "")
    if opened.ask.dry_run or stage == "dry_run":
        return "runs_dry", ("release",) if stage == "dry_run" else ()
    if stage == "shadow":
        return "in_shadow", ("release",)
    return ("held", waiting) if waiting else ("passes", ())


def _rejudged(
    asked: _Asked, before: tuple[Standing, tuple[str, ...]], after: tuple[Standing, tuple[str, ...]]
) -> RejudgedQuestion:
    plan = asked.opened.ask.plan
    return RejudgedQuestion(
        trace_id=asked.opened.trace_id,
        times=asked.times,
        role=asked.opened.role,
        metrics=plan.metrics if plan else (),
        old=before[0],
        new=after[0],
        because=after[1] or before[1],
    )
