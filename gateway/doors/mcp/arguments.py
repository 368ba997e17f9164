"""Strict arguments over MCP: what is unknown or ill-typed is refused as a result that a model can read."""

from collections.abc import Mapping, Sequence
from typing import Any

from mcp.server import ServerRequestContext
from mcp.server.context import CallNext, HandlerResult, ServerMiddleware
from mcp.server.mcpserver.tools import Tool
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS
from pydantic import ValidationError
from starlette.requests import Request

from gateway.doors.arguments import argument_issues, pydantic_errors
from gateway.doors.json_input import BadJson, refuse_half_characters
from gateway.doors.mcp.tools import PLAN_TOOLS, tool_result
from gateway.reply import DraftReply, Refusal, Reply, ReplyIssue, issue_of
from metric_layer.record import Record
from metric_layer.vocabulary import near


def strict_arguments(tools: Sequence[Tool]) -> ServerMiddleware[Any]:
    """Return middleware that refuses unknown and ill-typed arguments as a result the model can read."""
    registry = {tool.name: tool for tool in tools if tool.name not in PLAN_TOOLS}

    async def middleware(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        if ctx.method != "tools/call":
            return await call_next(ctx)
        params = ctx.params or {}
        name, sent = params.get("name"), params.get("arguments") or {}
        try:
            if await _may_be_half(ctx.request):
                refuse_half_characters(name)
                refuse_half_characters(sent)
            tool = registry.get(str(name))
            issues = _argument_issues(tool, sent) if tool and isinstance(sent, Mapping) else ()
        except BadJson as fault:
            issues = (issue_of(fault.issue, "input"),)
        return tool_result(_refused(str(name), issues)) if issues else await call_next(ctx)

    return middleware


async def _may_be_half(request: object) -> bool:
    """Say whether a text may hold half a character: over HTTP only one that came as an escape can."""
    return not isinstance(request, Request) or b"\\u" in await request.body()


def known_tools(names: Sequence[str]) -> ServerMiddleware[Any]:
    """Return middleware that refuses a tool that is not there with the near names of `names`.

    By the protocol this is an error of the request, not a result; its message says all of it once more.
    """

    async def middleware(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        name = (ctx.params or {}).get("name")
        if ctx.method != "tools/call" or not isinstance(name, str) or name in names:
            return await call_next(ctx)
        raise refused_request((_unknown_tool(name, tuple(names)),))

    return middleware


def refused_request(issues: Sequence[ReplyIssue]) -> MCPError:
    """Return the protocol error of a request that names or says what is not there."""
    told = [issue.model_dump(mode="json", exclude_defaults=True) for issue in issues]
    return MCPError(INVALID_PARAMS, " ".join(_sentence(issue) for issue in issues), data={"issues": told})


def _sentence(issue: ReplyIssue) -> str:
    near_ones = f" Near: {', '.join(issue.candidates)}." if issue.candidates else ""
    return f"{issue.message}{near_ones} {issue.next_step}".strip()


def _unknown_tool(name: str, names: tuple[str, ...]) -> ReplyIssue:
    return ReplyIssue(
        code="unknown_tool",
        message=f"There is no tool {name[:100]!r} that you may use.",
        stage="input",
        seen=name[:100],
        candidates=near(name, names),
        next_step="List the tools again (tools/list) and call one of those.",
    )


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
