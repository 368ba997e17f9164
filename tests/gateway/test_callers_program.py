"""What a trace says of the program that asked, and of the conversation: to its asker, and to nobody else."""

from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from mcp import Client
from mcp.types import Implementation

from gateway.asking import MOST_PROGRAM, AskOptions, door_of
from gateway.doors.counters import Counters
from gateway.doors.identity import Callers
from gateway.doors.mcp.server import build_mcp
from gateway.doors.serving.app import build_http
from gateway.doors.workers import Workers
from gateway.service import Gateway
from gateway.settings.file import load_settings
from tests.gateway.planting import TOKEN
from tests.gateway.test_canary_scan import planted as planted
from traces.records import Caller, Open

PLAN: dict[str, Any] = {"metrics": ["net_revenue"]}
NAME, VERSION = "ledger-bot of Jane Doe", "7.4"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def opened(gateway: Gateway) -> Open:
    """The newest opening record, whole."""
    (newest, *_) = gateway.traces.list(1)
    trace = gateway.traces.read(newest.trace_id)
    assert trace is not None
    return trace.opened


def on_disk(project: Path) -> bytes:
    return b"".join(file.read_bytes() for file in project.glob("var/**/*.jsonl"))


@pytest.mark.anyio
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_an_agent_over_mcp_is_on_record_by_its_own_name_sealed(
    gateway: Gateway, ana: Caller, rita: Caller, shop: Path, mode: str
) -> None:
    workers = Workers(2, 2)
    server = build_mcp(gateway, lambda: ana, workers, Counters())
    async with Client(server, mode=mode, client_info=Implementation(name=NAME, version=VERSION)) as client:
        await client.call_tool("ask_metric", PLAN)
    workers.close()
    found = opened(gateway)
    assert found.client.startswith("mcp 20") and found.program == f"{NAME} {VERSION}"
    assert b"Jane Doe" not in on_disk(shop)
    audited, own = (gateway.get_trace(who, found.trace_id) for who in (rita, ana))
    assert audited is not None and own is not None
    assert "Jane Doe" not in audited.model_dump_json() and found.client in audited.model_dump_json()
    assert NAME in own.model_dump_json()


@pytest.mark.anyio
async def test_a_program_over_http_is_on_record_by_its_user_agent(planted: Any) -> None:
    settings = load_settings(planted.project)
    app = build_http(planted.house, Callers(settings.identity), settings.server)
    headers = {"Authorization": f"Bearer {TOKEN}", "User-Agent": f"{NAME}/{VERSION}"}
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:1", headers=headers
    ) as client:
        await client.post("/v1/questions", json={"plan": PLAN})
    found = opened(planted.house)
    assert (found.client, found.program) == ("http", f"{NAME}/{VERSION}")
    assert b"Jane Doe" not in on_disk(planted.project)


def test_questions_of_one_conversation_carry_one_name_that_tells_nothing(
    gateway: Gateway, ana: Caller, emil: Caller, shop: Path
) -> None:
    names: dict[tuple[str, str], set[str]] = {}
    for caller in (ana, emil):
        for conversation in ("about Jane Doe", "about Jane Doe", "another", ""):
            gateway.ask(caller, PLAN, AskOptions(conversation=conversation))
            names.setdefault((caller.user, conversation), set()).add(opened(gateway).conversation)
    assert all(len(found) == 1 for found in names.values())
    kept = [found for each in names.values() for found in each]
    assert kept.count("") == 2 and len(set(kept)) == 5
    assert b"Jane Doe" not in on_disk(shop)


@pytest.mark.parametrize("said", ["", " \n ", "x" * 5000, "agent\nof\tmine/1"])
def test_what_a_program_says_of_itself_is_one_line_of_bounded_length(said: str) -> None:
    door = door_of("http", said)
    assert door.name == "http"
    assert door.program == " ".join(said.split())[:MOST_PROGRAM]


@given(st.text())
@example("\u202eevil\u2066\x1b[31m \u200b\x85")
def test_nothing_of_a_programs_name_turns_a_line_round_or_cannot_be_seen(said: str) -> None:
    name = door_of("http", said).program
    assert name.isprintable() and name == name.strip()
    assert [c for c in said if c.isprintable() and not c.isspace()][:100] == list(name.replace(" ", ""))[:100]
