"""A decision model behind the judge verb gives STEF its verdict; one that fails leaves questions unscored."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from evals.stef.align import align
from evals.stef.batch import StefReport
from evals.stef.judge import JudgeTexts, Wanted
from evals.stef.rulebook import Rulebook
from gateway.judges.http import HttpJudge
from gateway.service import Gateway
from gateway.stef.model_judge import VERDICTS, ModelJudge
from gateway.trace_scores import score_record
from metric_layer.sql.features import read_features
from traces.records import Caller

TEXTS = JudgeTexts(question="How much?", plan='{"metrics": ["m"]}', sql="SELECT SUM(amount) FROM orders")
Said = list[Mapping[str, Any]]


class _Model(BaseHTTPRequestHandler):
    """Answers from the server's list, the last one again and again, and keeps what it was asked."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server: Any = self.server
        server.asked.append(body)
        answer = server.answers[min(len(server.asked), len(server.answers)) - 1]
        self.send_response(200)
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def chances(verdict: str, chance: float = 0.7) -> bytes:
    rest = (1 - chance) / (len(VERDICTS) - 1)
    return json.dumps({"probabilities": {n: chance if n == verdict else rest for n in VERDICTS}}).encode()


@pytest.fixture
def model() -> Iterator[Any]:
    server: Any = HTTPServer(("127.0.0.1", 0), _Model)
    server.asked, server.answers = [], [chances("likely_correct")]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def judge(server: Any) -> ModelJudge:
    url = f"http://127.0.0.1:{server.server_port}/"
    return ModelJudge(HttpJudge(url, 5), url)


def verdict_of(asked: ModelJudge, texts: JudgeTexts = TEXTS) -> tuple[str, float] | None:
    found = read_features(texts.sql, "duckdb")
    assert found is not None
    judged = asked.judge(Wanted(), found, align((), found.filters, Rulebook()), texts)
    return (judged.verdict, judged.confidence) if judged else None


def test_the_likeliest_verdict_counts_with_its_probability_and_the_same_is_asked_once(model: Any) -> None:
    one = judge(model)
    assert verdict_of(one) == verdict_of(one) == ("likely_correct", 0.7)
    (asked,) = model.asked
    assert (asked["fields"]["words"], asked["fields"]["sql"]) == (TEXTS.question, TEXTS.sql)
    assert TEXTS.question not in asked["question"]["text"] and asked["question"]["options"] == list(VERDICTS)
    other = ModelJudge(HttpJudge("http://other/", 5), "http://other/")
    assert one.name != other.name and one.name.startswith("model ")


@pytest.mark.parametrize("bad", [b"no JSON", b'{"probabilities": {"correct": 1}}', chances("correct", 2.0)])
def test_a_model_is_asked_once_more_and_then_leaves_the_question_unscored(model: Any, bad: bytes) -> None:
    model.answers = [bad, chances("correct")]
    assert verdict_of(judge(model)) == ("correct", 0.7)
    model.asked.clear()
    model.answers = [bad]
    assert verdict_of(judge(model)) is None and len(model.asked) == 2


def test_the_model_of_the_policy_judges_what_is_on_record(
    open_shop: Callable[[], Gateway], shop: Path, model: Any, rita: Caller, ana: Caller
) -> None:
    policy = shop / "policies" / "policy.yml"
    text = policy.read_text(encoding="utf-8").replace("audit, evaluate", "audit, unseal, evaluate")
    url = f"http://127.0.0.1:{model.server_port}/"
    policy.write_text(f"{text}\njudge: {{url: {url!r}}}\n", encoding="utf-8")
    model.answers = [chances("incorrect", 0.9), b"down"]
    gateway = open_shop()
    gateway.ask(ana, {"metrics": ["order_count"]})
    gateway.ask_question(ana, "net revenue by region in July 2026")
    found = score_record(gateway, rita, None, Rulebook(), "a test")
    assert isinstance(found, StefReport), found
    assert (found.received, found.scored, found.unscored) == (2, 1, {"unjudged": 1})
    assert found.judge == ModelJudge(HttpJudge(url, 5), url).name
    assert found.verdicts == {"incorrect": 1} and found.scores.mean == 50.0
    words = [asked["fields"]["words"] for asked in model.asked]
    assert words[0] == "" and "net revenue by region in July 2026" in words
    assert "orders" in model.asked[0]["fields"]["definitions"].casefold()
