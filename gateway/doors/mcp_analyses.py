"""Each saved analysis as an MCP tool of its own, where the policy says so: listed per caller, per call."""

from collections.abc import Mapping
from typing import Any

from mcp.server import ServerRequestContext
from mcp.server.context import CallNext, HandlerResult, ServerMiddleware
from mcp_types import ListToolsResult
from mcp_types import Tool as Listed

from gateway.analyses.view import AnalysisCard, AnalysisReply
from gateway.doors.analysis_body import call_of
from gateway.doors.mcp_tools import COUNTED, Tools, tool_result

PREFIX = "run_"
MOST_BYTES = 11_700
"""What the tools of the list may take, as JSON: with what stands around them, under 3,000 tokens."""


def analysis_tools(tools: Tools, names: frozenset[str]) -> ServerMiddleware[Any]:
    """Return middleware that publishes the caller's analyses as `run_NAME` and takes their calls.

    `names` are the tools there are already. Analyses that do not fit into the list any more are left to
    run_saved_analysis; a search finds them all.
    """

    async def middleware(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        if ctx.method == "tools/list":
            return await _listed(tools, names, await call_next(ctx))
        if ctx.method == "tools/call":
            params = ctx.params or {}
            name, sent = str(params.get("name")), params.get("arguments") or {}
            if name.startswith(PREFIX) and name not in names and await _published(tools, name):
                call = call_of(name.removeprefix(PREFIX), {"parameters": sent}, _client(ctx))
                if isinstance(call, tuple):
                    return tool_result(AnalysisReply(outcome="invalid_plan", issues=call))
                return await tools.run_analysis(call)
        return await call_next(ctx)

    return middleware


async def _listed(tools: Tools, names: frozenset[str], found: HandlerResult) -> HandlerResult:
    listed = found if isinstance(found, ListToolsResult) else ListToolsResult.model_validate(found)
    shown = await tools.analyses()
    if not shown.as_tools:
        return found
    every = list(listed.tools)
    size = sum(map(_size, every))
    for card in shown.analyses:
        tool = _tool(card)
        size += _size(tool)
        if tool.name not in names and size <= MOST_BYTES:
            every.append(tool)
    return listed.model_copy(update={"tools": every})


async def _published(tools: Tools, name: str) -> bool:
    shown = await tools.analyses()
    return shown.as_tools and any(f"{PREFIX}{card.name}" == name for card in shown.analyses)


def _tool(card: AnalysisCard) -> Listed:
    """Return an analysis as a tool; its arguments are the parameters."""
    schema: Mapping[str, Any] = {
        "type": "object",
        "properties": {each.name: dict(each.accepts) for each in card.parameters},
        "required": [each.name for each in card.parameters if each.required],
        "additionalProperties": False,
    }
    return Listed(
        name=f"{PREFIX}{card.name}",
        description=card.description,
        input_schema=dict(schema),
        annotations=COUNTED,
    )


def _size(tool: Listed) -> int:
    return len(tool.model_dump_json(by_alias=True, exclude_none=True))


def _client(ctx: ServerRequestContext[Any, Any]) -> str:
    return f"mcp {ctx.protocol_version}"
