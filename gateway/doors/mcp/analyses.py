"""Each saved analysis as an MCP tool of its own, where the policy says so: listed per caller, per call."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from mcp.server import ServerRequestContext
from mcp.server.context import CallNext, HandlerResult, ServerMiddleware
from mcp_types import Tool as Listed

from gateway.analyses.view import AnalysisCard
from gateway.doors.mcp.room import length
from gateway.doors.mcp.tools import COUNTED, Tools

PREFIX = "run_"
RUN = "run_saved_analysis"
MOST_BYTES = 11_700
"""What the tools of the list may take, as JSON: with what stands around them, under 3,000 tokens."""


def analysis_tools(tools: Tools, names: Collection[str]) -> ServerMiddleware[Any]:
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
                named = {"name": name.removeprefix(PREFIX), "parameters": sent}
                ctx = replace(ctx, params={**params, "name": RUN, "arguments": named})
        return await call_next(ctx)

    return middleware


async def _listed(tools: Tools, names: Collection[str], found: HandlerResult) -> HandlerResult:
    """Add the caller's analyses to a list in its wire form, as many as there is room for."""
    shown = await tools.analyses()
    if not shown.as_tools or not isinstance(found, dict):
        return found
    every = list(found["tools"])
    size = sum(map(length, every))
    for card in shown.analyses:
        tool = _tool(card)
        size += length(tool)
        if tool["name"] not in names and size <= MOST_BYTES:
            every.append(tool)
    return {**found, "tools": every}


async def _published(tools: Tools, name: str) -> bool:
    shown = await tools.analyses()
    return shown.as_tools and any(f"{PREFIX}{card.name}" == name for card in shown.analyses)


def _tool(card: AnalysisCard) -> dict[str, Any]:
    """Return an analysis as a tool in its wire form; its arguments are the parameters."""
    schema = {
        "type": "object",
        "properties": {each.name: dict(each.accepts) for each in card.parameters},
        "required": [each.name for each in card.parameters if each.required],
        "additionalProperties": False,
    }
    listed = Listed(
        name=f"{PREFIX}{card.name}", description=card.description, input_schema=schema, annotations=COUNTED
    )
    return listed.model_dump(mode="json", by_alias=True, exclude_none=True)
