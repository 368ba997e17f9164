"""Held questions over HTTP, MCP and the command line: the same verbs, with the statuses of the table."""

import json
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Timer

import pytest
from fastapi.testclient import TestClient
from mcp.client import Client

from gateway.doors.cli.main import run
from gateway.doors.counters import Counters
from gateway.doors.mcp.server import build_mcp
from gateway.doors.workers import Workers
from gateway.service import Gateway
from gateway.wiring import open_gateway
from tests.gateway.over_http import over_http
from tests.servers.served import with_tokens
from traces.records import Caller

Plan = dict[str, object]
ASKERS = ("ana", "emil", "rita")
PAGE = "https://gate.example/console/holds/"


@pytest.fixture
def project(shop: Path) -> Path:
    """The shop with tight lines, and a token for each asker that is their name."""
    file = shop / "policies" / "policy.yml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("bytes: {warn: 20000000,", "bytes: {warn: 1,"), encoding="utf-8")
    with_tokens(shop, ASKERS)
    with (shop / "cellbound.toml").open("a", encoding="utf-8") as settings:
        settings.write('\n[notify]\nbase_url = "https://gate.example/"\n')
    return shop


@pytest.fixture
def house(project: Path) -> Iterator[Gateway]:
    gateway = open_gateway(project)
    yield gateway
    gateway.close()


@pytest.fixture
def client(house: Gateway, project: Path) -> Iterator[TestClient]:
    with over_http(house, project) as opened:
        yield opened


def bearer(name: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {name}"}


def asked(client: TestClient, plan: Plan, approval: str = "") -> tuple[int, dict[str, object]]:
    body = {"plan": plan, **({"approval_id": approval} if approval else {})}
    answer = client.post("/v1/questions", json=body, headers=bearer("ana"))
    return answer.status_code, answer.json()


def decided(client: TestClient, hold_id: object, who: str, verdict: str = "accept") -> int:
    body = {"verdict": verdict, "reason": "looked at it"}
    answer = client.post(f"/v1/holds/{hold_id}/decisions", json=body, headers=bearer(who))
    return answer.status_code


def test_the_way_of_a_held_question_over_http(client: TestClient, revenue: Plan) -> None:
    status, held = asked(client, revenue)
    assert (status, held["outcome"]) == (202, "held")
    hold_id = held["hold_id"]
    assert held["link"] == f"{PAGE}{hold_id}"
    listed = client.get("/v1/holds", headers=bearer("rita")).json()
    assert [each["hold_id"] for each in listed["holds"]] == [hold_id]
    shown = client.get(f"/v1/holds/{hold_id}", headers=bearer("rita"))
    assert shown.status_code == 200 and shown.json()["plan_words"].startswith("Net revenue by region")
    assert decided(client, hold_id, "ana") == 403
    assert decided(client, hold_id, "emil") == 404
    assert decided(client, hold_id, "rita", "perhaps") == 422
    assert decided(client, hold_id, "rita") == 200
    assert decided(client, hold_id, "rita") == 409
    assert asked(client, revenue, str(hold_id))[0] == 200
    answered = client.post("/v1/questions", json={"plan": {"metrics": ["no"]}}, headers=bearer("ana"))
    assert not answered.json().get("link"), "only what waits has a page"
    status, again = asked(client, revenue, str(hold_id))
    assert (status, again["outcome"]) == (409, "held")
    judged = client.get("/v1/calibration", headers=bearer("rita")).json()
    assert judged["findings"] == []
    assert [(each["n"], each["accepted"]) for each in judged["reviewers"]] == [(1, 1.0)]
    assert client.get("/v1/calibration", headers=bearer("ana")).status_code == 403


def test_the_queue_is_read_in_pages_and_every_hold_is_on_one_of_them(
    client: TestClient, revenue: Plan
) -> None:
    waiting = {asked(client, {**revenue, "limit": limit})[1]["hold_id"] for limit in (1, 2, 3)}
    first = client.get("/v1/holds?limit=2", headers=bearer("rita")).json()
    assert first["next_cursor"]
    last = client.get(f"/v1/holds?limit=2&cursor={first['next_cursor']}", headers=bearer("rita")).json()
    pages = [[hold["hold_id"] for hold in page["holds"]] for page in (first, last)]
    assert [len(page) for page in pages] == [2, 1] and "next_cursor" not in last
    assert {*pages[0], *pages[1]} == waiting


def test_a_held_draft_comes_with_its_id_and_link(
    client: TestClient, house: Gateway, rita: Caller, revenue: Plan
) -> None:
    _, held = asked(client, revenue)
    assert decided(client, held["hold_id"], "rita") == 200
    _, told = asked(client, revenue, str(held["hold_id"]))
    draft = f"{told['answer']} This was driven by the new pricing."
    body = {"draft": draft, "trace_ids": [told["trace_id"]]}
    waits = client.post("/v1/answers/check", json=body, headers=bearer("ana")).json()
    assert waits["outcome"] == "held" and waits["link"] == f"{PAGE}{waits['hold_id']}"


def test_a_body_that_is_no_decision_is_refused_with_its_places(client: TestClient) -> None:
    answer = client.post(
        "/v1/holds/h1/decisions", json={"verdict": "accept", "why": 1}, headers=bearer("rita")
    )
    assert answer.status_code == 422
    assert {issue["path"] for issue in answer.json()["issues"]} == {"/reason", "/why"}


def test_a_caller_can_wait_for_the_decision(
    client: TestClient, house: Gateway, rita: Caller, revenue: Plan
) -> None:
    _, held = asked(client, revenue)
    hold_id = str(held["hold_id"])
    began = time.monotonic()
    still = client.get(f"/v1/holds/{hold_id}?wait=0.2", headers=bearer("ana")).json()
    assert still["status"] == "waiting" and time.monotonic() - began < 20
    Timer(0.3, house.decide_hold, (rita, hold_id, "accept", "fine")).start()
    found = client.get(f"/v1/holds/{hold_id}?wait=40", headers=bearer("ana")).json()
    assert found["status"] == "accepted" and time.monotonic() - began < 35
    assert client.get(f"/v1/holds/{hold_id}?wait=51", headers=bearer("ana")).status_code == 422


@asynccontextmanager
async def tools_for(house: Gateway, caller: Caller) -> AsyncIterator[Client]:
    workers = Workers(2, 8)
    try:
        async with Client(build_mcp(house, lambda: caller, workers, Counters())) as client:
            yield client
    finally:
        workers.close()


@pytest.mark.anyio
async def test_an_agent_waits_and_comes_back_over_mcp(
    house: Gateway, ana: Caller, emil: Caller, rita: Caller, revenue: Plan
) -> None:
    async with tools_for(house, ana) as client:
        held = (await client.call_tool("ask_metric", revenue)).structured_content
        assert held is not None and held["outcome"] == "held"
        hold_id = held["hold_id"]
        assert held["link"] == f"{PAGE}{hold_id}"
        waiting = (
            await client.call_tool("await_decision", {"hold_id": hold_id, "timeout": 0})
        ).structured_content
        assert waiting is not None and waiting["status"] == "waiting"
        Timer(0.3, house.decide_hold, (rita, hold_id, "accept", "fine")).start()
        found = (
            await client.call_tool("await_decision", {"hold_id": hold_id, "timeout": 40})
        ).structured_content
        assert found is not None and found["status"] == "accepted"
        told = (await client.call_tool("ask_metric", {**revenue, "approval_id": hold_id})).structured_content
        assert told is not None and told["outcome"] == "answered"
    async with tools_for(house, emil) as client:
        refused = await client.call_tool("await_decision", {"hold_id": hold_id, "timeout": 0})
        assert refused.is_error and refused.structured_content is not None
        assert refused.structured_content["issues"][0]["code"] == "unknown_hold"


def test_the_way_of_a_held_question_on_the_command_line(
    project: Path,
    revenue: Plan,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(project)
    plan = tmp_path / "plan.json"
    plan.write_text(json.dumps(revenue), encoding="utf-8")
    assert run(["ask", str(plan), "--json"]) == 4
    hold_id = json.loads(capsys.readouterr().out)["hold_id"]
    assert run(["review", "list", "--as", "rita"]) == 0
    listed = capsys.readouterr().out
    assert hold_id in listed and "budget" in listed
    assert run(["review", "show", hold_id, "--as", "rita"]) == 0
    shown = capsys.readouterr().out
    assert "Net revenue by region" in shown and "warn 1 B" in shown and "n=0" in shown
    assert run(["review", "decide", hold_id, "accept", "--reason", "fine"]) == 3
    assert "right_missing" in capsys.readouterr().err
    assert run(["review", "decide", hold_id, "accept", "--reason", "fine", "--as", "rita"]) == 0
    assert run(["review", "decide", hold_id, "deny", "--reason", "late", "--as", "rita", "--json"]) == 3
    assert '"already_decided"' in capsys.readouterr().out
    assert run(["review", "show", "nothing"]) == 2
    assert run(["review", "list", "--status", "sideways"]) == 2
    assert "unknown_status" in capsys.readouterr().err
    plots = tmp_path / "plots"
    assert run(["review", "calibration", "--as", "rita", "--json", "--plots", str(plots)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["findings"] == [] and [(each["n"], each["accepted"]) for each in found["reviewers"]] == [
        (1, 1.0)
    ]
