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
Stage = Literal["plan", "sql", "cost", "answer"]
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


class Ask(Record):
    """A question as it came through a door."""

    plan: MetricPlan | None = None
    choices: Mapping[str, str] = {}
    dry_run: bool = False
    approval_id: str = ""


class Query(Record):
    """SQL text regenerated from the checked tree."""

    sql: str
    dialect: Dialect
    origin: Origin
    digest: str


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
    """What the database says the query would cost. Nothing ran. `bound` says how far it can be trusted."""

    rows: int | None = None
    bytes: int | None = None
    cost: float | None = None
    scans: tuple[Scan, ...] = ()
    joins: tuple[JoinGrowth, ...] = ()
    bound: Bound = "unknown"
    notes: tuple[str, ...] = ()


class Actual(Measured):
    """What the run really took. Milliseconds are the engine's own."""

    rows: int
    bytes: int | None = None
    ms: float


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
    """A number at `start` to `end` of an answer and its source; `trace_id` says whose, of several results."""

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


class Answer(Record):
    """A text that may leave: every number has a citation. `scope` is the line code wrote under it."""

    text: str
    citations: tuple[Citation, ...] = ()
    scope: str = ""
    flags: tuple[str, ...] = ()


SpanCode = Literal[
    "no_source",
    "undeclared_derivation",
    "wrong_cell",
    "precision",
    "unit",
    "sign",
    "residual",
    "control_characters",
    "unknown_label",
    "null_as_value",
    "window",
    "filter",
    "metric_name",
    "claim",
    "bad_declaration",
    "bad_slot",
    "cut_result",
    "too_large",
]


class SpanFinding(Record):
    """One thing wrong with a draft: where it is, what it says, where it really belongs, what to do."""

    code: SpanCode
    start: int
    end: int
    text: str
    message: str
    belongs_to: Cell | None = None
    expected: str = ""
    next_step: str = ""


class Grounding(Record):
    """What the answer check found. `text` is the draft with its slots printed; `flags` names the claims seen.

    `fixed_message` means the result held no figure, so the fixed text replaces whatever the draft said.
    `settled` says which claims code itself decided, and how.
    """

    verdict: Literal["pass", "block", "fixed_message", "hold"]
    text: str
    citations: tuple[Citation, ...] = ()
    findings: tuple[SpanFinding, ...] = ()
    flags: tuple[str, ...] = ()
    settled: tuple[str, ...] = ()


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
    """The first record of a question: who asked what, written before the first check."""

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
    """The last word on a question; on disk before the answer leaves."""

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
    sealed_submitted: str = ""
    estimate: Estimate | None = None
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
