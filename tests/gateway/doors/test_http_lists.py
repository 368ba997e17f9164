"""Lists page by page, entity tags, and arguments that are named in our own words."""

from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.doors.http.pages import CursorRefused, page_of
from gateway.doors.identity import Callers
from gateway.doors.serving.app import build_http
from gateway.reply import TraceLine
from gateway.settings.file import ServerSettings
from tests.gateway.doors.fake import TOKEN, FakeGateway

anyio = pytest.mark.anyio


@pytest.fixture
async def client(
    house: FakeGateway, callers: Callers, server: ServerSettings
) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(build_http(house, callers, server), raise_app_exceptions=False)
    headers = {"Authorization": f"Bearer {TOKEN}"}
    async with httpx.AsyncClient(
        transport=transport, base_url="http://127.0.0.1:1", headers=headers
    ) as client:
        yield client


def line(number: int) -> TraceLine:
    return TraceLine(trace_id=f"t{number}", at="", outcome="answered", metrics=(), role="")


@given(st.lists(st.text(), unique=True), st.integers(1, 5))
def test_pages_put_together_are_the_list(items: list[str], limit: int) -> None:
    named, found, cursor = [f"#{item}" for item in items], list[str](), ""
    while True:
        page = page_of(named, str, limit, cursor, "items")
        assert len(page.items) <= limit
        found += page.items
        assert page.left_off == len(named) - len(found)
        cursor = page.next_cursor
        if not cursor:
            break
    assert found == named


def test_what_is_put_in_before_the_place_of_a_cursor_moves_no_page() -> None:
    first = page_of(["a", "b", "d"], str, 2, "", "items")
    assert page_of(["a", "aa", "b", "c", "d"], str, 9, first.next_cursor, "items").items == ("c", "d")


@given(st.text(max_size=40))
def test_a_cursor_nobody_gave_is_refused(cursor: str) -> None:
    for sent in (cursor or "x", urlsafe_b64encode(cursor.encode()).decode()):
        if sent:
            with pytest.raises(CursorRefused):
                page_of(["a", "b"], str, 1, sent, "items")


def test_a_cursor_of_another_list_or_of_a_place_that_is_gone_is_refused() -> None:
    cursor = page_of(["a", "b"], str, 1, "", "items").next_cursor
    for items, listing in ((["a", "b"], "others"), (["b"], "items")):
        with pytest.raises(CursorRefused):
            page_of(items, str, 1, cursor, listing)


@anyio
async def test_traces_come_page_by_page_until_no_cursor_is_left(
    client: httpx.AsyncClient, house: FakeGateway
) -> None:
    house.lines = tuple(line(number) for number in range(7, 0, -1))
    seen, cursor = list[str](), ""
    while True:
        page = (await client.get("/v1/traces", params={"limit": 3, "cursor": cursor})).json()
        seen += [each["trace_id"] for each in page["traces"]]
        cursor = page.get("next_cursor", "")
        if not cursor:
            break
    assert seen == [f"t{number}" for number in range(7, 0, -1)]


@anyio
@pytest.mark.parametrize("path", ["/v1/traces", "/v1/metrics", "/v1/holds", "/v1/analyses"])
async def test_a_wrong_cursor_is_a_problem_on_every_list(client: httpx.AsyncClient, path: str) -> None:
    refused = await client.get(path, params={"cursor": "nonsense"})
    assert (refused.status_code, refused.json()["code"]) == (422, "bad_cursor")


@anyio
@pytest.mark.parametrize("path", ["/v1/metrics", "/v1/metrics/net_revenue", "/v1/analyses"])
async def test_a_client_that_has_the_newest_is_told_so_until_what_it_may_see_changes(
    client: httpx.AsyncClient, house: FakeGateway, path: str
) -> None:
    first = await client.get(path)
    assert first.headers["cache-control"] == "private, no-cache"
    assert "Authorization" in first.headers["vary"]
    again = await client.get(path, headers={"If-None-Match": f'"old", {first.headers["etag"]}'})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    house.stamped = "another"
    changed = await client.get(path, headers={"If-None-Match": first.headers["etag"]})
    assert (changed.status_code, changed.json()) == (200, first.json())


