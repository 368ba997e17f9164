"""Saved analyses over HTTP."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from gateway.analyses.view import AnalysisReply
from gateway.asking import door_of
from gateway.doors.identity import Callers
from gateway.doors.serving.app import build_http
from gateway.doors.status import OUTCOMES
from gateway.reply import Refusal, ReplyIssue
from gateway.settings.file import ServerSettings
from tests.gateway.doors.fake import TOKEN, FakeGateway
from traces.records import Outcome

pytestmark = pytest.mark.anyio
PATH = "/v1/analyses/revenue_review"


@pytest.fixture
async def client(
    house: FakeGateway, callers: Callers, server: ServerSettings
) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(build_http(house, callers, server), raise_app_exceptions=False)
    headers = {"Authorization": f"Bearer {TOKEN}"}
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:1", headers=headers) as it:
        yield it


@pytest.mark.parametrize("outcome", list(OUTCOMES))
async def test_an_analysis_leaves_with_the_status_of_its_outcome(
    client: httpx.AsyncClient, house: FakeGateway, outcome: Outcome
) -> None:
    house.analysis_reply = AnalysisReply(outcome=outcome, trace_id="t1")
    response = await client.post(PATH, json={"parameters": {"region": "EMEA"}})
    assert response.status_code == OUTCOMES[outcome].http
    assert response.text == house.analysis_reply.model_dump_json(by_alias=True)


async def test_parameters_and_what_stands_beside_them_arrive_as_sent(
    client: httpx.AsyncClient, house: FakeGateway
) -> None:
    beside = {"approval_id": "h1", "conversation": "c1", "dry_run": True, "choices": {"a": "b"}}
    await client.post(PATH, json={"parameters": {"top": 3, "region": ["EMEA", "APAC"]}, **beside})
    (call,) = house.called
    assert (call.name, call.door) == (
        "revenue_review",
        door_of("http", f"python-httpx/{httpx.__version__}"),
    )
    assert dict(call.parameters) == {"top": 3, "region": ["EMEA", "APAC"]}
    assert call.options.model_dump(include=set(beside)) == beside


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"parameter": {}}, "/parameter"),
        ({"parameters": ["EMEA"]}, "/parameters"),
        ({"parameters": {}, "dry_run": "yes"}, "/dry_run"),
        ({"region": "EMEA"}, "/region"),
        ([1], ""),
    ],
)
async def test_a_body_that_is_no_call_is_refused_with_its_place(
    client: httpx.AsyncClient, house: FakeGateway, body: Any, path: str
) -> None:
    response = await client.post(PATH, json=body)
    assert response.status_code == 422
    issues = response.json()["issues"]
    assert [issue["path"] for issue in issues] == [path]
    assert all(issue["next_step"] for issue in issues)
    assert house.called == []


async def test_an_analysis_nobody_knows_is_404(client: httpx.AsyncClient, house: FakeGateway) -> None:
    issue = ReplyIssue(code="unknown_analysis", message="None of that name.", stage="input")
    house.analysis_reply = Refusal(issues=(issue,))
    response = await client.post(PATH, json={})
    assert response.status_code == 404
    assert response.json()["code"] == "unknown_analysis"


async def test_the_list_needs_a_token(client: httpx.AsyncClient) -> None:
    assert (await client.get("/v1/analyses")).json() == {"analyses": [], "as_tools": False}
    nobody = await client.get("/v1/analyses", headers={"Authorization": ""})
    assert nobody.status_code == 401
