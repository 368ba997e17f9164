"""The MCP tools: each one verb of the house, its arguments, and its result as one compact object."""

import json
from collections.abc import Awaitable, Callable, Mapping
from functools import cache, partial
from typing import Annotated, Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.tools import Tool
from mcp_types import CallToolResult, InputRequiredResult, TextContent, ToolAnnotations
from pydantic import Field, WithJsonSchema

from gateway.analyses.call import AnalysisCall
from gateway.analyses.view import AnalysisList, AnalysisReply
from gateway.cancellation import Cancellation
from gateway.doors.analysis_body import call_of
from gateway.doors.ask_body import AskBody, split_ask
from gateway.doors.counters import Counters
from gateway.doors.face import Face
from gateway.doors.faults import FAULTS, refusal_for, unknown_trace
from gateway.doors.hold_waiting import LONGEST_WAIT, until_decided
from gateway.doors.json_input import BadJson, read_json
from gateway.doors.mcp.calls import Calls, running_call
from gateway.doors.mcp.elicitation import Form, questions_in
from gateway.doors.mcp.progress import Progress
from gateway.doors.mcp.room import MOST_CHARACTERS, text_of, within
from gateway.doors.mcp.written import Written, written_in
from gateway.doors.schemas import (
    OBJECTS,
    ROWS,
    TEXT,
    TEXTS,
    WHOLE,
    YES_OR_NO,
    Schema,
    inlined,
    outlined,
    plan_schema,
    reply_schema,
    words_schema,
)
from gateway.doors.status import status_of
from gateway.doors.workers import Workers
from gateway.reply import Refusal, Reply
from metric_layer.record import Record
from traces.records import Caller, Derivation

READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
COUNTED = ToolAnnotations(read_only_hint=True, open_world_hint=False)
"""Reads too, but a call counts: an answer uses up an approval, a draft one of its attempts."""
WORDS = frozenset({"question", "conversation", "words"})
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
HoldId = Annotated[str, Field(max_length=100, description="The hold_id of a held reply.")]
Seconds = Annotated[float, Field(ge=0, le=LONGEST_WAIT, description="How long to wait at most.")]
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


Parameters = Annotated[dict[str, Any], Field(description="Values by parameter name.")]
Chosen = Annotated[dict[str, str], Field(description="Readings chosen for ambiguous terms.")]

Ask = Callable[[Mapping[str, str], Cancellation], Awaitable[Record]]
"""Puts a question with the readings chosen so far; the cancellation stops it and hears its stages."""


