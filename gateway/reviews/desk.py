"""The desk where held questions are listed, shown, decided and waited for, as one caller may."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from gateway.holds.approvals import end_what_is_over, record_decisions
from gateway.holds.faults import NotDecidable
from gateway.holds.records import Held, HoldStatus
from gateway.house import House
from gateway.record.entitled import may_know
from gateway.reply import Refusal, ReplyIssue
from gateway.reviews.calibration import calibrate
from gateway.reviews.pace import paces
from gateway.reviews.refusals import not_reviewer, problem, undecidable, unknown_hold
from gateway.reviews.rows_seen import may_know_values
from gateway.reviews.shown import Shown, line_of
from gateway.reviews.standing import stale_parts
from gateway.reviews.view import Calibration, HoldList, HoldView
from gateway.state import StateStore
from policies.entitlement import Entitlement
from traces.records import Caller, Trace
from traces.seal import seal
from traces.store.base import TraceStore

Ruling = Literal["accept", "deny", "revoke"]
RULINGS: tuple[str, ...] = get_args(Ruling)
LISTED: tuple[str, ...] = (*get_args(HoldStatus), "all")
MOST_REASON = 2_000
LONGEST_WAIT = 300.0
LOOK_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Desk:
    """The held questions of a tenant, for a reviewer, and one's own for anybody.

    A hold that a caller may not see does not exist for them. `link` says where a hold's page is.
    """

    house: House
    traces: TraceStore
    state: StateStore
    caller: Caller
    link: str = ""

    def list(self, status: str = "waiting", limit: int = 100) -> HoldList | Refusal:
        """Return holds of one status, or `all`, the one that expires first in front."""
        if status not in LISTED:
            return problem("unknown_status", f"{status!r} is no status of a hold.", "/status", status, LISTED)
        end_what_is_over(self.traces, self.state.holds)
        wanted = None if status == "all" else status
        reviews = self._reviews()
        found = self.state.holds.list(
            next((each for each in get_args(HoldStatus) if each == wanted), None),
            self.caller.tenant,
            "" if reviews else self._subject(),
        )
        seen = [(held, trace) for held in found if (trace := self._trace(held)) is not None]
        lines = tuple(line_of(self._shown(held, trace)) for held, trace in seen[:limit])
        return HoldList(holds=lines, left_off=max(0, len(seen) - limit))

    def show(self, hold_id: str) -> HoldView | Refusal:
        """Return one hold with everything that somebody needs to decide it."""
        end_what_is_over(self.traces, self.state.holds)
        held = self.state.holds.find(hold_id)
        trace = self._trace(held) if held is not None else None
        if held is None or trace is None:
            return unknown_hold(hold_id)
        return self._shown(held, trace).view(self.traces)

    def waits(self, hold_id: str) -> bool:
        """Say whether a hold of the caller's tenant still waits; one of nobody's, or decided, does not."""
        held = self.state.holds.find(hold_id)
        if held is None or held.hold.tenant != self.caller.tenant:
            return False
        return held.status == "waiting" and self._trace(held) is not None

    def decide(
        self, hold_id: str, verdict: str, reason: str, findings: Sequence[str] = ()
    ) -> HoldView | Refusal:
        """Accept, deny, or take an accept back. An accept runs nothing; it waits for its asker.

        Refusals: unknown_hold, right_missing, reason_missing, unknown_verdict, unknown_finding, and the
        conflicts already_decided, hold_expired, hold_stale, own_question.
        """
        end_what_is_over(self.traces, self.state.holds)
        held = self.state.holds.find(hold_id)
        if held is None or self._trace(held) is None:
            return unknown_hold(hold_id)
        wrong = self._wrong(verdict, reason)
        if not self._reviews():
            return not_reviewer(self._role_name())
        if wrong:
            return Refusal(issues=wrong)
        if verdict == "accept" and (changed := stale_parts(self.house, held)):
            return undecidable("hold_stale", hold_id, f"changed since it was held: {', '.join(changed)}")
        ruling: Ruling = "accept" if verdict == "accept" else "deny" if verdict == "deny" else "revoke"
        sealed = seal(self.house.keys, held.hold.asker, reason.strip())
        try:
            self.state.holds.rule(
                hold_id, ruling, self._subject(), findings=tuple(findings), sealed_reason=sealed
            )
        except NotDecidable as fault:
            return undecidable(fault.code, hold_id, str(fault))
        record_decisions(self.traces, self.state.holds)
        return self.show(hold_id)

    def await_decision(self, hold_id: str, timeout: float) -> HoldView | Refusal:
        """Return the hold once it waits no more, or as it stands after `timeout` seconds."""
        until = time.monotonic() + min(max(timeout, 0.0), LONGEST_WAIT)
        while True:
            held = self.state.holds.find(hold_id)
            left = until - time.monotonic()
            if held is None or held.status != "waiting" or left <= 0:
                return self.show(hold_id)
            time.sleep(min(LOOK_SECONDS, left))

    def calibration(self) -> Calibration | Refusal:
        """Return how far judges agreed with the people who decided the same findings later, and their pace.

        It is for who may review or audit.
        """
        role = self._role()
        if role is None or not {"review", "audit"} & set(role.role.may):
            return not_reviewer(self._role_name())
        findings = calibrate(self.state.opinions.compared(), self.house.governed.policy)
        return Calibration(findings=findings, reviewers=paces(self.state.holds.paces(self.caller.tenant)))

    def _trace(self, held: Held) -> Trace | None:
        """Return the trace of a hold that the caller may see; None for any other."""
        hold = held.hold
        if hold.tenant != self.caller.tenant:
            return None
        trace = self.traces.read(hold.trace_id)
        if trace is None:
            return None
        role = self._role()
        if hold.asker == self._subject():
            return trace
        if role is None or not self._reviews() or not may_know(self.house, role, trace):
            return None
        return trace if may_know_values(self.house, role, hold, trace) else None

    def _shown(self, held: Held, trace: Trace) -> Shown:
        role = self._role()
        return Shown(
            house=self.house,
            held=held,
            trace=trace,
            reader=self._subject(),
            role=role.role if role else None,
            link=f"{self.link}{held.id}" if self.link else "",
        )

    def _wrong(self, verdict: str, reason: str) -> tuple[ReplyIssue, ...]:
        found: list[ReplyIssue] = []
        if verdict not in RULINGS:
            message = f"{verdict!r} is no decision."
            found.extend(problem("unknown_verdict", message, "/verdict", verdict, RULINGS).issues)
        if not reason.strip() or len(reason) > MOST_REASON:
            message = f"A decision says why, in 1 to {MOST_REASON:,} characters."
            found.extend(problem("reason_missing", message, "/reason", f"{len(reason)} characters").issues)
        return tuple(found)

    def _subject(self) -> str:
        return self.house.subject(self.caller)

    def _role(self) -> Entitlement | None:
        return self.house.entitlements.of(self.caller)

    def _role_name(self) -> str:
        role = self._role()
        return role.role_name if role else ""

    def _reviews(self) -> bool:
        role = self._role()
        return role is not None and "review" in role.role.may
