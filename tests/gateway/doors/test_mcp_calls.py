"""Taking a call back over HTTP in the handshake's era: one's own, in one's own session, and nobody else's."""

from typing import Any

import httpx
import pytest

from gateway.cancellation import Cancellation
from gateway.doors.identity import Callers
from gateway.doors.mcp.calls import SESSION, Calls, call_of
from gateway.doors.serving.app import build_http
from gateway.settings.file import ServerSettings
from tests.gateway.doors.fake import TOKEN, FakeGateway
from tests.gateway.doors.ports import serving
from traces.records import Caller

ANA = Caller(user="ana", roles=("analyst",), tenant="shop")
BO = Caller(user="bo", roles=("analyst",), tenant="shop")
OTHER = Caller(user="ana", roles=("analyst",), tenant="bakery")
HANDSHAKE: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


def test_a_call_that_is_taken_back_is_stopped_while_it_runs_and_only_then() -> None:
    calls, leaver = Calls(), Cancellation()
    call = call_of(ANA, "session one", 3)
    with calls.running(call, leaver):
        calls.take_back(call)
        assert leaver.cancelled
    late = Cancellation()
    with calls.running(call, late):
        pass
    calls.take_back(call)
    assert not late.cancelled


@pytest.mark.parametrize(
    ("caller", "session", "number"),
    [
        (BO, "session one", 3),
        (OTHER, "session one", 3),
        (ANA, "session two", 3),
        (ANA, "session one", 4),
        (ANA, "session one", "3"),
        (ANA, "", 3),
        (ANA, "session one", None),
        (ANA, "s" * 500, 3),
    ],
)
def test_nobody_stops_a_call_of_another_person_session_or_number(
    caller: Caller, session: str, number: object
) -> None:
    calls, leaver = Calls(), Cancellation()
    with calls.running(call_of(ANA, "session one", 3), leaver):
        calls.take_back(call_of(caller, session, number))
    assert not leaver.cancelled


def test_two_runs_under_one_name_do_not_forget_each_other() -> None:
    calls, first, second = Calls(), Cancellation(), Cancellation()
    call = call_of(ANA, "session one", 3)
    with calls.running(call, first):
        with calls.running(call, second):
            pass
        with calls.running(call, second):
            calls.take_back(call)
    assert (first.cancelled, second.cancelled) == (False, True)


def test_a_handshake_names_its_client_and_no_name_is_kept(callers: Callers, server: ServerSettings) -> None:
    headers = {
        "Authorization": f"Bearer {TOKEN}",
        "Accept": "application/json, text/event-stream",
        "Content-Type": "application/json",
    }
    with (
        serving(build_http(FakeGateway(), callers, server)) as address,
        httpx.Client(base_url=address, headers=headers) as http,
    ):
        names = {http.post("/mcp", json=HANDSHAKE).headers[SESSION] for _ in range(2)}
        assert len(names) == 2
        listing = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        for name in (*names, "never given out"):
            found = http.post(
                "/mcp", json=listing, headers={SESSION: name, "MCP-Protocol-Version": "2025-11-25"}
            )
            assert found.status_code == 200
            assert "ask_metric" in found.text
        ended = http.delete("/mcp", headers={SESSION: names.pop()})
        assert (ended.status_code, ended.headers["allow"]) == (405, "POST")
        broken = http.post("/mcp", content=b'"notifications/cancelled', headers={SESSION: "any"})
        assert broken.status_code == 400
