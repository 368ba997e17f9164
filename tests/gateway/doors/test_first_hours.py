"""What a new user meets in the first hours: ids that can be copied, words that name what is there."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import duckdb
import httpx
import pytest
from fastapi import FastAPI

from evals.firing import CheckRates, Firing
from gateway.doors.cli.main import run
from gateway.doors.http.faults import add_fault_handlers
from gateway.doors.http.problem import problem_of
from gateway.doors.terminal.eval import print_firing
from gateway.doors.terminal.lists import print_metrics, print_traces
from gateway.doors.terminal.reply import source_of
from gateway.doors.terminal.screen import Terminal, minute
from gateway.doors.terminal.tracing import Summarised, print_why
from gateway.errors import SettingsInvalid
from gateway.reply import MetricLine, MetricList, ReplyIssue, TraceLine, TraceView
from gateway.settings.file import read_toml
from gateway.tracing.explained import WhyReport
from traces.records import Cell, Citation

TRACE = "01a22ec14ddf91242954be4099e6e066"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Terminal:
    """A terminal of 80 columns."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    return Terminal()


@pytest.mark.parametrize("metrics", [("sales",), ("average_order_value", "net_revenue", "refunds")])
@pytest.mark.parametrize("outcome", ["held", "needs_clarification"])
def test_an_id_and_a_time_never_break_over_lines(
    narrow: Terminal, capsys: pytest.CaptureFixture[str], metrics: tuple[str, ...], outcome: str
) -> None:
    line = TraceLine(
        trace_id=TRACE, at="2026-11-30T22:52:07+00:00", outcome=outcome, metrics=metrics, role="analyst"
    )
    print_traces(narrow, (line,))
    out = capsys.readouterr().out
    assert any(TRACE in each and "2026-11-30 22:52Z" in each and outcome in each for each in out.splitlines())
    assert all(name in out for name in metrics)


def test_the_name_of_a_metric_is_whole_and_its_description_gives_way(
    narrow: Terminal, capsys: pytest.CaptureFixture[str]
) -> None:
    line = MetricLine(
        name="average_order_value",
        label="",
        description="Gross revenue per billed order, over every channel and every region that there is.",
        unit="USD",
        version=2,
        owner="sales-analytics",
        status="certified",
    )
    print_metrics(narrow, MetricList(metrics=(line,)))
    out = capsys.readouterr().out
    assert "average_order_value" in out and max(map(len, out.splitlines())) <= 80


async def ask_the_root(console: bool) -> httpx.Response:
    app = FastAPI()
    if console:
        app.mount("/console", FastAPI())
    add_fault_handlers(app)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://gateway") as client:
        return await client.get("/")


@pytest.mark.anyio
async def test_the_root_leads_to_the_console_or_says_where_to_go() -> None:
    led = await ask_the_root(console=True)
    assert (led.status_code, led.headers["location"]) == (307, "/console")
    told = (await ask_the_root(console=False)).json()
    assert told["status"] == 404 and "GET does not go here" in told["detail"]
    assert "POST /v1/questions" in told["issues"][0]["next_step"]


