"""The suite's tools that are about their input schema: they are listed as they stand here."""

from typing import Any

from mcp.server.mcpserver.tools import Tool
from mcp_types import CallToolResult

from tests.gateway.doors.suites.fixture_rounds import said

EVERY_KEYWORD: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}
MIRRORED: dict[str, Any] = {
    "type": "object",
    "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
    "required": ["region"],
}


def schema_tools() -> list[Tool]:
    """Return the tools with the schemas above in the place of their own."""
    return [
        _with(json_schema_2020_12_tool, EVERY_KEYWORD),
        _with(test_header_mirror, MIRRORED),
    ]


def json_schema_2020_12_tool(name: str = "") -> CallToolResult:
    """Has every keyword of JSON Schema in its arguments."""
    return said(f"Hello, {name}!")


def test_header_mirror(region: str) -> CallToolResult:
    """Has an argument that a header repeats."""
    return said(region)


def _with(verb: Any, schema: dict[str, Any]) -> Tool:
    tool = Tool.from_function(verb)
    tool.parameters = schema
    return tool
