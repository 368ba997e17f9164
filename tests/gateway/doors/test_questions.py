"""Questions in words over the demo shop, through the command line and over HTTP: the same answers."""

import io
import json
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from gateway.doors.cli.main import run
from gateway.doors.identity import Callers
from gateway.doors.serving.app import build_http
from gateway.service import Gateway
from gateway.settings.file import IdentitySettings, ServerSettings, load_settings
from gateway.wiring import open_gateway
from traces.records import Caller

pytestmark = pytest.mark.anyio
TODAY = datetime(2026, 11, 2, 9, tzinfo=UTC)
ASKED = (
    ("net revenue by region in Q3 2026", "answered"),
    ("sales in Europe by month in 2025", "answered"),
    ("top 2 regions by net revenue in October 2026", "answered"),
    ("orders by customer segment in FY26 Q4", "answered"),
    ("net revenue for enterprise excluding the US in October 2026", "answered"),
    ("gross revenue in Q3 2026 vs last year", "answered"),
    ("refunds over the Black Friday weekend 2025", "answered"),
    ("tickets by ticket priority in October 2026", "answered"),
    ("weekly orders since 1 September 2026 until 30 September 2026", "answered"),
    ("net revenue from 2026-07-01 to 2026-07-31 by region", "answered"),
    ("completed orders in March 2025", "answered"),
    ("net revenue recently", "needs_clarification"),
    ("net revenue by region", "needs_clarification"),
    ("net revenue on 03/04/2026", "needs_clarification"),
    ("how did Europe do in October 2026?", "needs_clarification"),
    ("why did net revenue fall in October 2026?", "abstained"),
    ("profit by region in Q3 2026", "abstained"),
    ("net revenue by warehouse in Q3 2026", "abstained"),
    ("net revenue in 2019", "abstained"),
    ("net revenue by product in Q3 2026", "abstained"),
)
STATUS = {"answered": (0, 200), "needs_clarification": (4, 409), "abstained": (5, 200)}
Said = tuple[int, dict[str, Any]]


@pytest.fixture
def cellbound(
    shop: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Said]:
    monkeypatch.chdir(shop)

    def said(*arguments: str, stdin: str = "") -> Said:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8"))
        return run((*arguments, "--json")), json.loads(capsys.readouterr().out)

    return said


@pytest.fixture
def served(shop: Path) -> Iterator[Gateway]:
    gateway = open_gateway(shop, now=lambda: TODAY)
    yield gateway
    gateway.close()


@pytest.fixture
async def client(
    served: Gateway, shop: Path, identity: IdentitySettings, server: ServerSettings
) -> AsyncIterator[httpx.AsyncClient]:
    users = load_settings(shop).identity.users
    callers = Callers(identity.model_copy(update={"users": users}))
    transport = httpx.ASGITransport(build_http(served, callers, server), raise_app_exceptions=False)
    headers = {"Authorization": "Bearer a token for ana"}
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:1", headers=headers) as web:
        yield web


async def test_twenty_questions_have_their_outcomes_through_both_doors(
    cellbound: Callable[..., Said], client: httpx.AsyncClient
) -> None:
    for question, outcome in ASKED:
        status, spoken = cellbound("ask", "--question", question)
        response = await client.post("/v1/questions", json={"question": question})
        written = response.json()
        assert (spoken["outcome"], written["outcome"]) == (outcome, outcome), (question, spoken["issues"])
        assert (status, response.status_code) == STATUS[outcome], question
        for key in ("plan", "rows", "answer", "issues"):
            assert spoken[key] == written[key], question
        assert bool(spoken["rows"]) is (outcome == "answered"), question


async def test_the_same_key_gets_the_same_trace_and_nothing_runs_again(
    client: httpx.AsyncClient, served: Gateway, ana: Caller
) -> None:
    body, headers = {"question": ASKED[0][0]}, {"Idempotency-Key": "0b5c"}
    first, again = [await client.post("/v1/questions", json=body, headers=headers) for _ in range(2)]
    assert first.text == again.text and first.json()["trace_id"]
    assert len(served.list_traces(ana)) == 1
    other = await client.post("/v1/questions", json={"question": ASKED[1][0]}, headers=headers)
    assert (other.status_code, other.json()["issues"][0]["code"]) == (409, "idempotency_key_reused")


async def test_a_follow_up_over_http_goes_on_in_its_conversation(client: httpx.AsyncClient) -> None:
    for question in (ASKED[0][0], "and just for enterprise"):
        body = {"question": question, "conversation": "c1"}
        reply = (await client.post("/v1/questions", json=body)).json()
    assert reply["outcome"] == "answered"
    assert "segment = enterprise" in reply["scope"] and "2026-07-01 to 2026-09-30" in reply["scope"]


def test_a_question_may_stand_in_a_file_with_what_goes_beside_it(cellbound: Callable[..., Said]) -> None:
    body = {"question": "widgets in Q3 2026", "choices": {"widgets": "net_revenue"}}
    status, reply = cellbound("ask", "-", "--dry-run", stdin=json.dumps(body))
    assert (status, reply["outcome"], reply["plan"]["metrics"]) == (0, "dry_run", ["net_revenue"])


@pytest.mark.parametrize("given", [(), ("plan.json", "--question", "net revenue last month")])
def test_a_plan_or_a_question_is_asked_not_both_and_not_neither(
    cellbound: Callable[..., Said], given: tuple[str, ...]
) -> None:
    status, refused = cellbound("ask", *given)
    assert (status, refused["issues"][0]["code"]) == (2, "plan_or_question")


def test_a_draft_is_checked_against_the_answer_to_a_question(
    cellbound: Callable[..., Said], tmp_path: Path
) -> None:
    draft = tmp_path / "draft.txt"
    draft.write_text("Net revenue was $1.00.")
    status, reply = cellbound("ask", "--question", "net revenue in Q3 2026", "--draft", str(draft))
    assert (status, reply["draft"]["outcome"]) == (3, "blocked")
