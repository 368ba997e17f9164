"""Saved analyses over MCP, with the SDK's own client, in both protocol eras."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp import Client
from mcp.shared.exceptions import MCPError

from gateway.analyses.view import AnalysisCard, AnalysisList, ParameterCard
from gateway.doors.counters import Counters
from gateway.doors.identity import Callers
from gateway.doors.identity.scopes import METRICS
from gateway.doors.mcp.server import build_mcp
from gateway.doors.workers import Workers
from gateway.reply import Refusal, ReplyIssue
from tests.gateway.doors.fake import FakeGateway

pytestmark = pytest.mark.anyio


def card(name: str) -> AnalysisCard:
    region = ParameterCard(
        name="region",
        type="dimension_value",
        required=True,
        takes="region takes a value of region.",
        accepts={"type": "string", "description": "region takes a value of region."},
    )
    top = ParameterCard(
        name="top",
        type="integer",
        required=False,
        default="3",
        takes="top takes a whole number from 1 to 10.",
        accepts={"type": "integer", "minimum": 1, "maximum": 10},
    )
    return AnalysisCard(
        name=name,
        version=1,
        owner="finance",
        description="Net revenue of a region.",
        parameters=(region, top),
        steps=("total",),
        metrics=("net_revenue",),
        example={"region": "EMEA"},
    )


@asynccontextmanager
async def connected(house: FakeGateway, callers: Callers, mode: str = "auto") -> AsyncIterator[Client]:
    workers = Workers(2, 2)
    async with Client(build_mcp(house, callers.for_stdio, workers, Counters()), mode=mode) as client:
        yield client
    await asyncio.to_thread(workers.close)


async def content(client: Client, tool: str, sent: dict[str, Any]) -> dict[str, Any]:
    return dict((await client.call_tool(tool, sent)).structured_content or {})


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_an_analysis_is_a_tool_where_the_policy_says_so(
    house: FakeGateway, callers: Callers, mode: str
) -> None:
    house.analyses = AnalysisList(analyses=(card("revenue_review"),), as_tools=True)
    async with connected(house, callers, mode) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        found = await content(client, "run_revenue_review", {"region": "EMEA", "top": 5})
    schema = tools["run_revenue_review"].input_schema
    Draft202012Validator.check_schema(schema)
    assert (schema["required"], schema["additionalProperties"]) == (["region"], False)
    assert found["outcome"] == "answered"
    (call,) = house.called
    assert (call.name, dict(call.parameters)) == ("revenue_review", {"region": "EMEA", "top": 5})


async def test_an_analysis_is_no_tool_of_its_own_where_the_policy_does_not(
    house: FakeGateway, callers: Callers
) -> None:
    house.analyses = AnalysisList(analyses=(card("revenue_review"),))
    async with connected(house, callers) as client:
        assert "run_revenue_review" not in {tool.name for tool in (await client.list_tools()).tools}
        with pytest.raises(MCPError, match="run_revenue_review"):
            await client.call_tool("run_revenue_review", {"region": "EMEA"})
    assert house.called == []


async def test_a_tool_of_an_analysis_the_caller_may_not_see_does_not_exist(
    house: FakeGateway, callers: Callers
) -> None:
    house.analyses = AnalysisList(analyses=(), as_tools=True)
    async with connected(house, callers) as client:
        with pytest.raises(MCPError, match="run_revenue_review"):
            await client.call_tool("run_revenue_review", {"region": "EMEA"})
    assert house.called == []


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_token_that_asks_nothing_is_shown_no_analysis_and_no_tool_that_asks(
    house: FakeGateway, callers: Callers, mode: str
) -> None:
    house.analyses = AnalysisList(analyses=(card("revenue_review"),), as_tools=True)
    workers = Workers(2, 2)
    granted = frozenset((METRICS,))
    server = build_mcp(house, callers.for_stdio, workers, Counters(), lambda: granted)
    async with Client(server, mode=mode) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        refused = await client.call_tool("run_revenue_review", {"region": "EMEA"})
    await asyncio.to_thread(workers.close)
    assert names == {"list_metrics", "describe_metric", "search_catalog"}
    assert (refused.structured_content or {})["issues"][0]["code"] == "insufficient_scope"
    assert house.called == []


async def test_many_analyses_never_take_the_list_over_three_thousand_tokens(
    house: FakeGateway, callers: Callers
) -> None:
    house.analyses = AnalysisList(analyses=tuple(card(f"review_{n}") for n in range(60)), as_tools=True)
    async with connected(house, callers) as client:
        listed = await client.list_tools()
        left_off = await content(client, "run_review_59", {"region": "EMEA"})
    assert len(listed.model_dump_json(by_alias=True, exclude_none=True).encode()) / 4 < 3000
    assert "run_review_0" in {tool.name for tool in listed.tools}
    assert left_off["outcome"] == "answered"


async def test_run_saved_analysis_passes_parameters_and_what_stands_beside_them(
    house: FakeGateway, callers: Callers
) -> None:
    async with connected(house, callers) as client:
        sent = {"name": "revenue_review", "parameters": {"region": "EMEA"}, "approval_id": "h1"}
        found = await content(client, "run_saved_analysis", {**sent, "dry_run": True})
    (call,) = house.called
    assert (call.name, dict(call.parameters)) == ("revenue_review", {"region": "EMEA"})
    assert (call.options.approval_id, call.options.dry_run) == ("h1", True)
    assert found["outcome"] == "answered"


async def test_an_unknown_analysis_is_an_error_with_near_names(house: FakeGateway, callers: Callers) -> None:
    issue = ReplyIssue(
        code="unknown_analysis", message="None.", stage="input", candidates=("revenue_review",)
    )
    house.analysis_reply = Refusal(issues=(issue,))
    async with connected(house, callers) as client:
        result = await client.call_tool("run_saved_analysis", {"name": "revenu_review"})
    assert result.is_error
    assert (result.structured_content or {})["issues"][0]["candidates"] == ["revenue_review"]
