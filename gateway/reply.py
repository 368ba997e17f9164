"""What every door sends back: one object over MCP, HTTP and `--json`. Decimals travel as strings."""

from collections.abc import Mapping
from datetime import datetime
from typing import Literal

from gateway.json_cells import JsonCell
from gateway.paged import Paged
from metric_layer.catalog_hits import CatalogHit
from metric_layer.issues import Issue, Option
from metric_layer.plan import Grain, MetricPlan
from metric_layer.record import Record, Written
from metric_layer.resolved import OutputColumn
from policies.summary import Summary
from traces.grounding import SpanFinding
from traces.records import Actual, Citation, Decision, Estimate, Outcome, Receipt, Stage, Verdict

Where = Stage | Literal["input", "engine", "house"]
DraftOutcome = Literal["passed", "blocked", "fixed_message", "abstained", "held", "invalid", "result_expired"]
TOLD: frozenset[Outcome] = frozenset(("answered", "no_rows"))
"""The outcomes of a question whose text leaves."""


class ReplyIssue(Record):
    """One reason why a question stopped, or one choice the caller has to make."""

    code: str
    message: str
    stage: Where
    verdict: Verdict | None = None
    path: str = ""
    place: str = ""
    seen: str = ""
    threshold: str = ""
    span: tuple[int, int] | None = None
    candidates: tuple[str, ...] = ()
    next_step: str = ""
    retry: bool = False
    term: str = ""
    options: tuple[Option, ...] = ()


class StepLine(Record):
    """One of several queries that a question was answered with, and the trace that it has of its own."""

    id: str
    trace_id: str
    outcome: Outcome
    plan: MetricPlan | None = None
    row_count: int = 0


class Reply(Written):
    """The answer to one question, whatever became of it. `decisions` lists every check for a dry run only.

    `row_count` counts the whole result and `summary` sums it up; `rows` are what policy shows of it.
    `row_numbers` are their 0-based places in the whole result, left empty where they are its first rows.
    `link` leads to the page of a hold where the project has one. `retry_after` says in how many seconds a
    database that was too busy may be asked again.
    """

    outcome: Outcome
    trace_id: str = ""
    receipt: Receipt | None = None
    plan: MetricPlan | None = None
    sql: str = ""
    estimate: Estimate | None = None
    actual: Actual | None = None
    columns: tuple[OutputColumn, ...] = ()
    rows: tuple[tuple[JsonCell, ...], ...] = ()
    row_count: int = 0
    truncated: bool = False
    limit_source: str = ""
    row_numbers: tuple[int, ...] = ()
    summary: Summary | None = None
    answer: str = ""
    scope: str = ""
    citations: tuple[Citation, ...] = ()
    notes: tuple[str, ...] = ()
    hold_id: str = ""
    link: str = ""
    retry_after: int | None = None
    decisions: tuple[Decision, ...] = ()
    steps: tuple[StepLine, ...] = ()
    issues: tuple[ReplyIssue, ...] = ()


class DraftReply(Record):
    """What the answer check said of a draft. `text` is the draft with its slots printed, if it may leave."""

    outcome: DraftOutcome
    trace_id: str = ""
    receipt: Receipt | None = None
    text: str = ""
    citations: tuple[Citation, ...] = ()
    findings: tuple[SpanFinding, ...] = ()
    flags: tuple[str, ...] = ()
    attempts_left: int = 0
    hold_id: str = ""
    link: str = ""
    issues: tuple[ReplyIssue, ...] = ()


class AttestedKey(Record):
    """What counting a declared key gave. `orphans` are rows, of `rows`, whose key meets no row.

    `uncounted` says why it was not counted; `query` shows the rows that repeat it.
    """

    relationship: str
    key: str
    ok: bool
    uncounted: str = ""
    repeated: int | None = None
    missing: int | None = None
    rows: int | None = None
    orphans: int | None = None
    query: str = ""


class AttestedLevel(Record):
    """How many values of a hierarchy's level lie in more than one value of the level above."""

    hierarchy: str
    level: str
    straddling: int | None = None
    uncounted: str = ""


class AttestReport(Record):
    """The declared keys and hierarchies, held against the data as it was.

    `ok` says that everything was counted and is as it was declared; `refused` why nothing was counted.
    """

    ok: bool
    at: datetime
    data: str = ""
    keys: tuple[AttestedKey, ...] = ()
    levels: tuple[AttestedLevel, ...] = ()
    refused: str = ""


class MetricLine(Record):
    """A metric in a list."""

    name: str
    label: str
    description: str
    unit: str
    version: int
    owner: str
    status: str


class MetricList(Paged):
    """The metrics a caller may ask for. `left_off` says how many more matched."""

    metrics: tuple[MetricLine, ...]
    dimensions: tuple[str, ...] = ()
    left_off: int = 0


class CatalogHits(Record):
    """What a search of the catalogue found, best first. `left_off` says how many more matched."""

    hits: tuple[CatalogHit, ...]
    left_off: int = 0


