"""The tools, resources and prompts that the public conformance suite asks for; no part of the product.

Their names and texts are the suite's. What is under test is what stands around them: our way to serve MCP.
"""

import asyncio
import base64
import json
from collections.abc import Mapping
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.prompts.base import UserMessage
from mcp.server.request_state import RequestStateSecurity
from mcp.shared.exceptions import MCPError
from mcp_types import (
    AudioContent,
    CallToolResult,
    Completion,
    CreateMessageResult,
    EmbeddedResource,
    ImageContent,
    InputRequiredResult,
    TextContent,
    TextResourceContents,
)

from tests.gateway.doors.suites.fixture_rounds import Answer, Ctx, add_rounds, filled, form, said, sample
from tests.gateway.doors.suites.fixture_schemas import schema_tools

MISSING_CAPABILITY = -32021
PIXEL = base64.b64encode(
    bytes.fromhex(
        "89504e470d0a1a0a0000000d49484452000000010000000108020000009077"
        "53de0000000c49444154789c63f8cfc000000301010018dd8db00000000049454e44ae426082"
    )
).decode()
SILENCE = base64.b64encode(
    b"RIFF%\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00@\x1f\x00\x00@\x1f\x00\x00\x01\x00\x08\x00"
    b"data\x01\x00\x00\x00\x80"
).decode()


def build_fixtures(state_key: bytes) -> MCPServer[Any]:
    """Return a server with everything that the suite calls by name."""
    server: MCPServer[Any] = MCPServer(
        "conformance-fixtures",
        version="1",
        tools=schema_tools(),
        request_state_security=RequestStateSecurity(keys=[state_key]),
        log_level="CRITICAL",
    )
    for add in (_contents, _behaviour, _asking, add_rounds, _diagnostics, _resources, _prompts):
        add(server)
    return server


def _contents(server: MCPServer[Any]) -> None:
    image = ImageContent(type="image", data=PIXEL, mime_type="image/png")

    @server.tool(description="Returns a text.")
    def test_simple_text() -> CallToolResult:
        return said("This is a simple text response for testing.")

    @server.tool(description="Returns an image.")
    def test_image_content() -> CallToolResult:
        return CallToolResult(content=[image])

    @server.tool(description="Returns a sound.")
    def test_audio_content() -> CallToolResult:
        return CallToolResult(content=[AudioContent(type="audio", data=SILENCE, mime_type="audio/wav")])

    @server.tool(description="Returns a resource inside its result.")
    def test_embedded_resource() -> CallToolResult:
        text = "This is an embedded resource content."
        return CallToolResult(content=[_embedded("test://embedded-resource", "text/plain", text)])

    @server.tool(description="Returns contents of three kinds.")
    def test_multiple_content_types() -> CallToolResult:
        body = json.dumps({"test": "data", "value": 123})
        resource = _embedded("test://mixed-content-resource", "application/json", body)
        text = TextContent(type="text", text="Multiple content types test:")
        return CallToolResult(content=[text, image, resource])


def _behaviour(server: MCPServer[Any]) -> None:
    @server.tool(description="Tells how far it is.")
    async def test_tool_with_progress(context: Ctx) -> CallToolResult:
        for progress in (0, 50, 100):
            await context.report_progress(progress, 100)
            await asyncio.sleep(0.05)
        return said("Done.")

    @server.tool(description="Fails.")
    def test_error_handling() -> CallToolResult:
        raise ToolError("This tool intentionally returns an error for testing")

    @server.tool(description="Answers in the middle of a stream.")
    async def test_reconnection(context: Ctx) -> CallToolResult:
        await context.close_sse_stream()
        return said("Done.")


