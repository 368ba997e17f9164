"""The SDK still holds declared headers against arguments, and is not asked where none is declared."""

from typing import Any

import pytest
from mcp.server.mcpserver.tools import Tool

from gateway.doors.counters import Counters
from gateway.doors.identity import Callers
from gateway.doors.mcp.headers import HeadedServer
from gateway.doors.mcp.server import build_mcp
from gateway.doors.serving.app import build_http
from gateway.doors.workers import Workers
from gateway.settings.file import ServerSettings
from tests.gateway.doors.fake import FakeGateway

HEADER = "x-mcp-header"


def asking(region: str) -> str:
    """Echo."""
    return region


@pytest.mark.parametrize("declared", ["Region", 7])
def test_a_tool_that_declares_a_header_is_held_against_its_schema(declared: object) -> None:
    server, tool = served()
    assert schema_of(server) is None
    region = {"type": "string", HEADER: declared}
    tool.parameters = {"type": "object", "properties": {"region": region}}
    assert schema_of(server) is tool.parameters


def test_a_tool_that_nobody_knows_has_no_schema() -> None:
    server, _ = served()
    assert server._tool_input_schema("nobody") is None


def test_no_library_tells_spans_with_the_texts_of_exceptions(
    callers: Callers, server: ServerSettings
) -> None:
    mcp = build_mcp(FakeGateway(), callers.for_stdio, Workers(1, 1), Counters())
    assert not [each for each in mcp.middleware if "telemetry" in type(each).__name__.lower()]
    told = build_http(FakeGateway(), callers, server)._telemetry
    assert not [kind for kind in ("tracing", "metrics", "logs") if told[kind]]


def served() -> tuple[HeadedServer, Tool]:
    tool = Tool.from_function(asking)
    return HeadedServer("test", tools=[tool]), tool


def schema_of(server: HeadedServer) -> dict[str, Any] | None:
    """Return what the SDK's own server is given, as it asks for it in every call."""
    lookup = server._lowlevel_server.get_tool_input_schema
    assert lookup is not None
    found = lookup("asking")
    assert found is None or isinstance(found, dict)
    return found