@anyio
async def test_another_address_has_another_tag_and_a_refusal_has_none(client: httpx.AsyncClient) -> None:
    tags = [(await client.get(path)).headers["etag"] for path in ("/v1/metrics", "/v1/metrics?limit=3")]
    assert len(set(tags)) == 2
    assert "etag" not in (await client.get("/v1/metrics/nothing")).headers


@anyio
async def test_a_trace_has_a_tag_of_what_it_says(client: httpx.AsyncClient) -> None:
    first = await client.get("/v1/traces/t1")
    again = await client.get("/v1/traces/t1", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    gone = await client.get("/v1/traces/t2", headers={"If-None-Match": first.headers["etag"]})
    assert gone.status_code == 404


@anyio
@pytest.mark.parametrize(
    ("path", "seen", "close"),
    [
        ("/v1/traces?limt=2", "limt", ["limit"]),
        ("/v1/metrics?serach=a&limit=2", "serach", ["search"]),
        ("/v1/metrics/net_revenue?x=1", "x", []),
        ("/v1/holds?stauts=waiting", "stauts", ["status"]),
        ("/v1/results/t1?fromat=csv", "fromat", ["format"]),
        ("/v1/traces/t1/chart.svg?drak=1", "drak", ["dark"]),
    ],
)
async def test_a_parameter_that_a_route_does_not_know_is_refused_with_the_near_name(
    client: httpx.AsyncClient, path: str, seen: str, close: list[str]
) -> None:
    refused = await client.get(path)
    assert (refused.status_code, refused.json()["code"]) == (422, "unknown_argument")
    (issue,) = refused.json()["issues"]
    assert (issue["path"], issue["seen"], issue["candidates"][:1]) == (f"/query/{seen}", seen, close)


@anyio
async def test_a_parameter_beside_a_body_is_refused_before_anything_is_asked(
    client: httpx.AsyncClient, house: FakeGateway
) -> None:
    refused = await client.post("/v1/questions?dry_run=true", json={"question": "a"})
    assert (refused.status_code, refused.json()["code"]) == (422, "unknown_argument")
    assert not house.asked


@anyio
@pytest.mark.parametrize(
    ("path", "code", "said"),
    [
        ("/v1/holds/h1?wait=abc", "wrong_argument", "`wait` must be a number."),
        ("/v1/holds/h1?wait=-1", "wrong_argument", "`wait` must be at least 0."),
        ("/v1/metrics?limit=x", "wrong_argument", "`limit` must be a whole number."),
        ("/v1/metrics?limit=900", "wrong_argument", "`limit` must be at most 200."),
        ("/v1/results/t1?format=xlsx", "wrong_argument", "`format` must be one of"),
    ],
)
async def test_a_wrong_argument_is_named_with_what_it_has_to_be(
    client: httpx.AsyncClient, path: str, code: str, said: str
) -> None:
    refused = (await client.get(path)).json()
    assert (refused["status"], refused["code"]) == (422, code)
    assert refused["detail"].startswith(said)


@anyio
async def test_arguments_of_a_body_that_are_missing_wrong_or_too_many_are_told_apart(
    client: httpx.AsyncClient,
) -> None:
    refused = await client.post("/v1/answers/check", json={"trace_ids": 3, "text": "x"})
    told = {issue["path"]: issue["code"] for issue in refused.json()["issues"]}
    assert told == {
        "/draft": "missing_argument",
        "/trace_ids": "wrong_argument",
        "/text": "unknown_argument",
    }


@anyio
async def test_a_get_of_mcp_is_answered_at_once_with_what_is_served(client: httpx.AsyncClient) -> None:
    refused = await client.get("/mcp", headers={"Accept": "text/event-stream"})
    assert (refused.status_code, refused.json()["code"]) == (405, "no_stream")
    assert refused.headers["allow"] == "POST"


@anyio
async def test_sql_is_checked_and_what_is_no_sql_is_named(client: httpx.AsyncClient) -> None:
    checked = await client.post("/v1/sql/check", json={"sql": "SELECT 1"})
    assert (checked.status_code, checked.json()["verdict"]) == (200, "allow")
    refused = await client.post("/v1/sql/check", json={"sql": 1})
    assert (refused.status_code, refused.json()["code"]) == (422, "wrong_argument")
