"""From a result table to plots: one per metric, lines over periods, bars over values, labels of our own."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from itertools import product
from math import isfinite

from gateway.charts.plot import Plot, Point, Undrawn
from gateway.ground.derived.show import HIDDEN, NO_DATA, show_key, show_value
from metric_layer.calendar import Calendar
from metric_layer.resolved import OutputColumn
from policies.mask import MASK
from traces.records import Table, Value

OFF_SCALE = "too large to draw"
MOST_PLOTS = 4
MOST_POINTS = 2_000
MOST_BARS = 60
MOST_SERIES = 6
MOST_PANELS = 12
LONGEST_LABEL = 60
_EXPONENT_FROM, _EXPONENT_BELOW = 1e15, 1e-4


@dataclass(frozen=True, slots=True)
class _Axis:
    """A key column: its values in order and the label of each, no two alike."""

    title: str
    column: int
    labels: Mapping[Value, str]
    apart: frozenset[Value] = frozenset()


def plots_of(table: Table, calendar: Calendar | None) -> tuple[Plot, ...] | Undrawn:
    """Return a plot for each of the first metrics of a result, or why a picture would not help.

    Reads nothing but the table. Periods without a row between the first and the last are gaps, not nothing.
    """
    metrics = [i for i, column in enumerate(table.columns) if column.kind == "metric"]
    keys = [i for i, column in enumerate(table.columns) if column.kind != "metric"]
    if not table.rows or not metrics or not any(row[i] is not None for row in table.rows for i in metrics):
        return Undrawn(reason="There is no figure to draw.")
    if table.truncated:
        return Undrawn(reason="The result was cut, so a picture of it would leave out what was never read.")
    if not keys or len(table.rows) == 1:
        return Undrawn(reason="One row needs no picture.")
    axes = _axes(table, keys, calendar)
    if isinstance(axes, Undrawn):
        return axes
    is_line = table.columns[axes[0].column].kind == "time"
    return tuple(_plot(table, metric, axes, is_line=is_line) for metric in metrics[:MOST_PLOTS])


def _axes(
    table: Table, keys: Sequence[int], calendar: Calendar | None
) -> tuple[_Axis, _Axis, _Axis] | Undrawn:
    """Return the axes of places, series and panels; a part that is not needed has one empty label."""
    none = _Axis("", -1, {None: ""})
    times = [i for i in keys if table.columns[i].kind == "time"]
    dimensions = [i for i in keys if i not in times]
    if len(times) > 1 or len(dimensions) > (2 if times else 3):
        return Undrawn(reason="More dimensions than one picture can tell apart.")
    if times:
        first, *rest = (
            _time_axis(table, times[0], calendar),
            *(_axis(table, i, calendar) for i in dimensions),
        )
        if len(rest) == 1 and len(rest[0].labels) > MOST_SERIES:
            rest = [none, *rest]
    else:
        first, *panels = (_axis(table, i, calendar) for i in dimensions)
        if len(panels) > 1:
            return Undrawn(reason="More dimensions than one picture can tell apart.")
        rest = [none, *panels]
    places, series, panels_axis = (first, *rest, none, none)[:3]
    if _is_crowded(places, series, panels_axis, most=MOST_POINTS if times else MOST_BARS):
        return Undrawn(reason="More values than one picture can tell apart.")
    return places, series, panels_axis


def _is_crowded(places: _Axis, series: _Axis, panels: _Axis, *, most: int) -> bool:
    sizes = [len(axis.labels) for axis in (places, series, panels)]
    every = sizes[0] * sizes[1] * sizes[2]
    return sizes[0] > most or sizes[1] > MOST_SERIES or sizes[2] > MOST_PANELS or every > MOST_POINTS


def _axis(table: Table, column: int, calendar: Calendar | None) -> _Axis:
    values = list(dict.fromkeys(row[column] for row in table.rows))
    return _Axis(_title(table.columns[column]), column, _labels(table.columns[column], values, calendar))


def _time_axis(table: Table, column: int, calendar: Calendar | None) -> _Axis:
    """Return the periods in order, those without a row included; a missing date stands apart at the end."""
    described = table.columns[column]
    seen = dict.fromkeys(row[column] for row in table.rows)
    days = sorted(day for day in (_day(value) for value in seen) if day is not None)
    periods: Sequence[Value] = days
    if calendar is not None and described.grain is not None and len(days) > 1:
        end = calendar.end(days[-1], described.grain)
        filled = list(_capped(calendar.buckets(days[0], end, described.grain), MOST_POINTS + 1))
        periods = filled if len(filled) > MOST_POINTS or set(days) <= set(filled) else days
    odd = [value for value in seen if _day(value) is None]
    labels = _labels(described, [*periods, *odd], calendar)
    return _Axis(_title(described), column, labels, apart=frozenset(odd))


def _day(value: Value) -> date | None:
    if isinstance(value, datetime):
        return value.date()
    return value if isinstance(value, date) else None


def _capped(days: Iterator[date], most: int) -> Iterator[date]:
    for _, day in zip(range(most), days, strict=False):
        yield day


def _labels(column: OutputColumn, values: Sequence[Value], calendar: Calendar | None) -> dict[Value, str]:
    """Name each value; two values that would read alike are told apart by a number."""
    labels: dict[Value, str] = {}
    taken: set[str] = set()
    for value in values:
        text = show_key(column, value, calendar) or "(empty)"
        text = text if len(text) <= LONGEST_LABEL else f"{text[: LONGEST_LABEL - 1]}…"
        label, number = text, 1
        while label in taken:
            number += 1
            label = f"{text} ({number})"
        taken.add(label)
        labels[value] = label
    return labels


def _plot(table: Table, metric: int, axes: tuple[_Axis, _Axis, _Axis], *, is_line: bool) -> Plot:
    column = table.columns[metric]
    places, series, panels = axes
    values = {tuple(_key_of(axis, row) for axis in axes): row[metric] for row in table.rows}
    points = tuple(_points(column, values, axes))
    title = _title(column)
    by = [axis.title for axis in axes if axis.title]
    drawn = [abs(point.value) for point in points if point.value is not None]
    return Plot(
        kind="line" if is_line else "bar",
        metric=column.name,
        title=title,
        description=f"{title} by {' and '.join(by)}, {len(drawn)} {'points' if is_line else 'bars'}",
        place_title=places.title,
        value_title=f"{title} ({column.unit})" if column.unit.lower() not in ("", title.lower()) else title,
        series_title=series.title,
        panel_title=panels.title,
        places=tuple(places.labels.values()),
        series=tuple(series.labels.values()) if series.title else (),
        panels=tuple(panels.labels.values()) if panels.title else (),
        points=points,
        value_format=_format(column, drawn),
    )


def _key_of(axis: _Axis, row: Sequence[Value]) -> Value:
    """Return a row's value on an axis as the axis keys it: a period by its day."""
    if axis.column < 0:
        return None
    value = row[axis.column]
    return value if value in axis.labels else _day(value)