class Tools:
    """The verbs of the house as async tools, each on a worker thread that ends when its caller leaves."""

    def __init__(
        self,
        face: Face,
        who: Callable[[], Caller],
        workers: Workers,
        counters: Counters,
        calls: Calls | None = None,
    ) -> None:
        self._face = face
        self._who = who
        self._workers = workers
        self._counters = counters
        self._calls = calls or Calls()

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

    async def ask_metric(self, context: Context[Any, Any]) -> CallToolResult | InputRequiredResult:
        """Answer a metric plan with rows and cited numbers.

        Quote only figures of the answer or its rows. Outcomes `needs_clarification` (choose an option under
        `choices`) and `held` (await_decision, then repeat with `approval_id`) are no errors. `truncated` rows
        are a part, never a total. Pass text you write to check_answer before sending it.
        """
        return await self._ask(context, dry_run=False)

    async def ask_question(self, context: Context[Any, Any]) -> CallToolResult | InputRequiredResult:
        """Answer a question in plain words (figure, breakdown, period); `notes` say how it was read.

        `needs_clarification` asks back: send the question again with the option's name under
        `choices[term]`. `abstained` names what is missing. A follow-up ("and by month?") needs the same
        `conversation`.
        """
        return await self._ask(context, dry_run=False, words=True)

    async def dry_run_plan(self, context: Context[Any, Any]) -> CallToolResult | InputRequiredResult:
        """Show the SQL, the checks and the estimated cost of a plan, as for ask_metric. Nothing runs."""
        return await self._ask(context, dry_run=True)

    async def check_answer(
        self,
        draft: Draft,
        trace_ids: TraceIds,
        declare: Declared | None = None,
        approval_id: HoldId = "",
    ) -> CallToolResult:
        """Check a draft against the answers it rests on: every number must have its cell.

        Write {{c:ROW.COLUMN}} or {{d:ID}} in place of a number and code prints it. Send the returned text
        only when the outcome is `passed`. `held` waits for a reviewer: send the same draft again with
        `approval_id` once accepted.
        """
        work = partial(self._face.check_answer, self._who(), draft, trace_ids, declare or (), approval_id)
        return await self._run(work)

    async def await_decision(self, hold_id: HoldId, timeout: Seconds = 25) -> CallToolResult:
        """Wait for a reviewer's decision on a `held` question or draft of yours.

        `waiting` after the time-out: call again. `accepted`: send the same plan again with `approval_id`; an
        accept counts once. Nothing runs by itself.
        """
        caller = self._who()
        try:
            await until_decided(self._face, self._workers, caller, hold_id, timeout)
        except FAULTS as fault:
            return tool_result(refusal_for(fault), is_error=True)
        return await self._run(partial(self._face.show_hold, caller, hold_id))

    async def get_trace(self, trace_id: TraceId) -> CallToolResult:
        """Show how an answer came about: plan, SQL, every check's verdict, cost and shape. No rows."""
        return await self._run(partial(self._trace, self._who(), trace_id))

    async def run_saved_analysis(
        self,
        context: Context[Any, Any],
        name: Name,
        parameters: Parameters | None = None,
        choices: Chosen | None = None,
        approval_id: HoldId = "",
        dry_run: bool = False,
    ) -> CallToolResult | InputRequiredResult:
        """Run a saved analysis that search_catalog found: one answer over all its steps, each with a trace.

        Outcomes are those of ask_metric.
        """
        raw = {"parameters": parameters or {}, "choices": choices or {}, "approval_id": approval_id}
        form = Form(context)
        call = call_of(name, {**raw, "dry_run": dry_run}, form.door)
        if not isinstance(call, AnalysisCall):
            return tool_result(AnalysisReply(outcome="invalid_plan", issues=call))

        async def run(chosen: Mapping[str, str], leaver: Cancellation) -> Record:
            work = partial(self._face.run_analysis, self._who(), call.choosing(chosen), cancellation=leaver)
            return await self._workers.call(work, leaver)

        return await self._answered(form, run)

    async def analyses(self) -> AnalysisList:
        """Return the saved analyses that the caller may run."""
        return await self._workers.call(partial(self._face.list_analyses, self._who()))

    async def _ask(
        self, context: Context[Any, Any], *, dry_run: bool, words: bool = False
    ) -> CallToolResult | InputRequiredResult:
        params = context.request_context.params or {}
        given = params.get("arguments") or {}
        sent = {key: value if key in WORDS else _unwrapped(value) for key, value in given.items()}
        if words:
            sent.setdefault("question", None)
        asked = split_ask({**sent, "dry_run": True} if dry_run else sent)
        if not isinstance(asked, AskBody):
            return tool_result(Reply(outcome="invalid_plan", issues=asked))
        form = Form(context)

        async def ask(chosen: Mapping[str, str], leaver: Cancellation) -> Record:
            question = asked.choosing(chosen)
            work = partial(question.asked, self._face, self._who(), form.door, leaver)
            return await self._workers.call(work, leaver)

        return await self._answered(form, ask)

    async def _answered(self, form: Form, ask: Ask) -> CallToolResult | InputRequiredResult:
        """Ask, telling the stages; what is asked back is shown as a form while the client shows forms."""
        progress, choices = Progress(form.context.request_context), form.chosen()
        written = written_in(progress.context)
        while True:
            found = await self._found(ask, choices, progress)
            questions = questions_in(found)
            if not questions or not form.can_ask:
                failed = True if isinstance(found, Refusal) else None
                return tool_result(found, is_error=failed, written=written)
            if form.resumes:
                return form.to_fill_in(questions, choices)
            given = await form.answer(questions)
            if not given:
                return tool_result(found, written=written)
            choices = {**choices, **given}

    async def _found(self, ask: Ask, choices: Mapping[str, str], progress: Progress) -> Record:
        async with progress.told() as leaver:
            call = running_call(self._who(), progress.context)
            try:
                with self._calls.running(call, leaver):
                    found = await ask(choices, leaver)
            except FAULTS as fault:
                return refusal_for(fault)
        self._counters.told("mcp", found)
        return found

    def _trace(self, caller: Caller, trace_id: str) -> Record:
        return self._face.get_trace(caller, trace_id) or unknown_trace(trace_id)

    async def _run(
        self, work: Callable[[], Record], cancellation: Cancellation | None = None
    ) -> CallToolResult:
        try:
            result = await self._workers.call(work, cancellation)
        except FAULTS as fault:
            return tool_result(refusal_for(fault), is_error=True)
        self._counters.told("mcp", result)
        return tool_result(result)


