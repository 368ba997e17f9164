"""Remembers what figures over people were asked with; holds one that differs from another by few."""

import hmac
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import partial
from hashlib import sha256

from gateway.record.journal import Journal
from gateway.stages.approval import demand_approval
from gateway.stages.stage import Stopped, judge_stage
from metric_layer.calendar import Calendar
from metric_layer.plan import Grain
from metric_layer.resolved import Frame, Leaf, ResolvedPlan
from policies.differencing import KINDS, Asked, Mark, tells_by_itself
from policies.facts import DifferenceFacts
from policies.register import DIFFERENCE_CHECKS
from policies.small_groups import SIZE, guards_of, leaves_of
from traces.records import Table, Value

PURPOSE = "differencing"
"""What the key of the digests is for."""
DIGITS = 16


def hold_differences(journal: Journal, plan: ResolvedPlan | None, table: Table) -> None:
    """Go on where no earlier question of the asker makes this one tell of a few. Raises Stopped.

    Only figures that rest on data which the role sees in aggregate are judged. `table` still has the counts
    of its groups. What is held is forgotten: its figures went nowhere.
    """
    digest = journal.query.digest if journal.query else ""
    asked = asked_of(journal, plan, table) if plan is not None else None
    if asked is None:
        return
    smallest = journal.house.governed.policy.reading.min_group
    recorder = journal.recorder
    near = recorder.count_near(journal.trace_id, journal.subject, asked, smallest)
    facts = DifferenceFacts(near, tells_by_itself(asked, smallest), smallest)
    try:
        judge_stage(journal, DIFFERENCE_CHECKS, facts, digest)
        demand_approval(journal, ran=True)
    except Stopped:
        recorder.forget_asked(journal.trace_id)
        raise


def asked_of(journal: Journal, plan: ResolvedPlan, table: Table) -> Asked | None:
    """Return what is kept of a question, metric by metric; None where no figure is counted by people.

    The figures of a window that the plan compares with are kept as if they had been asked for alone.
    """
    if not any(leaf.id.startswith(SIZE) for leaf in plan.leaves):
        return None
    house = journal.house
    key = house.keys.commitment(PURPOSE)
    names = [column.name for column in table.columns]
    guards = guards_of(plan, names)
    leaves = {leaf.id: leaf for leaf in plan.leaves}
    parts = [
        _part(key, plan, table, house.layer.calendar, _Figure(name, at, guards[at], tuple(measured)))
        for name, formula in plan.metrics
        if not name.startswith(SIZE) and guards[at := names.index(name)]
        for measured in ([leaves[leaf] for leaf in leaves_of(formula)],)
    ]
    if not parts:
        return None
    return parts[0].model_copy(update={"beside": tuple(parts[1:])})


@dataclass(frozen=True, slots=True)
class _Figure:
    """A metric of the result: its place, the places of the counts of its people, and what it is made of."""

    name: str
    at: int
    counts: Sequence[Sequence[int]]
    leaves: Sequence[Leaf]

    @property
    def frame(self) -> Frame | None:
        """Return the days it reads where all of it reads other ones than those of the plan's window."""
        first = self.leaves[0].frame
        return first if all(leaf.frame == first for leaf in self.leaves) else None

    @property
    def metric(self) -> str:
        """Return the metric that was asked for: a comparison adds the same one over its own window."""
        return self.name if self.frame is None else self.name.partition("__")[0]


def _part(key: bytes, plan: ResolvedPlan, table: Table, calendar: Calendar, figure: _Figure) -> Asked:
    named, frame = partial(_digest, key), figure.frame
    grouping = [at for at, column in enumerate(table.columns) if column.kind != "metric"]
    start, end = (plan.start, plan.end) if frame is None else (frame.start, frame.end)
    groups: dict[str, tuple[int, ...]] = {}
    figures: dict[str, str] = {}
    for row in table.rows:
        labels = [row[at] for at in grouping]
        if plan.grain is not None:
            labels[0] = _own_period(labels[0], frame, calendar, plan.grain)
        group = named("group", figure.metric, *labels)
        groups[group] = tuple(max(_count(row[at]) for at in counts) for counts in figure.counts)
        figures[group] = named("figure", _told(row[figure.at]))
    return Asked(
        metrics=frozenset((named("metric", figure.metric),)),
        grouped=frozenset(
            (named("grain", plan.grain), *(named("field", table.columns[at].name) for at in grouping))
        ),
        fields=_fields(key, figure.leaves),
        window=(named("from", start), named("to", end)),
        groups=groups,
        figures=figures,
    )


def _own_period(label: Value, frame: Frame | None, calendar: Calendar, grain: Grain) -> Value:
    """Return the period whose rows stand under a label; a comparison shows earlier ones under it."""
    if frame is None or not isinstance(label, date):
        return label
    if grain == "hour":
        return label - timedelta(days=frame.shift_days)
    day = label.date() if isinstance(label, datetime) else label
    if frame.buckets:
        starts = [bucket.start for bucket in frame.buckets if bucket.label == day]
        day = next((start for start in starts if start is not None), day)
    elif frame.shift_months:
        years, month = divmod(day.year * 12 + day.month - 1 - frame.shift_months, 12)
        day = day.replace(year=years, month=month + 1)
    return calendar.bucket(day - timedelta(days=frame.shift_days), grain)


def _fields(key: bytes, leaves: Iterable[Leaf]) -> Mapping[str, frozenset[Mark]]:
    """Return the filters of what is measured, by field; those of its definition are always alike."""
    found: dict[str, set[Mark]] = {}
    for leaf in leaves:
        for each in leaf.filters:
            values = frozenset(_digest(key, each.name, value) for value in each.values)
            found.setdefault(_digest(key, "field", each.name), set()).add(
                Mark(kind=KINDS[each.op], values=values)
            )
    return {field: frozenset(marks) for field, marks in found.items()}


def _told(value: Value) -> str:
    """Return a figure as text; a float without its last digits, which two runs may differ in."""
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def _count(value: Value) -> int:
    return (
        int(value) if isinstance(value, int) and not isinstance(value, bool) else int(float(str(value or 0)))
    )


def _digest(key: bytes, *parts: object) -> str:
    """Return a keyed digest of a name or a value: nobody without the key can try values against it."""
    text = "\x1f".join(f"{type(part).__name__}:{part}" for part in parts)
    return hmac.new(key, text.encode(), sha256).hexdigest()[:DIGITS]