class DimensionLine(Record):
    """A dimension that goes with a metric."""

    name: str
    label: str
    type: str
    description: str = ""
    values: tuple[str, ...] = ()
    synonyms: tuple[str, ...] = ()


class MetricCard(Record):
    """Everything a caller may know of one metric, with a plan that works."""

    name: str
    version: int
    owner: str
    status: str
    label: str
    description: str
    type: str
    formula: str
    unit: str
    synonyms: tuple[str, ...]
    time_field: str
    grains: tuple[Grain, ...]
    dimensions: tuple[DimensionLine, ...]
    example: Mapping[str, object]


class Refusal(Record):
    """A request that names nothing the caller may see."""

    issues: tuple[ReplyIssue, ...]


class TraceLine(Record):
    """A trace in a list. Times are UTC."""

    trace_id: str
    at: str
    outcome: str
    metrics: tuple[str, ...]
    role: str


class TraceList(Paged):
    """Traces, newest first."""

    traces: tuple[TraceLine, ...]


class TraceView(Record):
    """One trace as its asker or an auditor may read it: no rows, no sealed text."""

    trace_id: str
    outcome: str
    records: tuple[Mapping[str, object], ...]
    question: str = ""
    answer: str = ""


class NumberChange(Record):
    """A cited number, before and after. `name` is its row and metric: `2026-07-01/EMEA/net_revenue`."""

    name: str
    old: str
    new: str


class ReplayCause(Record):
    """A change that a replay rests on: of which pin, what it is called there, as it was and as it is."""

    pin: str
    name: str
    old: str = ""
    new: str = ""


class Comparison(Record):
    """Something held against its record; `verdict` is `same` where nothing differs."""

    verdict: str


class ReplayReport(Comparison):
    """What a replay found. `verdict` is one word for each cause; `detail` says them out.

    `data` says what became of the data, `ran_as` whose access the SQL ran with, if it ran. `totals` are sums
    of whole columns, of values that no answer cited.
    """

    trace_id: str
    detail: str
    causes: tuple[ReplayCause, ...] = ()
    data: Literal["", "same", "late", "restated", "unknown", "cannot tell"] = ""
    ran_as: Literal["", "asker", "auditor"] = ""
    totals: tuple[NumberChange, ...] = ()
    changed_pins: tuple[tuple[str, str, str], ...] = ()
    first_step: str = ""
    numbers: tuple[NumberChange, ...] = ()
    issues: tuple[ReplyIssue, ...] = ()


class SqlReport(Record):
    """What the checks say of a piece of SQL, and where that is recorded. Nothing was executed."""

    verdict: Literal["allow", "soft", "hold", "hard"]
    sql: str
    regenerated: str
    decisions: tuple[Decision, ...]
    trace_id: str = ""
    receipt: Receipt | None = None


class Finding(Record):
    """One line of `doctor` or of readiness. One that is not `needed` may be wrong while questions go on."""

    name: str
    ok: bool
    detail: str
    next_step: str = ""
    needed: bool = True
    issues: tuple[ReplyIssue, ...] = ()


class Readiness(Record):
    """Whether the house can answer, part by part."""

    ready: bool
    findings: tuple[Finding, ...]


class DamageFound(Record):
    """The first bad record of a log, or a checkpoint that nobody signed: what happened to it, and where."""

    log: str
    damage: str
    place: str
    seq: int
    message: str


class CheckpointNotes(Record):
    """Signed notes over every log that is whole, and the public key that they are checked with."""

    public_key: str
    notes: tuple[str, ...] = ()


class Verification(Record):
    """What `trace verify` found: records read, and the first bad one.

    `checkpoints` were met on the way, `retired` records are gone on record, and `unvouched` ones stand after
    the last checkpoint of somebody who checks without the project's keys. `findings` has every damage.
    """

    ok: bool
    records: int
    segments: int
    damage: str = ""
    place: str = ""
    seq: int | None = None
    message: str = ""
    next_step: str = ""
    checkpoints: int = 0
    retired: int = 0
    unvouched: int = 0
    findings: tuple[DamageFound, ...] = ()


def issue_of(issue: Issue, stage: Where = "plan") -> ReplyIssue:
    """Return a definition or plan issue as a reply carries it."""
    return ReplyIssue(
        code=issue.code,
        message=issue.message,
        stage=stage,
        path=issue.path,
        place=issue.place,
        seen=issue.seen,
        candidates=issue.candidates,
        next_step=issue.next_step,
        term=issue.term,
        options=issue.options,
    )


def refusal_of(decision: Decision) -> ReplyIssue:
    """Return a decision that did not allow as a reply carries it."""
    return ReplyIssue(
        code=decision.check,
        message=decision.reason,
        stage=decision.stage,
        verdict=decision.verdict,
        path=decision.place,
        seen=decision.seen,
        threshold=decision.threshold,
        span=decision.span,
        candidates=decision.candidates,
        next_step=decision.next_step,
        retry=decision.retry,
    )
