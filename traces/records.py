"""Every record of the house: what happens to a question, as values. A trace is these records in order."""

from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from metric_layer.issues import Issue
from metric_layer.plan import Dialect, MetricPlan
from metric_layer.record import Record
from metric_layer.resolved import OutputColumn, Used
from traces.log_records import FORMAT, Recovered, SegmentStart

Verdict = Literal["allow", "soft", "hold", "hard", "skipped"]
Stage = Literal["plan", "sql", "cost", "rows", "answer"]
Origin = Literal["plan", "free", "analysis"]
Bound = Literal["exact", "upper", "guess", "unknown"]
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
Value = bool | int | float | Decimal | date | datetime | str | None


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
    """A question as it came through a door. `narrower_of` is the trace of the one that took too long."""

    plan: MetricPlan | None = None
    choices: Mapping[str, str] = {}
    dry_run: bool = False
    approval_id: str = ""
    accept_narrower: ShorterWindow | None = None
    narrower_of: str = ""


class Query(Record):
    """SQL text regenerated from the checked tree. `guard` ran beside it and counted that no row was lost."""

    sql: str
    dialect: Dialect
    origin: Origin
    digest: str
    guard: str = ""


class Scan(Record):
    """A relation the database would read; `rows` and `bytes` are upper bounds where it knows them."""

    relation: str
    rows: int | None = None
    bytes: int | None = None
    full: bool = False


class Measured(Record):
    """A record whose floats may be infinite or undefined: JSON has no such number, so they become text."""

    model_config = ConfigDict(ser_json_inf_nan="strings")


class JoinGrowth(Measured):
    """A join of the plan whose estimated output is `growth` times its larger input."""

    kind: str
    rows: int
    growth: float


class Estimate(Measured):
    """What the database says the query would cost. Nothing ran. `bound` says how far it can be trusted.

    `row_secured` says that the database hides rows from the asker which its figures count.
    """

    rows: int | None = None
    bytes: int | None = None
    cost: float | None = None
    scans: tuple[Scan, ...] = ()
    joins: tuple[JoinGrowth, ...] = ()
    bound: Bound = "unknown"
    row_secured: bool = False
    notes: tuple[str, ...] = ()


class Actual(Measured):
    """What the run really took. Milliseconds are the engine's own."""

    rows: int
    bytes: int | None = None
    ms: float


class Spent(Record):
    """What a user's other questions of the day were counted with when a question was judged."""

    bytes: int = 0
    rows: int = 0
    cost: int = 0