def _points(
    column: OutputColumn, values: Mapping[tuple[Value, ...], Value], axes: tuple[_Axis, _Axis, _Axis]
) -> Iterator[Point]:
    places, series, panels = axes
    for panel, place in product(panels.labels, places.labels):
        lacking = [one for one in series.labels if values.get((place, one, panel)) is None]
        gap = _gap(lacking, series)
        for one in series.labels:
            value = values.get((place, one, panel))
            named = zip(axes, (place, one, panel), strict=True)
            names = [axis.labels[key] for axis, key in named if axis.title]
            at = _position(value)
            reason = HIDDEN if value == MASK else OFF_SCALE
            yield Point(
                place=places.labels[place],
                series=series.labels[one],
                panel=panels.labels[panel],
                value=at,
                said=f"{', '.join(names)}: {_said(column, value)}",
                gap=reason
                if value is not None and at is None
                else gap
                if lacking and one == lacking[0]
                else "",
                joined=place not in places.apart,
            )


def _gap(lacking: Sequence[Value], series: _Axis) -> str:
    if not lacking or len(lacking) == len(series.labels):
        return NO_DATA
    named = [series.labels[one] for one in lacking[:2]]
    more = f" and {len(lacking) - 2} more" if len(lacking) > 2 else ""
    return f"{NO_DATA}: {', '.join(named)}{more}"


def _said(column: OutputColumn, value: Value) -> str:
    """Return a value in words, exact: it never went through a float unless it was one."""
    number = number_of(value)
    if value is None:
        return NO_DATA
    return str(value) if number is None else show_value(column, number)


def number_of(value: Value) -> Decimal | None:
    """Return a figure exactly, or None for what is none or is not finite."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    number = Decimal(str(value)) if isinstance(value, float) else Decimal(value)
    return number if number.is_finite() else None


def _position(value: Value) -> float | None:
    number = number_of(value)
    if number is None:
        return None
    try:
        at = float(number)
    except OverflowError:
        return None
    return at if isfinite(at) else None


def _format(column: OutputColumn, drawn: Sequence[float]) -> str:
    """Return how the value axis writes its ticks. Ticks are round numbers of the scale, never a result."""
    largest = max(drawn, default=0.0)
    if largest >= _EXPONENT_FROM or 0 < largest < _EXPONENT_BELOW:
        return "~e"
    if column.display.style == "percent" and column.unit.lower() not in ("percent", "%"):
        return ",~%"
    return ",~f"


def _title(column: OutputColumn) -> str:
    return " ".join((column.label or column.name).split())
