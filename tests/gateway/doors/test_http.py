"""The HTTP door: statuses, problems, limits, and what a stranger is told."""

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from gateway.asking import door_of
from gateway.doors.identity import Callers
from gateway.doors.serving.app import build_http
from gateway.doors.status import OUTCOMES
from gateway.engines.base import EngineError
from gateway.reply import DraftReply, Finding, Reply
from gateway.settings.file import ServerSettings
from tests.gateway.doors.fake import TOKEN, FakeGateway
from traces.records import Outcome, ShorterWindow

pytestmark = pytest.mark.anyio
PLAN = {"metrics": ["net_revenue"]}
CAME = door_of("http", f"python-httpx/{httpx.__version__}")


@pytest.fixture
def app(house: FakeGateway, callers: Callers, server: ServerSettings) -> FastAPI:
    return build_http(house, callers, server)


@pytest.fixture
async def client(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    headers = {"Authorization": f"Bearer {TOKEN}"}
    async with httpx.AsyncClient(
        transport=transport, base_url="http://127.0.0.1:1", headers=headers
    ) as client:
        yield client


def problem_of(response: httpx.Response) -> dict[str, Any]:
    assert response.headers["content-type"] == "application/problem+json"
    body: dict[str, Any] = response.json()
    assert body["status"] == response.status_code
    assert {"type", "title", "detail", "code", "issues"} <= set(body)
    return body


@pytest.mark.parametrize("outcome", list(OUTCOMES))
async def test_an_outcome_leaves_with_the_status_of_the_table_and_the_reply_as_body(
    client: httpx.AsyncClient, house: FakeGateway, outcome: Outcome
) -> None:
    house.reply = Reply(outcome=outcome, trace_id="t1")
    response = await client.post("/v1/questions", json={"plan": PLAN})
    assert response.status_code == OUTCOMES[outcome].http
    assert response.headers["content-type"] == "application/json"
    assert response.text == house.reply.model_dump_json(by_alias=True)


async def test_the_caller_is_who_the_token_belongs_to_and_the_plan_arrives_as_it_was_sent(
    client: httpx.AsyncClient, house: FakeGateway
) -> None:
    beside = {"choices": {"sales": "net_revenue"}, "dry_run": True, "approval_id": "h1"}
    narrower = {"from": "2026-08-01", "to": "2026-08-31"}
    await client.post("/v1/questions", json={"plan": PLAN, **beside, "accept_narrower": narrower})
    assert house.options.accept_narrower == ShorterWindow.model_validate(narrower)
    await client.post("/v1/questions", json={**PLAN, "user": "rita"})
    (first, second) = house.asked
    assert (first[0].user, *first[1:]) == ("ana", PLAN, {"sales": "net_revenue"}, True, "h1", CAME)
    assert (second[0].user, second[1]) == ("ana", {**PLAN, "user": "rita"})


async def test_a_question_in_words_goes_through_the_same_route(
    client: httpx.AsyncClient, house: FakeGateway
) -> None:
    beside = {"choices": {"sales": "net_revenue"}, "conversation": "c1"}
    response = await client.post("/v1/questions", json={"question": "sales last month", **beside})
    assert response.status_code == 200
    assert house.asked[0][1:3] == ("sales last month", {"sales": "net_revenue"})
    assert house.options.conversation == "c1"


@pytest.mark.parametrize(
    ("sent", "paths"),
    [
        ({"question": 7}, ["/question"]),
        ({"question": "a", "plan": PLAN}, ["/plan"]),
        ({"question": "a", **PLAN, "limit": 3}, ["/metrics", "/limit"]),
    ],
)
async def test_a_question_with_a_plan_beside_it_is_refused(
    client: httpx.AsyncClient, house: FakeGateway, sent: dict[str, Any], paths: list[str]
) -> None:
    response = await client.post("/v1/questions", json=sent)
    assert response.status_code == 422
    assert [issue["path"] for issue in response.json()["issues"]] == paths
    assert not house.asked


@pytest.mark.parametrize(
    ("key", "near"), [("questoin", "question"), ("Question", "question"), ("plna", "plan")]
)
async def test_a_mistyped_key_of_the_whole_is_refused_with_its_name(
    client: httpx.AsyncClient, house: FakeGateway, key: str, near: str
) -> None:
    response = await client.post("/v1/questions", json={key: "sales last month"})
    assert (response.status_code, response.json()["outcome"]) == (422, "invalid_plan")
    (issue,) = response.json()["issues"]
    assert (issue["code"], issue["path"], issue["candidates"]) == ("unknown_key", f"/{key}", [near])
    assert not house.asked


async def test_a_mistyped_key_of_a_plan_is_left_to_the_plan(
    client: httpx.AsyncClient, house: FakeGateway
) -> None:
    await client.post("/v1/questions", json={**PLAN, "dimensoins": ["region"]})
    assert house.asked, "the reader of plans names its own keys"


async def test_the_idempotency_key_reaches_the_house_with_a_digest_of_the_request(
    client: httpx.AsyncClient, house: FakeGateway
) -> None:
    for body in ({"question": "a", "dry_run": True}, {"dry_run": True, "question": "a"}, {"question": "b"}):
        await client.post("/v1/questions", json=body, headers={"Idempotency-Key": "k1"})
    await client.post("/v1/questions", json={"question": "a"})
    (first, second, third) = house.keys
    assert first == second != third
    assert {key for key, _ in house.keys} == {"k1"}


@pytest.mark.parametrize("key", ["x" * 201, "a\tb", "", "  "])
async def test_a_key_nobody_can_keep_is_a_problem(
    client: httpx.AsyncClient, house: FakeGateway, key: str
) -> None:
    response = await client.post("/v1/questions", json={"question": "a"}, headers={"Idempotency-Key": key})
    assert problem_of(response)["code"] == "bad_idempotency_key"
    assert not house.asked


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", "Bearer nobody", f"Basic {TOKEN}", TOKEN])
@pytest.mark.parametrize("path", ["/v1/metrics", "/v1/questions", "/v1/no/such/route", "/mcp", "/v1"])
async def test_a_token_nobody_issued_gets_a_401_problem_and_nothing_else(
    client: httpx.AsyncClient, house: FakeGateway, header: str, path: str
) -> None:
    response = await client.post(path, json={"plan": PLAN}, headers={"Authorization": header})
    assert response.status_code == 401
    said = 'Bearer error="invalid_token"' if header == "Bearer nobody" else "Bearer"
    assert response.headers["www-authenticate"] == said, "who sent no token is told of no error"
    assert problem_of(response)["code"] == "no_identity"
    assert not house.asked


@pytest.mark.parametrize(
    ("sent", "kind", "status", "code"),
    [
        (b"{", "application/json", 400, "bad_json"),
        (b"", "application/json", 400, "bad_json"),
        (b'{"plan": {}, "plan": {}}', "application/json", 400, "bad_json"),
        (b"[" * 4000, "application/json", 400, "bad_json"),
        (rb'{"metrics": ["\ud800"]}', "application/json", 400, "bad_json"),
        (b"metrics=net_revenue", "application/x-www-form-urlencoded", 415, "not_json"),
        (b'{"a": "' + b"x" * 5000 + b'"}', "application/json", 413, "body_too_large"),
    ],
    ids=["cut", "empty", "twice", "deep", "half a character", "form", "large"],
)
async def test_a_body_that_is_no_question_is_a_problem(
    client: httpx.AsyncClient, house: FakeGateway, sent: bytes, kind: str, status: int, code: str
) -> None:
    response = await client.post("/v1/questions", content=sent, headers={"Content-Type": kind})
    assert response.status_code == status
    assert problem_of(response)["code"] == code
    assert not house.asked


async def test_a_large_body_without_a_declared_length_is_cut_off_too(client: httpx.AsyncClient) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(10):
            yield b"[" * 1000

    response = await client.post(
        "/v1/questions", content=chunks(), headers={"Content-Type": "application/json"}
    )
    assert problem_of(response)["status"] == 413


async def test_keys_that_belong_nowhere_are_named_all_at_once(client: httpx.AsyncClient) -> None:
    response = await client.post("/v1/questions", json={"plan": PLAN, "sql": "SELECT 1", "metric": "x"})
    body = response.json()
    assert (response.status_code, body["outcome"]) == (422, "invalid_plan")
    assert [issue["path"] for issue in body["issues"]] == ["/sql", "/metric"]


async def test_what_stands_beside_a_plan_is_typed(client: httpx.AsyncClient) -> None:
    response = await client.post("/v1/questions", json={**PLAN, "dry_run": "yes", "choices": [1]})
    assert response.status_code == 422
    assert {issue["path"] for issue in response.json()["issues"]} == {"/dry_run", "/choices"}


async def test_a_draft_is_checked_under_its_traces(client: httpx.AsyncClient, house: FakeGateway) -> None:
    house.draft = DraftReply(outcome="blocked", attempts_left=2)
    declared = [{"id": "d1", "op": "sum", "args": {}}]
    sent = {"draft": "It was 3.", "trace_ids": ["t1", "t2"], "declare": declared}
    response = await client.post("/v1/answers/check", json=sent)
    assert (response.status_code, response.json()["outcome"]) == (200, "blocked")
    assert house.drafts[0][1:3] == ("It was 3.", ("t1", "t2"))
    assert json.loads(json.dumps(house.drafts[0][3])) == declared


async def test_a_draft_with_half_a_character_is_refused_before_it_counts(
    client: httpx.AsyncClient, house: FakeGateway
) -> None:
    for sent in (rb'{"draft": "\udfff", "trace_ids": ["t1"]}', rb'{"draft": "3", "trace_ids": ["\ud800"]}'):
        response = await client.post(
            "/v1/answers/check", content=sent, headers={"Content-Type": "application/json"}
        )
        assert (response.status_code, problem_of(response)["code"]) == (400, "bad_json")
    assert not house.drafts


async def test_a_draft_without_a_trace_is_invalid_and_says_which_argument(client: httpx.AsyncClient) -> None:
    response = await client.post("/v1/answers/check", json={"draft": 3, "trace_ids": [], "declared": []})
    assert (response.status_code, response.json()["outcome"]) == (422, "invalid")
    assert {issue["path"] for issue in response.json()["issues"]} == {"/draft", "/trace_ids", "/declared"}


async def test_what_the_caller_may_not_see_is_a_404_problem_with_near_names(
    client: httpx.AsyncClient,
) -> None:
    assert (await client.get("/v1/metrics/net_revenue")).json()["version"] == 3
    missing = problem_of(await client.get("/v1/metrics/net_revenu"))
    assert (missing["status"], missing["issues"][0]["candidates"]) == (404, ["net_revenue"])
    assert (await client.get("/v1/traces/t1")).json()["trace_id"] == "t1"
    assert problem_of(await client.get("/v1/traces/t2"))["code"] == "unknown_trace"


async def test_arguments_and_routes_that_do_not_exist_are_problems(client: httpx.AsyncClient) -> None:
    assert problem_of(await client.get("/v1/metrics?limit=0"))["issues"][0]["path"] == "/query/limit"
    assert problem_of(await client.get("/v1/nothing"))["status"] == 404
    assert problem_of(await client.get("/v1/questions"))["status"] == 405
    assert problem_of(await client.get("/nothing"))["status"] == 404


async def test_a_broken_house_is_told_by_code_and_a_defect_without_its_text(
    client: httpx.AsyncClient, house: FakeGateway
) -> None:
    house.fault = EngineError("database_locked", "Another process holds the file.", retryable=True)
    locked = problem_of(await client.get("/v1/metrics"))
    assert (locked["status"], locked["code"]) == (503, "database_locked")
    house.fault = RuntimeError("a secret")
    response = await client.get("/v1/metrics")
    assert (problem_of(response)["status"], "secret" in response.text) == (500, False)


async def test_what_breaks_behind_a_question_is_told_like_behind_any_route(
    client: httpx.AsyncClient, house: FakeGateway
) -> None:
    path, sent = "/v1/questions", {"plan": PLAN}
    house.fault = EngineError("database_locked", "Another process holds the file.", retryable=True)
    locked = problem_of(await client.post(path, json=sent))
    assert (locked["status"], locked["code"]) == (503, "database_locked")
    house.fault = RuntimeError("a secret")
    response = await client.post(path, json=sent)
    assert (problem_of(response)["status"], "secret" in response.text) == (500, False)
    assert problem_of(await client.post(path, content=b"{"))["code"] == "bad_json"
    assert problem_of(await client.post(f"{path}?a=b", json=sent))["status"] == 422
    assert problem_of(await client.get(path))["status"] == 405


async def test_health_is_open_and_tells_no_detail(app: FastAPI, house: FakeGateway) -> None:
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:1") as stranger:
        assert (await stranger.get("/health/live")).json() == {"live": True}
        ready = await stranger.get("/health/ready")
        assert (ready.status_code, ready.json()) == (200, {"ready": True, "parts": {"database": True}})
        assert "secret" not in ready.text
        counters = (await stranger.get("/metrics")).text
    assert 'cellbound_http_responses_total{status="200"} 2' in counters


async def test_a_house_that_is_not_ready_says_which_part(
    client: httpx.AsyncClient, house: FakeGateway
) -> None:
    house.parts = (Finding(name="database", ok=False, detail="locked"),)
    ready = await client.get("/health/ready")
    assert (ready.status_code, ready.json()["parts"]) == (503, {"database": False})


async def test_results_are_counted_by_outcome(client: httpx.AsyncClient, house: FakeGateway) -> None:
    house.reply = Reply(outcome="denied")
    await client.post("/v1/questions", json=PLAN)
    counters = (await client.get("/metrics")).text
    assert 'cellbound_results_total{door="http",outcome="denied"} 1' in counters
    assert "cellbound_requests_inside 0" in counters
