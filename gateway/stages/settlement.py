"""What waits for somebody is settled: by an accept its asker returns with, by a judge, or by a new hold."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Literal

from gateway.holds.approvals import Approvals
from gateway.holds.records import Held, HeldFinding, HoldKind, NewHold, differences, held_finding, keyed
from gateway.house import House
from gateway.judges.panel import NOBODY, Heard, Panel
from gateway.record.journal import new_id
from metric_layer.issues import Issue
from policies.entitlement import Entitlement
from policies.judge import Case, judgeable
from traces.records import Approval, Caller, Decision

PURPOSE = "holds"
"""What the key of the hashes is for."""
Outcome = Literal["through", "held", "denied", "expired"]


@dataclass(frozen=True, slots=True)
class Matter:
    """Something that waits: a question or a draft, who asked it, and all that an accept is bound to.

    `run` names the one run, or the one sending, that an accept is used up by. `ran` says that its query ran
    already: what was accepted for that run counts for no other. With `people_only` no judge is asked.
    """

    kind: HoldKind
    trace_id: str
    run: str
    caller: Caller
    role: str
    parts: Mapping[str, str]
    case: Case
    approval_id: str = ""
    changed: tuple[str, ...] = ()
    ran: bool = False
    people_only: bool = False


def house_parts(house: House, role: Entitlement | None) -> dict[str, str]:
    """Return the parts that an accept of a draft is bound to beside the draft: the rules it was judged by."""
    return {
        "definitions": house.layer.digest,
        "calendar": house.layer.calendar.digest,
        "policy": house.governed.digest,
        "thresholds": house.governed.thresholds,
        "entitlement": role.digest if role else "",
        "allowlist": role.allowlist if role else "",
    }


@dataclass(frozen=True, slots=True)
class Settlement:
    """What became of it: who let which finding pass, or under which hold it waits, and what to tell."""

    outcome: Outcome
    hold_id: str = ""
    issues: tuple[Issue, ...] = ()
    approvals: tuple[Approval, ...] = ()
    notes: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A finding that waits, as it is kept and as it was said."""

    held: HeldFinding
    said: Decision


@dataclass(slots=True)
class _Desk:
    """One matter being settled."""

    house: House
    approvals: Approvals
    matter: Matter
    parts: Mapping[str, str]
    issues: list[Issue] = field(default_factory=list)
    changed: tuple[str, ...] = ()

    @property
    def asker(self) -> str:
        return self.house.subject(self.matter.caller)


def settle(house: House, approvals: Approvals, matter: Matter, findings: Iterable[Decision]) -> Settlement:
    """Let a matter pass where every finding is let through; else let it wait, or end it.

    An accept covers what it was given for. It is used up here, once, when all that waits is settled; where
    something new was found it goes on counting for the old under the new hold.
    """
    key = house.keys.commitment(PURPOSE)
    waiting = _distinct(house, key, findings)
    if not waiting:
        return Settlement("through")
    recorded = approvals.recorded()
    if recorded is not None:
        return _as_recorded(waiting, recorded)
    desk = _Desk(house, approvals, matter, keyed(key, matter.parts), changed=matter.changed)
    accepted, ended = _accepted(desk)
    if ended is not None:
        return Settlement(ended, issues=tuple(desk.issues))
    covered = tuple(each for each in waiting if accepted is not None and accepted.covers(each.held))
    rest = tuple(each for each in waiting if each not in covered)
    heard = _heard(desk, rest)
    denied = tuple(each for each in rest if heard[each.held.key].ruling == "deny")
    if denied:
        return _denied(desk, denied, heard)
    let = all(heard[each.held.key].ruling == "allow" for each in rest)
    if let and (not covered or accepted is None or _used(desk, accepted)):
        return _let_through(desk, covered, accepted, rest, heard)
    carried = accepted if covered and not matter.ran else None
    return _wait(desk, waiting, carried, heard)


