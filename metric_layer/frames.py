"""The days a leaf reads where they are not the plan's window: earlier, accumulated, or both."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise

from metric_layer.calendar import MONTHS, ONE_DAY, Calendar
from metric_layer.definitions import Span
from metric_layer.plan import Compare, Grain, MetricPlan, Window
from metric_layer.resolved import Bucket, Frame
from metric_layer.shifts import Shift, shift_of

MAX_BUCKETS = 1000


class FrameFault(Exception):
    """A leaf's days cannot be told; the fields are those of an issue."""

    def __init__(self, code: str, message: str, path: str, next_step: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.path = path
        self.next_step = next_step


@dataclass(frozen=True, slots=True)
class Reading:
    """How a leaf reads time: over a trailing window, since a period's start or since ever; and how far back.

    `offset` is a metric's own step back, `compared` the comparison that the plan asks for.
    """

    window: Span | None = None
    to_date: Grain | None = None
    ever: bool = False
    offset: Span | None = None
    compared: bool = False

    @property
    def cumulative(self) -> bool:
        """Say whether rows before a bucket count in it too."""
        return self.ever or self.window is not None or self.to_date is not None

    @property
    def earlier(self) -> bool:
        """Say whether the leaf reads an earlier period."""
        return self.compared or self.offset is not None


AS_ASKED = Reading()


@dataclass(frozen=True, slots=True)
class _Slot:
    """A bucket of the plan, and its first and last day inside the window."""

    label: date
    first: date
    last: date


@dataclass
class Frames:
    """The frames of one plan. `unmatched` gathers the buckets that have nothing to be compared with.

    Of a window that `today` lies in only what has passed is held against the same part earlier, unless the
    plan names both windows itself.
    """

    plan: MetricPlan
    calendar: Calendar
    today: date | None = None
    unmatched: set[date] = field(default_factory=set)
    _known: dict[Reading, Frame | None] = field(default_factory=dict)

    def of(self, reading: Reading) -> Frame | None:
        """Return the frame of a reading; None where it is the plan's own.

        Raises FrameFault, and OutsideCalendar where the table of fiscal years ends.
        """
        if reading not in self._known:
            self._known[reading] = self._found(reading)
        return self._known[reading]

    def held_to(self, readings: Iterable[Reading]) -> date | None:
        """Return the last day that is held against an earlier one; None where no reading goes back."""
        window = self.plan.time
        earlier = next((reading for reading in readings if reading.earlier), None)
        return self._passed(earlier, window).to if earlier is not None and window is not None else None

    def _found(self, reading: Reading) -> Frame | None:
        window = self.plan.time
        if not reading.cumulative and not reading.earlier:
            return self._tabled(window) if window and self.calendar.tabled(window.grain) else None
        if window is None:
            if reading.ever and not reading.earlier:
                return None
            what = "Periods are held against earlier ones here"
            if not reading.earlier:
                what = "A running figure ends with the last day of a window"
            message = f"{what}, so the plan needs a window."
            raise FrameFault("missing_window", message, "/time", "Give time.from and time.to.")
        if window.grain == "hour" and reading.cumulative:
            message = "A running figure is told per day at the finest, not per hour."
            raise FrameFault("grain_too_fine", message, "/time/grain", "Ask a day or a longer grain.")
        if reading.cumulative:
            return self._accumulated(reading, window)
        return self._shifted(reading, window)

    def _tabled(self, window: Window) -> Frame:
        """Return the plan's own window in periods that only the calendar's table knows."""
        slots = tuple(self._slots(window))
        buckets = tuple(Bucket(slot.label, slot.first, slot.last + ONE_DAY) for slot in slots)
        return Frame(window.from_, window.to + ONE_DAY, buckets=buckets)

    def _shifted(self, reading: Reading, window: Window) -> Frame:
        """Return the earlier window, and how its rows find their bucket."""
        grain, shift = window.grain, self._shift(reading, window)
        window = self._passed(reading, window)
        start, end = self._earlier(shift, window)
        if grain is None:
            return Frame(start, end)
        tabled = self.calendar.tabled(grain)
        if shift is not None and shift.days and not tabled:
            return Frame(start, end, shift_days=shift.days)
        if shift is not None and shift.months and _whole(shift.months, grain, self.calendar):
            return Frame(start, end, shift_months=shift.months)
        slots = tuple(self._slots(window))
        pairs = tuple(zip(slots, self._counterparts(slots, shift, grain), strict=True))
        self.unmatched |= {slot.label for slot, days in pairs if days is None}
        found = tuple((slot, *days) for slot, days in pairs if days is not None)
        return (None if tabled and found else _uniform(found, start)) or _listed(found, grain)

    def _accumulated(self, reading: Reading, window: Window) -> Frame:
        """Return the days that count in the window, or in each of its buckets."""
        shift = self._shift(reading, window) if reading.earlier else None
        window = self._passed(reading, window)
        if window.grain is None:
            last = self._earlier(shift, window)[1] - ONE_DAY if reading.earlier else window.to
            return Frame(self._begin(reading, last), last + ONE_DAY)
        slots = tuple(self._slots(window))
        lasts: list[tuple[_Slot, date]] = [(slot, slot.last) for slot in slots]
        if reading.earlier:
            found = zip(slots, self._counterparts(slots, shift, window.grain), strict=True)
            lasts = [(slot, days[1]) for slot, days in found if days is not None]
            self.unmatched |= {slot.label for slot in slots} - {slot.label for slot, _ in lasts}
        buckets = tuple(
            Bucket(slot.label, self._begin(reading, last), last + ONE_DAY) for slot, last in lasts
        )
        if not buckets:
            return Frame(window.from_, window.from_)
        starts = [bucket.start for bucket in buckets if bucket.start is not None]
        return Frame(
            start=None if reading.ever else min(starts),
            end=max(bucket.end for bucket in buckets),
            buckets=buckets,
            overlapping=True,
        )

    def _begin(self, reading: Reading, last: date) -> date | None:
        """Return the first day that counts in a bucket whose last day is `last`; None since ever."""
        if reading.window is not None:
            return shift_of(reading.window, self.calendar).last(last) + ONE_DAY
        return self.calendar.bucket(last, reading.to_date) if reading.to_date else None

    def _shift(self, reading: Reading, window: Window) -> Shift | None:
        """Return the move back; None where the plan names both windows itself."""
        if reading.offset is not None:
            return shift_of(reading.offset, self.calendar, window.grain)
        compare = self.plan.compare or Compare(kind="previous_period")
        if compare.kind == "custom":
            return None
        if compare.kind == "previous_year":
            return shift_of(Span(count=1, unit="year"), self.calendar, window.grain)
        return self._length(window)

    def _passed(self, reading: Reading, window: Window) -> Window:
        """Return the part of a window up to today where earlier days are read, unless the plan names them."""
        compare = self.plan.compare
        named = reading.compared and compare is not None and compare.kind == "custom"
        if self.today is None or not reading.earlier or named:
            return window
        return window.model_copy(update={"to": last_passed(window.from_, window.to, self.today)})

    def _length(self, window: Window) -> Shift:
        """Return the window's own length: in whole months, in periods of the fiscal table, else in days."""
        start, after = window.from_, window.to + ONE_DAY
        periods = self.calendar.periods
        if self.calendar.tabled(window.grain) and start in periods and after in periods:
            return Shift(self.calendar, periods=periods.index(after) - periods.index(start))
        if start.day == 1 and after.day == 1:
            return Shift(self.calendar, months=(after.year - start.year) * 12 + after.month - start.month)
        return Shift(self.calendar, days=(after - start).days)

    def _earlier(self, shift: Shift | None, window: Window) -> tuple[date, date]:
        """Return the window that is compared with, as (first day, day after)."""
        if shift is not None:
            return shift.first(window.from_), shift.last(window.to) + ONE_DAY
        custom = self._custom()
        return custom.from_, custom.to + ONE_DAY

    def _custom(self) -> Window:
        compare = self.plan.compare
        if compare is None or compare.from_ is None or compare.to is None:
            message = "A custom comparison names its window."
            raise FrameFault("missing_window", message, "/compare", "Give compare.from and compare.to.")
        return Window.model_validate({"from": compare.from_, "to": compare.to})

    def _slots(self, window: Window) -> Iterator[_Slot]:
        grain = "day" if window.grain in (None, "hour") else window.grain
        for count, first in enumerate(self.calendar.buckets(window.from_, window.to + ONE_DAY, grain)):
            if count >= MAX_BUCKETS:
                message = f"The window has more than {MAX_BUCKETS} periods of a {grain}."
                step = "Narrow the window, or ask a longer grain."
                raise FrameFault("too_many_periods", message, "/time", step)
            last = self.calendar.end(first, grain) - ONE_DAY
            yield _Slot(first, max(first, window.from_), min(last, window.to))

    def _counterparts(
        self, slots: Sequence[_Slot], shift: Shift | None, grain: Grain
    ) -> list[tuple[date, date] | None]:
        """Return the first and last day that each bucket is compared with, None where there is none."""
        if shift is not None:
            return [_counterpart(slot, shift, single=grain in ("hour", "day")) for slot in slots]
        custom = self._custom().model_copy(update={"grain": grain})
        others = [(slot.first, slot.last) for slot in self._slots(custom)]
        if len(others) != len(slots):
            raise FrameFault(
                "unaligned_windows",
                f"The window has {len(slots)} periods of a {grain}, the one compared with {len(others)}.",
                "/compare",
                "Give windows with equally many periods, or leave time.grain out.",
            )
        return list(others)


def last_passed(first: date, last: date, today: date) -> date:
    """Return the last day of a window that has begun: today where it is under way, else its own."""
    return today if first <= today < last else last


def _whole(months: int, grain: Grain, calendar: Calendar) -> bool:
    return grain in MONTHS and not calendar.tabled(grain) and months % MONTHS[grain] == 0


def _counterpart(slot: _Slot, shift: Shift, *, single: bool) -> tuple[date, date] | None:
    """Return the earlier days of a bucket; of a single day only the very same, so that none counts twice."""
    if single:
        day = shift.exact(slot.first)
        return None if day is None else (day, day)
    first, last = shift.first(slot.first), shift.last(slot.last)
    if shift.exact(slot.first) is None:
        first += ONE_DAY
    return (first, last) if first <= last else None


def _uniform(found: Sequence[tuple[_Slot, date, date]], start: date) -> Frame | None:
    """Return a frame that moves every day alike, where the earlier days touch and allow it."""
    if not found:
        return Frame(start, start)
    moves = {(slot.first - first, slot.last - last) for slot, first, last in found}
    touching = all(last + ONE_DAY == after for (_, _, last), (_, after, _) in pairwise(found))
    steps = {step for move in moves for step in move}
    if len(steps) > 1 or not touching:
        return None
    return Frame(found[0][1], found[-1][2] + ONE_DAY, shift_days=steps.pop().days)


def _listed(found: Sequence[tuple[_Slot, date, date]], grain: Grain) -> Frame:
    if grain == "hour":
        message = "Hours cannot be held against earlier ones over months of unequal length."
        raise FrameFault("grain_too_fine", message, "/time/grain", "Ask the grain day.")
    buckets = tuple(Bucket(slot.label, first, last + ONE_DAY) for slot, first, last in found)
    return Frame(
        start=min(first for _, first, _ in found),
        end=max(bucket.end for bucket in buckets),
        buckets=buckets,
    )
