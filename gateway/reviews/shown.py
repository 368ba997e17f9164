"""A hold put together for one reader, from the state it is kept in and the trace that holds its words."""

from dataclasses import dataclass

from gateway.holds.records import Held, HeldFinding, Ruled, keyed
from gateway.house import House
from gateway.reviews.plan_words import plan_in_words
from gateway.reviews.usual import usual_measures
from gateway.reviews.view import HeldFindingView, HoldLine, HoldView, RulingView
from gateway.stages.settlement import PURPOSE
from policies.estimate_view import shown_estimate
from policies.policy import Role
from traces.errors import Unsealable
from traces.records import Decision, Trace
from traces.seal import unseal
from traces.store.base import TraceStore

NEXT = {
    "waiting": "A reviewer decides (cellbound review decide); ask for the decision, or come back later.",
    "accepted": "The asker sends the same again with this hold's id: `approval_id`, or ask --approval.",
    "denied": "Ask for less, or talk to the reviewer.",
    "expired": "Nobody decided in time, which counts as denied. Ask again.",
    "used": "The accept was used; it counts for one run.",
    "superseded": "The question waits under a newer hold.",
}


@dataclass(frozen=True, slots=True)
class Shown:
    """One hold and its trace for one reader. `reader` is a pseudonym, `role` None for who has none."""

    house: House
    held: Held
    trace: Trace
    reader: str
    role: Role | None
    link: str = ""

    @property
    def own(self) -> bool:
        """Say whether the reader asked it."""
        return self.held.hold.asker == self.reader

    @property
    def why_not(self) -> str:
        """Say why the reader may not decide it; empty where they may."""
        if self.role is None or "review" not in self.role.may:
            return "Your role may not review held questions."
        if self.held.status != "waiting":
            return f"It is {self.held.status}."
        open_ = [each for each in self.held.hold.findings if not self.held.is_settled(each)]
        if self.own and not all(each.own_allowed for each in open_):
            return "Nobody decides their own question."
        if all(self.reader in self.held.accepted_by(each) for each in open_):
            return "You accepted it; somebody else has to as well."
        return ""

    @property
    def words(self) -> str:
        """Return the plan in one sentence, or what stands in its place."""
        if self.held.hold.kind == "draft":
            return "A text about an answer, with claims that its cells do not settle."
        plan = self.trace.opened.ask.plan
        labels = {name: metric.label for name, metric in self.house.layer.metrics.items() if metric.label}
        return plan_in_words(plan, labels) if plan else "Free SQL of the gateway's own planner."

    def view(self, traces: TraceStore) -> HoldView:
        """Return everything that somebody needs to decide it."""
        hold, closed = self.held.hold, self.trace.closed
        draft = hold.kind == "draft"
        estimate = (closed.estimate_alone or closed.estimate) if closed and not draft else None
        return HoldView(
            hold_id=hold.id,
            trace_id=hold.trace_id,
            kind=hold.kind,
            status=self.held.status,
            at=hold.at,
            expires=hold.expires,
            asker=hold.asker,
            role=hold.role,
            own=self.own,
            may_decide=not self.why_not,
            why_not=self.why_not,
            findings=self.findings(),
            plan=self.trace.opened.ask.plan,
            plan_words=self.words,
            question=self._opened(self.trace.opened.sealed_question) if self._hears_words() else "",
            draft=self._draft() if draft else "",
            sql=closed.query.sql if closed and closed.query and not draft else "",
            estimate=shown_estimate(estimate, self.role) if estimate and self.role else None,
            usual=usual_measures(traces, self.trace, estimate) if estimate and self._reads_measures() else (),
            usual_class="free" if self.trace.opened.origin == "free" else "governed",
            rulings=tuple(map(self._ruling, self.held.rulings)),
            changed=hold.changed,
            earlier=hold.earlier,
            link=self.link,
            used_by=self.held.used_by if self.own else "",
            next_step=NEXT[self.held.status],
        )

    def findings(self) -> tuple[HeldFindingView, ...]:
        """Return the findings with their words, as the trace's record of the hold has them."""
        said = next((each.findings for each in self.trace.holds if each.hold_id == self.held.id), ())
        kept = self.held.hold.findings
        words = (*said, *(None for _ in kept))
        return tuple(self._finding(each, word) for each, word in zip(kept, words, strict=False))

    def _finding(self, kept: HeldFinding, said: Decision | None) -> HeldFindingView:
        return HeldFindingView(
            key=kept.key,
            check=kept.check,
            stage=kept.stage,
            reason=said.reason if said else "",
            seen=said.seen if said else "",
            threshold=said.threshold if said else "",
            place=said.place if said else "",
            span=said.span if said else None,
            next_step=said.next_step if said else "",
            needed=kept.needed,
            accepted=len(self.held.accepted_by(kept)),
            own_allowed=kept.own_allowed,
            owner=kept.owner,
            judge=kept.judge,
            chance=kept.chance,
            judge_said=kept.judge_said,
            carried=kept.carried,
        )

    def _ruling(self, ruled: Ruled) -> RulingView:
        return RulingView(
            verdict=ruled.verdict,
            by=ruled.by,
            at=ruled.at,
            reason=self._opened(ruled.sealed_reason),
            findings=ruled.findings,
            own=ruled.own,
        )

    def _draft(self) -> str:
        """Return the text that waits: the held draft of the trace whose hash the hold is bound to."""
        key, bound = self.house.keys.commitment(PURPOSE), self.held.hold.parts.get("draft")
        for each in reversed(self.trace.attempts):
            if each.outcome == "held" and keyed(key, {"draft": each.digest})["draft"] == bound:
                return self._opened(each.sealed_text)
        return ""

    def _hears_words(self) -> bool:
        return self.own or (self.role is not None and "unseal" in self.role.may)

    def _reads_measures(self) -> bool:
        """Say whether what other questions read tells the reader nothing that is hidden from them."""
        return self.role is not None and not self.role.rows and "review" in self.role.may

    def _opened(self, sealed: str) -> str:
        if not sealed:
            return ""
        try:
            return unseal(self.house.keys, self.held.hold.asker, sealed)
        except Unsealable:
            return "(erased)"


def line_of(shown: Shown) -> HoldLine:
    """Return a hold as one line of a list."""
    hold = shown.held.hold
    return HoldLine(
        hold_id=hold.id,
        trace_id=hold.trace_id,
        kind=hold.kind,
        status=shown.held.status,
        at=hold.at,
        expires=hold.expires,
        asker=hold.asker,
        role=hold.role,
        checks=tuple(dict.fromkeys(each.check for each in hold.findings)),
        summary=shown.words,
        own=shown.own,
        may_decide=not shown.why_not,
    )