def _asking(server: MCPServer[Any]) -> None:
    """Add the tools that ask the client in the middle of a call, as the handshake era has it."""

    @server.tool(description="Asks the client's model.")
    async def test_sampling(prompt: str, context: Ctx) -> CallToolResult:
        request = sample(prompt, 100)
        found = await context.session.send_request(request, CreateMessageResult)
        return said(f"LLM response: {found.content}")

    @server.tool(description="Asks the client's user.")
    async def test_elicitation(message: str, context: Ctx) -> CallToolResult:
        fields = {"username": {"type": "string"}, "email": {"type": "string"}}
        return said(f"User response: {await _elicited(context, message, fields, required=True)}")

    @server.tool(description="Asks with default values.")
    async def test_elicitation_sep1034_defaults(context: Ctx) -> CallToolResult:
        fields = {
            "name": {"type": "string", "default": "John Doe"},
            "age": {"type": "integer", "default": 30},
            "score": {"type": "number", "default": 95.5},
            "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
            "verified": {"type": "boolean", "default": True},
        }
        return said(f"Elicitation completed: {await _elicited(context, 'Defaults', fields)}")

    @server.tool(description="Asks with every kind of list to choose from.")
    async def test_elicitation_sep1330_enums(context: Ctx) -> CallToolResult:
        options = ["option1", "option2", "option3"]
        titled = [{"const": f"value{n}", "title": f"{name} Option"} for n, name in enumerate("ABC", 1)]
        fields = {
            "untitledSingle": {"type": "string", "enum": options},
            "titledSingle": {"type": "string", "oneOf": titled},
            "legacyEnum": {"type": "string", "enum": ["opt1", "opt2"], "enumNames": ["One", "Two"]},
            "untitledMulti": {"type": "array", "items": {"type": "string", "enum": options}},
            "titledMulti": {"type": "array", "items": {"anyOf": titled}},
        }
        return said(f"Elicitation completed: {await _elicited(context, 'Lists', fields)}")


def _diagnostics(server: MCPServer[Any]) -> None:
    @server.tool(description="Needs a model at the client.")
    async def test_missing_capability(context: Ctx) -> CallToolResult:
        able = context.client_capabilities
        if able is None or able.sampling is None:
            raise MCPError(
                MISSING_CAPABILITY, "This takes sampling.", data={"requiredCapabilities": {"sampling": {}}}
            )
        return said("Done.")

    @server.tool(description="Asks while its response streams.")
    async def test_streaming_elicitation(context: Ctx) -> Answer:
        await context.report_progress(1)
        return InputRequiredResult(input_requests={"user_name": form("What is your name?", "name")})

    @server.tool(description="Logs nothing unless it was asked to.")
    async def test_logging_tool(context: Ctx) -> CallToolResult:
        await context.report_progress(1)
        return said("Done.")


def _resources(server: MCPServer[Any]) -> None:
    @server.resource("test://static-text", description="A text.", mime_type="text/plain")
    def static_text() -> str:
        return "This is the content of the static text resource."

    @server.resource("test://static-binary", description="An image.", mime_type="image/png")
    def static_binary() -> bytes:
        return base64.b64decode(PIXEL)

    @server.resource("test://template/{id}/data", description="A record.", mime_type="application/json")
    def template(id: str) -> str:  # noqa: A002
        return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})


def _prompts(server: MCPServer[Any]) -> None:
    image = ImageContent(type="image", data=PIXEL, mime_type="image/png")

    @server.prompt(description="Has no arguments.")
    def test_simple_prompt() -> str:
        return "This is a simple prompt for testing."

    @server.prompt(description="Has two arguments.")
    def test_prompt_with_arguments(arg1: str, arg2: str) -> str:
        return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"

    @server.prompt(description="Holds a resource.")
    def test_prompt_with_embedded_resource(resourceUri: str) -> list[UserMessage]:  # noqa: N803
        embedded = _embedded(resourceUri, "text/plain", "Embedded resource content for testing.")
        return [UserMessage(embedded), UserMessage("Please process the embedded resource above.")]

    @server.prompt(description="Holds an image.")
    def test_prompt_with_image() -> list[UserMessage]:
        return [UserMessage(image), UserMessage("Please analyze the image above.")]

    @server.prompt(description="Asks for its context.")
    async def test_input_required_result_prompt(context: Ctx) -> str | InputRequiredResult:
        found = filled(context, "user_context", "context")
        if found:
            return f"Use this context: {found}"
        asked = form("What context should the prompt use?", "context")
        return InputRequiredResult(input_requests={"user_context": asked})

    @server.completion()  # type: ignore[no-untyped-call, untyped-decorator] # the library has no types here
    async def complete(ref: object, argument: Any, context: object) -> Completion:
        places = [place for place in ("paris", "park", "party") if place.startswith(argument.value)]
        return Completion(values=places, total=len(places), has_more=False)


async def _elicited(context: Ctx, message: str, fields: Mapping[str, Any], *, required: bool = False) -> str:
    schema = {"type": "object", "properties": dict(fields), "required": list(fields) if required else []}
    related = context.request_context.request_id
    found = await context.session.elicit_form(message, schema, related)
    return f"action={found.action}, content={json.dumps(found.content)}"


def _embedded(uri: str, mime: str, text: str) -> EmbeddedResource:
    return EmbeddedResource(
        type="resource", resource=TextResourceContents(uri=uri, mime_type=mime, text=text)
    )
