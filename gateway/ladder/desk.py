"""The ladder behind every door: who may look at it, who may move a class, and what goes on record."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from gateway.custody.rights import refused
from gateway.house import House
from gateway.houses import Houses
from gateway.ladder.evidence import figures, gathered
from gateway.ladder.families import families_of
from gateway.ladder.refusals import problem, unknown_class
from gateway.ladder.rules import broken_rule, said
from gateway.ladder.view import ClassLine, ClassView, DecisionLine, ReleaseList, Sweep
from gateway.releases.in_force import stage_of
from gateway.releases.signing import is_genuine, signed
from gateway.reply import Refusal
from gateway.state import StateStore
from policies.release import STAGES, ReleaseStage
from traces.errors import Unsealable
from traces.records import Caller
from traces.release_records import AnswerCompared, EvidenceFigure, ReleasePin, Stage, StageDecided
from traces.seal import seal, unseal_any
from traces.signatures import is_signed
from traces.store.base import TraceStore

READERS = frozenset(("release", "audit", "evaluate", "review"))
MOST_COMPARED = 10_000
FORGED = "the decision was not signed by this project, so the class runs dry"


class Ladder:
    """The classes of question and their stages. `runs` is the folder of what evaluations wrote."""

    def __init__(self, houses: Houses, traces: TraceStore, state: StateStore, runs: Path | None) -> None:
        self._houses = houses
        self._traces = traces
        self._store = state.releases
        self._runs = runs
        self._looked: tuple[str, int] | None = None

    def list(self, caller: Caller) -> ReleaseList | Refusal:
        """Return every class with the stage in force, for who may release, audit, evaluate or review."""
        with self._houses.asking() as house:
            if no := _not_reader(house, caller):
                return no
            policy = house.governed.policy
            return ReleaseList(classes=tuple(self._line(house, name) for name in policy.class_names()))

    def show(self, caller: Caller, name: str) -> ClassView | Refusal:
        """Return a class with the evidence since its last decision, and all decisions about it."""
        with self._houses.asking() as house:
            if no := _not_reader(house, caller) or _unknown(house, name):
                return no
            return self._view(house, caller, name)

    def move(
        self, caller: Caller, name: str, to: ReleaseStage | None, reason: str, *, up: bool
    ) -> ClassView | Refusal:
        """Move a class one stage up, or down to any lower one, by an owner; signed, and on record first.

        The evidence of that moment stands in the decision. Of two at once the first counts.
        """
        with self._houses.asking() as house:
            if no := refused(house, caller, "release", reason) or _unknown(house, name):
                return no
            view = self._view(house, caller, name)
            target = to or next(iter(view.up if up else view.down[:1]), None)
            if target is None or target not in (view.up if up else view.down):
                return _no_way(view, target, up=up)
            by = house.subject(caller)
            decision = self._decision(house, name, target, by=by, evidence=view.evidence)
            sealed = decision.model_copy(update={"sealed_reason": seal(house.keys, by, reason)})
            if not self._put(house, sealed):
                return problem("already_decided", "Somebody else moved the class meanwhile.", "/name", name)
            return self._view(house, caller, name)

    def sweep(self, caller: Caller) -> Sweep | Refusal:
        """Look at every class: take back decisions that only the log has, then apply the policy's rules."""
        with self._houses.asking() as house:
            if no := _not_reader(house, caller):
                return no
            logged = [each for each in self._traces.records() if isinstance(each, StageDecided)]
            genuine = [each for each in logged if is_genuine(each, house.keys)]
            back = self._store.put_back(genuine)
            names = house.governed.policy.class_names()
            down = tuple(name for name in names if self._apply_rules(house, name))
            lines = tuple(self._line(house, name) for name in down)
        return Sweep(looked_at=names, demoted=lines, recovered=back)

    def record(self, compared: AnswerCompared) -> Stage | None:
        """Put a comparison on record; return the stage that a rule takes the class down to for it."""
        with self._houses.asking() as house:
            self._traces.append(compared, durable=True)
            self._store.add(compared)
            return self._apply_rules(house, compared.question_class)

    def apply_rules(self) -> tuple[str, ...]:
        """Hold the rules of demotion against every class; return those that went down.

        Servers do it every few seconds. It looks again only once the policy or the comparisons are others,
        as after a reload with a stricter rule, or a comparison whose process was killed before its rules ran.
        """
        with self._houses.asking() as house:
            policy, now = house.governed.policy, (house.governed.digest, self._store.last_compared())
            if not policy.ladder.demote or now == self._looked:
                return ()
            down = tuple(name for name in policy.class_names() if self._apply_rules(house, name))
            self._looked = now
        return down

    def _apply_rules(self, house: House, name: str) -> Stage | None:
        policy = house.governed.policy
        pin, newest = self._pin(house, name), self._store.newest(name)
        met = broken_rule(policy, self._store, name, pin.stage, newest.at if newest else None)
        if met is None:
            return None
        rule, figure = met
        decision = self._decision(house, name, rule.to, rule=said(rule, figure), evidence=(figure,))
        return rule.to if self._put(house, decision) else None

    def _decision(
        self,
        house: House,
        name: str,
        to: Stage,
        *,
        evidence: Sequence[EvidenceFigure],
        by: str = "",
        rule: str = "",
    ) -> StageDecided:
        pin = self._pin(house, name)
        return StageDecided(
            at=house.now(),
            by=by,
            question_class=name,
            number=pin.decided + 1,
            was=pin.stage,
            stage=to,
            start=house.governed.policy.stage_of(name),
            policy=house.governed.digest,
            rule=rule,
            evidence=tuple(evidence),
        )

    def _put(self, house: House, decision: StageDecided) -> bool:
        """Sign a decision and keep it: in the log first, then in the state."""
        return self._store.decide(
            signed(decision, house.keys), lambda each: self._traces.append(each, durable=True)
        )

    def _pin(self, house: House, name: str) -> ReleasePin:
        return stage_of(house.governed.policy, house.keys, self._store.newest, name)

    def _line(self, house: House, name: str) -> ClassLine:
        policy, newest, pin = house.governed.policy, self._store.newest(name), self._pin(house, name)
        return ClassLine(
            name=name,
            match=policy.match_of(name),
            stage=pin.stage,
            start=policy.stage_of(name),
            most=policy.most_of(name),
            decided=pin.decided,
            at=newest.at if newest else None,
            fault=FORGED if newest and not is_genuine(newest, house.keys) else "",
        )

    def _view(self, house: House, caller: Caller, name: str) -> ClassView:
        line = self._line(house, name)
        compared = self._compared(name, line.at)
        found = gathered(self._traces.records(), caller.tenant, name, line.at)
        run, families = families_of(self._runs, name)
        place = STAGES.index(line.stage)
        return ClassView(
            line=line,
            since=line.at,
            questions=len(found.ended),
            evidence=(*figures(found, compared, partial(is_signed, keys=house.keys)), *families),
            run=run,
            up=STAGES[place + 1 : min(place + 2, STAGES.index(line.most) + 1)],
            down=tuple(reversed(STAGES[:place])),
            moves="release" in house.rights(caller),
            decisions=tuple(_told(house, each) for each in self._store.decisions(name)),
        )

    def _compared(self, name: str, since: datetime | None) -> tuple[AnswerCompared, ...]:
        found = self._store.compared(name, last=MOST_COMPARED)
        return tuple(each for each in found if since is None or each.at > since)


