"""Who is asked about a finding that waits, whether the answer counts, and what is kept of it."""

import hmac
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256

from gateway.holds.opinions import Given, OpinionLog
from gateway.holds.records import HeldFinding
from gateway.judges.http import body_of
from policies.judge import (
    Case,
    Judge,
    Judgeable,
    JudgeFault,
    Opinion,
    Request,
    RulesJudge,
    Ruling,
    request_of,
    rule,
)
from policies.policy import Policy


@dataclass(frozen=True, slots=True)
class Heard:
    """What a judge's word on one finding comes to. `said` is the ruling, or why it was left to a person."""

    ruling: Ruling
    said: str = ""
    chance: float | None = None


NOBODY = Heard("between")


@dataclass(frozen=True, slots=True)
class Panel:
    """The judges of a policy. `model` is None where it names none; `key` hashes requests for the log.

    A model that is down, slow, resting, on probation or unintelligible leaves the finding to a person, and so
    does a person's own finding: nothing but a counted answer at or above the line allows.
    """

    policy: Policy
    model: Judge | None
    log: OpinionLog
    key: bytes
    people_only: bool = False

    def hear(self, trace_id: str, held: HeldFinding, finding: Judgeable, case: Case) -> Heard:
        """Ask the judge that the policy names for a finding."""
        of = self.policy.rule_of(finding.check)
        request = request_of(finding, case)
        if request is None or of.judge == "person" or self.people_only:
            return NOBODY
        asked = hmac.digest(self.key, body_of(request), sha256).hex()
        if of.judge == "rules":
            opinion = RulesJudge(of.rules, finding, case).ask(request)
            heard = Heard(rule(opinion.chance, of), chance=opinion.chance)
        else:
            remembered = self._remembered(asked, finding.check)
            if remembered is not None:
                return remembered
            heard = self._asked(request, asked)
        heard = heard if heard.said else Heard(heard.ruling, heard.ruling, heard.chance)
        self.log.note(Given(trace_id, held.key, finding.check, of.judge, asked, heard.chance, heard.said))
        return heard

    def _remembered(self, asked: str, check: str) -> Heard | None:
        """Return the earlier word on exactly this request: asking again and again changes nothing."""
        found = self.log.recall(asked, timedelta(minutes=self.policy.hold_minutes))
        if found is None:
            return None
        chance, said = found
        counted = rule(chance, self.policy.rule_of(check)) if said in ("allow", "deny", "between") else None
        return Heard(counted or "between", counted or said, chance)

    def _asked(self, request: Request, asked: str) -> Heard:
        settings, model = self.policy.judge, self.model
        if settings is None or model is None:
            return Heard("between", "no_judge")
        if not self.log.may_ask(settings):
            return Heard("between", "resting")
        try:
            opinion = model.ask(request)
        except JudgeFault as fault:
            self.log.answered(settings, good=False)
            return Heard("between", fault.code)
        if self.log.answered(settings, good=True) < settings.probation:
            return Heard("between", "probation", opinion.chance)
        return self._counted(opinion, request.check, asked)

    def _counted(self, opinion: Opinion, check: str, asked: str) -> Heard:
        ruling = rule(opinion.chance, self.policy.rule_of(check))
        settings = self.policy.judge
        share = settings.review_share if settings else 0.0
        if ruling == "allow" and int(asked[:8], 16) < share * 2**32:
            return Heard("between", "sampled", opinion.chance)
        return Heard(ruling, chance=opinion.chance)
