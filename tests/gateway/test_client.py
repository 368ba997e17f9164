"""The typed client against the shop on a real port: its records, its retries, and the command line."""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from gateway.asking import AskOptions
from gateway.client import Client, NotReached, RequestRefused
from gateway.doors.cli.main import run
from gateway.doors.http.problem import problem_of
from gateway.doors.identity import Callers
from gateway.doors.serving.app import build_http
from gateway.reply import DraftReply, Reply, ReplyIssue
from gateway.service import Gateway
from gateway.settings.file import IdentitySettings, ServerSettings, load_settings
from tests.gateway.doors.ports import serving


def app_of(gateway: Gateway, shop: Path) -> FastAPI:
    """Return the shop's application; a user's token is their name."""
    listed = load_settings(shop).identity.model_dump()
    tokens = [{"user": user, "sha256": sha256(user.encode()).hexdigest()} for user in ("ana", "rita")]
    identity = IdentitySettings.model_validate({**listed, "tokens": tokens})
    return build_http(gateway, Callers(identity), ServerSettings())


@pytest.fixture
def address(gateway: Gateway, shop: Path) -> Iterator[str]:
    with serving(app_of(gateway, shop)) as address:
        yield address


@pytest.fixture
def client(address: str) -> Iterator[Client]:
    with Client(address, "ana") as client:
        yield client


def played(*answers: httpx.Response | Exception) -> tuple[Client, list[httpx.Request]]:
    """Return a client of a gateway that says these things one after the other, and what it was sent."""
    sent: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        found = answers[len(sent) - 1]
        if isinstance(found, Exception):
            raise found
        return found

    return Client("http://gateway", "t", retries=2, transport=httpx.MockTransport(answer)), sent


def test_a_plan_its_draft_its_trace_and_its_rows_come_as_records(
    client: Client, gateway: Gateway, revenue: dict[str, Any]
) -> None:
    reply = client.ask(revenue)
    assert (reply.outcome, reply.plan is not None) == ("answered", True)
    assert client.result(reply.trace_id).rows == reply.rows
    assert client.result_file(reply.trace_id, "csv").count(b"\r\n") == reply.row_count + 1
    assert client.trace(reply.trace_id).outcome == "answered"
    assert [line.trace_id for line in client.traces()] == [reply.trace_id]
    draft = client.check_answer("It was {{c:0.net_revenue}}.", [reply.trace_id])
    assert (draft.outcome, draft.citations[0].cell is not None) == ("passed", True)


def test_words_a_dry_run_and_sql_are_asked_the_same_way(client: Client, revenue: dict[str, Any]) -> None:
    assert client.ask_question("net revenue by region in Q3 2026").outcome == "answered"
    assert client.ask(revenue, AskOptions(dry_run=True)).outcome == "dry_run"
    assert client.check_sql("SELECT * FROM orders").verdict in ("soft", "hard", "hold")


