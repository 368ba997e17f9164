"""The specification of a plot: field names of ours, data inline, colours of the page, nothing to fetch."""

from typing import Any

import pytest

from gateway.charts.plot import Plot, Point
from gateway.charts.spec import COLOURS, DASHES, SHAPES, Refused, refuse_fetching, spec_of

URL = "https://elsewhere.example/data.json"


def plot(**changed: Any) -> Plot:
    points = tuple(
        Point(place=place, series=series, value=1.0, said=f"{place}, {series}: 1")
        for place in ("a.b", URL) for series in ("x[0]", "y")
    )  # fmt: skip
    plain = Plot(
        kind="line",
        metric="net.sales",
        title=URL,
        description="two lines",
        place_title="place",
        value_title="sales",
        series_title="series",
        places=("a.b", URL),
        series=("x[0]", "y"),
        points=points,
    )
    return plain.model_copy(update=changed)


def fields(part: object) -> set[str]:
    if isinstance(part, dict):
        own = {part["field"]} if isinstance(part.get("field"), str) else set()
        return own.union(*map(fields, part.values()))
    return set().union(*map(fields, part)) if isinstance(part, list) else set()


def test_a_dotted_name_or_an_address_in_a_label_is_only_a_label() -> None:
    spec = spec_of(plot())
    assert fields(spec) <= {"place", "series", "panel", "value", "joined", "said", "gap"}
    (rows,) = spec["datasets"].values()
    assert {row["place"] for row in rows} == {"a.b", URL}


def test_a_picture_inside_a_page_takes_the_colours_of_the_page() -> None:
    spec = spec_of(plot())
    assert spec["background"] is None
    assert spec["config"]["axis"]["labelColor"] == "currentColor"


def test_series_differ_by_shape_and_dash_as_well_as_by_colour() -> None:
    assert len(set(COLOURS)) == len(set(SHAPES)) == len(set(DASHES)) == 6
    line, mark, _ = spec_of(plot())["layer"]
    for layer in (line, mark):
        assert {"color", "shape", "strokeDash"} <= set(layer["encoding"])


@pytest.mark.parametrize("kind", ["line", "bar"])
@pytest.mark.parametrize("panels", [(), ("p", "q")])
def test_every_kind_of_plot_makes_a_specification(kind: str, panels: tuple[str, ...]) -> None:
    spec = spec_of(plot(kind=kind, panels=panels, panel_title="panel"))
    assert spec["description"] == "two lines"


@pytest.mark.parametrize(
    "part",
    [
        {"data": {"url": URL}},
        {"layer": [{"mark": {"type": "image"}}]},
        {"layer": [{"mark": "geoshape"}]},
        {"encoding": {"href": {"value": URL}}},
        {"hconcat": [{"transform": [{"lookup": "a", "from": {"data": {"url": "data:text/csv,a"}}}]}]},
    ],
)
def test_whatever_would_be_fetched_is_refused(part: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        refuse_fetching({**spec_of(plot()), **part})