class Decision(Record):
    """One check's verdict, written when it allows as well as when it denies.

    `retry` says whether a *new* query may be tried after this verdict. `span` is a range of offsets in the
    text the caller sent (SQL or draft).
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
    duration_us: int = 0
    input: str = ""
    output: str = ""


class Table(Record):
    """A result as the asker may see it. Lives in memory and in the result store, never in a trace."""

    columns: tuple[OutputColumn, ...]
    rows: tuple[tuple[Value, ...], ...]
    truncated: bool = False
    limit_source: str = ""


class ColumnShape(Record):
    """Counts and ranges of one column; a range only where it tells of no single person."""

    name: str
    type: str
    nulls: int
    distinct: int
    low: str = ""
    high: str = ""


class Shape(Record):
    """A result without its values: row count, column shapes, and a keyed hash of the rows as a multiset."""

    rows: int
    truncated: bool
    columns: tuple[ColumnShape, ...]
    keyed_hash: str
    key_id: str


class Cell(Record):
    """A place in a result: 0-based row and column name."""

    row: int
    column: str


class Derivation(Record):
    """A value the agent declares and code computes, typed by `op`, over named cells.

    ops: difference(a, b), pct_change(new, old), pp_change(new, old), ratio(num, den), share(part, whole),
    sum|mean|min|max(of), count_rows(where), count_distinct(col), rank(row, col, order).
    """

    id: Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]*$", max_length=50)]
    op: Literal[
        "difference",
        "pct_change",
        "pp_change",
        "ratio",
        "share",
        "sum",
        "mean",
        "min",
        "max",
        "count_rows",
        "count_distinct",
        "rank",
    ]
    args: Mapping[str, Any] = {}


class Citation(Record):
    """A number at `start` to `end` of an answer and its source; `trace_id` says whose, of several results.

    `chance` is the most that random numbers of the same shape would have passed in its place, as a share;
    None where code printed the number.
    """

    start: int
    end: int
    text: str
    value: str
    kind: Literal["cell", "derivation", "row_count", "parameter"]
    cell: Cell | None = None
    row_key: tuple[str, ...] = ()
    expression: str = ""
    metric: str = ""
    version: int | None = None
    trace_id: str = ""
    chance: float | None = None


class Answer(Record):
    """A text that may leave: every number has a citation. `scope` is the line code wrote under it."""

    text: str
    citations: tuple[Citation, ...] = ()
    scope: str = ""
    flags: tuple[str, ...] = ()


class DataReference(Record):
    """What the data was: a content hash, a snapshot or a time; `none` where the engine cannot say."""

    kind: Literal["content_hash", "snapshot", "timestamp", "none"]
    value: str = ""


class Pins(Record):
    """Every input of the answer by hash or version, so that a replay can name the one that changed."""

    layer: str
    policy: str
    thresholds: str
    allowlist: str
    entitlement: str
    calendar: str
    used: tuple[Used, ...] = ()
    gateway: str
    parser: str
    engine: str
    engine_version: str
    mode: str = ""
    dialect: Dialect
    zone: str
    data: DataReference


class Open(Record):
    """The first record of a question: who asked what, before the first check; words are kept sealed only."""

    kind: Literal["open"] = "open"
    v: int = FORMAT
    trace_id: str
    at: datetime
    mono_us: int
    subject: str
    role: str
    tenant: str
    client: str
    origin: Origin
    ask: Ask
    sealed_question: str = ""


class Hold(Record):
    """A question waits for somebody entitled to decide. `binding` hashes all that an accept is bound to."""

    kind: Literal["hold"] = "hold"
    v: int = FORMAT
    trace_id: str
    at: datetime
    hold_id: str
    findings: tuple[Decision, ...]
    binding: str
    expires: datetime


class Judgement(Record):
    """Somebody decided a hold."""

    kind: Literal["decision"] = "decision"
    v: int = FORMAT
    trace_id: str
    at: datetime
    hold_id: str
    verdict: Literal["accept", "deny", "expired"]
    by: str
    sealed_reason: str = ""


class AnswerAttempt(Record):
    """One draft and what became of it. May follow `close`. Its count is what caps the retries."""

    kind: Literal["answer"] = "answer"
    v: int = FORMAT
    trace_id: str
    at: datetime
    attempt: int
    passed: bool
    outcome: Literal["passed", "blocked", "fixed_message", "abstained", "held"]
    decisions: tuple[Decision, ...]
    citations: tuple[Citation, ...] = ()
    sealed_text: str = ""
    digest: str


class Close(Record):
    """The last word on a question; on disk before the answer leaves.

    `readings` are the readings of open terms that the asker's team had chosen before, as they were used.
    """

    kind: Literal["close"] = "close"
    v: int = FORMAT
    trace_id: str
    at: datetime
    mono_us: int
    outcome: Outcome
    failed_step: str = ""
    issues: tuple[Issue, ...] = ()
    pins: Pins | None = None
    query: Query | None = None
    readings: Mapping[str, str] = {}
    sealed_submitted: str = ""
    estimate: Estimate | None = None
    day: Spent | None = None
    actual: Actual | None = None
    shape: Shape | None = None
    decisions: tuple[Decision, ...] = ()
    answer: tuple[Citation, ...] = ()
    sealed_answer: str = ""
    notes: tuple[str, ...] = ()
    steps_us: Mapping[str, int] = {}


AnyRecord = Annotated[
    Open | Hold | Judgement | AnswerAttempt | Close | Recovered | SegmentStart, Field(discriminator="kind")
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
    def choices(self) -> Mapping[str, str]:
        """Return the readings the question ran with: the asker's own, and those of their team."""
        return {**(self.closed.readings if self.closed else {}), **self.opened.ask.choices}
