"""Every record of the house: what happens to a question, as values. A trace is these records in order."""

import time
from collections.abc import Mapping
from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import Field

from metric_layer.issues import Issue
from metric_layer.plan import Dialect, MetricPlan
from metric_layer.record import Record
from metric_layer.resolved import OutputColumn
from traces.analysis_records import AnalysisPin as AnalysisPin
from traces.answer_records import Answer as Answer
from traces.answer_records import Cell as Cell
from traces.answer_records import Citation as Citation
from traces.cost_records import (
    Actual as Actual,
)
from traces.cost_records import (
    Bound as Bound,
)
from traces.cost_records import (
    Estimate as Estimate,
)
from traces.cost_records import (
    JoinGrowth as JoinGrowth,
)
from traces.cost_records import (
    Measured as Measured,
)
from traces.cost_records import (
    Run as Run,
)
from traces.cost_records import (
    RunLimits as RunLimits,
)
from traces.cost_records import (
    Scan as Scan,
)
from traces.cost_records import (
    Spent as Spent,
)
from traces.custody_records import (
    Erased,
    Impersonated,
    KeysRotated,
    LegalHold,
    Retired,
    Unsealed,
    UnsealedBatch,
)
from traces.data_records import DataReference as DataReference
from traces.data_records import Value as Value
from traces.derivation_records import Derivation as Derivation
from traces.log_records import FORMAT, Recovered, SegmentStart
from traces.model_records import ModelCall as ModelCall
from traces.pin_records import Pins as Pins
from traces.release_records import AnswerCompared, StageDecided
from traces.release_records import ReleasePin as ReleasePin
from traces.score_records import StefMark
from traces.shape_records import ColumnShape as ColumnShape
from traces.shape_records import PeriodShape as PeriodShape
from traces.shape_records import Shape as Shape
from traces.shape_records import Watermark as Watermark

Verdict = Literal["allow", "soft", "hold", "hard", "skipped"]
Stage = Literal["plan", "sql", "cost", "rows", "answer"]
Origin = Literal["plan", "free", "analysis"]
Outcome = Literal[
    "answered",
    "dry_run",
    "needs_clarification",
    "invalid_plan",
    "held",
    "denied",
    "not_released",
    "expired",
    "abstained",
    "no_rows",
    "partial",
    "left",
    "failed",
]


class Caller(Record):
    """Who asks. `roles` are the policy's role names; the first one the policy knows is in force."""

    user: Annotated[str, Field(min_length=1, max_length=200)]
    teams: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    tenant: str = "default"


class ShorterWindow(Record):
    """A part of a plan's window that its asker accepts where all of it takes too long; dates inclusive."""

    from_: Annotated[date, Field(alias="from")]
    to: date


class Ask(Record):
    """A question as it came through a door. `narrower_of` is the trace of the one that took too long.

    `step_of` is the trace of the first of several queries that answer one question.
    """

    plan: MetricPlan | None = None
    choices: Mapping[str, str] = {}
    dry_run: bool = False
    approval_id: str = ""
    accept_narrower: ShorterWindow | None = None
    narrower_of: str = ""
    step_of: str = ""


class Query(Record):
    """SQL text regenerated from the checked tree. `guard` ran beside it and counted that no row was lost."""

    sql: str
    dialect: Dialect
    origin: Origin
    digest: str
    guard: str = ""


class Decision(Record):
    """One check's verdict, written when it allows as well as when it denies.

    `retry` says whether a *new* query may be tried after this verdict. `span` is a range of offsets in the
    text the caller sent (SQL or draft). `amount` is the measured number behind `seen`, where there is one.
    """

    stage: Stage
    check: str
    verdict: Verdict
    reason: str
    seen: str = ""
    threshold: str = ""
    place: str = ""
    span: tuple[int, int] | None = None
    candidates: tuple[str, ...] = ()
    next_step: str = ""
    retry: bool = False
    amount: float | None = None
    duration_us: int = 0
    input: str = ""
    output: str = ""


class Table(Record):
    """A result as the asker may see it. Lives in memory and in the result store, never in a trace."""

    columns: tuple[OutputColumn, ...]
    rows: tuple[tuple[Value, ...], ...]
    truncated: bool = False
    limit_source: str = ""


def mono_us() -> int:
    """Return the microseconds of the clock that only goes on, which records have beside the time of day."""
    return time.monotonic_ns() // 1000


class Open(Record):
    """The first record of a question: who asked what, before the first check; words are kept sealed only.

    `client` is the door with the version of its protocol, `program` what the caller's own program says it is.
    `conversation` is a keyed hash of the asker's name for the one that the question belongs to, `follows` the
    trace in it that this one goes on from, `request` a keyed hash of the key that a repeat would come under.
    """

    kind: Literal["open"] = "open"
    v: int = FORMAT
    trace_id: str
    at: datetime
    mono_us: int
    subject: str
    role: str
    tenant: str
    client: str
    program: str = ""
    conversation: str = ""
    follows: str = ""
    request: str = ""
    origin: Origin
    ask: Ask
    analysis: AnalysisPin | None = None
    sealed_question: str = ""
    sealed: str = ""