def _distinct(house: House, key: bytes, findings: Iterable[Decision]) -> tuple[_Waiting, ...]:
    """Return each finding once; of several with one key the largest."""
    found: dict[str, _Waiting] = {}
    for said in findings:
        held = held_finding(key, said, house.governed.policy.rule_of(said.check))
        kept = found.get(held.key)
        if kept is None or (held.amount or 0) > (kept.held.amount or 0):
            found[held.key] = _Waiting(held, said)
    return tuple(found.values())


def _as_recorded(waiting: Sequence[_Waiting], recorded: tuple[Approval, ...]) -> Settlement:
    """Settle a replayed question as it was settled then; nobody is asked again."""
    rulings = {(each.check, each.ruling): each for each in recorded}
    found: list[Approval] = []
    for check in (each.said.check for each in waiting):
        if (check, "deny") in rulings:
            return Settlement("denied", approvals=(rulings[check, "deny"],))
        let = rulings.get((check, "allow")) or rulings.get((check, "accept"))
        if let is None:
            return Settlement("held")
        found.append(let)
    return Settlement("through", approvals=tuple(found), notes=tuple(_notes(found)))


def _accepted(desk: _Desk) -> tuple[Held | None, Outcome | None]:
    """Return the accept that the asker came back with, where it is one of exactly this, or how it ended.

    One that cannot count is said, and the matter waits anew.
    """
    approval, matter = desk.matter.approval_id, desk.matter
    if not approval:
        return None, None
    held = _own(desk.house, desk.approvals, matter.caller, approval)
    if held is None:
        desk.issues.append(_issue("approval_unknown", approval))
        return None, None
    changed = differences(held.hold.parts, desk.parts)
    if changed:
        desk.changed = changed
        desk.issues.append(_issue("approval_stale", ", ".join(changed)))
        return None, None
    if held.status == "accepted" or (held.status == "used" and held.used_by == matter.run):
        return held, None
    code, ended = _ENDED.get(held.status, ("", None))
    if code:
        desk.issues.append(_issue(code, approval))
    return None, ended


def unknown_approval(house: House, approvals: Approvals, caller: Caller, approval: str) -> tuple[Issue, ...]:
    """Say so where a caller came back with the id of no hold of theirs, though nothing had to be accepted."""
    if not approval or approvals.recorded() is not None or _own(house, approvals, caller, approval):
        return ()
    return (_issue("approval_unknown", approval),)


def _own(house: House, approvals: Approvals, caller: Caller, approval: str) -> Held | None:
    held = approvals.find(approval)
    asker = house.subject(caller), caller.tenant
    return held if held is not None and (held.hold.asker, held.hold.tenant) == asker else None


def _used(desk: _Desk, accepted: Held) -> bool:
    """Use an accept up for this run; False where another run was quicker."""
    matter = desk.matter
    if accepted.used_by == matter.run:
        return True
    used = desk.approvals.use(accepted.id, accepted.hold.base, desk.asker, matter.run)
    if not used:
        desk.issues.append(_issue("approval_used", accepted.id))
    return used


def _heard(desk: _Desk, waiting: Sequence[_Waiting]) -> Mapping[str, Heard]:
    """Return what the judges say of each finding, by key. One that is no judge's matter is nobody's word."""
    heard = {each.held.key: NOBODY for each in waiting}
    if not waiting:
        return heard
    panel = Panel(
        policy=desk.house.governed.policy,
        model=desk.house.judge,
        log=desk.approvals.opinions,
        key=desk.house.keys.commitment(PURPOSE),
        people_only=desk.matter.people_only,
    )
    for each in waiting:
        asked = judgeable(each.said)
        if asked is not None:
            heard[each.held.key] = panel.hear(desk.matter.trace_id, each.held, asked, desk.matter.case)
    return heard


def _denied(desk: _Desk, denied: Sequence[_Waiting], heard: Mapping[str, Heard]) -> Settlement:
    return Settlement(
        "denied",
        issues=(*desk.issues, *(_issue("judge_denied", each.said.check) for each in denied)),
        approvals=tuple(_judged(each, heard[each.held.key], "deny") for each in denied),
    )


