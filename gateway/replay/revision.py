"""Recorded questions under two versions of a layer: which of them would be put to the database otherwise.

Nothing runs: each plan is resolved and compiled again with both, for the role it was asked in.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from gateway.house import House
from gateway.reply import ReplyIssue, issue_of
from metric_layer.compile import compile_plan
from metric_layer.issues import Issue
from metric_layer.layer import Kind, Layer
from metric_layer.plan import Dialect, MetricPlan
from metric_layer.record import Record
from metric_layer.resolve import resolve
from metric_layer.resolved import ResolvedPlan, Used
from policies.visible import NOTHING, visible_to
from traces.assembly import questions
from traces.literals import without_literals
from traces.records import Caller, Open
from traces.store.base import TraceStore

SHOWN = 200
"""Distinct questions that a report lists at most."""
SAID = {"label", "description", "synonyms", "version"}
"""What an output is called: no number moves with it."""

Becomes = Literal["other_sql", "other_output", "not_answerable", "answerable"]


class RevisedQuestion(Record):
    """One recorded question that is not what it was; `times` says how often it was asked in that role.

    `other_sql` asks the database something else; `other_output` reads the same rows as something else (a
    unit, a number of decimals); `not_answerable` is refused now, and `answerable` was refused before.
    """

    trace_id: str
    times: int
    role: str
    metrics: tuple[str, ...]
    dimensions: tuple[str, ...]
    becomes: Becomes
    because: tuple[str, ...] = ()
    issues: tuple[ReplyIssue, ...] = ()
    old_sql: str = ""
    new_sql: str = ""


class Revision(Record):
    """What two versions of a layer make of the questions that were recorded.

    `own_only` says that the reader may read their own questions only. `refused` were and are answered by
    neither; `left_off` are changed and not listed.
    """

    questions: int
    distinct: int
    same: int
    refused: int
    own_only: bool
    changed: tuple[RevisedQuestion, ...] = ()
    left_off: int = 0


@dataclass(slots=True)
class _Asked:
    """A distinct question, when it was asked last, and how often."""

    opened: Open
    plan: MetricPlan
    readings: Mapping[str, str]
    times: int = 1


@dataclass(frozen=True, slots=True)
class _Side:
    """A question under one version of the layer: its meaning and its SQL, or why it has none."""

    layer: Layer
    resolved: ResolvedPlan | None
    statement: object = None
    sql: str = ""
    issues: tuple[Issue, ...] = ()


def revise(
    house: House, traces: TraceStore, caller: Caller, old: Layer, new: Layer, *, audits: bool
) -> Revision:
    """Ask every recorded plan of the caller's tenant again in thought, of the caller alone without `audits`.

    What others asked about is not told: their SQL comes without its literals. Raises TraceDamaged where a log
    cannot be read.
    """
    mine = house.subject(caller)
    asked = _distinct(_recorded(traces, caller.tenant, "" if audits else mine))
    changed: list[RevisedQuestion] = []
    same = refused = 0
    for question in asked:
        before, after = _side(house, old, question), _side(house, new, question)
        if before.resolved is None and after.resolved is None:
            refused += question.times
        elif (becomes := _becomes(before, after)) is None:
            same += question.times
        else:
            found = _revised(question, before, after, becomes)
            own = question.opened.subject == mine
            changed.append(found if own else _without_values(found, house.engine.dialect))
    changed.sort(key=lambda each: (-each.times, each.trace_id))
    return Revision(
        questions=sum(question.times for question in asked),
        distinct=len(asked),
        same=same,
        refused=refused,
        own_only=not audits,
        changed=tuple(changed[:SHOWN]),
        left_off=max(len(changed) - SHOWN, 0),
    )


def _recorded(traces: TraceStore, tenant: str, subject: str) -> Iterator[tuple[Open, Mapping[str, str]]]:
    """Yield each plan that was asked and not erased, with the readings it ran with."""
    for opened, closed in questions(traces.records()):
        mine = opened.tenant == tenant and subject in ("", opened.subject)
        if mine and opened.origin == "plan" and opened.ask.plan is not None and not opened.sealed:
            yield opened, {**(closed.readings if closed else {}), **opened.ask.choices}


def _distinct(recorded: Iterable[tuple[Open, Mapping[str, str]]]) -> list[_Asked]:
    found: dict[tuple[str, tuple[tuple[str, str], ...], str], _Asked] = {}
    for opened, readings in recorded:
        plan = opened.ask.plan
        if plan is None:
            continue
        key = (plan.model_dump_json(), tuple(sorted(readings.items())), opened.role)
        known = found.get(key)
        if known is None:
            found[key] = _Asked(opened=opened, plan=plan, readings=readings)
            continue
        known.times += 1
        if opened.at > known.opened.at:
            known.opened = opened
    return list(found.values())


def _side(house: House, layer: Layer, asked: _Asked) -> _Side:
    policy, dialect = house.governed.policy, house.engine.dialect
    role = policy.roles.get(asked.opened.role)
    found = resolve(
        asked.plan,
        layer,
        visible=visible_to(role, layer) if role else NOTHING,
        choices=asked.readings,
        today=asked.opened.at.date(),
        dialect=dialect,
        allow=policy.askable,
    )
    if not isinstance(found, ResolvedPlan):
        return _Side(layer, None, issues=found)
    statement = compile_plan(found, layer, dialect, policy.caps.rows + 1)
    return _Side(layer, found, statement, statement.sql(dialect=dialect))


def _becomes(before: _Side, after: _Side) -> Becomes | None:
    if before.resolved is None or after.resolved is None:
        return "answerable" if before.resolved is None else "not_answerable"
    if before.statement != after.statement:
        return "other_sql"
    same = _outputs(before.resolved) == _outputs(after.resolved)
    return None if same else "other_output"


def _outputs(resolved: ResolvedPlan) -> list[dict[str, object]]:
    return [output.model_dump(exclude=SAID) for output in resolved.outputs]


def _revised(asked: _Asked, before: _Side, after: _Side, becomes: Becomes) -> RevisedQuestion:
    used = (*_used(before), *_used(after))
    other = becomes == "other_sql"
    return RevisedQuestion(
        trace_id=asked.opened.trace_id,
        times=asked.times,
        role=asked.opened.role,
        metrics=asked.plan.metrics,
        dimensions=asked.plan.dimensions,
        becomes=becomes,
        because=tuple(_because(used, before.layer, after.layer)),
        issues=tuple(issue_of(issue) for issue in (after.issues or before.issues)),
        old_sql=before.sql if other else "",
        new_sql=after.sql if other else "",
    )


def _without_values(found: RevisedQuestion, dialect: Dialect) -> RevisedQuestion:
    """Return a question without anything of what its asker wrote but names of the layer."""

    def shown(sql: str) -> str:
        return without_literals(sql, dialect, lambda _: True, lambda _: True, whole=False)

    issues = tuple(
        issue.model_copy(update={"message": f"It is refused: {issue.code}.", "seen": "", "candidates": ()})
        for issue in found.issues
    )
    return found.model_copy(
        update={"old_sql": shown(found.old_sql), "new_sql": shown(found.new_sql), "issues": issues}
    )


def _used(side: _Side) -> tuple[Used, ...]:
    return side.resolved.used if side.resolved else ()


def _because(used: Iterable[Used], old: Layer, new: Layer) -> Iterator[str]:
    """Yield the definitions that the question rests on and that are not what they were."""
    for kind, name in dict.fromkeys((each.kind, each.name) for each in used):
        was, now = _pin(old, kind, name), _pin(new, kind, name)
        if was == now:
            continue
        if was is None or now is None:
            yield f"{kind} {name} is {'new' if was is None else 'gone'}"
        elif was[0] != now[0]:
            yield f"{kind} {name} v{was[0]} -> v{now[0]}"
        else:
            yield f"{kind} {name} changed" + (" without a new version" if was[0] else "")
    if old.calendar.digest != new.calendar.digest:
        yield "the calendar changed"


def _pin(layer: Layer, kind: Kind, name: str) -> tuple[int, str] | None:
    """Return the version (0 where there is none) and digest of a definition; None where it is not there."""
    record = layer.metrics.get(name) if kind == "metric" else layer.dimensions.get(name)
    version = record.version if record and kind in ("metric", "dimension") else 0
    try:
        return version, layer.digest_of(kind, name)
    except KeyError:
        return None
