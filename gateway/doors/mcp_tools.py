"""The MCP tools: each one verb of the house, its arguments, and its result as one compact object."""

import json
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.tools import Tool
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field, WithJsonSchema

from gateway.cancellation import Cancellation
from gateway.doors.ask_body import AskBody, split_ask
from gateway.doors.counters import Counters
from gateway.doors.face import Face
from gateway.doors.faults import FAULTS, refusal_for, unknown_trace
from gateway.doors.json_input import BadJson, read_json
from gateway.doors.schemas import inlined, plan_schema, reply_schema, words_schema
from gateway.doors.status import status_of
from gateway.doors.workers import Workers
from gateway.reply import Reply
from metric_layer.record import Record
from traces.records import Caller, Derivation

READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
COUNTED = ToolAnnotations(read_only_hint=True, open_world_hint=False)
"""Reads too, but a call counts: an answer uses up an approval, a draft one of its attempts."""
WORDS = frozenset({"question", "conversation"})
"""Arguments that are text, whatever they look like."""
PLAN_TOOLS = frozenset({"ask_metric", "ask_question", "dry_run_plan"})
"""Tools whose arguments the house reads itself, so that all that is wrong with a plan is said at once."""

Search = Annotated[str, Field(description="Words to look for in names, descriptions and synonyms.")]
Question = Annotated[str, Field(max_length=2000, description="A question, or words of it.")]
Hits = Annotated[int, Field(ge=1, le=50)]
Excluded = Annotated[
    tuple[str, ...], Field(max_length=1000, description="Ids of examples to leave out; for evaluators.")
]
Limit = Annotated[int, Field(ge=1, le=200)]
Name = Annotated[str, Field(max_length=200)]
TraceId = Annotated[str, Field(max_length=100, description="The trace_id of an answer.")]
Draft = Annotated[str, Field(description="The text you want to send, whole.")]
TraceIds = Annotated[list[str], Field(min_length=1, max_length=20)]
Declared = Annotated[
    list[Annotated[dict[str, Any], WithJsonSchema(Derivation.model_json_schema())]],
    Field(
        description=(
            "Figures for code to compute over cells {row, column}: difference(a, b), pct_change(new, old), "
            "pp_change(new, old), ratio(num, den), share(part, whole), sum|mean|min|max(of), "
            "count_rows(where), count_distinct(col), rank(row, col, order)."
        )
    ),
]