def test_checks_that_never_fired_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    rates = tuple(
        CheckRates(check=f"check_{n}", question_class="governed", fired=n // 9, n=4, weeks=())
        for n in range(10)
    )
    print_firing(Terminal(), Firing(questions=4, rates=rates, sudden=(), samples={}))
    out = capsys.readouterr().out
    assert "check_9" in out and "9 checks never fired" in out and "check_3" not in out


def test_a_moment_is_told_to_its_minute_in_utc() -> None:
    assert minute("2026-11-30T23:52:07+01:00") == "2026-11-30 22:52Z"
    assert minute("") == ""


def test_a_trace_is_shown_as_its_story_and_a_line_for_each_record(capsys: pytest.CaptureFixture[str]) -> None:
    records = (
        {"kind": "open", "at": "2026-11-30T22:52:07+00:00"},
        {
            "kind": "close",
            "at": "2026-11-30T22:52:08+00:00",
            "outcome": "answered",
            "pins": {"layer": "a" * 64},
        },
    )
    view = TraceView(trace_id=TRACE, outcome="answered", records=records)
    story = WhyReport(trace_id=TRACE, outcome="answered", who="ana", asked="refunds")
    Summarised(story).print(Terminal(), view)
    out = capsys.readouterr().out
    assert "asked by     ana" in out and "records      open  2026-11-30 22:52Z" in out
    assert f"answered  layer {'a' * 12}\n" in out and '"kind"' not in out
    Summarised(None).print(Terminal(), view)
    assert f"answered  trace {TRACE}" in capsys.readouterr().out


def test_a_draft_that_passed_is_called_one(capsys: pytest.CaptureFixture[str]) -> None:
    story = WhyReport(trace_id=TRACE, outcome="answered", who="ana", asked="x", answer="It was 2.")
    print_why(Terminal(), story)
    assert "answer       It was 2." in capsys.readouterr().out
    print_why(Terminal(), story.model_copy(update={"drafted": True}))
    assert "draft passed It was 2." in capsys.readouterr().out


def test_an_empty_group_is_named_in_the_source_of_a_number() -> None:
    cited = Citation(
        start=0,
        end=1,
        text="1",
        value="1",
        kind="cell",
        cell=Cell(row=0, column="refunds"),
        row_key=("2026-07-01", ""),
    )
    assert "(2026-07-01, (none))" in source_of(cited)


@pytest.mark.parametrize(("text", "place"), [("x = [", "cellbound.toml:1:6"), ("a = 1\nb = ]", ":2:5")])
def test_a_broken_settings_file_is_named_with_line_and_column(tmp_path: Path, text: str, place: str) -> None:
    (tmp_path / "cellbound.toml").write_text(text, encoding="utf-8")
    with pytest.raises(SettingsInvalid) as caught:
        read_toml(tmp_path)
    assert caught.value.issues[0].place.endswith(place)


def test_an_empty_settings_file_leads_to_the_first_line_it_needs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cellbound.toml").touch()
    assert run(["metrics", "list", "--project", str(tmp_path)]) == 1
    err = capsys.readouterr().err
    assert '`[project]` and `name = "' in err and "`[engine]` and `url" in err


@pytest.mark.parametrize("url", ["duckdb:/nonexist.duckdb", "postgresql://127.0.0.1:9/shop"])
def test_init_over_a_database_that_is_not_there_speaks_of_its_url(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], url: str
) -> None:
    assert run(["init", str(tmp_path / "made"), "--url", url]) == 1
    err = capsys.readouterr().err
    assert "cellbound.toml" not in err and "--url" in err
    assert "/nonexist.duckdb" in err or "127.0.0.1:9/shop" in err
    assert not (tmp_path / "made").exists()


def test_a_project_over_one_table_is_valid_as_it_was_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with duckdb.connect(str(tmp_path / "air.duckdb")) as database:
        database.execute("CREATE TABLE flights (id INTEGER PRIMARY KEY, origin VARCHAR)")
    made = tmp_path / "made"
    assert run(["init", str(made), "--url", f"duckdb:{tmp_path / 'air.duckdb'}"]) == 0
    assert "status: certified" in capsys.readouterr().out
    assert not (made / "metrics" / "joins.yml").exists()
    assert run(["metrics", "validate", "--project", str(made)]) == 0, capsys.readouterr().out
    capsys.readouterr()
    (made / "plan.json").write_text(json.dumps({"metrics": ["flight_count"]}), encoding="utf-8")
    run(["ask", str(made / "plan.json"), "--project", str(made)])
    assert "flights_count? It is a draft" in capsys.readouterr().out
    run(["metrics", "show", "zzzz", "--project", str(made)])
    assert "`cellbound metrics list`" in capsys.readouterr().err


def test_over_http_the_list_of_metrics_is_a_route() -> None:
    issue = ReplyIssue(code="x", message="", stage="input", next_step="List what there is with list_metrics.")
    assert problem_of(404, (issue,)).issues[0].next_step == "List what there is with GET /v1/metrics."


@pytest.mark.parametrize("verb", ["report", "compare"])
def test_a_file_without_a_result_is_no_run(
    tmp_path: Path, shop: Path, capsys: pytest.CaptureFixture[str], verb: str
) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    files = (str(empty), str(empty))[: 2 if verb == "compare" else 1]
    project = ("--project", str(shop)) if verb == "report" else ()
    assert run(["eval", verb, *files, *project]) == 2
    assert "holds no result" in capsys.readouterr().err


def test_a_terminal_that_was_closed_ends_the_command_without_a_traceback(shop: Path) -> None:
    leader, follower = pty.openpty()
    code = "import time; time.sleep(0.5); from gateway.doors.cli.main import main; main()"
    command = [sys.executable, "-c", code, "setup", "sql", "--project", str(shop)]
    with subprocess.Popen(command, stdout=follower, stderr=subprocess.PIPE) as running:
        os.close(follower)
        os.close(leader)
        _, said = running.communicate(timeout=60)
    assert running.returncode == 1 and b"Traceback" not in said and b"Exception ignored" not in said
