"""What is shown of a held question: the finding, both lines, the plan in words, the SQL, what is usual."""

from datetime import datetime
from typing import Literal

from gateway.holds.records import HoldKind, HoldStatus
from gateway.paged import Paged
from metric_layer.plan import MetricPlan
from metric_layer.record import Record
from policies.judge_policy import JudgeKind
from traces.records import Estimate, Stage


class HoldLine(Record):
    """A hold in a list. `asker` is a pseudonym; `own` says that the reader asked it themself."""

    hold_id: str
    trace_id: str
    kind: HoldKind
    status: HoldStatus
    at: datetime
    expires: datetime
    asker: str
    role: str
    checks: tuple[str, ...]
    summary: str
    own: bool
    may_decide: bool


class HoldList(Paged):
    """Held questions, the one that expires first in front. `left_off` says how many more there are."""

    holds: tuple[HoldLine, ...]
    left_off: int = 0


class HeldFindingView(Record):
    """One finding of a hold: what was seen, both lines, and how far it is decided.

    `key` names the finding within its hold. `needed` accepts of different people settle it, `accepted` are
    there. `chance` is what its judge gave for allowing it, `judge_said` what became of that. `carried` says
    that it was accepted under an earlier hold of the same question.
    """

    key: str
    check: str
    stage: Stage
    reason: str
    seen: str = ""
    threshold: str = ""
    place: str = ""
    span: tuple[int, int] | None = None
    next_step: str = ""
    needed: int = 1
    accepted: int = 0
    own_allowed: bool = False
    owner: str = ""
    judge: JudgeKind = "person"
    chance: float | None = None
    judge_said: str = ""
    carried: bool = False


class UsualMeasure(Record):
    """A measure of the estimate beside the median of `n` recent questions of its class, and their ratio."""

    measure: Literal["bytes", "rows", "cost"]
    seen: float
    median: float | None = None
    n: int = 0
    times: float | None = None


class RulingView(Record):
    """One decision on a hold. `by` is a pseudonym, empty for an expiry; `own` says the asker decided it."""

    verdict: Literal["accept", "deny", "revoke", "expired"]
    by: str
    at: datetime
    reason: str = ""
    findings: tuple[str, ...] = ()
    own: bool = False


class HoldView(Record):
    """One held question or draft, as its asker or a reviewer may see it.

    `changed` names what became different since an earlier accept of the same asker. `why_not` says why the
    reader may not decide it. `draft` is a held text that its asker wants to send; SQL and estimate are empty
    for one. `link` leads to its page where the project has one. `used_by` is the trace of the run that used
    the accept, for its asker.
    """

    hold_id: str
    trace_id: str
    kind: HoldKind
    status: HoldStatus
    at: datetime
    expires: datetime
    asker: str
    role: str
    own: bool
    may_decide: bool
    why_not: str = ""
    findings: tuple[HeldFindingView, ...]
    plan: MetricPlan | None = None
    plan_words: str = ""
    question: str = ""
    draft: str = ""
    sql: str = ""
    estimate: Estimate | None = None
    usual: tuple[UsualMeasure, ...] = ()
    usual_class: str = ""
    rulings: tuple[RulingView, ...] = ()
    changed: tuple[str, ...] = ()
    earlier: str = ""
    link: str = ""
    used_by: str = ""
    next_step: str = ""


class CalibrationBin(Record):
    """Opinions whose probability lay in [low, high): how many, their mean, and the share people accepted."""

    low: float
    high: float
    n: int
    mean_chance: float | None
    accepted: float | None


class FindingCalibration(Record):
    """How well a judge agreed with people on one finding. Undefined figures are None; `n` counts pairs.

    `faults` are calls that gave no usable answer; `opinions` all that did. `allow_at`, `deny_at` and `owner`
    are what the policy in force says of the finding.
    """

    check: str
    judge: JudgeKind
    opinions: int
    faults: int
    n: int
    agreed: float | None
    brier: float | None
    bins: tuple[CalibrationBin, ...] = ()
    allow_at: float | None = None
    deny_at: float | None = None
    owner: str = ""


class ReviewerPace(Record):
    """How one reviewer, a pseudonym, decided on other people's questions: `n` decisions in all."""

    reviewer: str
    n: int
    accepted: float
    median_seconds: float


class Calibration(Record):
    """Judges beside the people who decided the same findings later, finding by finding; and those people."""

    findings: tuple[FindingCalibration, ...]
    reviewers: tuple[ReviewerPace, ...] = ()
