"""A plot as a Vega-Lite specification. Field names are ours, data is inline, and nothing may be fetched."""

from collections.abc import Iterator
from typing import Any

import altair as alt

from gateway.charts.plot import Plot

INK, DARK_INK, PAPER, DARK_PAPER = "#1b1f24", "#e8eaed", "#ffffff", "#15181c"
# Colours that stand out from white and from black; every series has a shape and a dash of its own too.
COLOURS = ("#2f7ed8", "#d55e00", "#0f9d6b", "#b05fc0", "#9a8700", "#7f858c")
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
DASHES = ((1, 0), (6, 3), (2, 2), (8, 3, 2, 3), (10, 4), (3, 4))
FETCHING = frozenset(("url", "href", "image", "geoshape"))
WIDTH, HEIGHT, PANEL_WIDTH, BAR_STEP = 640, 240, 290, 26
LEVEL_LABELS = 8


class Refused(ValueError):
    """A specification that would fetch something."""


def spec_of(plot: Plot, *, ink: str = "currentColor", paper: str | None = None) -> dict[str, Any]:
    """Return the specification of one plot; raises Refused should anything in it fetch.

    `currentColor` without paper takes the colours of the page around it, dark or light.
    """
    layers = _lines(plot) if plot.kind == "line" else _bars(plot)
    chart: Any = alt.layer(*layers)
    if plot.panels:
        facet = alt.Facet("panel:N", title=plot.panel_title, sort=list(plot.panels))
        chart = chart.facet(facet=facet, columns=2, data=_data(plot))
    else:
        chart = chart.properties(data=_data(plot))
    chart = chart.properties(description=plot.description, title=plot.title)
    spec: dict[str, Any] = chart.to_dict()
    spec["config"] = _config(ink)
    spec["background"] = paper
    refuse_fetching(spec)
    return spec


def refuse_fetching(part: object) -> None:
    """Raise Refused when a key anywhere in a specification names something to fetch, or a mark that does."""
    if isinstance(part, dict):
        for key, value in part.items():
            if key in FETCHING or (key in ("mark", "type") and value in ("image", "geoshape")):
                raise Refused(f"a chart may not fetch anything: {key}")
            refuse_fetching(value)
    elif isinstance(part, list | tuple):
        for value in part:
            refuse_fetching(value)


def _data(plot: Plot) -> alt.InlineData:
    return alt.InlineData(values=list(_rows(plot)))


def _rows(plot: Plot) -> Iterator[dict[str, Any]]:
    for point in plot.points:
        yield {
            "place": point.place,
            "series": point.series,
            "panel": point.panel,
            "value": point.value,
            "joined": point.value if point.joined else None,
            "said": point.said,
            "gap": point.gap,
        }


def _lines(plot: Plot) -> tuple[Any, ...]:
    width = PANEL_WIDTH if plot.panels else WIDTH
    angle = -45 if plot.panels or len(plot.places) > LEVEL_LABELS else 0
    axis = alt.Axis(labelAngle=angle, labelOverlap="greedy", grid=False)
    place = alt.X("place:O", title=plot.place_title, sort=list(plot.places), axis=axis)
    base = alt.Chart(width=width, height=HEIGHT).encode(x=place, **_told_apart(plot))
    value = _value(plot)
    line = base.mark_line(strokeWidth=2, aria=False).encode(y=alt.Y("joined:Q", **value))
    mark = base.mark_point(filled=True, size=55, opacity=1).encode(
        y=alt.Y("value:Q", **value), description=alt.Description("said:N")
    )
    gaps = alt.Chart(width=width, height=HEIGHT).mark_text(angle=270, align="left", dx=6, aria=False)
    return line, mark, gaps.encode(x=place, y=alt.value(HEIGHT), text="gap:N")


def _bars(plot: Plot) -> tuple[Any, ...]:
    width, height = PANEL_WIDTH if plot.panels else WIDTH, alt.Step(BAR_STEP)
    place = alt.Y("place:O", title=plot.place_title, sort=list(plot.places), axis=alt.Axis(labelLimit=220))
    base = alt.Chart(width=width, height=height).encode(y=place)
    bar = base.mark_bar(color=COLOURS[0]).encode(
        x=alt.X("value:Q", **_value(plot)), description=alt.Description("said:N")
    )
    return bar, base.mark_text(align="left", dx=4, aria=False).encode(x=alt.value(0), text="gap:N")


def _value(plot: Plot) -> dict[str, Any]:
    return {
        "title": plot.value_title,
        "axis": alt.Axis(format=plot.value_format, tickCount=4 if plot.panels else 7),
    }


def _told_apart(plot: Plot) -> dict[str, Any]:
    """Tell series apart by colour, shape and dash together: one legend, never colour alone."""
    if not plot.series:
        return {"color": alt.value(COLOURS[0])}
    names, count = list(plot.series), len(plot.series)

    def scale(looks: tuple[Any, ...]) -> alt.Scale:
        return alt.Scale(domain=names, range=list(looks[:count]))

    return {
        "color": alt.Color("series:N", title=plot.series_title, scale=scale(COLOURS)),
        "shape": alt.Shape("series:N", title=plot.series_title, scale=scale(SHAPES)),
        "strokeDash": alt.StrokeDash("series:N", title=plot.series_title, scale=scale(DASHES)),
    }


def _config(ink: str) -> dict[str, Any]:
    words = {"labelColor": ink, "titleColor": ink, "labelFontSize": 12, "titleFontSize": 12}
    lines = {
        "domainColor": ink,
        "tickColor": ink,
        "gridColor": ink,
        "gridOpacity": 0.15,
        "domainOpacity": 0.5,
    }
    return {
        "font": "sans-serif",
        "axis": {**words, **lines, "titleFontWeight": "normal", "titlePadding": 10},
        "legend": {
            **words,
            "symbolSize": 70,
            "symbolStrokeWidth": 0,
            "labelLimit": 220,
            "titleFontWeight": "normal",
        },
        "header": {
            **words,
            "titleFontWeight": "normal",
            "titleAnchor": "start",
            "labelAnchor": "start",
            "titlePadding": 4,
        },
        "title": {"color": ink, "anchor": "start", "fontSize": 14},
        "text": {"color": ink, "fontSize": 11, "fontStyle": "italic"},
        "view": {"stroke": None},
    }