def _let_through(
    desk: _Desk,
    covered: Sequence[_Waiting],
    accepted: Held | None,
    rest: Sequence[_Waiting],
    heard: Mapping[str, Heard],
) -> Settlement:
    """Return who let each finding pass, and how that is said."""
    let: list[Approval] = []
    notes: list[str] = []
    if accepted is not None:
        let.extend(
            Approval(check=each.said.check, judge="person", ruling="accept", hold_id=accepted.id)
            for each in covered
        )
        if any(ruled.own and ruled.verdict == "accept" for ruled in accepted.rulings):
            notes.append("accepted by its own asker, as the policy allows")
    let.extend(_judged(each, heard[each.held.key], "allow") for each in rest)
    return Settlement(
        "through", issues=tuple(desk.issues), approvals=tuple(let), notes=(*notes, *_notes(let))
    )


def _judged(each: _Waiting, heard: Heard, ruling: str) -> Approval:
    return Approval(check=each.said.check, judge=each.held.judge, ruling=ruling, chance=heard.chance)


def _notes(let: Sequence[Approval]) -> Iterator[str]:
    """Yield one sentence for each kind of judge, with the checks whose findings it let pass."""
    said = {"person": "accepted by a reviewer", "model": "let through by the decision model"}
    for judge in dict.fromkeys(each.judge for each in let):
        checks = dict.fromkeys(each.check for each in let if each.judge == judge)
        yield f"{said.get(judge, 'let through by the rules of the policy')}: {', '.join(checks)}"


def _wait(
    desk: _Desk, waiting: Sequence[_Waiting], carried: Held | None, heard: Mapping[str, Heard]
) -> Settlement:
    """Let the matter wait for somebody entitled to decide; expiry is denial."""
    matter, now = desk.matter, desk.house.now()
    findings = tuple(_as_held(each.held, carried, heard.get(each.held.key, NOBODY)) for each in waiting)
    new = NewHold(
        id=new_id(now),
        trace_id=matter.trace_id,
        kind=matter.kind,
        tenant=matter.caller.tenant,
        asker=desk.asker,
        role=matter.role,
        parts=desk.parts,
        findings=findings,
        at=now,
        expires=now + timedelta(minutes=desk.house.governed.policy.hold_minutes),
        earlier=carried.id if carried else "",
        changed=desk.changed,
    )
    held = desk.approvals.wait(new, tuple(each.said for each in waiting))
    return Settlement("held", hold_id=held.id, issues=tuple(desk.issues), changed=desk.changed)


def _as_held(finding: HeldFinding, carried: Held | None, heard: Heard) -> HeldFinding:
    settled = (carried is not None and carried.covers(finding)) or heard.ruling == "allow"
    return finding.model_copy(update={"chance": heard.chance, "judge_said": heard.said, "carried": settled})


def _issue(code: str, seen: str) -> Issue:
    message, step = _SAID[code]
    return Issue(code=code, message=message, path="/approval_id", seen=seen, next_step=step)


_ENDED: Mapping[str, tuple[str, Outcome | None]] = {
    "denied": ("approval_denied", "denied"),
    "expired": ("approval_expired", "expired"),
    "used": ("approval_used", None),
    "superseded": ("approval_used", None),
}
_ANEW = "It waits anew, under the hold_id of this reply."
_SAID: Mapping[str, tuple[str, str]] = {
    "approval_unknown": ("You have no hold of that id.", "Use the hold_id of the held reply."),
    "approval_stale": ("This is not what was accepted: what changed is named.", _ANEW),
    "approval_used": ("This accept was used already; it counts for one run.", _ANEW),
    "approval_denied": ("A reviewer denied this.", "See the reason: cellbound review show ID."),
    "approval_expired": ("Nobody decided in time, which counts as denied.", "Ask again without it."),
    "judge_denied": ("The judge of the policy denied this finding.", "Ask for less, or ask its owner."),
}
