"""Two traces of one question side by side: the first step where they part, changed pins and numbers."""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from metric_layer.record import Record
from traces.records import Citation, Close, Decision, Pins, Stage, Trace

Step = Literal[
    "plan",
    "plan_checks",
    "sql",
    "sql_checks",
    "estimate",
    "cost_checks",
    "rows",
    "rows_checks",
    "answer",
    "outcome",
]

SETTING_PINS = (
    "policy",
    "thresholds",
    "allowlist",
    "entitlement",
    "calendar",
    "gateway",
    "parser",
    "engine",
    "engine_version",
    "driver",
    "mode",
    "search_path",
    "dialect",
    "zone",
)
"""The pins of everything but definitions and data: what an accept is bound to beside the definitions."""


class Change(NamedTuple):
    """Something named, with what it was and what it is; an empty text means it was or is not there."""

    name: str
    old: str
    new: str


class Difference(Record):
    """What parts two traces: the steps that differ, the changed pins and numbers.

    `rows_comparable` is False where the hashes of their rows were made under different keys.
    """

    parted: tuple[Step, ...] = ()
    changed_pins: tuple[Change, ...] = ()
    numbers: tuple[Change, ...] = ()
    rows_comparable: bool = True
    outcome: Change | None = None

    @property
    def first_step(self) -> Step | None:
        """The first step that differs, in the order of the pipeline."""
        return self.parted[0] if self.parted else None

    @property
    def same(self) -> bool:
        """Whether nothing that a caller was told differs; pins may differ without effect."""
        return not self.parted


def diff(old: Trace, new: Trace) -> Difference:
    """Compare two traces; the pins of a question that ended before any were taken count as empty."""
    before, after = old.closed, new.closed
    comparable = _rows_comparable(before, after)
    parted = {name for name, part in _STEPS if part(old) != part(new)}
    if not comparable and _rows_of(old)[:2] == _rows_of(new)[:2]:
        parted.discard("rows")
    numbers = _changes(numbers_of(old), numbers_of(new))
    outcomes = Change("outcome", before.outcome if before else "", after.outcome if after else "")
    return Difference(
        parted=tuple(name for name, _ in _STEPS if name in parted),
        changed_pins=_changes(_pins(before), _pins(after)),
        numbers=numbers,
        rows_comparable=comparable,
        outcome=outcomes if outcomes.old != outcomes.new else None,
    )


def _changes(old: dict[str, str], new: dict[str, str]) -> tuple[Change, ...]:
    names = [*old, *(name for name in new if name not in old)]
    pairs = (Change(name, old.get(name, ""), new.get(name, "")) for name in names)
    return tuple(change for change in pairs if change.old != change.new)


def _pins(close: Close | None) -> dict[str, str]:
    pins = close.pins if close else None
    if pins is None:
        return {}
    named = {name: str(getattr(pins, name)) for name in ("layer", *SETTING_PINS)}
    return {**named, **_used(pins), "data": f"{pins.data.kind} {pins.data.value}".strip()}


def _used(pins: Pins) -> dict[str, str]:
    return {f"{used.kind} {used.name}": f"v{used.version} ({used.digest[:12]})" for used in pins.used}


def numbers_of(trace: Trace) -> dict[str, str]:
    """Return each cited number under its row and metric; the last passed draft counts with them."""
    passed = [attempt.citations for attempt in trace.attempts if attempt.passed]
    cited = (*(trace.closed.answer if trace.closed else ()), *(passed[-1] if passed else ()))
    return {_name_of(citation): citation.value for citation in cited}


def _name_of(citation: Citation) -> str:
    what = citation.metric or (citation.cell.column if citation.cell else "") or citation.expression
    return "/".join((*citation.row_key, what or citation.kind))


def _rows_comparable(before: Close | None, after: Close | None) -> bool:
    keys = {close.shape.key_id for close in (before, after) if close and close.shape}
    return len(keys) < 2


def _plan_of(trace: Trace) -> object:
    return trace.opened.ask.plan, dict(trace.choices)


def _sql_of(trace: Trace) -> object:
    return trace.closed.query.sql if trace.closed and trace.closed.query else None


def _estimate_of(trace: Trace) -> object:
    """Leave the notes out: a price that was kept is told to be, and is the same price."""
    return (
        trace.closed.estimate.model_dump_json(exclude={"notes"})
        if trace.closed and trace.closed.estimate
        else None
    )


def _rows_of(trace: Trace) -> tuple[object, ...]:
    shape = trace.closed.shape if trace.closed else None
    return (shape.rows, shape.truncated, shape.keyed_hash) if shape else ()


def _answer_of(trace: Trace) -> object:
    return numbers_of(trace)


def _outcome_of(trace: Trace) -> object:
    return (trace.closed.outcome, trace.closed.failed_step) if trace.closed else None


def _checks_of(stage: Stage) -> Callable[[Trace], object]:
    def verdicts(trace: Trace) -> object:
        decisions: Sequence[Decision] = trace.closed.decisions if trace.closed else ()
        return [(d.check, d.verdict) for d in decisions if d.stage == stage]

    return verdicts


_STEPS: tuple[tuple[Step, Callable[[Trace], object]], ...] = (
    ("plan", _plan_of),
    ("plan_checks", _checks_of("plan")),
    ("sql", _sql_of),
    ("sql_checks", _checks_of("sql")),
    ("estimate", _estimate_of),
    ("cost_checks", _checks_of("cost")),
    ("rows", _rows_of),
    ("rows_checks", _checks_of("rows")),
    ("answer", _answer_of),
    ("outcome", _outcome_of),
)
