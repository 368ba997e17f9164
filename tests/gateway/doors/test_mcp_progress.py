"""Stages as progress over MCP, on a real port, in both protocol eras: told in order, before the result."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from gateway.analyses.call import AnalysisCall
from gateway.analyses.view import AnalysisReply
from gateway.cancellation import Cancellation
from gateway.doors.identity import Callers
from gateway.doors.serving.app import build_http
from gateway.engines.base import EngineError
from gateway.reply import Refusal
from gateway.settings.file import ServerSettings
from tests.gateway.doors.fake import TOKEN, FakeGateway
from tests.gateway.doors.ports import serving
from traces.records import Caller

pytestmark = pytest.mark.anyio
MODES = ("auto", "legacy")
STAGES = ("intake", "plan", "compile", "checks", "explain", "run", "answer")
PLAN = {"metrics": ["net_revenue"]}


class Telling(FakeGateway):
    """Tells its stages of an analysis, too."""

    def run_analysis(
        self, caller: Caller, call: AnalysisCall, *, cancellation: Cancellation | None = None
    ) -> AnalysisReply | Refusal:
        for stage in self.stages:
            if cancellation is not None:
                cancellation.reached(stage)
        return self.analysis_reply


class Heard:
    """What a client hears while its call runs."""

    def __init__(self) -> None:
        self.notes: list[tuple[float, str | None]] = []

    async def __call__(self, progress: float, total: float | None, message: str | None) -> None:
        assert total is None, "how many stages come is not known beforehand"
        self.notes.append((progress, message))


@asynccontextmanager
async def connected(
    house: FakeGateway, callers: Callers, server: ServerSettings, mode: str
) -> AsyncIterator[Client]:
    with serving(build_http(house, callers, server)) as address:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with (
            httpx2.AsyncClient(headers=headers) as http,
            Client(streamable_http_client(f"{address}/mcp", http_client=http), mode=mode) as client,
        ):
            yield client


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("tool", "sent"),
    [("ask_metric", PLAN), ("dry_run_plan", PLAN), ("run_saved_analysis", {"name": "review"})],
)
async def test_every_stage_is_told_in_its_order_before_the_result(
    callers: Callers, server: ServerSettings, mode: str, tool: str, sent: dict[str, Any]
) -> None:
    heard = Heard()
    async with connected(Telling(stages=STAGES), callers, server, mode) as client:
        result = await client.call_tool(tool, sent, progress_callback=heard)
    assert not result.is_error
    assert heard.notes == [(number, stage) for number, stage in enumerate(STAGES, 1)]


@pytest.mark.parametrize("mode", MODES)
async def test_who_does_not_ask_for_progress_gets_the_result_alone(
    callers: Callers, server: ServerSettings, mode: str
) -> None:
    house = Telling(stages=STAGES)
    async with connected(house, callers, server, mode) as client:
        result = await client.call_tool("ask_metric", PLAN)
    assert (result.structured_content or {})["outcome"] == "answered"
    assert len(house.asked) == 1


async def test_a_question_that_ends_in_a_fault_has_told_how_far_it_came(
    callers: Callers, server: ServerSettings
) -> None:
    house, heard = Telling(stages=STAGES[:3]), Heard()
    house.fault = EngineError("database_locked", "Another process holds the file.")
    async with connected(house, callers, server, "auto") as client:
        result = await client.call_tool("ask_metric", PLAN, progress_callback=heard)
    assert result.is_error
    assert [stage for _, stage in heard.notes] == list(STAGES[:3])