class Tools:
    """The verbs of the house as async tools, each on a worker thread that ends when its caller leaves."""

    def __init__(self, face: Face, who: Callable[[], Caller], workers: Workers, counters: Counters) -> None:
        self._face = face
        self._who = who
        self._workers = workers
        self._counters = counters

    async def list_metrics(self, search: Search = "", limit: Limit = 50) -> CallToolResult:
        """List the metrics you may ask for; `left_off` says how many more matched."""
        return await self._run(partial(self._face.list_metrics, self._who(), search, limit))

    async def describe_metric(self, name: Name) -> CallToolResult:
        """Show one metric: definition, unit, dimensions, grains, and a plan that works."""
        return await self._run(partial(self._face.describe_metric, self._who(), name))

    async def search_catalog(
        self, search: Question, limit: Hits = 10, exclude_examples: Excluded = ()
    ) -> CallToolResult:
        """Find metrics, dimensions, values and example questions for a question, best first.

        A metric's `dimensions` are what it can be asked by; `metrics` of another hit are those it goes with.
        """
        work = partial(self._face.search_catalog, self._who(), search, limit, exclude_examples)
        return await self._run(work)

    async def ask_metric(self, context: Context[Any, Any]) -> CallToolResult:
        """Answer a metric plan with rows and cited numbers.

        Quote only figures of the answer or its rows. Outcomes `needs_clarification` (choose an option under
        `choices`) and `held` (repeat with `approval_id` once accepted) are no errors. `truncated` rows are a
        part, never a total. Pass text you write to check_answer before sending it.
        """
        return await self._ask(context, dry_run=False)

    async def ask_question(self, context: Context[Any, Any]) -> CallToolResult:
        """Answer a question in plain words (figure, breakdown, period); `notes` say how it was read.

        `needs_clarification` asks back: send the question again with the option's name under
        `choices[term]`. `abstained` names what is missing. A follow-up ("and by month?") needs the same
        `conversation`.
        """
        return await self._ask(context, dry_run=False, words=True)

    async def dry_run_plan(self, context: Context[Any, Any]) -> CallToolResult:
        """Show the SQL, the checks and the estimated cost of a plan. Nothing runs."""
        return await self._ask(context, dry_run=True)

    async def check_answer(
        self, draft: Draft, trace_ids: TraceIds, declare: Declared | None = None
    ) -> CallToolResult:
        """Check a draft against the answers it rests on: every number must have its cell.

        Write {{c:ROW.COLUMN}} or {{d:ID}} in place of a number and code prints it. Send the returned text
        only when the outcome is `passed`.
        """
        work = partial(self._face.check_answer, self._who(), draft, trace_ids, declare or ())
        return await self._run(work)

    async def get_trace(self, trace_id: TraceId) -> CallToolResult:
        """Show how an answer came about: plan, SQL, every check's verdict, cost and shape. No rows."""
        return await self._run(partial(self._trace, self._who(), trace_id))

    async def _ask(self, context: Context[Any, Any], *, dry_run: bool, words: bool = False) -> CallToolResult:
        params = context.request_context.params or {}
        given = params.get("arguments") or {}
        sent = {key: value if key in WORDS else _unwrapped(value) for key, value in given.items()}
        if words:
            sent.setdefault("question", None)
        asked = split_ask({**sent, "dry_run": True} if dry_run else sent)
        if not isinstance(asked, AskBody):
            return tool_result(Reply(outcome="invalid_plan", issues=asked))
        cancellation = Cancellation()
        client = f"mcp {context.request_context.protocol_version}"
        work = partial(asked.asked, self._face, self._who(), client, cancellation)
        return await self._run(work, cancellation)

    def _trace(self, caller: Caller, trace_id: str) -> Record:
        return self._face.get_trace(caller, trace_id) or unknown_trace(trace_id)

    async def _run(
        self, work: Callable[[], Record], cancellation: Cancellation | None = None
    ) -> CallToolResult:
        try:
            result = await self._workers.call(work, cancellation)
        except FAULTS as fault:
            return tool_result(refusal_for(fault), is_error=True)
        self._counters.result("mcp", getattr(result, "outcome", type(result).__name__))
        return tool_result(result)


def build_tools(tools: Tools) -> list[Tool]:
    """Return the tools with the schemas they publish: flat, closed, without references."""
    answer = reply_schema(
        "trace_id", "answer", "columns", "rows", "row_count", "truncated", "summary", "notes"
    )
    draft = reply_schema("text", "citations", "findings", "attempts_left")
    plan = plan_schema(without=("dry_run",))
    dry = plan_schema(without=("dry_run", "approval_id", "accept_narrower", "conversation"))
    words = words_schema(without=("accept_narrower",))
    return [
        _tool(tools.list_metrics),
        _tool(tools.describe_metric),
        _tool(tools.search_catalog),
        _tool(tools.ask_metric, schema=plan, output=answer, hints=COUNTED),
        _tool(tools.ask_question, schema=words, output=answer, hints=COUNTED),
        _tool(tools.dry_run_plan, schema=dry),
        _tool(tools.check_answer, output=draft, hints=COUNTED),
        _tool(tools.get_trace),
    ]


def tool_result(result: Record, *, is_error: bool | None = None) -> CallToolResult:
    """Return a result as structured content and, byte for byte the same facts, as compact JSON text."""
    text = result.model_dump_json(by_alias=True)
    return CallToolResult(
        is_error=status_of(result).is_error if is_error is None else is_error,
        structured_content=json.loads(text),
        content=[TextContent(type="text", text=text)],
    )


def _tool(
    verb: Callable[..., Any],
    *,
    schema: dict[str, Any] | None = None,
    output: dict[str, Any] | None = None,
    hints: ToolAnnotations = READS,
) -> Tool:
    text = " ".join((verb.__doc__ or "").split())
    tool = Tool.from_function(verb, description=text, annotations=hints)
    tool.parameters = schema or inlined({"additionalProperties": False, **tool.parameters})
    tool.fn_metadata.output_schema = output
    return tool


def _unwrapped(value: object) -> object:
    """Some clients send an object or a list as a JSON string; take it for what it says."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return read_json(value)
        except BadJson:
            return value
    return value