class Hold(Record):
    """A question or a draft waits for somebody entitled to decide.

    `binding` hashes all that an accept is bound to. `earlier` is a hold of the same question whose accepts go
    on counting here, `changed` names what is different from the question that an earlier accept was for.
    """

    kind: Literal["hold"] = "hold"
    v: int = FORMAT
    trace_id: str
    at: datetime
    mono_us: int = 0
    hold_id: str
    findings: tuple[Decision, ...]
    binding: str
    expires: datetime
    about: Literal["question", "draft"] = "question"
    earlier: str = ""
    changed: tuple[str, ...] = ()
    sealed: str = ""


class Judgement(Record):
    """Somebody decided a hold, or some of its findings: their keys are `findings`.

    `own` says that the asker decided their own question, as the policy lets them. `signature` is over all but
    itself, by the signing key `key_id`.
    """

    kind: Literal["decision"] = "decision"
    v: int = FORMAT
    trace_id: str
    at: datetime
    mono_us: int = 0
    hold_id: str
    verdict: Literal["accept", "deny", "revoke", "expired"]
    by: str
    sealed_reason: str = ""
    findings: tuple[str, ...] = ()
    own: bool = False
    key_id: str = ""
    signature: str = ""


class Approval(Record):
    """A finding that let its question go on, by whom: a person under a hold, a model, or the policy's rules.

    `chance` is the judge's probability. `ruling` is `between` or a fault's code where a judge left it to a
    person, and `deny` where it ended the question.
    """

    check: str
    judge: Literal["person", "model", "rules"]
    ruling: str
    hold_id: str = ""
    chance: float | None = None


class AnswerAttempt(Record):
    """One draft and what became of it. May follow `close`. Its count is what caps the retries.

    `sealed_told` is the text that left, where slots were printed in it; the citations' places are in that.
    `approvals` say who let claims of it pass that its cells do not settle.
    """

    kind: Literal["answer"] = "answer"
    v: int = FORMAT
    trace_id: str
    at: datetime
    mono_us: int = 0
    attempt: int
    passed: bool
    outcome: Literal["passed", "blocked", "fixed_message", "abstained", "held"]
    decisions: tuple[Decision, ...]
    citations: tuple[Citation, ...] = ()
    sealed_text: str = ""
    sealed_told: str = ""
    calls: tuple[ModelCall, ...] = ()
    digest: str
    approvals: tuple[Approval, ...] = ()
    sealed: str = ""


class Close(Record):
    """The last word on a question; on disk before the answer leaves.

    `readings` are the readings of open terms that the asker's team had chosen before, as they were used.
    `estimate_alone` is the query's own where `estimate` is with its guard; `run` is how it was given to the
    database. `came_to` is what a question in shadow came to: its asker is told nothing of it. `release` is
    its class, with the stage in force.
    """

    kind: Literal["close"] = "close"
    v: int = FORMAT
    trace_id: str
    at: datetime
    mono_us: int
    outcome: Outcome
    came_to: Outcome | Literal[""] = ""
    release: ReleasePin | None = None
    failed_step: str = ""
    issues: tuple[Issue, ...] = ()
    pins: Pins | None = None
    query: Query | None = None
    readings: Mapping[str, str] = {}
    sealed_submitted: str = ""
    estimate: Estimate | None = None
    estimate_alone: Estimate | None = None
    day: Spent | None = None
    approvals: tuple[Approval, ...] = ()
    run: Run | None = None
    actual: Actual | None = None
    shape: Shape | None = None
    watermarks: tuple[Watermark, ...] = ()
    decisions: tuple[Decision, ...] = ()
    answer: tuple[Citation, ...] = ()
    sealed_answer: str = ""
    notes: tuple[str, ...] = ()
    steps_us: Mapping[str, int] = {}
    calls: tuple[ModelCall, ...] = ()
    stef: StefMark | None = None
    sealed: str = ""


QuestionRecord = Open | Hold | Judgement | AnswerAttempt | Close
"""The records of one question, which its `trace_id` holds together."""
CustodyRecord = Erased | LegalHold | Unsealed | UnsealedBatch | Impersonated | Retired | KeysRotated
ReleaseRecord = StageDecided | AnswerCompared
AnyRecord = Annotated[
    QuestionRecord | CustodyRecord | ReleaseRecord | Recovered | SegmentStart, Field(discriminator="kind")
]


class Receipt(Record):
    """What a caller keeps to prove a record existed: log, sequence number, chain hash after it."""

    trace_id: str
    log: str
    seq: int
    hash: str


class Trace(Record):
    """All records of one question, put together again."""

    trace_id: str
    opened: Open
    holds: tuple[Hold, ...] = ()
    judgements: tuple[Judgement, ...] = ()
    attempts: tuple[AnswerAttempt, ...] = ()
    closed: Close | None = None

    @property
    def untold(self) -> bool:
        """Whether it ran in shadow: nothing that it came to may reach its asker."""
        return self.closed is not None and self.closed.came_to != ""

    @property
    def erased(self) -> bool:
        """Whether a part of it was sealed under a key that is destroyed."""
        closed = (self.closed,) if self.closed else ()
        return any(each.sealed for each in (self.opened, *self.holds, *self.attempts, *closed))

    @property
    def choices(self) -> Mapping[str, str]:
        """Return the readings the question ran with: the asker's own, and those of their team."""
        return {**(self.closed.readings if self.closed else {}), **self.opened.ask.choices}
