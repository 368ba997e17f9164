"""`search_catalog` over MCP: what is found, and that what an evaluator hides travels with the call."""

import asyncio

import pytest
from mcp import Client

from gateway.doors.counters import Counters
from gateway.doors.identity import Callers
from gateway.doors.mcp.server import build_mcp
from gateway.doors.workers import Workers
from tests.gateway.doors.fake import FakeGateway

pytestmark = pytest.mark.anyio


async def test_hits_and_what_is_hidden_travel_as_they_are(house: FakeGateway, callers: Callers) -> None:
    workers = Workers(2, 2)
    async with Client(build_mcp(house, callers.for_stdio, workers, Counters())) as client:
        found = await client.call_tool("search_catalog", {"search": "revenue"})
        hidden = await client.call_tool("search_catalog", {"search": "revenue", "exclude_examples": ["a"]})
        wrong = await client.call_tool("search_catalog", {"search": "revenue", "exclude": ["a"]})
    await asyncio.to_thread(workers.close)
    assert (found.structured_content or {})["hits"][0]["name"] == "net_revenue"
    assert (hidden.structured_content or {})["hits"] == []
    assert (wrong.structured_content or {})["issues"][0]["candidates"] == ["exclude_examples"]
