"""A question as events: each stage by its name, the reply last, and a hang-up stops the query."""

import json
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import httpx
import pytest

from gateway.doors.http import events
from gateway.doors.identity import Callers
from gateway.doors.serving.app import build_http
from gateway.errors import Busy
from gateway.reply import Reply
from gateway.service import Gateway
from gateway.settings.file import IdentitySettings, ServerSettings, TokenSettings, UserSettings
from metric_layer.issues import Issue
from tests.gateway.doors.fake import TOKEN, FakeGateway
from tests.gateway.doors.ports import serving
from traces.records import Caller

PLAN = {"metrics": ["net_revenue"]}
EVENTS = {"Authorization": f"Bearer {TOKEN}", "Accept": "text/event-stream"}
Event = tuple[str, Any]


def events_in(text: str) -> list[Event]:
    """Return the events of a stream; comments are left out."""
    blocks = [block.split("\n") for block in text.split("\n\n") if block and not block.startswith(":")]
    return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in blocks]


@pytest.fixture
def address(house: FakeGateway, callers: Callers, server: ServerSettings) -> Iterator[str]:
    with serving(build_http(house, callers, server)) as address:
        yield address


def test_the_last_event_is_the_reply_that_comes_without_events_too(address: str) -> None:
    with httpx.Client(headers={"Authorization": f"Bearer {TOKEN}"}) as http:
        plain = http.post(f"{address}/v1/questions", json=PLAN)
        streamed = http.post(f"{address}/v1/questions", json=PLAN, headers=EVENTS)
    assert streamed.headers["content-type"].startswith("text/event-stream")
    assert streamed.headers["cache-control"] == "private, no-store"
    assert events_in(streamed.text)[-1] == ("reply", plain.json())


def test_what_is_refused_before_it_begins_has_its_own_status(address: str, house: FakeGateway) -> None:
    house.fault = Busy((Issue(code="busy", message="Full.", next_step="Later."),))
    with httpx.Client(headers=EVENTS) as http:
        refused = http.post(f"{address}/v1/questions", json=PLAN)
        wrong = http.post(f"{address}/v1/questions", json={"plan": PLAN, "more": 1})
        stranger = http.post(f"{address}/v1/questions", json=PLAN, headers={"Authorization": "Bearer x"})
    assert (refused.status_code, refused.json()["code"]) == (503, "busy")
    assert refused.headers["retry-after"]
    assert (wrong.status_code, stranger.status_code) == (422, 401)


def test_a_caller_who_hangs_up_stops_the_question_and_heard_that_it_lives_on(
    address: str, house: FakeGateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events.events_of, "__defaults__", (0.05,))
    house.hangs, house.stages = True, ("resolve", "run")
    with (
        httpx.Client(headers=EVENTS) as http,
        http.stream("POST", f"{address}/v1/questions", json=PLAN) as stream,
    ):
        heard = ""
        for part in stream.iter_text():
            heard += part
            if heard.count(": alive") >= 2:
                break
    assert [data["stage"] for _, data in events_in(heard)] == ["resolve", "run"]
    assert house.stopped.wait(1), "within a second"


def test_a_fault_after_the_first_stage_is_the_last_event(address: str, house: FakeGateway) -> None:
    house.stages, house.fault = ("resolve",), RuntimeError("a secret")
    with httpx.Client(headers=EVENTS) as http:
        streamed = http.post(f"{address}/v1/questions", json=PLAN)
    (_, (name, told)) = events_in(streamed.text)
    assert (streamed.status_code, name, told["status"], told["code"]) == (200, "problem", 500, "defect")
    assert "secret" not in streamed.text


def test_a_real_question_tells_its_stages_in_order_and_nothing_else_of_itself(
    gateway: Gateway, ana: Caller, server: ServerSettings, revenue: dict[str, object]
) -> None:
    user = UserSettings(roles=ana.roles, teams=ana.teams, tenant=ana.tenant)
    token = TokenSettings(user="ana", sha256=sha256(TOKEN.encode()).hexdigest())
    callers = Callers(IdentitySettings(users={"ana": user}, tokens=(token,)))
    words = {"question": "net revenue by region in Q3 2026"}
    with (
        serving(build_http(gateway, callers, server)) as address,
        httpx.Client(headers=EVENTS, timeout=60) as http,
    ):
        planned = events_in(http.post(f"{address}/v1/questions", json=revenue).text)
        worded = events_in(http.post(f"{address}/v1/questions", json=words).text)
    (*stages, (_, reply)) = planned
    assert [data for _, data in stages] == [
        {"stage": each} for each in ("resolve", "compile", "check", "explain", "run", "ground", "keep")
    ]
    assert Reply.model_validate(reply).outcome == "answered"
    assert worded[0] == ("stage", {"stage": "intake"})
    assert worded[-1][1]["outcome"] == "answered"
