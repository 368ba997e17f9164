"""The MCP door: tools and trace resource on one server, for stdio and HTTP, in both protocol eras."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import anyio
from mcp.server import MCPServer, ServerRequestContext
from mcp.server.context import CallNext, HandlerResult, ServerMiddleware
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from mcp.server.mcpserver.tools import Tool
from pydantic import ValidationError

from gateway import __version__
from gateway.doors.ask_body import argument_issues, pydantic_errors
from gateway.doors.counters import Counters
from gateway.doors.face import Face
from gateway.doors.faults import FAULTS, refusal_for
from gateway.doors.json_input import BadJson, refuse_half_characters
from gateway.doors.mcp_analyses import analysis_tools
from gateway.doors.mcp_scopes import Granted, every_scope, scoped
from gateway.doors.mcp_tools import PLAN_TOOLS, Tools, build_tools, tool_result
from gateway.doors.workers import Workers
from gateway.reply import DraftReply, Refusal, Reply, ReplyIssue, issue_of
from metric_layer.record import Record
from metric_layer.vocabulary import near
from traces.records import Caller

INSTRUCTIONS = (
    "Governed metrics. Find names with search_catalog and describe_metric, ask with ask_metric. "
    "Check every text with figures by check_answer before you send it."
)


def build_mcp(
    face: Face,
    who: Callable[[], Caller],
    workers: Workers,
    counters: Counters,
    granted: Granted = every_scope,
) -> MCPServer[Any]:
    """Return the server. `who` says who is asking and `granted` what for, at the moment of each call."""
    verbs = Tools(face, who, workers, counters)
    tools = build_tools(verbs)
    server: MCPServer[Any] = MCPServer(
        "cellbound",
        version=__version__,
        instructions=INSTRUCTIONS,
        tools=tools,
        middleware=[
            scoped(granted),
            strict_arguments(tools),
            analysis_tools(verbs, frozenset(tool.name for tool in tools)),
        ],
        subscriptions=False,
        log_level="WARNING",
    )

    @server.resource("trace://{trace_id}", name="trace", mime_type="application/json")
    async def trace(trace_id: str) -> str:
        """Return how an answer came about: plan, SQL, verdicts, cost and shape. No rows."""
        try:
            view = await workers.call(partial(face.get_trace, who(), trace_id))
        except FAULTS as fault:
            raise ResourceError(refusal_for(fault).issues[0].message) from fault
        if view is None:
            raise ResourceNotFoundError(f"No trace {trace_id} that you may read.")
        return view.model_dump_json(by_alias=True)

    return server


def serve_stdio(face: Face, caller: Caller, threads: int) -> None:
    """Serve one client over stdin and stdout until it closes them. The caller is who the project says."""
    workers = Workers(threads, queue=threads)
    try:
        anyio.run(build_mcp(face, lambda: caller, workers, Counters()).run_stdio_async)
    finally:
        workers.close()


def strict_arguments(tools: Sequence[Tool]) -> ServerMiddleware[Any]:
    """Return middleware that refuses unknown and ill-typed arguments as a result the model can read."""
    registry = {tool.name: tool for tool in tools if tool.name not in PLAN_TOOLS}

    async def middleware(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        if ctx.method != "tools/call":
            return await call_next(ctx)
        params = ctx.params or {}
        name, sent = params.get("name"), params.get("arguments") or {}
        try:
            refuse_half_characters(name)
            refuse_half_characters(sent)
            tool = registry.get(str(name))
            issues = _argument_issues(tool, sent) if tool and isinstance(sent, Mapping) else ()
        except BadJson as fault:
            issues = (issue_of(fault.issue, "input"),)
        return tool_result(_refused(str(name), issues)) if issues else await call_next(ctx)

    return middleware


def _argument_issues(tool: Tool, sent: Mapping[str, Any]) -> tuple[ReplyIssue, ...]:
    meta = tool.fn_metadata
    known = tuple(meta.arg_model.model_fields)
    issues = tuple(_unknown(key, known) for key in sent if key not in known)
    parsed = meta.pre_parse_json(dict(sent))
    refuse_half_characters(parsed)
    try:
        meta.arg_model.model_validate(parsed)
    except ValidationError as fault:
        return issues + argument_issues(pydantic_errors(fault))
    return issues


def _unknown(key: str, known: tuple[str, ...]) -> ReplyIssue:
    return ReplyIssue(
        code="unknown_argument",
        message=f"{key!r} is not an argument of this tool.",
        stage="input",
        path=f"/{key}",
        seen=key,
        candidates=near(key, known),
        next_step=f"The arguments are: {', '.join(known)}.",
    )


def _refused(tool: str, issues: tuple[ReplyIssue, ...]) -> Record:
    if tool in PLAN_TOOLS:
        return Reply(outcome="invalid_plan", issues=issues)
    return DraftReply(outcome="invalid", issues=issues) if tool == "check_answer" else Refusal(issues=issues)
