"""`eval` on a real project: gold beside the answer, as the asker, resumed, reported, compared, imported."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from evals.report import EvalReport
from gateway.doors.cli.main import run
from gateway.doors.published import VERBS, verb_schemas
from gateway.wiring import open_gateway
from tests.servers.served import Served, with_tokens

CASES = """
cases:
  - id: statuses
    question: How many orders by status in the third quarter?
    metric: order_count
    gold_plan:
      metrics: [order_count]
      dimensions: [order_status]
      time: {field: order_date, from: 2026-07-01, to: 2026-09-30}
    gold_sql: |
      SELECT order_status, COUNT(*) FROM orders
      WHERE order_date BETWEEN '2026-07-01' AND '2026-09-30' GROUP BY order_status
  - id: emails
    question: Whose addresses are these?
    gold_sql: SELECT email FROM customers
  - id: whole
    question: How many orders?
    gold_plan: {metrics: [order_count]}
  - id: old
    question: How many orders were there?
    metric: order_count
    number: {value: 7, data: last year}
    gold_plan: {metrics: [order_count]}
"""
WORDS = """
cases:
  - id: july
    question: Net revenue by region in July 2026
    gold_plan:
      metrics: [net_revenue]
      dimensions: [region]
      time: {field: order_date, from: 2026-07-01, to: 2026-07-31}
  - id: open
    question: How many orders?
    expect: ask
