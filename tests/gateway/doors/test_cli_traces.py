"""`trace show --html`: to a file, to a pipe, to this folder on a terminal; refused where it is no use."""

import json
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gateway.doors import evidence_page
from gateway.doors.cli.main import run
from gateway.service import Gateway
from traces.records import Caller

Show = Callable[..., int]


@pytest.fixture
def trace_id(gateway: Gateway, ana: Caller, revenue: dict[str, object]) -> str:
    answered = gateway.ask(ana, revenue).trace_id
    gateway.traces.close()
    return answered


@pytest.fixture
def show(shop: Path, trace_id: str, monkeypatch: pytest.MonkeyPatch) -> Show:
    """Runs `trace show` on an answer from the shop's folder; charts have tests of their own."""
    monkeypatch.chdir(shop)
    monkeypatch.setattr(evidence_page, "draw", lambda plots, seconds: ())
    return lambda *options: run(("trace", "show", trace_id, *options))


def test_a_page_goes_to_the_file_that_is_named(
    show: Show, shop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert show("--out", "page.html") == 0
    assert capfd.readouterr().out == "page.html\n"
    page = shop / "page.html"
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert stat.S_IMODE(page.stat().st_mode) == 0o600


def test_a_page_goes_into_a_pipe_whole_and_alone(
    show: Show, shop: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    before = set(shop.iterdir())
    assert show("--html") == 0
    sys.stdout.flush()
    out = capfdbinary.readouterr().out
    assert out.startswith(b"<!doctype html>") and out.endswith(b"</html>")
    assert set(shop.iterdir()) == before


def test_on_a_terminal_a_page_goes_into_this_folder(
    show: Show, shop: Path, trace_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert show("--html") == 0
    assert (shop / f"evidence-{trace_id}.html").is_file()


def test_a_page_is_not_a_json_object(show: Show, capfd: pytest.CaptureFixture[str]) -> None:
    assert show("--html", "--json") == 2
    assert json.loads(capfd.readouterr().out)["issues"][0]["code"] == "html_and_json"


@pytest.mark.parametrize(
    ("name", "opens"), [("net_revenue=chart.svg", b"<svg"), ("chart.PNG", b"\x89PNG\r\n")]
)
def test_a_chart_goes_to_a_file_in_the_form_of_its_name(
    show: Show, shop: Path, capfd: pytest.CaptureFixture[str], name: str, opens: bytes
) -> None:
    assert show("--chart", name) == 0
    name = name.rpartition("=")[2]
    assert capfd.readouterr().out == f"{name}\n"
    assert (shop / name).read_bytes().startswith(opens)
    assert stat.S_IMODE((shop / name).stat().st_mode) == 0o600


def test_a_chart_in_another_form_or_of_an_absent_metric_is_refused_and_no_file_is_made(
    show: Show, shop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert show("--chart", "chart.gif") == 2
    assert "chart_form" in capfd.readouterr().err
    assert show("--chart", "absent=chart.svg") == 2
    assert "no_chart" in capfd.readouterr().err
    assert not list(shop.glob("chart.*"))


def test_a_place_that_cannot_be_written_is_named(show: Show, capfd: pytest.CaptureFixture[str]) -> None:
    assert show("--out", "absent/page.html") == 1
    assert "file_unusable" in (said := capfd.readouterr().err) and "absent/page.html" in said


def test_somebody_else_s_answer_has_no_page(
    show: Show, shop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert show("--out", "page.html", "--as", "emil") == 2
    assert "unknown_trace" in capfd.readouterr().err
    assert not (shop / "page.html").exists()
