"""What has to be said beside the numbers: how days, moments, hours and events were read."""

from collections.abc import Iterator, Mapping
from datetime import date, datetime

from metric_layer.arithmetic import names_in
from metric_layer.calendar import ONE_DAY
from metric_layer.definitions import Conversion, Metric, Snapshot
from metric_layer.expand import LeafSpec
from metric_layer.frames import Frames
from metric_layer.known import metric_visible
from metric_layer.naming import in_effect, term_of
from metric_layer.outputs import estimated
from metric_layer.plan import Dialect, Window
from metric_layer.resolved import Frame, Leaf
from metric_layer.safety import Judged
from metric_layer.windows import repeated_hours, unclear_hours

MAX_LISTED = 5


def notes_of(
    judged: Judged, metrics: Mapping[str, Metric], frames: Frames, today: date, dialect: Dialect | None
) -> Iterator[str]:
    """Yield every note of a resolved plan, in an order that does not depend on the plan's."""
    for name in sorted(metrics):
        yield from _standing(judged, metrics[name], today)
    for name in sorted(judged.plan.metrics):
        label = judged.layer.metrics[name].label or name
        pairs = [judged.leaves[leaf] for leaf in names_in(judged.metrics[name])]
        yield from sorted({note for spec, leaf in pairs for note in _reading(judged, spec, leaf, label)})
        if any(estimated(leaf, dialect or judged.plan.dialect) for _, leaf in pairs):
            yield f"{label} is an estimate: this engine counts it approximately."
    yield from _compared(judged, frames)
    if judged.plan.time is not None:
        yield from _clock(judged, judged.plan.time)


def _standing(judged: Judged, metric: Metric, today: date) -> Iterator[str]:
    """Say that a definition is a draft, out of effect or about to be replaced; a hidden one goes unnamed."""
    name = metric.name if judged.visible.metric(metric.name) else "A metric this rests on"
    if metric.status == "draft":
        yield f"{name} is a draft (version {metric.version})."
    if not in_effect(metric, today):
        yield f"{name} is in effect from {term_of(metric)} only."
    if metric.status == "deprecated":
        after = metric.successor
        told = after is not None and metric_visible(judged.layer, after, judged.visible)
        yield f"{name} is deprecated{f'; ask {after} instead' if told else ''}."


def _reading(judged: Judged, spec: LeafSpec, leaf: Leaf, label: str) -> Iterator[str]:
    """Say how an asked metric reads its rows where that is not the plain sum over the window."""
    if spec.metric.snapshot is not None:
        yield _moments(judged, spec.metric.snapshot, label)
    if spec.conversion is not None:
        yield _events(judged, spec.conversion)
    if leaf.frame is not None:
        what = "runs over" if spec.reading.cumulative else "is held against"
        yield f"{label} {what} {_days(leaf.frame)}."


def _moments(judged: Judged, snapshot: Snapshot, label: str) -> str:
    time = judged.plan.time
    period = "the window" if time else "all dates"
    if time and time.grain:
        period = f"each {time.grain.replace('_', ' ')}"
    over = snapshot.over if judged.told(snapshot.over) else "moment"
    if snapshot.pick == "average":
        return f"{label} is the average over every {over} of {period}."
    told = [name for name in snapshot.per if judged.told(name)]
    per = f" for each {' and '.join(told)}" if told else ""
    return f"{label} is read at the {snapshot.pick} {over} of {period}{per}."


def _events(judged: Judged, conversion: Conversion) -> str:
    window = conversion.window
    units = f"{window.count} {window.unit}{'s' if window.count > 1 else ''}" if window else ""
    within = f"within {units}" if units else "at any later time"
    hidden = not all(judged.visible.metric(name) for name in (conversion.base, conversion.conversion))
    base, event = ("first", "later") if hidden else (conversion.base, conversion.conversion)
    entity = conversion.entity if judged.told(conversion.entity) else "entity"
    return (
        f"{conversion.name}: each {base} event counts once if a {event} event of the same {entity} "
        f"follows {within}; dimensions and filters are those of the first event."
    )


def _compared(judged: Judged, frames: Frames) -> Iterator[str]:
    days, time = compared_days(judged), judged.plan.time
    if days:
        yield f"Compared with {days}."
    passed = frames.held_to(spec.reading for spec, _ in judged.leaves.values())
    if time is not None and passed is not None and passed < time.to:
        yield f"The period is under way: up to {passed} it is held against the same part earlier."
    if frames.unmatched:
        listed = [day.isoformat() for day in sorted(frames.unmatched)]
        more = f" and {len(listed) - MAX_LISTED} more" if len(listed) > MAX_LISTED else ""
        yield f"No earlier period to compare with: {', '.join(listed[:MAX_LISTED])}{more}."


def compared_days(judged: Judged) -> str:
    """Return the days that the plan's comparison reads, in words; empty without one."""
    if judged.plan.compare is None:
        return ""
    read = [leaf.frame for spec, leaf in judged.leaves.values() if spec.reading.compared and leaf.frame]
    plain = [
        leaf.frame
        for spec, leaf in judged.leaves.values()
        if spec.reading.compared and leaf.frame and not spec.reading.cumulative
    ]
    return _days((plain or read)[0]) if read else ""


def _days(frame: Frame) -> str:
    last = frame.end - ONE_DAY
    if frame.start == frame.end:
        return "no day"
    return f"all days to {last}" if frame.start is None else f"{frame.start} to {last}"


def _clock(judged: Judged, window: Window) -> Iterator[str]:
    home = judged.layer.calendar.rules.time_zone
    zone = window.zone or home
    read = {leaf.id: leaf.time for _, leaf in judged.leaves.values() if leaf.time is not None}
    if zone != home:
        yield f"Days are those of {zone}."
        dates = sorted(
            {judged.clocks.fields[name].name for name, time in read.items() if time.type == "date"}
        )
        for name in dates:
            yield f"{name} is a date: the zone {zone} does not move it."
    if window.grain == "hour":
        for hour in repeated_hours(window.from_, window.to, zone)[:MAX_LISTED]:
            yield f"The clock of {zone} shows {hour:%Y-%m-%d %H:%M} twice; both hours are one row."
    yield from _unclear(judged, window, zone)
    if window.fill is not None:
        zero = ", with 0 where nothing was counted or summed" if window.fill == "zero" else ""
        yield f"Periods without rows are shown{zero}."


def _unclear(judged: Judged, window: Window, zone: str) -> Iterator[str]:
    """Say which local times of another zone could be either of two hours: a clock there was put back."""
    found: set[tuple[str, str, datetime]] = set()
    for _, leaf in judged.leaves.values():
        if leaf.time is None or leaf.time.type != "timestamp" or leaf.time.time_zone in ("", zone):
            continue
        name, of = judged.clocks.fields[leaf.id].name, leaf.time.time_zone
        first, last = _read_days(leaf, window)
        hours = unclear_hours(first, last, window.grain, zone, of)
        found.update((name if judged.told(name) else "The time", of, hour) for hour in hours)
    for name, of, hour in sorted(found)[:MAX_LISTED]:
        yield (
            f"{name} is a local time of {of}, whose clock shows {hour:%Y-%m-%d %H:%M} twice: "
            "which of the two hours a row means is not recorded, and all are counted in the same one."
        )


def _read_days(leaf: Leaf, window: Window) -> tuple[date, date]:
    """Return the first and last day a leaf reads."""
    if leaf.frame is None:
        return window.from_, window.to
    return leaf.frame.start or date.min, leaf.frame.end - ONE_DAY
