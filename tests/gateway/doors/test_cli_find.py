"""`trace find|why|index|export` at the command line: exit status, one screen, one object, one file."""

import json
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from gateway.doors.cli.main import run
from gateway.reply import Reply
from gateway.service import Gateway
from tests.gateway.tracing.receiver import collector
from traces.records import Caller

Trace = Callable[..., int]
SCREEN = 50


@pytest.fixture
def answered(gateway: Gateway, ana: Caller, revenue: dict[str, object]) -> Reply:
    reply = gateway.ask(ana, revenue)
    gateway.traces.close()
    return reply


@pytest.fixture
def trace(shop: Path, answered: Reply, monkeypatch: pytest.MonkeyPatch) -> Trace:
    """Runs a verb of `trace` in the shop's folder, in which one question was answered."""
    assert answered.trace_id
    monkeypatch.chdir(shop)
    return lambda *arguments: run(("trace", *arguments))


def test_a_figure_leads_to_its_question_and_its_story_fits_one_screen(
    trace: Trace, answered: Reply, capfd: pytest.CaptureFixture[str]
) -> None:
    figure = answered.citations[0].text
    assert trace("find", "--number", figure) == 0
    assert answered.trace_id in capfd.readouterr().out
    assert trace("why", answered.trace_id) == 0
    told = capfd.readouterr().out
    assert figure in told and "net_revenue v3" in told and len(told.splitlines()) <= SCREEN
    assert trace("why", answered.trace_id, "--number", figure, "--json") == 0
    (number,) = json.loads(capfd.readouterr().out)["numbers"]
    assert number["said"] == figure


def test_nothing_found_is_no_fault_and_a_wrong_search_is(
    trace: Trace, capfd: pytest.CaptureFixture[str]
) -> None:
    assert trace("find", "--metric", "net_revenu", "--json") == 0
    assert json.loads(capfd.readouterr().out)["near"][0] == "net_revenue"
    assert trace("find", "--metric", "net_revenu") == 0
    said = capfd.readouterr()
    assert not said.out and "net_revenue" in said.err
    assert trace("find", "--outcome", "answred", "--version", "3") == 2
    assert "unknown_outcome" in capfd.readouterr().err
    assert trace("find", "--until", "2026-01-01", "--since", "2026-01-02", "--version", "3") == 2
    said = capfd.readouterr()
    assert "empty_period" in said.err and "version_of_what" in said.err


def test_somebody_else_s_answer_has_no_story(
    trace: Trace, answered: Reply, capfd: pytest.CaptureFixture[str]
) -> None:
    assert trace("why", answered.trace_id, "--as", "emil") == 2
    assert "unknown_trace" in capfd.readouterr().err
    assert trace("why", answered.trace_id, "--number", "17.5") == 2
    assert "not_cited" in capfd.readouterr().err


def test_the_index_is_made_anew_on_demand(trace: Trace, capfd: pytest.CaptureFixture[str]) -> None:
    assert trace("index") == 0 and "1 trace of" in capfd.readouterr().out
    assert trace("index", "--rebuild", "--json") == 0
    assert json.loads(capfd.readouterr().out) == {"traces": 1, "segments": 1, "rebuilt": True}


@pytest.mark.parametrize("form", ["otel", "openlineage", "jsonl"])
def test_an_export_goes_to_a_private_file_or_into_a_pipe(
    trace: Trace, shop: Path, capfd: pytest.CaptureFixture[str], form: str
) -> None:
    assert trace("export", "--format", form, "--out", "traces.out", "--json") == 0
    report = json.loads(capfd.readouterr().out)
    assert (report["format"], report["questions"], report["place"]) == (form, 1, "traces.out")
    file = shop / "traces.out"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    written = file.read_text(encoding="utf-8").splitlines()
    assert len(written) == report["lines"] and all(isinstance(json.loads(line), dict) for line in written)
    assert trace("export", "--format", form) == 0
    assert capfd.readouterr().out.splitlines() == written


def test_an_export_that_cannot_be_is_refused_and_leaves_nothing(
    trace: Trace, shop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert trace("export", "--format", "otlp") == 2
    said = capfd.readouterr().err
    assert "bad_format" in said and "near: otel" in said
    assert trace("export", "--json") == 2
    assert "json_and_lines" in capfd.readouterr().err
    before = set(shop.iterdir())
    assert trace("export", "--out", "absent/traces.out") == 1
    assert "file_unusable" in capfd.readouterr().err and set(shop.iterdir()) == before


def test_spans_go_to_the_collector_of_the_settings(
    trace: Trace,
    shop: Path,
    answered: Reply,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CELLBOUND_OTLP_TOKEN", "t0ken")
    with collector() as received:
        settings = shop / "cellbound.toml"
        text = settings.read_text(encoding="utf-8")
        settings.write_text(f'{text}\n[export]\notlp = "{received.endpoint}"\n', encoding="utf-8")
        assert trace("export", "--format", "otel", "--json") == 0
        report = json.loads(capfd.readouterr().out)
        assert report["place"] == f"{received.endpoint}/v1/traces" and report["rejected"] == 0
        (request,) = received.requests
        assert request.resource_spans[0].scope_spans[0].spans[0].trace_id.hex() == answered.trace_id
        assert received.headers[0]["authorization"] == "Bearer t0ken"
    assert trace("export", "--format", "otel") == 1
    said = capfd.readouterr()
    assert "collector_unusable" in said.err and "t0ken" not in said.err + said.out