def _told(house: House, decision: StageDecided) -> DecisionLine:
    try:
        reason = unseal_any(house.keys, decision.sealed_reason)
    except Unsealable:
        reason = "(erased)"
    return DecisionLine(
        number=decision.number,
        at=decision.at,
        was=decision.was,
        stage=decision.stage,
        by=decision.by,
        rule=decision.rule,
        reason=reason,
        genuine=is_genuine(decision, house.keys),
        evidence=decision.evidence,
    )


def _not_reader(house: House, caller: Caller) -> Refusal | None:
    role = house.entitlements.of(caller)
    if role is not None and READERS & set(role.role.may):
        return None
    seen = role.role_name if role else "no role"
    return problem("right_missing", "Your role may not look at the release ladder.", "", seen)


def _unknown(house: House, name: str) -> Refusal | None:
    names = house.governed.policy.class_names()
    return None if name in names else unknown_class(name, names)


def _no_way(view: ClassView, to: ReleaseStage | None, *, up: bool) -> Refusal:
    line = view.line
    if up and line.stage == line.most:
        message = f"{line.name} is at {line.stage}, the highest stage that its policy lets it reach."
        return problem("top_of_ladder", message, "/to", to or "")
    if not up and line.stage == STAGES[0]:
        return problem("foot_of_ladder", f"{line.name} runs dry already.", "/to", to or "")
    may = ", ".join(view.up if up else view.down)
    message = f"{line.name} is at {line.stage}; from there it goes {'up' if up else 'down'} to {may} only."
    return problem("wrong_step", message, "/to", to or "")
