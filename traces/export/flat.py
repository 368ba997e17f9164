"""Questions as flat lines for a warehouse: one object each, with the same keys in every line."""

from datetime import datetime

from metric_layer.record import Record
from traces.export.exported import Exported, Reads, utc
from traces.literals import MARK
from traces.records import Outcome

FORMAT = 1
_TOLD = frozenset(("allow", "skipped"))


class FlatTrace(Record):
    """A question in a table: no text, no value, and of its asker only the pseudonym. Times are UTC.

    `format` is raised when a key changes its meaning or goes; new keys may come at any time. `came_to` is
    the outcome, or of a question in shadow what it came to unseen. `definitions` holds `kind name vN` of each
    that was used, `checks` each check that did not allow, as `stage.check=verdict`.
    """

    format: int = FORMAT
    trace_id: str
    asked_at: datetime
    ended_at: datetime | None
    tenant: str
    subject: str
    role: str
    client: str
    tool: str
    origin: str
    outcome: Outcome | None
    came_to: Outcome | None
    failed_step: str
    metrics: tuple[str, ...]
    dimensions: tuple[str, ...]
    definitions: tuple[str, ...]
    tables: tuple[str, ...]
    columns: tuple[str, ...]
    checks: tuple[str, ...]
    issues: tuple[str, ...]
    estimated_rows: int | None
    estimated_bytes: int | None
    rows: int | None
    bytes: int | None
    engine_ms: float | None
    total_ms: float | None
    steps_us: dict[str, int]
    citations: int
    drafts: int
    drafts_passed: int
    holds: int
    model_calls: int
    tokens_in: int
    tokens_out: int
    layer: str
    policy: str
    entitlement: str
    gateway: str
    engine: str
    engine_version: str
    driver: str
    query_id: str
    follows: str


def flat_of(question: Exported, reads: Reads) -> FlatTrace:
    """Return a question as one line."""
    opened, closed = question.opened, question.closed
    plan, pins = opened.ask.plan, closed.pins if closed else None
    estimate, actual = (closed.estimate, closed.actual) if closed else (None, None)
    calls = closed.calls if closed else ()
    told = [each for each in closed.decisions if each.verdict not in _TOLD] if closed else []
    return FlatTrace(
        trace_id=opened.trace_id,
        asked_at=utc(opened.at),
        ended_at=utc(closed.at) if closed else None,
        tenant=opened.tenant,
        subject=opened.subject,
        role=opened.role,
        client=opened.client,
        tool=question.tool,
        origin=opened.origin,
        outcome=closed.outcome if closed else None,
        came_to=(closed.came_to or closed.outcome) if closed else None,
        failed_step=closed.failed_step if closed else "",
        metrics=_names(plan.metrics if plan else ()),
        dimensions=_names(plan.dimensions if plan else ()),
        definitions=_names(tuple(f"{u.kind} {u.name} v{u.version}" for u in pins.used) if pins else ()),
        tables=tuple(sorted(reads.tables)),
        columns=_names(tuple(f"{table}.{name}" for table, read in reads.tables.items() for name in read)),
        checks=_names(tuple(f"{each.stage}.{each.check}={each.verdict}" for each in told)),
        issues=_names(tuple(issue.code for issue in closed.issues) if closed else ()),
        estimated_rows=estimate.rows if estimate else None,
        estimated_bytes=estimate.bytes if estimate else None,
        rows=actual.rows if actual else None,
        bytes=actual.bytes if actual else None,
        engine_ms=actual.ms if actual else None,
        total_ms=(closed.mono_us - opened.mono_us) / 1000 if closed else None,
        steps_us=dict(closed.steps_us) if closed else {},
        citations=len(closed.answer) if closed else 0,
        drafts=question.drafts,
        drafts_passed=question.passed,
        holds=question.holds,
        model_calls=len(calls),
        tokens_in=sum(call.tokens_in for call in calls),
        tokens_out=sum(call.tokens_out for call in calls),
        layer=pins.layer if pins else "",
        policy=pins.policy if pins else "",
        entitlement=pins.entitlement if pins else "",
        gateway=pins.gateway if pins else "",
        engine=pins.engine if pins else "",
        engine_version=pins.engine_version if pins else "",
        driver=pins.driver if pins else "",
        query_id=closed.run.query_id if closed and closed.run else "",
        follows=opened.follows,
    )


def _names(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted({name for name in names if name != MARK}))
