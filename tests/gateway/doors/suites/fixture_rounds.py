"""The suite's tools that answer with what they ask: the rounds of the era without sessions."""

from collections.abc import Mapping
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp_types import (
    CallToolResult,
    CreateMessageRequest,
    CreateMessageRequestParams,
    CreateMessageResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
    ListRootsRequest,
    ListRootsResult,
    SamplingMessage,
    TextContent,
)

Ctx = Context[Any, Any]
Answer = CallToolResult | InputRequiredResult


def add_rounds(server: MCPServer[Any]) -> None:
    """Give a server these tools."""
    for tool in ROUNDS:
        server.add_tool(tool)


def said(text: str) -> CallToolResult:
    """Return a result of one text."""
    return CallToolResult(content=[TextContent(type="text", text=text)])


def form(message: str, key: str, kind: str = "string") -> ElicitRequest:
    """Return a form with one required field."""
    schema = {"type": "object", "properties": {key: {"type": kind}}, "required": [key]}
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=schema))


def sample(words: str, tokens: int) -> CreateMessageRequest:
    """Return a request to the client's model."""
    message = SamplingMessage(role="user", content=TextContent(type="text", text=words))
    return CreateMessageRequest(params=CreateMessageRequestParams(messages=[message], max_tokens=tokens))


def given(context: Ctx, key: str) -> Any:
    """Return what the client answered to one of the questions of a call."""
    return (context.input_responses or {}).get(key)


def filled(context: Ctx, question: str, key: str) -> str:
    """Return a field of a form that was sent back; nothing where it was not filled in as asked."""
    answer = given(context, question)
    if not isinstance(answer, ElicitResult) or answer.action != "accept":
        return ""
    value = (answer.content or {}).get(key, "")
    return value if isinstance(value, str) else str(value)


NAME = form("What is your name?", "name")


async def test_input_required_result_elicitation(context: Ctx) -> Answer:
    """Asks for a name."""
    found = filled(context, "user_name", "name")
    return said(f"Hello, {found}!") if found else InputRequiredResult(input_requests={"user_name": NAME})


async def test_input_required_result_sampling(context: Ctx) -> Answer:
    """Asks the client's model in a round of its own."""
    found = given(context, "capital_question")
    if isinstance(found, CreateMessageResult):
        return said(f"The model said: {found.content}")
    return InputRequiredResult(
        input_requests={"capital_question": sample("What is the capital of France?", 100)}
    )


async def test_input_required_result_list_roots(context: Ctx) -> Answer:
    """Asks for the client's roots."""
    found = given(context, "client_roots")
    if isinstance(found, ListRootsResult):
        return said(f"Roots: {[str(root.uri) for root in found.roots]}")
    return InputRequiredResult(input_requests={"client_roots": ListRootsRequest()})


async def test_input_required_result_request_state(context: Ctx) -> Answer:
    """Asks to confirm, with a state of its own."""
    if context.request_state == "confirming":
        return said("state-ok")
    return _asked({"confirm": form("Please confirm", "ok", "boolean")}, "confirming")


async def test_input_required_result_multiple_inputs(context: Ctx) -> Answer:
    """Asks three things at once."""
    asked = {
        "user_name": NAME,
        "greeting": sample("Generate a greeting", 50),
        "client_roots": ListRootsRequest(),
    }
    if context.request_state == "three" and all(given(context, key) is not None for key in asked):
        return said("All three arrived.")
    return _asked(asked, "three")


async def test_input_required_result_multi_round(context: Ctx) -> Answer:
    """Asks twice."""
    if context.request_state == "second":
        return said(f"Favourite colour: {filled(context, 'step2', 'color')}")
    if context.request_state == "first":
        return _asked({"step2": form("Step 2: What is your favorite color?", "color")}, "second")
    return _asked({"step1": form("Step 1: What is your name?", "name")}, "first")


async def test_input_required_result_tampered_state(context: Ctx) -> Answer:
    """Has a state that nobody may change."""
    if context.request_state == "sealed":
        return said("state-ok")
    return _asked({"confirm": form("Please confirm", "ok", "boolean")}, "sealed")


async def test_input_required_result_capabilities(context: Ctx) -> Answer:
    """Asks what the client can be asked only."""
    able = context.client_capabilities
    asked: dict[str, Any] = {}
    if able is not None and able.sampling is not None:
        asked["question"] = sample("What is the capital of France?", 100)
    if able is not None and able.elicitation is not None:
        asked["user_name"] = NAME
    return InputRequiredResult(input_requests=asked) if asked else said("Nothing can be asked.")


def _asked(requests: Mapping[str, Any], state: str) -> InputRequiredResult:
    return InputRequiredResult(input_requests=dict(requests), request_state=state)


ROUNDS = (
    test_input_required_result_elicitation,
    test_input_required_result_sampling,
    test_input_required_result_list_roots,
    test_input_required_result_request_state,
    test_input_required_result_multiple_inputs,
    test_input_required_result_multi_round,
    test_input_required_result_tampered_state,
    test_input_required_result_capabilities,
)
