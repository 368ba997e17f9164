"""Whether a window and a comparison have data for all their days; where not, that is said in the scope."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from metric_layer.calendar import ONE_DAY
from metric_layer.compile import last_day
from metric_layer.frames import last_passed
from metric_layer.layer import Layer
from metric_layer.resolved import ResolvedPlan
from traces.records import Watermark

SHARE = 10
"""Over a period that is past, rows that end within the last tenth of it may just be rare."""


@dataclass(frozen=True, slots=True)
class Uneven:
    """What has to be said beside a comparison: in the scope of the answer, and as a note."""

    said: str = ""
    note: str = ""


def unlike(plan: ResolvedPlan, layer: Layer, marks: Sequence[Watermark], today: date) -> Uneven:
    """Say how far a window under way is held against an earlier one, and where its data is not as long.

    Where data ends inside the window is known by its owner's word or by what was read.
    """
    window, held_to = plan.plan.time, plan.held_to
    if window is None or held_to is None:
        return Uneven()
    under_way = f"up to {held_to}, as the period is under way" if held_to < window.to else ""
    last = last_passed(window.from_, window.to, today)
    after = _newest(plan, marks)
    if under_way and after is not None and after > held_to:
        return Uneven(
            said=f"{under_way}; rows after it: not like for like",
            note=(
                f"There are rows after {held_to}, up to {after}: they count in the window, and earlier ones "
                f"like them are left out. For periods of equal length ask up to {held_to}."
            ),
        )
    known = _short_of(plan, layer, marks, today, last)
    if known is None:
        return Uneven(under_way)
    return Uneven(
        said="; ".join(filter(None, (under_way, f"data to {known}: not like for like"))),
        note=(
            f"The data ends on {known}, the window compared on {last}: earlier value, change and growth "
            f"are not like for like. For periods of equal length ask up to {known}."
        ),
    )


def freshness(plan: ResolvedPlan, layer: Layer, marks: Sequence[Watermark], today: date) -> str:
    """Say where data ends inside a window; what is held against an earlier one says it in its own words."""
    window = plan.plan.time
    if window is None or plan.held_to is not None:
        return ""
    known = _short_of(plan, layer, marks, today, window.to)
    return f"data to {known}" if known else ""


def _short_of(
    plan: ResolvedPlan, layer: Layer, marks: Sequence[Watermark], today: date, last: date
) -> date | None:
    """Return the day on which data ends before the last one of a plan's window; None where it goes on."""
    window, known = plan.plan.time, _end(plan, layer, marks)
    if window is None or known is None or known >= last:
        return None
    declared = layer.asking.data_to is not None and layer.asking.data_to < last
    missing, days = (last - known).days, (last + ONE_DAY - window.from_).days
    rare = not declared and last < today and missing * SHARE < days
    return None if rare else known


def _end(plan: ResolvedPlan, layer: Layer, marks: Sequence[Watermark]) -> date | None:
    """Return the earlier of the end that the layer declares and the newest day that was read."""
    read = last_day(plan, {mark.name: mark.newest for mark in marks})
    return min((day for day in (layer.asking.data_to, read) if day is not None), default=None)


def _newest(plan: ResolvedPlan, marks: Sequence[Watermark]) -> date | None:
    """Return the newest day that was read by any time column."""
    days = (last_day(plan, {mark.name: mark.newest}) for mark in marks)
    return max((day for day in days if day is not None), default=None)
