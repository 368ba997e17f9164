"""Aggregates with every name found: the columns, filters, days, moments and events each of them reads."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from metric_layer.calendar import MONTHS, OutsideCalendar
from metric_layer.clock import Clocks
from metric_layer.definitions import Conversion, Span
from metric_layer.expand import LeafSpec, counted_events, event_clock, leaf_type
from metric_layer.frames import FrameFault, Frames
from metric_layer.issues import Issue
from metric_layer.layer import Layer, scalar_text
from metric_layer.own_columns import own_column
from metric_layer.plan import Filter, MetricPlan
from metric_layer.reach import Reach
from metric_layer.resolved import Followed, Frame, Leaf, PathColumn, Pick, ResolvedFilter
from metric_layer.windows import outside

_DAYS = {"day": 1, "week": 7}


@dataclass
class Leaves:
    """Builds the leaves of one plan. What could not be found is left out, and its issues are gathered."""

    plan: MetricPlan
    layer: Layer
    clocks: Clocks
    reach: Reach
    frames: Frames | None
    issues: list[Issue] = field(default_factory=list)

    def of(self, specs: Mapping[str, LeafSpec]) -> tuple[Leaf, ...]:
        """Return one leaf per spec."""
        return tuple(self._leaf(spec) for spec in specs.values())

    def _leaf(self, spec: LeafSpec) -> Leaf:
        plan, reach = self.plan, self.reach
        groups = [
            reach.group(spec, dimension, f"/dimensions/{index}")
            for index, name in enumerate(plan.dimensions)
            if (dimension := reach.known(name)) is not None
        ]
        moments = spec.metric.filters if spec.metric.snapshot else ()
        filters: list[ResolvedFilter | None] = [
            reach.owned(spec.metric, each) for each in spec.filters if each not in moments
        ]
        filters.extend(
            reach.filter(spec, asked, f"/filters/{index}")
            for index, asked in enumerate(plan.filters)
            if isinstance(asked, Filter) and reach.known(asked.field) is not None
        )
        clock = self.clocks.fields.get(spec.id)
        time = reach.group(spec, clock, "/time/field") if clock else None
        pick = self._pick(spec)
        self._judge_clock(spec, time, pick)
        return Leaf(
            id=spec.id,
            dataset=spec.metric.dataset,
            aggregate=spec.metric.type,
            expression=scalar_text(spec.metric),
            type=leaf_type(self.layer, spec.metric),
            groups=tuple(column for column in groups if column is not None),
            time=time,
            filters=tuple(each for each in filters if each is not None),
            fraction=spec.metric.percentile,
            frame=self._frame(spec),
            pick=pick,
            followed=self._followed(spec.conversion) if spec.conversion else None,
        )

    def _frame(self, spec: LeafSpec) -> Frame | None:
        if self.frames is None:
            return None
        try:
            return self.frames.of(spec.reading)
        except FrameFault as found:
            issue = Issue(code=found.code, message=found.message, path=found.path, next_step=found.next_step)
        except OutsideCalendar:
            issue = self._outside()
        self.issues.append(issue)
        return None

    def _outside(self) -> Issue:
        seen = f"{self.plan.time.from_} to {self.plan.time.to}" if self.plan.time else ""
        if self.layer.calendar.periods:
            return outside(seen, self.layer.calendar, "/time")
        message = "The question reads days before the first year of the calendar."
        step = "Ask for a later window."
        return Issue(code="out_of_range", message=message, path="/time", seen=seen, next_step=step)

    def _pick(self, spec: LeafSpec) -> Pick | None:
        snapshot, dataset = spec.metric.snapshot, spec.metric.dataset
        if snapshot is None:
            return None
        own = (self.reach.owned(spec.metric, each) for each in spec.metric.filters)
        return Pick(
            over=self.reach.defined(dataset, snapshot.over),
            pick=snapshot.pick,
            per=tuple(self.reach.defined(dataset, name) for name in snapshot.per),
            filters=tuple(each for each in own if each is not None),
        )

    def _judge_clock(self, spec: LeafSpec, time: PathColumn | None, pick: Pick | None) -> None:
        if time is None or self.plan.time is None:
            return
        if self.plan.time.grain == "hour" and time.type == "date":
            message = f"{self._called(spec)} is counted by {time.column}, which is a date and knows no hours."
            self.issues.append(
                Issue(
                    code="grain_too_fine",
                    message=message,
                    path="/time/grain",
                    seen="hour",
                    next_step="Ask the grain day.",
                )
            )
        snapshot = spec.metric.snapshot
        if snapshot is not None and pick is not None and time != pick.over:
            message = f"{self._called(spec)} is read at moments of its own, so no other time counts it."
            self.issues.append(
                Issue(
                    code="snapshot_clock",
                    message=message,
                    path="/time/field",
                    candidates=(snapshot.over,) if self.reach.known(snapshot.over) else (),
                    next_step="Leave time.field out, or name the metric's own time field.",
                )
            )

    def _called(self, spec: LeafSpec) -> str:
        return self.reach.visible.called(spec.metric.name)

    def _followed(self, conversion: Conversion) -> Followed | None:
        """Return the event that has to follow; rules.py has shown that all of it is there."""
        layer = self.layer
        base, event = counted_events(layer, conversion.base), counted_events(layer, conversion.conversion)
        if base is None or event is None:
            return None
        names = (conversion.entity, *conversion.constant)
        pairs = tuple((self._own(base[0].dataset, name), self._own(event[0].dataset, name)) for name in names)
        filters = tuple(self.reach.owned(event[0], each) for each in event[1])
        months, days = _length(conversion.window)
        return Followed(
            dataset=event[0].dataset,
            pairs=pairs,
            since=self.reach.defined(base[0].dataset, event_clock(layer, conversion.base) or ""),
            time=self.reach.defined(event[0].dataset, event_clock(layer, conversion.conversion) or ""),
            window_months=months,
            window_days=days,
            filters=tuple(each for each in filters if each is not None),
        )

    def _own(self, dataset: str, name: str) -> str:
        return own_column(self.layer, dataset, self.layer.dimensions[name]) or ""


def _length(window: Span | None) -> tuple[int, int]:
    """Return a conversion's window as (months, days); none at all is (0, 0)."""
    if window is None:
        return 0, 0
    if window.unit in _DAYS:
        return 0, window.count * _DAYS[window.unit]
    return window.count * MONTHS[window.unit], 0
