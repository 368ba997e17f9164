"""Drawing for real, in its own process: labels, words, colours, limits; and what may stand in a page."""

import json
import os
import subprocess
import sys
from datetime import date
from xml.etree import ElementTree

import pytest

from gateway.charts import draw as drawing
from gateway.charts.draw import ENVIRONMENT, draw
from gateway.charts.layout import plots_of
from gateway.charts.markup import embeddable
from gateway.charts.plot import Job, Plot, Undrawn
from metric_layer.calendar import Calendar
from metric_layer.definitions import CalendarRules, Display
from metric_layer.resolved import OutputColumn
from traces.records import Table

MONTH = OutputColumn(name="month", kind="time", type="date", label="Month", grain="month")
REGION = OutputColumn(name="region.name", kind="dimension", type="string", label="Region")
ORDERS = OutputColumn(
    name="orders", kind="metric", type="integer", label="Orders", display=Display(style="integer", decimals=0)
)
MARKUP = "<script>alert(1)</script>&\"'"
BIG = 2**53 + 1


@pytest.fixture(scope="module")
def plots() -> tuple[Plot, ...]:
    """A line with a gap, and bars whose labels are markup."""
    calendar = Calendar(rules=CalendarRules())
    months = tuple((date(2026, month, 1), BIG + month) for month in (7, 9))
    line = plots_of(Table(columns=(MONTH, ORDERS), rows=months), calendar)
    bars = plots_of(Table(columns=(REGION, ORDERS), rows=((MARKUP, 1), ("AMER", None))), calendar)
    assert not isinstance(line, Undrawn) and not isinstance(bars, Undrawn)
    return (*line, *bars)


@pytest.fixture(scope="module")
def pictures(plots: tuple[Plot, ...]) -> tuple[str, ...]:
    """Both as SVG, drawn once."""
    drawn = draw(plots)
    assert not isinstance(drawn, Undrawn), drawn.reason
    return tuple(picture.data.decode() for picture in drawn)


def words(svg: str) -> set[str]:
    return {
        element.text or "" for element in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    }


def names(svg: str) -> set[str]:
    return {element.get("aria-label", "") for element in ElementTree.fromstring(svg).iter()}


def test_periods_gaps_and_titles_stand_in_the_picture(pictures: tuple[str, ...]) -> None:
    assert {"2026-07", "2026-08", "2026-09", "no data", "Month", "Orders"} <= words(pictures[0])


def test_every_point_has_a_name_with_its_exact_value(pictures: tuple[str, ...]) -> None:
    assert {f"2026-07: {BIG + 7:,}", f"2026-09: {BIG + 9:,}"} <= names(pictures[0])
    assert "Orders by Region, 1 bars" in names(pictures[1])


def test_markup_in_a_label_stays_text(pictures: tuple[str, ...]) -> None:
    assert MARKUP in words(pictures[1])
    assert "<script" not in pictures[1]


def test_a_picture_has_no_paper_and_the_ink_of_its_page(pictures: tuple[str, ...]) -> None:
    assert all('fill="currentColor"' in picture for picture in pictures)
    assert not [picture for picture in pictures if 'fill="#fff' in picture or 'fill="white"' in picture]


def test_a_png_has_paper_of_its_own_and_dark_is_another_picture(plots: tuple[Plot, ...]) -> None:
    light, dark = draw(plots[:1], "png"), draw(plots[:1], "png", dark=True)
    assert not isinstance(light, Undrawn) and not isinstance(dark, Undrawn)
    assert light[0].data.startswith(b"\x89PNG") and dark[0].data.startswith(b"\x89PNG")
    assert light[0].data != dark[0].data


def test_labels_do_not_shift_where_the_drawing_process_is_behind_utc(plots: tuple[Plot, ...]) -> None:
    job = Job(plots=plots[:1], form="svg").model_dump_json().encode()
    environment = {**ENVIRONMENT, "TZ": "America/New_York"}
    command = [sys.executable, "-I", "-m", "gateway.charts.worker"]
    done = subprocess.run(command, input=job, env=environment, capture_output=True, check=True)
    assert {"2026-07", "2026-08", "2026-09"} <= words(json.loads(done.stdout)[0])


def test_drawing_that_takes_too_long_is_stopped(plots: tuple[Plot, ...]) -> None:
    drawn = draw(plots, seconds=0.01)
    assert isinstance(drawn, Undrawn)
    assert "longer than 0.01 s" in drawn.reason


def test_a_drawing_process_that_breaks_leaves_a_reason(
    plots: tuple[Plot, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawing, "_COMMAND", ("-I", "-c", "raise SystemExit(3)"))
    assert draw(plots) == Undrawn(reason="The picture could not be drawn.")
    monkeypatch.setattr(drawing, "_COMMAND", ("-I", "-c", "print('not json')"))
    assert draw(plots) == Undrawn(reason="The picture could not be drawn.")


def test_without_the_extra_there_is_a_reason_and_no_picture(
    plots: tuple[Plot, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawing, "LIBRARIES", ("altair", "no_such_library_here"))
    assert draw(plots) == Undrawn(reason="The extra `charts` is not installed.")


def test_no_secret_of_the_environment_reaches_the_drawing_process(
    plots: tuple[Plot, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CELLBOUND_MASTER_KEY", "canary-master-key")
    tell = "import os, json; print(json.dumps([repr(sorted(os.environ))]))"
    monkeypatch.setattr(drawing, "_COMMAND", ("-I", "-c", tell))
    monkeypatch.setattr(drawing, "embeddable", lambda drawn, label: drawn)
    drawn = draw(plots[:1])
    assert not isinstance(drawn, Undrawn)
    assert "CELLBOUND" not in drawn[0].data.decode()
    assert "CELLBOUND_MASTER_KEY" in os.environ


GOOD = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><text>a</text></svg>'


def test_a_plain_picture_gets_a_role_and_a_name() -> None:
    root = ElementTree.fromstring(embeddable(GOOD, 'a "chart" <b>'))
    assert (root.get("role"), root.get("aria-label")) == ("graphics-document", 'a "chart" <b>')


@pytest.mark.parametrize(
    "inside",
    [
        "<script>alert(1)</script>",
        '<g onclick="alert(1)"/>',
        '<g style="background: url(x)"/>',
        '<a href="x"/>',
        '<image href="x"/>',
        '<g xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="x"/>',
        "<foreignObject/>",
        "<style>g {}</style>",
        '<animate attributeName="x"/>',
        "<use/>",
        "<!-- a remark -->",
        "<unclosed>",
    ],
)
def test_anything_that_acts_loads_or_styles_is_no_picture(inside: str) -> None:
    with pytest.raises(ValueError, match="picture"):
        embeddable(GOOD.replace("<text>a</text>", inside), "a")


def test_a_document_that_would_grow_is_no_picture() -> None:
    with pytest.raises(ValueError, match="declarations"):
        embeddable('<!DOCTYPE svg [<!ENTITY a "aaaa">]>' + GOOD, "a")
