"""A held question as it is kept: its findings, what an accept is bound to, and every decision on it."""

import hmac
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Literal

from metric_layer.record import Record
from policies.judge_policy import FindingRule, JudgeKind
from traces.records import Decision, Stage

HoldKind = Literal["question", "draft"]
HoldStatus = Literal["waiting", "accepted", "denied", "expired", "used", "superseded"]
Verdict = Literal["accept", "deny", "revoke", "expired"]
GROWTH_ALLOWED = 1.1
"""A measured amount may be this many times the accepted one: tables grow while a question waits."""
KEY_CHARACTERS = 12


class HeldFinding(Record):
    """A finding that waits, by a key that is the same whenever the same is found again.

    Its words stand in the trace's record of the hold, at the same place in the list; none of them are here.
    `amount` is what was measured. `needed` different people have to accept it. `carried` says that it was
    accepted under an earlier hold of the same question. `chance` and `judge_said` are what a judge gave
    before it was left to a person.
    """

    key: str
    check: str
    stage: Stage
    amount: float | None = None
    needed: int = 1
    own_allowed: bool = False
    owner: str = ""
    judge: JudgeKind = "person"
    chance: float | None = None
    judge_said: str = ""
    carried: bool = False

    def covers(self, other: "HeldFinding") -> bool:
        """Say whether an accept of this finding is one of the other: the same, and hardly larger."""
        if self.key != other.key:
            return False
        return self.amount is None or other.amount is None or other.amount <= self.amount * GROWTH_ALLOWED


@dataclass(frozen=True, slots=True)
class Pace:
    """One decision of a person: how many seconds after the hold began, and which way."""

    by: str
    accepted: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class NewHold:
    """A question that begins to wait. `parts` are keyed hashes of all that an accept is bound to, by name."""

    id: str
    trace_id: str
    kind: HoldKind
    tenant: str
    asker: str
    role: str
    parts: Mapping[str, str]
    findings: tuple[HeldFinding, ...]
    at: datetime
    expires: datetime
    earlier: str = ""
    changed: tuple[str, ...] = ()

    @property
    def base(self) -> str:
        """Return the hash of the parts, without the findings."""
        return base_of(self.parts)

    @property
    def binding(self) -> str:
        """Return the hash of the parts and the findings: all that an accept is bound to."""
        return bound_to(self.parts, (finding.key for finding in self.findings))


@dataclass(frozen=True, slots=True)
class Ruled:
    """One decision on a hold. `by` is a pseudonym; `findings` are the keys that it is about."""

    verdict: Verdict
    by: str
    at: datetime
    findings: tuple[str, ...] = ()
    sealed_reason: str = ""
    own: bool = False


@dataclass(frozen=True, slots=True)
class Held:
    """A question that waits, or waited, with every decision on it. `used_by` is the trace that ran."""

    hold: NewHold
    status: HoldStatus
    rulings: tuple[Ruled, ...] = ()
    used_by: str = ""

    @property
    def id(self) -> str:
        """Return the id of the hold: the approval id of its question."""
        return self.hold.id

    def accepted_by(self, finding: HeldFinding) -> frozenset[str]:
        """Return the people who accepted a finding."""
        return frozenset(r.by for r in self.rulings if r.verdict == "accept" and finding.key in r.findings)

    def is_settled(self, finding: HeldFinding) -> bool:
        """Say whether enough people accepted a finding, here or under an earlier hold."""
        return finding.carried or len(self.accepted_by(finding)) >= finding.needed

    def covers(self, finding: HeldFinding) -> bool:
        """Say whether an accept of this hold is one of a finding."""
        return any(own.covers(finding) for own in self.hold.findings)


def held_finding(key: bytes, decision: Decision, rule: FindingRule) -> HeldFinding:
    """Return a decision as a finding that waits, under the policy's rule for its check."""
    said: tuple[str, ...] = (decision.stage, decision.check, decision.place, decision.threshold)
    if decision.amount is None:
        said = (*said, decision.reason, decision.seen, str(decision.span))
    return HeldFinding(
        key=_digest(key, "\x1f".join(said))[:KEY_CHARACTERS],
        check=decision.check,
        stage=decision.stage,
        amount=decision.amount,
        needed=2 if rule.two_person else 1,
        own_allowed=rule.own_allowed,
        owner=rule.owner,
        judge=rule.judge,
    )


def keyed(key: bytes, parts: Mapping[str, str]) -> Mapping[str, str]:
    """Return the parts of a question as keyed hashes: they tell that it changed, and nothing of it."""
    return {name: _digest(key, f"{name}\x1f{text}") for name, text in parts.items()}


def base_of(parts: Mapping[str, str]) -> str:
    """Return one hash over all parts of a question."""
    return sha256(json.dumps(sorted(parts.items())).encode()).hexdigest()


def bound_to(parts: Mapping[str, str], keys: Iterable[str]) -> str:
    """Return one hash over all parts of a question and the keys of its findings."""
    return sha256(json.dumps([base_of(parts), sorted(keys)]).encode()).hexdigest()


def differences(old: Mapping[str, str], new: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of the parts in which two questions differ."""
    return tuple(name for name in dict.fromkeys((*new, *old)) if old.get(name) != new.get(name))


def _digest(key: bytes, text: str) -> str:
    return hmac.digest(key, text.encode("utf-8", "surrogatepass"), "sha256").hex()
