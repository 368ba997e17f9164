"""Whatever arrives, the door answers with an object that says what became of it."""

import asyncio
import json

import httpx
import pytest
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gateway.doors.identity import Callers
from gateway.doors.serving.app import build_http
from gateway.doors.status import DRAFTS, OUTCOMES
from gateway.settings.file import ServerSettings
from tests.gateway.doors.fake import TOKEN, FakeGateway

KEYS = st.sampled_from(
    [
        "plan",
        "choices",
        "dry_run",
        "approval_id",
        "accept_narrower",
        "metrics",
        "draft",
        "trace_ids",
        "declare",
    ]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(KEYS | st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=8,
)
SENT = VALUES.map(lambda value: json.dumps(value).encode()) | st.binary(max_size=40)


async def posted(app: FastAPI, path: str, body: bytes) -> httpx.Response:
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:1") as http:
        return await http.post(path, content=body, headers=headers)


@pytest.fixture
def app(house: FakeGateway, callers: Callers, server: ServerSettings) -> FastAPI:
    return build_http(house, callers, server)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(path=st.sampled_from(["/v1/questions", "/v1/answers/check"]), body=SENT)
def test_no_body_breaks_the_door(path: str, body: bytes, app: FastAPI, house: FakeGateway) -> None:
    house.asked.clear()
    house.drafts.clear()
    response = asyncio.run(posted(app, path, body))
    found = response.json()
    if response.headers["content-type"] == "application/problem+json":
        assert response.status_code == found["status"] == 400
        return
    asked, checked = bool(house.asked), bool(house.drafts)
    rows = OUTCOMES if path == "/v1/questions" else DRAFTS
    assert {outcome: row.http for outcome, row in rows.items()}[found["outcome"]] == response.status_code
    assert (asked or checked) is not bool(found["issues"]), "refused at the door or handed on, never both"
    assert all(call[0].user == "ana" for call in house.asked)
