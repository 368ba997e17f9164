"""Bounds a request before anybody reads it: so many bytes, so many seconds."""

import asyncio

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway.doors.http.problem import problem
from gateway.reply import ReplyIssue

SECONDS = 20.0


class BodyLimit:
    """Reads the whole body first, up to a limit; bodies here are plans and drafts, never uploads."""

    def __init__(self, app: ASGIApp, limit: int, seconds: float = SECONDS) -> None:
        self._app = app
        self._limit = limit
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 413 or 408, or pass the request on with its body in hand."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            async with asyncio.timeout(self._seconds):
                whole = await self._read(scope, receive)
        except TimeoutError:
            await _slow(self._seconds)(scope, receive, send)
            return
        if whole is None:
            await _too_large(self._limit)(scope, receive, send)
        elif whole["type"] == "http.request":
            await self._app(scope, _replay(whole, receive), send)

    async def _read(self, scope: Scope, receive: Receive) -> Message | None:
        """Return the body as one message, None when it is too large, or the message that the caller left."""
        declared = Headers(scope=scope).get("content-length", "")
        if declared.isdecimal() and int(declared) > self._limit:
            return None
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return message
            body += message.get("body", b"")
            if len(body) > self._limit:
                return None
            if not message.get("more_body", False):
                return {"type": "http.request", "body": bytes(body), "more_body": False}


def _replay(whole: Message, receive: Receive) -> Receive:
    waiting = [whole]

    async def next_message() -> Message:
        return waiting.pop() if waiting else await receive()

    return next_message


def _too_large(limit: int) -> Response:
    issue = ReplyIssue(
        code="body_too_large",
        message=f"The request body is larger than {limit} bytes.",
        stage="input",
        threshold=str(limit),
        next_step="Send a smaller plan or draft.",
    )
    return problem(413, (issue,), {"Connection": "close"})


def _slow(seconds: float) -> Response:
    issue = ReplyIssue(
        code="body_too_slow",
        message=f"The request body did not arrive within {seconds:g} seconds.",
        stage="input",
        threshold=f"{seconds:g}",
        next_step="Send the request again in one piece.",
    )
    return problem(408, (issue,), {"Connection": "close"})
