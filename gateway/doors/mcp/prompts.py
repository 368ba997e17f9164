"""The prompts of the MCP door: the common tasks, each as the steps that end in a checked text."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Annotated, Any

from mcp.server import MCPServer, ServerRequestContext
from mcp.server.context import CallNext, HandlerResult, ServerMiddleware
from mcp.server.mcpserver.prompts import Prompt
from mcp.server.mcpserver.prompts.base import PromptArgument
from pydantic import Field

from gateway.doors.json_input import BadJson, refuse_half_characters
from gateway.doors.mcp.arguments import refused_request
from gateway.reply import ReplyIssue, issue_of
from metric_layer.vocabulary import near

LONGEST = 2_000
ASK_BACK = (
    "If the outcome is `needs_clarification`, show me the options and wait for my choice; never choose for "
    "me. If it is `held`, say so and wait with await_decision."
)
SEND = (
    "Write with {{c:ROW.COLUMN}} in place of every number, pass the text to check_answer with the trace_id "
    "of each answer it rests on, and send me the returned text only when the outcome is `passed`. Say what "
    "`notes` and `truncated` limit."
)

Words = Annotated[str, Field(description="The question, as you would ask a colleague.")]
Topic = Annotated[str, Field(description="A word or two; everything when left out.")]
Metric = Annotated[str, Field(description="The name of a metric.")]
Dimension = Annotated[str, Field(description="Break the figures down by this; left out for the whole.")]
Period = Annotated[str, Field(description="A period: Q3 2026, 2026-07, last month.")]
TraceId = Annotated[str, Field(description="The trace_id of an answer.")]
Analysis = Annotated[str, Field(description="The name of a saved analysis.")]


def answer_question(question: Words) -> str:
    """Answer a question with governed figures, checked before they are sent."""
    return f"Answer this question with ask_question: {question}\n{ASK_BACK}\n{SEND}"


def compare_periods(metric: Metric, period: Period, earlier: Period, dimension: Dimension = "") -> str:
    """Compare a metric between two periods."""
    by = f" by {dimension}" if dimension else ""
    return (
        f"Compare {metric}{by} in {period} with {earlier}. Look at describe_metric first, then ask for both "
        "with ask_metric (`compare`, or one plan each). Declare differences to check_answer under `declare`; "
        f"compute none yourself.\n{ASK_BACK}\n{SEND}"
    )


def explain_figure(trace_id: TraceId) -> str:
    """Explain where the figures of an answer come from."""
    return (
        f"Explain how answer {trace_id} came about. Read it with get_trace: which metric in which version, "
        "which filters (those of the policy too), which data and how fresh, what the checks said. Use no "
        "figure that is not in the trace."
    )


def find_metrics(topic: Topic = "") -> str:
    """Find out what can be asked."""
    about = f" about {topic}" if topic else ""
    return (
        f"Show me what I can ask{about}. Use search_catalog and list_metrics, then describe_metric for what "
        "fits. For each metric: what it means, its unit and owner, what it can be broken down by, and a "
        "question as an example."
    )


def run_analysis(analysis: Analysis) -> str:
    """Run a saved analysis and report its answer."""
    return (
        f"Run the saved analysis {analysis} with run_saved_analysis. Ask me for parameters that it needs.\n"
        f"{ASK_BACK}\n{SEND}"
    )


PROMPTS: tuple[tuple[str, Callable[..., str]], ...] = (
    ("Answer a question", answer_question),
    ("Compare two periods", compare_periods),
    ("Explain a figure", explain_figure),
    ("Find metrics", find_metrics),
    ("Run a saved analysis", run_analysis),
)


@cache
def prompts() -> tuple[Prompt, ...]:
    """Return the prompts. They know of no house, so all servers of a process share them."""
    return tuple(Prompt.from_function(verb, title=title) for title, verb in PROMPTS)


def add_prompts(server: MCPServer[Any]) -> None:
    """Give a server the prompts."""
    for prompt in prompts():
        server.add_prompt(prompt)


def strict_prompts() -> ServerMiddleware[Any]:
    """Return middleware that refuses a prompt that is not there, and arguments that are not its own."""
    takes = {prompt.name: prompt.arguments or [] for prompt in prompts()}

    async def middleware(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        if ctx.method != "prompts/get":
            return await call_next(ctx)
        params = ctx.params or {}
        name, sent = str(params.get("name")), params.get("arguments")
        sent = {} if sent is None else sent
        try:
            refuse_half_characters(name)
            refuse_half_characters(sent)
        except BadJson as fault:
            raise refused_request((issue_of(fault.issue, "input"),)) from fault
        if name not in takes:
            raise refused_request((_issue("unknown_prompt", name, "prompt", tuple(takes)),))
        issues = _argument_issues(takes[name], sent)
        if issues:
            raise refused_request(issues)
        return await call_next(ctx)

    return middleware


def _argument_issues(takes: list[PromptArgument], sent: object) -> tuple[ReplyIssue, ...]:
    if not isinstance(sent, Mapping):
        return (_wrong("arguments", "an object", "", type(sent).__name__),)
    known = tuple(argument.name for argument in takes)
    issues = [_issue("unknown_argument", key, "argument", known) for key in sent if key not in known]
    issues += [_missing(each.name) for each in takes if each.required and sent.get(each.name) in (None, "")]
    for key, value in sent.items():
        if not isinstance(value, str):
            issues.append(_wrong(key, "a text", f"/{key}", type(value).__name__))
        elif len(value) > LONGEST:
            issues.append(_long(key))
    return tuple(issues)


def _issue(code: str, name: str, kind: str, known: tuple[str, ...]) -> ReplyIssue:
    return ReplyIssue(
        code=code,
        message=f"There is no {kind} {name[:100]!r} here.",
        stage="input",
        seen=name[:100],
        candidates=near(name, known),
        next_step=f"There are: {', '.join(known)}.",
    )


def _missing(key: str) -> ReplyIssue:
    return ReplyIssue(
        code="missing_argument",
        message=f"`{key}` is missing.",
        stage="input",
        path=f"/{key}",
        next_step="Add this argument and ask for the prompt again.",
    )


def _wrong(what: str, wanted: str, path: str, seen: str) -> ReplyIssue:
    return ReplyIssue(
        code="wrong_argument",
        message=f"`{what}` must be {wanted}.",
        stage="input",
        path=path,
        seen=seen,
        next_step=f"Send {wanted} there.",
    )


def _long(key: str) -> ReplyIssue:
    return ReplyIssue(
        code="wrong_argument",
        message=f"`{key}` must be at most {LONGEST} characters long.",
        stage="input",
        path=f"/{key}",
        next_step="Shorten it.",
    )
