"""Recorded questions under two policies: which of them would get another verdict.

Nothing runs: each plan is resolved, compiled and read again for the role it was asked in, free SQL is read as
it was kept, and the database's recorded estimate is held against both budgets.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from gateway.house import House
from metric_layer.compile import compile_plan
from metric_layer.layer import Layer
from metric_layer.plan import Dialect
from metric_layer.record import Record
from metric_layer.resolve import resolve
from metric_layer.resolved import ResolvedPlan
from metric_layer.sql import Reading
from policies.entitlement import Entitlement, entitle
from policies.facts import CostFacts, PlanFacts, SqlFacts
from policies.load import Governed
from policies.policy import Policy
from policies.register import COST_CHECKS, PLAN_CHECKS, SQL_CHECKS, judge
from policies.small_groups import count_groups
from traces.assembly import questions
from traces.records import Caller, Close, Decision, Open
from traces.store.base import TraceStore

SHOWN = 200
"""Distinct questions that a report lists at most."""

Standing = Literal["passes", "runs_dry", "held", "denied"]


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
    `unread` have neither a plan nor SQL that was kept.
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


@dataclass(frozen=True, slots=True)
class _Side:
    """One policy in force over the layer."""

    layer: Layer
    governed: Governed
    roles: dict[str, Entitlement]
    dialect: Dialect


def rejudge(house: House, traces: TraceStore, caller: Caller, old: Governed, new: Governed) -> Rejudgement:
    """Judge every question of the caller's tenant under both policies; without `audit`, their own only.

    Raises TraceDamaged where a log cannot be read.
    """
    role = house.entitlements.of(caller)
    audits = role is not None and "audit" in role.role.may
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


def _side(house: House, governed: Governed) -> _Side:
    dialect = house.engine.dialect
    schema = next(iter(house.entitlements)).catalogue.default_schema
    roles = {
        name: entitle(name, house.layer, governed.policy, dialect, schema, house.now())
        for name in governed.policy.roles
    }
    return _Side(house.layer, governed, roles, dialect)


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
        if not asked:
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


def _standing(side: _Side, asked: _Asked) -> tuple[Standing, tuple[str, ...]]:
    """Return how a question stands under a policy, and the checks that say so."""
    policy, opened = side.governed.policy, asked.opened
    free = opened.origin == "free"
    decisions: list[Decision] = []
    for stage in _stages(side, asked):
        decisions.extend(stage)
        denied = tuple(d.check for d in stage if _denies(d, policy))
        if denied:
            return "denied", tuple(dict.fromkeys(denied))
    waiting = tuple(dict.fromkeys(d.check for d in decisions if d.verdict in ("soft", "hold")))
    stage_of = policy.stage_of("free" if free else "governed")
    if opened.ask.dry_run or stage_of == "dry_run":
        return "runs_dry", ("release",) if stage_of == "dry_run" else ()
    return ("held", waiting) if waiting else ("passes", ())


def _denies(decision: Decision, policy: Policy) -> bool:
    soft = decision.verdict == "soft" and decision.check not in policy.judgeable
    return decision.verdict == "hard" or soft


def _stages(side: _Side, asked: _Asked) -> Iterator[Sequence[Decision]]:
    """Yield the decisions stage by stage, for as long as there is something to judge."""
    policy, opened = side.governed.policy, asked.opened
    role = side.roles.get(opened.role)
    found = _resolved(side, asked, role)
    resolved = found if isinstance(found, ResolvedPlan) else None
    facts = PlanFacts(
        caller=Caller(user="recorded", roles=(opened.role,), tenant=opened.tenant),
        role_name=opened.role if role else "",
        role=role.role if role else None,
        policy=policy,
        plan=opened.ask.plan,
        issues=found if isinstance(found, tuple) else (),
        release_class="free" if opened.origin == "free" else "governed",
        dry_run=opened.ask.dry_run,
    )
    yield judge(PLAN_CHECKS, facts)
    if role is None:
        return
    reading = _reading(side, asked, role, resolved)
    yield judge(SQL_CHECKS, SqlFacts(opened.origin, policy, role.catalogue, reading, resolved))
    if asked.closed.estimate is not None:
        yield judge(COST_CHECKS, CostFacts(role.role, policy, role.catalogue, asked.closed.estimate))


def _resolved(side: _Side, asked: _Asked, role: Entitlement | None) -> object:
    """Return the resolved plan, the issues that stand against it, or None where there is none to resolve."""
    opened = asked.opened
    if opened.ask.plan is None or role is None:
        return None
    found = resolve(
        opened.ask.plan,
        side.layer,
        visible=role.visible,
        choices={**asked.closed.readings, **opened.ask.choices},
        today=opened.at.date(),
        dialect=side.dialect,
        allow=frozenset(side.governed.policy.definitions),
    )
    return count_groups(found, side.layer, role) if isinstance(found, ResolvedPlan) else found


def _reading(side: _Side, asked: _Asked, role: Entitlement, resolved: ResolvedPlan | None) -> Reading:
    at: datetime = asked.opened.at
    if resolved is None:
        return role.reader.read(_sql(asked.closed), at)
    return role.reader.read(compile_plan(resolved, side.layer, side.dialect, role.caps.rows + 1), at)


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
