"""Results that are JSON already, on their way through the MCP stack over HTTP.

The stack copies and checks a result three times before it writes it, text and structured content apart. Ours
is written once, by its own model. So a mark goes through the stack in its place, and as the response leaves,
the mark gives way to what was written.
"""

import json
from secrets import token_hex
from typing import Any

from mcp.server import ServerRequestContext
from mcp_types import CallToolResult, TextContent
from starlette.types import Message, Scope, Send

KEY = "cellbound.written"
LENGTH = b"content-length"
LINE_ENDS = "\x85\u2028\u2029"
"""What may stand in JSON as it is, and ends a line for some."""


class Written:
    """What is written already for one request, by the mark that stands for it. Marks cannot be guessed."""

    def __init__(self) -> None:
        self._waiting: dict[bytes, bytes] = {}
        self._start: Message | None = None

    def result(self, text: str, *, is_error: bool) -> CallToolResult:
        """Return the tool result that stands for one JSON object, as structured content and as text."""
        whole, quoted = token_hex(16), token_hex(16)
        self._waiting[f'{{"{whole}":0}}'.encode()] = _on_one_line(text).encode()
        self._waiting[f'"{quoted}"'.encode()] = json.dumps(text).encode()
        return CallToolResult(
            is_error=is_error,
            structured_content={whole: 0},
            content=[TextContent(type="text", text=quoted)],
        )

    def sending(self, send: Send) -> Send:
        """Return a send in which every mark gives way to what it stands for."""

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start" and self._waiting:
                self._start = message
                return
            if message["type"] == "http.response.body":
                message = self._placed(message)
                if self._start is not None:
                    start, self._start = self._start, None
                    await send(_measured(start, message))
            await send(message)

        return told

    def _placed(self, message: Message) -> Message:
        body = message.get("body", b"")
        placed = [mark for mark in self._waiting if mark in body]
        for mark in placed:
            body = body.replace(mark, self._waiting.pop(mark))
        return {**message, "body": body} if placed else message


def written_in(context: ServerRequestContext[Any, Any]) -> Written | None:
    """Return where results of a request are kept that are written already; None but over HTTP."""
    scope: Scope = getattr(context.request, "scope", {})
    found = scope.get(KEY)
    return found if isinstance(found, Written) else None


def _on_one_line(text: str) -> str:
    """Return JSON in which nothing ends a line for any reader of event streams."""
    if text.isascii():
        return text
    for end in LINE_ENDS:
        text = text.replace(end, f"\\u{ord(end):04x}")
    return text


def _measured(start: Message, body: Message) -> Message:
    """Return the start of a response whose length, where it is told, is that of its one body."""
    length = str(len(body["body"])).encode()
    headers = [(name, length if name == LENGTH else value) for name, value in start["headers"]]
    return {**start, "headers": headers}