def test_lists_come_whole_whatever_a_page_holds(
    client: Client, gateway: Gateway, ana: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gateway.client.client.PAGE", 3)
    listed = [line.name for line in client.metrics()]
    assert listed == [line.name for line in gateway.list_metrics(ana, "", 1000).metrics]
    assert len(listed) > 3
    assert client.metric(listed[0]).name == listed[0]
    analyses = gateway.list_analyses(ana).analyses
    assert tuple(client.analyses()) == analyses and analyses


def test_a_request_that_is_refused_says_why_and_what_to_do(address: str, client: Client) -> None:
    with pytest.raises(RequestRefused) as unknown:
        client.metric("net_revenu")
    assert (unknown.value.status, unknown.value.refusal.issues[0].code) == (404, "unknown_metric")
    assert "net_revenue" in unknown.value.refusal.issues[0].candidates
    with Client(address, "nobody") as stranger, pytest.raises(RequestRefused) as refused:
        list(stranger.metrics())
    assert refused.value.status == 401
    with pytest.raises(RequestRefused, match="unknown_result"):
        client.result_file("t1", "parquet")


def test_a_question_sent_again_under_its_key_runs_once(
    client: Client, gateway: Gateway, ana: Any, revenue: dict[str, Any]
) -> None:
    first = client.ask(revenue, key="k1")
    assert client.ask(revenue, key="k1") == first
    assert len(gateway.list_traces(ana)) == 1


def test_a_lost_connection_and_a_full_house_are_tried_again_under_one_key() -> None:
    busy = httpx.Response(503, headers={"Retry-After": "0", "Content-Type": "application/problem+json"})
    answered = httpx.Response(200, content=Reply(outcome="answered").model_dump_json())
    client, sent = played(httpx.ReadTimeout("slow"), busy, answered)
    assert client.ask({"metrics": []}).outcome == "answered"
    (key, *others) = [request.headers["idempotency-key"] for request in sent]
    assert key
    assert set(others) == {key}


def test_a_draft_is_not_sent_twice_after_a_lost_connection() -> None:
    client, sent = played(httpx.ReadTimeout("slow"))
    with pytest.raises(NotReached):
        client.check_answer("3", ["t1"])
    assert len(sent) == 1


def refusal(status: int, code: str) -> httpx.Response:
    said = problem_of(status, (ReplyIssue(code=code, message="m", stage="input", next_step="n"),))
    headers = {"Retry-After": "0", "Content-Type": "application/problem+json"}
    return httpx.Response(status, headers=headers, content=said.model_dump_json())


@pytest.mark.parametrize(
    ("refused", "times"),
    [
        (refusal(503, "busy"), 2),
        (refusal(429, "rate_limited"), 2),
        (refusal(503, "too_many_connections"), 2),
        (refusal(503, "server_ending"), 1),
        (refusal(503, "store_unwritable"), 1),
        (httpx.Response(503, headers={"Retry-After": "0"}, text="upstream"), 1),
        (httpx.Response(429, headers={"Retry-After": "0"}, text="slow down"), 1),
        (httpx.Response(503, headers={"Content-Type": "application/problem+json"}, text="{}"), 1),
        (
            httpx.Response(
                503, headers={"Content-Type": "application/problem+json"}, json={"code": "busy", "issues": []}
            ),
            1,
        ),
    ],
)
def test_a_draft_is_sent_again_only_where_the_gateway_says_that_it_began_nothing(
    refused: httpx.Response, times: int
) -> None:
    passed = httpx.Response(200, content=DraftReply(outcome="passed").model_dump_json())
    client, sent = played(refused, passed)
    with suppress(RequestRefused, NotReached):
        client.check_answer("3", ["t1"])
    assert len(sent) == times


@pytest.mark.parametrize("status", [429, 503])
def test_what_only_reads_is_sent_again_whatever_stands_in_front_of_the_gateway(status: int) -> None:
    upstream = httpx.Response(status, headers={"Retry-After": "0"}, text="upstream")
    client, sent = played(upstream, refusal(404, "unknown_metric"))
    with pytest.raises(RequestRefused, match="unknown_metric"):
        client.metric("x")
    assert len(sent) == 2


def test_keys_that_are_newer_than_the_client_do_not_break_it() -> None:
    newer = {**json.loads(Reply(outcome="answered").model_dump_json()), "later": {"than": "this"}}
    client, _ = played(httpx.Response(200, json=newer))
    assert client.ask({}).outcome == "answered"


@pytest.mark.parametrize("answer", [httpx.Response(200, text="<html>"), httpx.Response(404, text="no")])
def test_what_no_gateway_says_is_not_reached(answer: httpx.Response) -> None:
    client, _ = played(answer)
    with pytest.raises(NotReached):
        client.ask({})


def test_a_hold_is_waited_for_until_it_is_decided(
    shop: Path, open_shop: Callable[[], Gateway], rita: Any, revenue: dict[str, Any]
) -> None:
    policy = shop / "policies" / "policy.yml"
    tight = policy.read_text(encoding="utf-8").replace("bytes: {warn: 20000000,", "bytes: {warn: 1,")
    policy.write_text(tight, encoding="utf-8")
    gateway = open_shop()
    with serving(app_of(gateway, shop)) as address, Client(address, "ana") as client:
        held = client.ask(revenue)
        assert held.outcome == "held"
        assert client.wait_decision(held.hold_id, 0.2).status == "waiting"
        gateway.decide_hold(rita, held.hold_id, "accept", "A quarter is needed for the board.")
        assert client.wait_decision(held.hold_id, 5).status == "accepted"
        approved = client.ask(revenue, AskOptions(approval_id=held.hold_id))
    assert approved.outcome == "answered"


def test_the_command_line_asks_a_served_gateway_and_prints_the_same_reply(
    address: str,
    revenue: dict[str, Any],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SHOP_TOKEN", "ana")
    (tmp_path / "plan.json").write_text(json.dumps(revenue))
    (tmp_path / "q.sql").write_text("SELECT * FROM orders")
    there = ("--server", address, "--token-env", "SHOP_TOKEN", "--json")
    assert run(("ask", "plan.json", *there)) == 0
    reply = json.loads(capsys.readouterr().out)
    assert (reply["outcome"], bool(reply["rows"])) == ("answered", True)
    (tmp_path / "draft.txt").write_text("It was 12 EUR.")
    assert run(("check-answer", reply["trace_id"], "draft.txt", *there)) == 3
    assert json.loads(capsys.readouterr().out)["outcome"] == "blocked"
    assert run(("sql", "check", "q.sql", *there)) in (3, 4)
    assert json.loads(capsys.readouterr().out)["verdict"] in ("soft", "hold", "hard")
    assert run(("review", "show", "h1", *there)) == 2
    assert json.loads(capsys.readouterr().out)["issues"][0]["code"] == "unknown_hold"


@pytest.mark.parametrize(
    ("options", "status", "code"),
    [
        (("--server", "http://127.0.0.1:9", "--token-env", "HAS"), 1, "gateway_not_reached"),
        (("--server", "nonsense", "--token-env", "HAS"), 2, "no_address"),
        (("--server", "http://127.0.0.1:9", "--token-env", "HAS_NOT"), 2, "no_token"),
        (("--server", "http://127.0.0.1:9", "--token-env", "HAS", "--as", "ana"), 2, "token_says_who"),
    ],
)
def test_a_served_gateway_that_cannot_be_asked_is_told_by_code(
    options: tuple[str, ...],
    status: int,
    code: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HAS", "a token")
    assert run(("ask", "--question", "revenue", *options, "--json")) == status
    assert json.loads(capsys.readouterr().out)["issues"][0]["code"] == code


def test_a_token_nobody_issued_is_told_as_such(
    address: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CELLBOUND_TOKEN", "nobody")
    assert run(("ask", "--question", "revenue", "--server", address, "--json")) == 2
    assert json.loads(capsys.readouterr().out)["issues"][0]["code"] == "no_identity"
