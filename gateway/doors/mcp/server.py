"""The MCP door: tools, resources, prompts and completion on one server, for stdio and HTTP, in both eras."""

from collections.abc import Callable, Mapping
from typing import Any

import anyio
from mcp.server import MCPServer
from mcp.server._otel import OpenTelemetryMiddleware
from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.request_state import RequestStateSecurity

from gateway import __version__
from gateway.doors.counters import Counters
from gateway.doors.face import Face
from gateway.doors.mcp.analyses import analysis_tools
from gateway.doors.mcp.arguments import known_tools, strict_arguments
from gateway.doors.mcp.calls import Calls
from gateway.doors.mcp.completion import add_completion
from gateway.doors.mcp.headers import HeadedServer
from gateway.doors.mcp.prompts import add_prompts, strict_prompts
from gateway.doors.mcp.resources import add_resources
from gateway.doors.mcp.scopes import Granted, every_scope, scoped
from gateway.doors.mcp.tools import Tools, build_tools
from gateway.doors.workers import Workers
from traces.records import Caller

INSTRUCTIONS = (
    "Governed metrics. Find names with search_catalog and describe_metric, ask with ask_metric. "
    "Check every text with figures by check_answer before you send it. Resources: trace://TRACE_ID (how an "
    "answer came about), data://TRACE_ID (its rows)."
)
MINUTE = 60_000
LISTS: Mapping[CacheableMethod, CacheHint] = {
    "tools/list": CacheHint(ttl_ms=MINUTE, scope="private"),
    "prompts/list": CacheHint(ttl_ms=MINUTE, scope="private"),
    "resources/templates/list": CacheHint(ttl_ms=MINUTE, scope="private"),
}
"""How long a client may keep a list; a caller's own, so nobody else gets it from a cache."""


def build_mcp(
    face: Face,
    who: Callable[[], Caller],
    workers: Workers,
    counters: Counters,
    granted: Granted = every_scope,
    *,
    state_key: bytes | None = None,
    calls: Calls | None = None,
) -> MCPServer[Any]:
    """Return the server. `who` says who is asking and `granted` what for, at the moment of each call.

    With `state_key`, another process with the same key goes on with a call that asked back. `calls` are those
    that a client may take back in a request of its own.
    """
    verbs = Tools(face, who, workers, counters, calls or Calls())
    tools = build_tools(verbs)
    names = tuple(tool.name for tool in tools)
    server: MCPServer[Any] = HeadedServer(
        "cellbound",
        version=__version__,
        instructions=INSTRUCTIONS,
        tools=tools,
        middleware=[
            scoped(granted),
            strict_prompts(),
            strict_arguments(tools),
            analysis_tools(verbs, names),
            known_tools(names),
        ],
        cache_hints=LISTS,
        subscriptions=False,
        log_level="WARNING",
        request_state_security=RequestStateSecurity(keys=[state_key]) if state_key else None,
    )
    # Its spans would carry the texts of exceptions; the house tells its own, without values.
    server.middleware[:] = [
        each for each in server.middleware if not isinstance(each, OpenTelemetryMiddleware)
    ]
    add_resources(server, face, who, workers, counters)
    add_prompts(server)
    add_completion(server, face, who, workers, granted)
    return server


def serve_stdio(face: Face, caller: Caller, threads: int) -> None:
    """Serve one client over stdin and stdout until it closes them. The caller is who the project says."""
    workers = Workers(threads, queue=threads)
    try:
        anyio.run(build_mcp(face, lambda: caller, workers, Counters()).run_stdio_async)
    finally:
        workers.close()
