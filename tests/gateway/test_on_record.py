"""What the record says beside question and answer: how it ran, what it goes on from, what would repeat it."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from gateway.asking import AskOptions, door_of
from gateway.doors.identity import Callers
from gateway.doors.serving.app import build_http
from gateway.engines.base import EngineTimeout
from gateway.service import Gateway
from gateway.settings.file import load_settings
from tests.gateway.planting import TOKEN
from tests.gateway.test_canary_scan import planted as planted
from traces.records import Caller, Trace

PLAN: dict[str, Any] = {"metrics": ["net_revenue"]}
FIRST = "net revenue by region in August 2026"
KEY = "retry-of-Jane-Doe"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def recorded(gateway: Gateway, trace_id: str) -> Trace:
    trace = gateway.traces.read(trace_id)
    assert trace is not None
    return trace


def test_a_query_is_on_record_with_its_limits_its_start_and_who_served_it(
    gateway: Gateway, ana: Caller
) -> None:
    closed = recorded(gateway, gateway.ask(ana, PLAN).trace_id).closed
    assert closed is not None and closed.run is not None
    caps, limits = gateway.house.governed.policy.caps, closed.run.limits
    assert (limits.rows, limits.bytes, limits.memory_mb) == (caps.rows, caps.bytes, caps.memory_mb)
    assert 0 < limits.seconds <= caps.seconds
    assert closed.run.started <= closed.at
    assert (closed.run.query_id, closed.run.backend.isdigit()) == (closed.trace_id, True)


def test_a_query_that_ran_into_its_limit_is_on_record_with_it(
    gateway: Gateway, ana: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_: object, **__: object) -> None:
        raise EngineTimeout("query_timeout", "it took too long", next_step="Ask less.")

    monkeypatch.setattr(type(gateway.house.engine), "run", late)
    reply = gateway.ask(ana, PLAN)
    assert reply.outcome == "partial"
    closed = recorded(gateway, reply.trace_id).closed
    assert closed is not None and closed.actual is None
    assert closed.run is not None and closed.run.limits.seconds > 0 and not closed.run.backend


def test_a_question_that_never_ran_has_no_run(gateway: Gateway, ana: Caller) -> None:
    closed = recorded(gateway, gateway.ask(ana, PLAN, AskOptions(dry_run=True)).trace_id).closed
    assert closed is not None and closed.run is None


def test_a_follow_up_names_the_trace_that_it_goes_on_from(
    gateway: Gateway, ana: Caller, emil: Caller
) -> None:
    def asked(caller: Caller, question: str, conversation: str) -> Trace:
        options = AskOptions(conversation=conversation)
        return recorded(gateway, gateway.ask_question(caller, question, options).trace_id)

    first = asked(ana, FIRST, "c1")
    second = asked(ana, "and by month", "c1")
    assert (first.opened.follows, second.opened.follows) == ("", first.trace_id)
    assert asked(ana, FIRST, "c2").opened.follows == ""
    assert asked(emil, FIRST, "c1").opened.follows == "", "a conversation is its own caller's"
    assert asked(ana, "and in July 2026", "c1").opened.follows == second.trace_id


@pytest.mark.anyio
async def test_a_request_that_may_come_again_is_on_record_under_a_name_that_tells_nothing(
    planted: Any,
) -> None:
    settings = load_settings(planted.project)
    app = build_http(planted.house, Callers(settings.identity), settings.server)
    headers = {"Authorization": f"Bearer {TOKEN}"}
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:1", headers=headers
    ) as client:
        replies = [
            (await client.post("/v1/questions", json={"plan": PLAN}, headers=named)).json()
            for named in ({"Idempotency-Key": KEY}, {"Idempotency-Key": KEY}, {"Idempotency-Key": "2"}, {})
        ]
    first, again, other, unnamed = (recorded(planted.house, each["trace_id"]).opened for each in replies)
    assert first.trace_id == again.trace_id, "nothing ran twice"
    assert len(first.request) == len(other.request) == 32 and first.request != other.request
    assert unnamed.request == "" and (unnamed.client, first.client) == ("http", "http")
    files: list[Path] = [file for file in planted.project.rglob("*") if file.is_file()]
    assert files and not [file for file in files if KEY.encode() in file.read_bytes()]


@pytest.mark.parametrize("key", ["", "k", "two\nlines", " "])
@pytest.mark.parametrize("program", ["", "agent/1"])
def test_door_program_and_key_are_told_apart(program: str, key: str) -> None:
    door = door_of("http", program, key)
    assert (door.name, door.program, door.key) == ("http", program, key)