def build_tools(tools: Tools) -> list[Tool]:
    """Return the tools with the schemas they publish: flat, closed, without references."""
    answer = reply_schema(
        trace_id=TEXT,
        answer=TEXT,
        columns=OBJECTS,
        rows=ROWS,
        row_count=WHOLE,
        truncated=YES_OR_NO,
        notes=TEXTS,
    )
    draft = reply_schema(text=TEXT, citations=OBJECTS, findings=OBJECTS, attempts_left=WHOLE)
    asked = _asked()
    return [
        _tool(tools.list_metrics),
        _tool(tools.describe_metric),
        _tool(tools.search_catalog),
        _tool(tools.ask_metric, schema=asked["ask_metric"], output=answer, hints=COUNTED),
        _tool(tools.ask_question, schema=asked["ask_question"], output=answer, hints=COUNTED),
        _tool(tools.dry_run_plan, schema=asked["dry_run_plan"]),
        _tool(tools.check_answer, output=draft, hints=COUNTED),
        _tool(tools.run_saved_analysis, output=answer, hints=COUNTED),
        _tool(tools.await_decision),
        _tool(tools.get_trace),
    ]


@cache
def _asked() -> Mapping[str, Schema]:
    """Return what the tools of PLAN_TOOLS take. It is made once: all servers of a process share it."""
    beside = ("dry_run", "approval_id", "accept_narrower", "conversation", "words")
    return {
        "ask_metric": plan_schema(without=("dry_run",)),
        "ask_question": words_schema(without=("accept_narrower",)),
        "dry_run_plan": outlined(plan_schema(without=beside)),
    }


def tool_result(
    result: Record, *, is_error: bool | None = None, written: Written | None = None
) -> CallToolResult:
    """Return a result as structured content and, byte for byte the same facts, as compact JSON text.

    A result that is longer than a client takes is cut, which it says under `cut`; rows of a question are not
    cut here: how many there are is the policy's to say. What is sent as it is goes by way of `written`.
    """
    failed = status_of(result).is_error if is_error is None else is_error
    text = result.as_json if isinstance(result, Reply) else result.model_dump_json(by_alias=True)
    whole = len(text) <= MOST_CHARACTERS or (isinstance(result, Reply) and bool(result.rows))
    if whole and written is not None:
        return written.result(text, is_error=failed)
    body = json.loads(text)
    if not whole:
        body = within(body)
        text = text_of(body)
    return CallToolResult(
        is_error=failed, structured_content=body, content=[TextContent(type="text", text=text)]
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
