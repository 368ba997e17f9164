"""Agents of every kind answer through one verb, and what goes wrong in one is an action, not an exception."""

import json
import sys
import threading
from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from evals.agents import Command, GoldPlans, Recorded, Url, read_recorded
from evals.cases import Case
from evals.given import read_given, read_table
from evals.replies import given_of_reply
from evals.subject import Asked, Given
from evals.tables import Failure, ResultTable
from metric_layer.plan import MetricPlan

ASKED = Asked(case_id="a", question="How much?", exclude=("a", "twin"))
REPLY: Mapping[str, Any] = {
    "outcome": "answered",
    "trace_id": "t1",
    "sql": "SELECT 1",
    "columns": [
        {"name": "day", "kind": "time", "type": "date"},
        {"name": "revenue", "kind": "metric", "type": "decimal", "version": 3},
    ],
    "rows": [["2026-07-01", "2.50"]],
    "row_count": 1,
    "truncated": False,
    "issues": [],
}


def ask_plan(plan: Mapping[str, Any], asker: str) -> Given:
    return given_of_reply({**REPLY, "trace_id": plan["metrics"][0] + asker})


def script(folder: Path, body: str) -> str:
    file = folder / "agent.py"
    file.write_text(f"import json, sys, time\nasked = json.load(sys.stdin)\n{body}\n", encoding="utf-8")
    return f"{sys.executable} {file}"


def test_a_reply_becomes_a_table_with_the_values_it_carried_as_text() -> None:
    given = given_of_reply(REPLY)
    assert isinstance(given.result, ResultTable)
    assert given.result.columns == ((date(2026, 7, 1),), (Decimal("2.50"),))
    assert (given.number, given.used, given.action) == (Decimal("2.50"), (("revenue", 3),), "answer")


def test_rows_that_policy_held_back_are_not_taken_for_the_result() -> None:
    assert given_of_reply({**REPLY, "row_count": 9}).result is None


@pytest.mark.parametrize(
    ("outcome", "action"),
    [("held", "refuse"), ("denied", "refuse"), ("needs_clarification", "ask"), ("failed", "fail")],
)
def test_what_stopped_a_question_is_named(outcome: str, action: str) -> None:
    given = given_of_reply({"outcome": outcome, "issues": [{"code": "fan_out"}, {"code": "fan_out"}]})
    assert (given.action, given.checks, given.result, given.number) == (action, ("fan_out",), None, None)


def test_a_command_reads_the_question_with_what_to_leave_out(tmp_path: Path) -> None:
    body = "print(json.dumps({'sql': ' '.join(asked['exclude']), 'left_out': True, 'cost': 0.5}))"
    given = Command(script(tmp_path, body), ask_plan, 20).answer(ASKED)
    assert (given.sql, given.left_out, given.cost) == ("a twin", True, Decimal("0.5"))


@pytest.mark.parametrize(
    ("body", "check"),
    [
        ("time.sleep(30)", "time_limit"),
        ("sys.exit(3)", "command_failed"),
        ("print('no JSON')", "bad_answer"),
        ("print(json.dumps({'sq': 'SELECT 1'}))", "bad_answer"),
    ],
)
def test_a_command_that_gives_no_answer_is_a_failure(tmp_path: Path, body: str, check: str) -> None:
    given = Command(script(tmp_path, body), ask_plan, 2).answer(ASKED)
    assert (given.action, given.checks, given.left_out) == ("fail", (check,), False)


def test_a_command_that_is_not_there_is_a_failure() -> None:
    assert Command("/nowhere/at/all", ask_plan, 2).answer(ASKED).action == "fail"


def test_the_plan_an_agent_wrote_is_asked_and_what_it_says_of_itself_stays(tmp_path: Path) -> None:
    body = "print(json.dumps({'plan': {'metrics': ['x'], 'n': 2.5}, 'text': 'It is 2.50', 'offered': ['t']}))"
    given = Command(script(tmp_path, body), ask_plan, 20).answer(ASKED)
    assert (given.trace_id, given.text, given.offered) == ("x", "It is 2.50", ("t",))
    assert given.number == Decimal("2.50")


class _Agent(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(500 if asked["case_id"] == "broken" else 200)
        self.end_headers()
        self.wfile.write(json.dumps({"action": "ask", "sql": asked["question"]}).encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def service() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), _Agent)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_url_is_asked_by_post(service: str) -> None:
    agent = Url(service, ask_plan, 10)
    given = agent.answer(ASKED)
    assert (given.action, given.sql) == ("ask", "How much?")
    assert agent.answer(ASKED.model_copy(update={"case_id": "broken"})).checks == ("url_failed",)
    assert Url("no url", ask_plan, 1).answer(ASKED).action == "fail"


def test_recorded_answers_are_found_by_case_and_phrasing(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    lines = ({"case_id": "a", "sql": "one"}, {"case_id": "a", "phrasing": 1, "sql": "two"})
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    answers = read_recorded(file)
    assert not isinstance(answers, list)
    agent = Recorded(answers, ask_plan)
    other = ASKED.model_copy(update={"phrasing": 1})
    assert [agent.answer(asked).sql for asked in (ASKED, other)] == ["one", "two"]
    assert agent.answer(ASKED.model_copy(update={"case_id": "b"})).action == "fail"


def test_every_line_that_is_no_answer_is_told_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text('{"case_id": "a"}\n{"sql": "x"}\n{"case_id": 3}\nno\n', encoding="utf-8")
    issues = read_recorded(file)
    assert isinstance(issues, list)
    assert [(i.code, i.place.rsplit(":", 1)[1]) for i in issues] == [
        ("bad_answer", line) for line in ("2", "3", "4")
    ]


def test_the_gold_plan_is_asked_as_the_asker_and_a_case_without_one_is_not_asked() -> None:
    cases = {
        "a": Case(id="a", question="?", gold_plan=MetricPlan(metrics=("revenue",))),
        "b": Case(id="b", question="?", gold_sql="SELECT 1"),
    }
    agent = GoldPlans(cases, ask_plan)
    assert agent.answer(ASKED).trace_id == "revenue"
    assert agent.answer(ASKED.model_copy(update={"asker": " by rita"})).trace_id == "revenue by rita"
    assert agent.answer(ASKED.model_copy(update={"case_id": "b"})).action == "not_asked"


def test_a_value_that_is_not_of_its_columns_type_fails_the_table() -> None:
    assert isinstance(read_table([["x"]], ["decimal"]), Failure)
    assert isinstance(read_table([[1, 2]], ["integer"]), Failure)
    assert isinstance(read_given("[" * 100_000), str)
