"""Scopes over MCP: what a token may not be used for is not listed, and refused when it is called."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mcp.server import ServerRequestContext
from mcp.server.context import CallNext, HandlerResult, ServerMiddleware
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_REQUEST

from gateway.doors.http.auth import insufficient, may
from gateway.doors.identity.scopes import EVERY, scopes_for_prompt, scopes_for_resource, scopes_for_tool
from gateway.doors.mcp.tools import tool_result
from gateway.reply import Refusal

Granted = Callable[[], frozenset[str]]
LISTS: Mapping[str, tuple[str, str, Callable[[str], frozenset[str]]]] = {
    "tools/list": ("tools", "name", scopes_for_tool),
    "resources/list": ("resources", "uri", scopes_for_resource),
    "resources/templates/list": ("resourceTemplates", "uriTemplate", scopes_for_resource),
    "prompts/list": ("prompts", "name", scopes_for_prompt),
}


def every_scope() -> frozenset[str]:
    """Return what a client over stdio may do: whatever its user may."""
    return EVERY


def scoped(granted: Granted) -> ServerMiddleware[Any]:
    """Return middleware that keeps a caller to the scopes of their token, whatever the protocol's era."""

    async def middleware(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        scopes, params = granted(), ctx.params or {}
        if ctx.method == "tools/call":
            wanted = scopes_for_tool(str(params.get("name")))
            if not may(scopes, wanted):
                return tool_result(Refusal(issues=(insufficient(wanted),)), is_error=True)
        if ctx.method == "resources/read":
            wanted = scopes_for_resource(str(params.get("uri")))
            if not may(scopes, wanted):
                raise MCPError(INVALID_REQUEST, insufficient(wanted).message)
        result = await call_next(ctx)
        return _listed(ctx.method, result, scopes) if ctx.method in LISTS else result

    return middleware


def _listed(method: str, result: HandlerResult, scopes: frozenset[str]) -> HandlerResult:
    """Leave out of a list what the scopes do not reach."""
    key, name, wanted = LISTS[method]
    if not isinstance(result, dict) or not isinstance(result.get(key), Sequence):
        return result
    kept = [item for item in result[key] if may(scopes, wanted(str(item.get(name))))]
    return {**result, key: kept}
