"""`eval` as several askers and from work on record: access, one snapshot, unsealing, kept scores, cases."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from evals.report import EvalReport
from evals.results import read_results
from gateway.doors.cli.main import run
from gateway.wiring import open_gateway
from traces.custody_records import UnsealedBatch
from traces.records import Close

BY_REGION = "SELECT region, COUNT(*) FROM customers GROUP BY region"
ASKERS = f"""
cases:
  - id: mine
    question: How many customers by region?
    gold_sql: {BY_REGION}
  - id: emils
    question: How many customers by region?
    asker: emil
    gold_sql: {BY_REGION}
  - id: hidden from emil
    question: What does a product cost?
    asker: sol
    gold_sql: SELECT COUNT(*) FROM orders
"""
ASKED = {"metrics": ["order_count"], "dimensions": ["region"]}
EVENTS = {
    "metrics": ["event_count"],
    "time": {"field": "event_time", "from": "2026-01-01", "to": "2026-06-30"},
}


@pytest.fixture
def project(shop: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    policy = shop / "policies" / "policy.yml"
    text = policy.read_text(encoding="utf-8")
    policy.write_text(
        text.replace("audit, evaluate, review", "audit, unseal, evaluate, review"), encoding="utf-8"
    )
    monkeypatch.chdir(shop)
    Path("askers.yml").write_text(ASKERS, encoding="utf-8")
    return shop


def spoken(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> dict[str, Any]:
    capsys.readouterr()
    assert run([*arguments, "--json"]) == status
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def hold_every_row(project: Path) -> None:
    """Let a question wait for a person however few rows it reads."""
    policy = project / "policies" / "policy.yml"
    text = policy.read_text(encoding="utf-8")
    policy.write_text(text.replace("rows: {warn: 2500000", "rows: {warn: 1"), encoding="utf-8")


def asked(capsys: pytest.CaptureFixture[str], plan: Mapping[str, object], user: str = "ana") -> str:
    Path("plan.json").write_text(json.dumps(plan), encoding="utf-8")
    capsys.readouterr()
    run(["ask", "plan.json", "--as", user, "--json"])
    return str(json.loads(capsys.readouterr().out)["trace_id"])


def scored(capsys: pytest.CaptureFixture[str], answers: list[dict[str, object]]) -> EvalReport:
    Path("answers.jsonl").write_text("\n".join(map(json.dumps, answers)), encoding="utf-8")
    arguments = (
        "eval",
        "score",
        "answers.jsonl",
        "--as",
        "rita",
        "--cases",
        "askers.yml",
        "--out",
        "r.jsonl",
    )
    return EvalReport.model_validate(spoken(capsys, *arguments))


@pytest.mark.usefixtures("project")
def test_each_case_is_asked_as_its_asker_and_gold_that_needs_another_is_counted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    report = scored(capsys, [{"case_id": name, "sql": BY_REGION} for name in ("mine", "emils")])
    runs = {line.run.case_id: line.run for line in read_results(Path("r.jsonl"))}
    shapes = {name: runs[name].scores.output.gold_shape for name in ("mine", "emils")}  # type: ignore[union-attr]
    assert shapes["mine"] == (4, 2) and shapes["emils"] == (1, 2), "emil sees one region"
    assert all(runs[name].scores.output.exact for name in shapes)  # type: ignore[union-attr]
    assert [name for name, each in runs.items() if each.other_identity] == ["hidden from emil"]
    assert report.ceilings["other_identity"] == 1 and runs["emils"].asker == "emil"


@pytest.mark.usefixtures("project")
def test_gold_and_an_agents_query_run_in_one_snapshot_and_other_answers_are_counted_apart(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows: dict[str, object] = {"case_id": "emils", "rows": [["EMEA", 3]], "types": ["string", "integer"]}
    report = scored(capsys, [{"case_id": "mine", "sql": BY_REGION}, rows])
    runs = {line.run.case_id: line.run for line in read_results(Path("r.jsonl"))}
    assert (runs["mine"].one_snapshot, runs["mine"].gap_s) == (True, 0.0)
    assert not runs["emils"].one_snapshot and report.ceilings["apart"] >= 1


@pytest.mark.usefixtures("project")
def test_an_empty_gold_in_one_snapshot_keeps_its_columns(capsys: pytest.CaptureFixture[str]) -> None:
    gold = "SELECT region, segment FROM customers WHERE region = 'nowhere'"
    Path("askers.yml").write_text(
        f'cases:\n  - {{id: none, question: Who?, gold_sql: "{gold}"}}\n', encoding="utf-8"
    )
    scored(capsys, [{"case_id": "none", "sql": gold}])
    (line,) = read_results(Path("r.jsonl"))
    assert line.run.scores is not None and line.run.one_snapshot
    assert line.run.scores.output.gold_shape == line.run.scores.output.candidate_shape == (0, 2)


@pytest.mark.usefixtures("project")
def test_a_query_that_fails_beside_a_good_gold_leaves_the_gold_scored(
    capsys: pytest.CaptureFixture[str],
) -> None:
    scored(capsys, [{"case_id": "mine", "sql": "SELECT CAST(region AS INTEGER) FROM customers"}])
    runs = {line.run.case_id: line.run for line in read_results(Path("r.jsonl"))}
    scores = runs["mine"].scores
    assert scores is not None and scores.ceilings.candidate_failed and not scores.ceilings.gold_failed
    assert scores.output.gold_shape == (4, 2) and not runs["mine"].one_snapshot
    assert run(["trace", "verify"]) == 0


@pytest.mark.usefixtures("project")
def test_all_askers_that_cannot_ask_are_named_before_anything_runs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = ASKERS.replace("asker: emil", "asker: emilia").replace("asker: sol", "asker: solo")
    Path("askers.yml").write_text(text, encoding="utf-8")
    arguments = ("eval", "run", "--as", "rita", "--cases", "askers.yml", "--out", "none.jsonl")
    issues = spoken(capsys, *arguments, status=2)["issues"]
    assert [(issue["code"], issue["seen"]) for issue in issues] == [
        ("unknown_user", "emilia"),
        ("unknown_user", "solo"),
    ]
    Path("askers.yml").write_text(ASKERS, encoding="utf-8")
    monkeypatch.setenv("CELLBOUND_TOKEN", "one")
    monkeypatch.delenv("CELLBOUND_TOKEN_EMIL", raising=False)
    (issue,) = spoken(capsys, *arguments, "--through", "http:http://127.0.0.1:1", status=2)["issues"]
    assert "CELLBOUND_TOKEN_EMIL, CELLBOUND_TOKEN_SOL are not set" in issue["message"]
    assert not Path("none.jsonl").exists()


def test_scoring_what_is_on_record_unseals_it_and_one_record_says_so(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    traces = [asked(capsys, ASKED), asked(capsys, {"metrics": ["order_count"]})]
    found = spoken(capsys, "eval", "stef", "--as", "rita", "--reason", "the weekly look")
    assert {each["trace_id"] for each in found["traces"]} == set(traces)
    (trend,) = found["trends"]
    assert (trend["received"], trend["coverage"], trend["question_class"]) == (2, 1.0, "governed")
    gateway = open_gateway(project)
    batches = [each for each in gateway.traces.records() if isinstance(each, UnsealedBatch)]
    gateway.close()
    assert [(each.traces, bool(each.sealed_reason)) for each in batches] == [(2, True)]
    refused = spoken(capsys, "eval", "stef", "--as", "ana", status=3)
    assert refused["issues"][0]["code"] == "right_missing"


def test_a_question_closes_with_its_score_where_the_project_wants_one_and_no_text_is_kept(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    toml = project / "cellbound.toml"
    asked(capsys, ASKED)
    kept = spoken(capsys, "eval", "stef", "--kept", "--as", "rita")
    assert (kept["received"], kept["scored"], kept["judge"]) == (1, 0, "")
    toml.write_text(toml.read_text(encoding="utf-8") + "\n[evals]\nstef = true\n", encoding="utf-8")
    filtered = {**ASKED, "filters": [{"field": "region", "op": "in", "values": ["EMEA"]}]}
    trace = asked(capsys, filtered)
    kept = spoken(capsys, "eval", "stef", "--kept", "--as", "rita")
    assert (kept["received"], kept["scored"], kept["coverage"]) == (2, 1, 0.5)
    assert kept["scores"]["mean"] == 100.0 and kept["verdicts"] == {"correct": 1}
    again = spoken(capsys, "eval", "stef", "--as", "rita")
    gateway = open_gateway(project)
    (mark,) = [r.stef for r in gateway.traces.records() if isinstance(r, Close) and r.trace_id == trace]
    gateway.close()
    (same,) = [each["stef"] for each in again["traces"] if each["trace_id"] == trace]
    assert mark is not None and (mark.score, mark.base, mark.judge) == (
        same["score"],
        same["base"],
        same["judge"],
    )
    assert "EMEA" not in mark.model_dump_json() and "emea" not in mark.model_dump_json()
    assert run(["eval", "stef", "--kept", "--as", "rita"]) == 0
    assert "1 of 2 questions scored" in capsys.readouterr().out


def test_a_rulebook_that_is_wrong_stops_the_project_with_its_place(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    toml = project / "cellbound.toml"
    text = toml.read_text(encoding="utf-8") + '\n[evals]\nstef = true\nrulebook = "rules.yml"\n'
    toml.write_text(text, encoding="utf-8")
    (project / "rules.yml").write_text("safety_limt: 5\n", encoding="utf-8")
    (issue,) = spoken(capsys, "eval", "stef", "--kept", "--as", "rita", status=1)["issues"]
    assert issue["code"] == "unknown_key" and "rules.yml:1" in issue["place"]


def test_samples_of_weeks_that_are_over_are_written_once(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = asked(capsys, ASKED)
    arguments = ("eval", "firing", "--as", "rita", "--into", "looks")
    spoken(capsys, *arguments)
    assert not list(Path("looks").iterdir()), "this week is not over"
    monkeypatch.setattr("gateway.doors.evaluating.work.week_of", lambda _: "2999-W01")
    spoken(capsys, *arguments)
    (file,) = Path("looks").iterdir()
    assert json.loads(file.read_text(encoding="utf-8"))["allowed"] == [trace]
    file.write_text("looked at", encoding="utf-8")
    spoken(capsys, *arguments)
    assert file.read_text(encoding="utf-8") == "looked at" and file.stat().st_mode & 0o077 == 0


def test_a_reviewed_hold_becomes_a_case_by_what_the_reviewer_decided(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hold_every_row(project)
    Path("plan.json").write_text(json.dumps(EVENTS), encoding="utf-8")
    spoken(capsys, "ask", "plan.json", "--as", "ana", status=4)
    (hold,) = spoken(capsys, "review", "list", "--as", "rita")["holds"]
    decide = ("review", "decide", hold["hold_id"], "accept", "--reason", "worth it", "--as", "rita")
    spoken(capsys, *decide)
    arguments = ("eval", "case", hold["hold_id"], "--question", "How many events?", "--as", "rita")
    made = spoken(capsys, *arguments, "--id", "held")
    case = made["case"]
    assert (case["expect"], case["trace"], case["gold_plan"]["metrics"]) == (
        "answer",
        hold["trace_id"],
        ["event_count"],
    )
    assert case["accepted"] == ["budget"]
    cases = ("--cases", made["file"], "--as", "rita")
    report = EvalReport.model_validate(spoken(capsys, "eval", "run", *cases, "--out", "accepted.jsonl"))
    assert (report.answers, report.faults) == ({"answer": {"answer": 1}}, {})
    (line,) = read_results(Path("accepted.jsonl"))
    assert line.run.answer.right_action and line.run.scores is not None and line.run.scores.output.exact


def test_what_an_evaluation_asks_waits_in_no_queue_and_keeps_nobody_s_own_question_out_of_it(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hold_every_row(project)
    case = {"id": "dear", "question": "How many?", "asker": "ana", "gold_plan": EVENTS}
    Path("dear.yml").write_text(json.dumps({"cases": [case]}), encoding="utf-8")
    arguments = ("eval", "run", "--as", "rita", "--cases", "dear.yml", "--out", "dear.jsonl")
    report = EvalReport.model_validate(spoken(capsys, *arguments))
    assert (report.answers, report.faults) == ({"answer": {"refuse": 1}}, {"blocked_wrongly": 1})
    assert report.settings["gateway"] == "of the project shop in this process"
    assert spoken(capsys, "review", "list", "--status", "all", "--as", "rita")["holds"] == []
    Path("plan.json").write_text(json.dumps(EVENTS), encoding="utf-8")
    hold_id = spoken(capsys, "ask", "plan.json", "--as", "ana", status=4)["hold_id"]
    (hold,) = spoken(capsys, "review", "list", "--as", "rita")["holds"]
    assert hold["hold_id"] == hold_id, "ana's own question is there to be decided"
    assert run(["trace", "verify"]) == 0


@pytest.mark.usefixtures("project")
def test_what_is_right_is_said_where_the_answer_was_not(capsys: pytest.CaptureFixture[str]) -> None:
    trace = asked(capsys, {"metrics": ["order_count"]})
    arguments = ("eval", "case", trace, "--question", "How many orders?")
    case = spoken(capsys, *arguments, "--id", "figure", "--number", "7~0.5")["case"]
    assert (case["number"]["value"], case["number"]["tolerance"], case["gold_plan"]) == ("7", "0.5", None)
    Path("right.sql").write_text("SELECT COUNT(*) FROM orders\n", encoding="utf-8")
    case = spoken(capsys, *arguments, "--id", "query", "--gold-sql", "right.sql")["case"]
    assert (case["gold_sql"], case["version"]) == ("SELECT COUNT(*) FROM orders", None)
    (issue,) = spoken(capsys, *arguments, "--id", "no", "--number", "many", status=2)["issues"]
    assert issue["code"] == "bad_number"
