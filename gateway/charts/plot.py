"""A plot as plain values, and why there may be none: what the house hands to the process that draws."""

from typing import Literal

from metric_layer.record import Record


class Point(Record):
    """One value of a plot. `value` is where it stands, None for a gap; `said` is the point in words.

    `gap` is the text shown at a place that has no value, written once for all series that lack one there.
    """

    place: str
    series: str = ""
    panel: str = ""
    value: float | None
    said: str
    gap: str = ""
    joined: bool = True


class Plot(Record):
    """One metric over its places (periods or values of a dimension), by series, by panel.

    Every text is final: nothing in it is parsed, formatted or shifted to another time zone by who draws it.
    """

    kind: Literal["line", "bar"]
    metric: str
    title: str
    description: str
    place_title: str
    value_title: str
    series_title: str = ""
    panel_title: str = ""
    places: tuple[str, ...]
    series: tuple[str, ...] = ()
    panels: tuple[str, ...] = ()
    points: tuple[Point, ...]
    value_format: str = ",~f"


class Job(Record):
    """What the drawing process is asked for."""

    plots: tuple[Plot, ...]
    form: Literal["svg", "png"]
    dark: bool = False


class Undrawn(Record):
    """Why there is no picture."""

    reason: str