"""


@pytest.fixture
def project(shop: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (shop / "cases").mkdir()
    (shop / "cases" / "orders.yml").write_text(CASES, encoding="utf-8")
    policy = shop / "policies" / "policy.yml"
    text = policy.read_text(encoding="utf-8")
    policy.write_text(text.replace("audit, evaluate, review", "audit, unseal, evaluate, review"), "utf-8")
    monkeypatch.chdir(shop)
    return shop


def evaluated(capsys: pytest.CaptureFixture[str], *arguments: str) -> EvalReport:
    assert run(["eval", *arguments, "--json"]) == 0
    return EvalReport.model_validate_json(capsys.readouterr().out)


@pytest.mark.usefixtures("project")
def test_gold_plans_are_held_against_gold_sql_as_the_asker(capsys: pytest.CaptureFixture[str]) -> None:
    report = evaluated(capsys, "run", "--as", "rita", "--junit", "a.xml", "--html", "a.html")
    assert report.runs == 4
    assert report.families["cells"]["recall"].mean == 1.0 and report.families["cells"]["recall"].n == 3
    assert report.families["retrieval"]["recall"].n == 4
    counted = {name: count for name, count in report.ceilings.items() if count}
    assert counted["other_identity"] == counted["gold_failed"] == counted["stale"] == 1
    assert "apart" not in counted and "moved" not in counted, "one name of the data from question to gold"
    assert report.families["answer"]["right_value"].n == 0, "a stale number is not compared"
    assert Path("a.xml").exists() and "order_status" in Path("a.html").read_text(encoding="utf-8")


def test_every_query_of_a_run_is_on_the_record(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evaluated(capsys, "run", "--as", "rita")
    assert run(["trace", "verify"]) == 0
    gateway = open_gateway(project)
    traces = [record for record in gateway.traces.records() if record.kind == "open"]
    gateway.close()
    assert {(record.client, record.origin) for record in traces} == {("eval", "free"), ("eval", "plan")}


@pytest.mark.slow
def test_a_run_through_a_served_gateway_scores_as_the_run_here(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with_tokens(project, ("rita",))
    monkeypatch.setenv("CELLBOUND_TOKEN", "rita")
    here = evaluated(capsys, "run", "--as", "rita", "--out", "here.jsonl")
    with Served(project) as served:
        for through in (f"http:{served.address}", f"mcp:{served.address}/mcp"):
            out = f"{through.partition(':')[0]}.jsonl"
            there = evaluated(capsys, "run", "--as", "rita", "--through", through, "--out", out)
            assert (there.answers, there.families, there.faults) == (here.answers, here.families, here.faults)
            assert there.stopped_by == here.stopped_by
            assert there.ceilings == {**here.ceilings, "apart": 3}, "an answer and its gold share no snapshot"


@pytest.mark.usefixtures("project")
def test_a_run_goes_on_where_it_stopped(capsys: pytest.CaptureFixture[str]) -> None:
    evaluated(capsys, "run", "--as", "rita")
    before = Path("results.jsonl").read_bytes()
    Path("results.jsonl").write_bytes(before[: before.index(b"\n") + 20])
    report = evaluated(capsys, "run", "--as", "rita")
    after = Path("results.jsonl").read_bytes()
    assert report.runs == len(after.splitlines()) == 4
    assert after.splitlines()[0] == before.splitlines()[0]


@pytest.mark.usefixtures("project")
def test_recorded_answers_are_scored_reported_and_compared(capsys: pytest.CaptureFixture[str]) -> None:
    wrong = {"metrics": ["order_count"], "dimensions": ["order_status"]}
    answers = [
        {"case_id": "statuses", "plan": wrong},
        {"case_id": "whole", "sql": "SELECT COUNT(*) FROM orders"},
        {"case_id": "emails", "sql": "SELECT * FROM read_csv('/etc/passwd')"},
    ]
    Path("answers.jsonl").write_text("\n".join(map(json.dumps, answers)), encoding="utf-8")
    scored = evaluated(capsys, "score", "answers.jsonl", "--as", "rita", "--out", "one.jsonl")
    assert scored.answers["answer"]["fail"] == 1 and scored.faults["wrong_answer_released"] == 1
    assert scored.ceilings["candidate_failed"] == 1, "the checks stand before an agent's SQL, too"
    assert evaluated(capsys, "report", "one.jsonl").families == scored.families
    evaluated(capsys, "run", "--as", "rita", "--out", "two.jsonl")
    assert run(["eval", "compare", "one.jsonl", "two.jsonl", "--json"]) == 0
    moved = json.loads(capsys.readouterr().out)["moved"]
    assert {case["case_id"] for case in moved} >= {"statuses", "emails"}


@pytest.mark.usefixtures("project")
def test_people_read_the_report_and_the_comparison(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["eval", "run", "--as", "rita", "--out", "one.jsonl"]) == 0
    told = capsys.readouterr().out
    assert "undefined" in told and "other_identity" in told and "stopped by: no_gold_plan 1" in told
    assert run(["eval", "compare", "one.jsonl", "one.jsonl"]) == 0
    assert "4 questions in both runs" in capsys.readouterr().out


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    ("arguments", "code", "status"),
    [
        (("run",), "right_missing", 3),
        (("run", "--as", "rita", "--agent", "nobody"), "bad_agent", 2),
        (("run", "--as", "rita", "--through", "ftp:x"), "bad_gateway", 2),
        (("run", "--as", "rita", "--through", "http:http://127.0.0.1:1"), "no_token", 2),
        (("run", "--as", "rita", "--cases", "metrics"), "unknown_key", 2),
        (("report", "nowhere.jsonl"), "no_file", 2),
        (("report", "cellbound.toml"), "bad_result", 2),
        (("compare", "cellbound.toml", "cellbound.toml"), "bad_result", 2),
        (("score", "cellbound.toml", "--as", "rita"), "bad_answer", 2),
        (("import", "cellbound.toml", "new.yml"), "bad_pairs", 2),
        (("stef", "--rulebook", "nowhere.yml", "--as", "rita"), "unreadable", 2),
    ],
)
def test_what_cannot_be_run_says_why(
    arguments: tuple[str, ...],
    code: str,
    status: int,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("CELLBOUND_TOKEN", raising=False)
    assert run(["eval", *arguments, "--json"]) == status
    issues = json.loads(capsys.readouterr().out)["issues"]
    assert code in {issue["code"] for issue in issues}


def test_pairs_are_imported_and_twins_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pairs = [{"question": "A?", "query": "SELECT 1"}, {"question": "B?", "query": "select 1"}]
    Path("pairs.json").write_text(json.dumps(pairs), encoding="utf-8")
    assert run(["eval", "import", "pairs.json", "cases.yml", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["twins"] == [["pair 1", "pair 2"]]
    assert run(["eval", "import", "pairs.json", "cases.yml"]) == 2, "nothing is written over"
    assert run(["eval", "import", "pairs.json", "other.yml"]) == 0
    assert "the same gold query: pair 1, pair 2" in capsys.readouterr().out


def asked(capsys: pytest.CaptureFixture[str], plan: dict[str, object], user: str = "ana") -> str:
    Path("plan.json").write_text(json.dumps(plan), encoding="utf-8")
    run(["ask", "plan.json", "--as", user, "--json"])
    return str(json.loads(capsys.readouterr().out)["trace_id"])


def test_a_trace_becomes_a_case_that_can_be_run_and_its_twin_is_told(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trace = asked(capsys, {"metrics": ["order_count"]})
    arguments = ["eval", "case", trace, "--question", "How many orders: in all?", "--tag", "found", "--json"]
    assert run([*arguments, "--id", "from work"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["twins"] == ["whole", "old"] and found["case"]["trace"] == trace
    assert found["case"]["version"] == 1 and (project / "cases" / "from-work.yml").exists()
    report = evaluated(capsys, "run", "--as", "rita", "--tag", "found")
    assert report.runs == 1 and report.families["answer"]["right_definition"].mean == 1.0
    assert run([*arguments, "--id", "from work"]) == 2, "an id is taken once"
    capsys.readouterr()
    assert run([*arguments, "--as", "emil"]) == 2, "somebody else's trace"


@pytest.mark.usefixtures("project")
def test_what_stopped_a_question_is_what_its_case_expects(capsys: pytest.CaptureFixture[str]) -> None:
    trace = asked(capsys, {"metrics": ["net_revenue"], "dimensions": ["segment"]}, "fay")
    assert run(["eval", "case", trace, "--question", "By segment?", "--as", "fay"]) == 0
    assert "expects to" in capsys.readouterr().out


@pytest.mark.usefixtures("project")
def test_firing_counts_work_and_leaves_evaluations_out(capsys: pytest.CaptureFixture[str]) -> None:
    asked(capsys, {"metrics": ["order_count"]})
    asked(capsys, {"metrics": ["order_count"], "dimensions": ["nowhere"]})
    evaluated(capsys, "run", "--as", "rita")
    assert run(["eval", "firing", "--as", "rita", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    rates = {rate["check"]: (rate["fired"], rate["n"]) for rate in found["rates"]}
    assert found["questions"] == 2 and rates["fan_out"] == (0, 1) and rates["plan"] == (1, 2)
    assert run(["eval", "firing", "--as", "rita", "--since", "2999-01-01"]) == 0
    assert "0 questions" in capsys.readouterr().out
    assert run(["eval", "firing", "--as", "rita"]) == 0 and "look at" in capsys.readouterr().out
    assert run(["eval", "firing"]) == 3, "it takes the right to audit"


@pytest.mark.usefixtures("project")
def test_stef_scores_work_on_record_with_coverage_and_parts(capsys: pytest.CaptureFixture[str]) -> None:
    asked(capsys, {"metrics": ["net_revenue"], "dimensions": ["region"]})
    asked(capsys, {"metrics": ["net_revenue"], "dimensions": ["nowhere"]})
    assert run(["eval", "stef", "--as", "rita", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["received"], found["scored"], found["unscored"]) == (2, 1, {"no query": 1})
    assert found["scores"]["mean"] == 100.0 and found["traces"][0]["stef"]["judge"] == found["judge"]
    Path("rules.yml").write_text("safety_limit: 1000000\n", encoding="utf-8")
    assert run(["eval", "stef", "--as", "rita", "--rulebook", "rules.yml"]) == 0
    assert "unrequested top-k" in capsys.readouterr().out
    assert run(["eval", "stef"]) == 3, "it takes the right to unseal"


@pytest.mark.usefixtures("project")
def test_the_gateway_itself_is_asked_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    Path("words.yml").write_text(WORDS, encoding="utf-8")
    report = evaluated(
        capsys, "run", "--as", "rita", "--agent", "gateway", "--cases", "words.yml", "--out", "w.jsonl"
    )
    assert report.answers == {"answer": {"answer": 1}, "ask": {"ask": 1}}
    assert report.families["cells"]["recall"].mean == 1.0 and report.ceilings["not_left_out"] == 0


@pytest.mark.usefixtures("project")
def test_stef_is_held_against_the_families(capsys: pytest.CaptureFixture[str]) -> None:
    bad = {"metrics": ["shipping_fees"], "dimensions": ["region"]}
    good = {"metrics": ["order_count"]}
    answers = [{"case_id": "statuses", "plan": bad}, {"case_id": "whole", "plan": good}]
    Path("answers.jsonl").write_text("\n".join(map(json.dumps, answers)), encoding="utf-8")
    evaluated(capsys, "score", "answers.jsonl", "--as", "rita", "--out", "one.jsonl")
    assert run(["eval", "stef", "--against", "one.jsonl", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["verdicts"] == {"incorrect unequal": 1, "correct exact": 1}
    assert found["n"] == 2 and found["rank_correlation"] == pytest.approx(1.0)
    assert found["left_out"] == {"no gold plan": 1, "no query": 1}
    assert run(["eval", "stef", "--against", "one.jsonl"]) == 0
    assert "verdict: correct exact 1" in capsys.readouterr().out


@pytest.mark.usefixtures("project")
def test_the_text_an_agent_would_send_is_held_against_its_cells(capsys: pytest.CaptureFixture[str]) -> None:
    Path("words.yml").write_text(WORDS, encoding="utf-8")
    plan = {
        "metrics": ["net_revenue"],
        "time": {"field": "order_date", "from": "2026-07-01", "to": "2026-07-31"},
    }
    lies = {"case_id": "july", "plan": plan, "text": "Net revenue was $1.00 in July 2026."}
    Path("answers.jsonl").write_text(json.dumps(lies), encoding="utf-8")
    report = evaluated(capsys, "score", "answers.jsonl", "--as", "rita", "--cases", "words.yml")
    assert report.families["grounding"]["passed"].mean == 0.0
    assert report.families["grounding"]["passed"].n == 1, "who sends no text has no figure"


@pytest.mark.usefixtures("project")
def test_the_schema_of_each_verb_fits_what_it_prints(capsys: pytest.CaptureFixture[str]) -> None:
    trace = asked(capsys, {"metrics": ["order_count"]})
    Path("pairs.json").write_text('[{"question": "A?", "query": "SELECT 1"}]', encoding="utf-8")
    Path("answers.jsonl").write_text('{"case_id": "whole", "sql": "SELECT 1"}', encoding="utf-8")
    arguments = {
        "run": ("--as", "rita", "--out", "one.jsonl"),
        "score": ("answers.jsonl", "--as", "rita", "--out", "two.jsonl"),
        "report": ("one.jsonl",),
        "compare": ("one.jsonl", "two.jsonl"),
        "import": ("pairs.json", "pairs.yml"),
        "case": (trace, "--question", "How many?"),
        "firing": ("--as", "rita"),
        "stef": ("--as", "rita"),
    }
    schemas = verb_schemas()
    assert {f"eval {verb}" for verb in arguments} == {verb for verb in VERBS if verb.startswith("eval ")}
    for verb, more in arguments.items():
        assert run(["eval", verb, *more, "--json"]) == 0, verb
        printed = json.loads(capsys.readouterr().out)
        schema = {"$defs": schemas["$defs"], **schemas["verbs"][f"eval {verb}"]}
        Draft202012Validator(schema).validate(printed)


def test_a_house_without_the_extra_says_how_to_get_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gateway.doors.cli.eval.find_spec", lambda _: None)
    assert run(["eval", "compare", "a", "b"]) == 1
    assert "cellbound[evals]" in capsys.readouterr().err
