"""Tells a caller whose request is cancelled because the server ends, instead of calling it a defect."""

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway.doors.http.problem import problem
from gateway.reply import ReplyIssue

ENDING = ReplyIssue(
    code="server_ending",
    message="The server ends, and the question was stopped.",
    stage="house",
    next_step="Ask again; another server answers, or this one once it is back.",
)


class Ending:
    """Answers 503 where the server cancels a request before its answer began."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        begun = False

        async def noting(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, noting)
        except asyncio.CancelledError:
            if scope["type"] != "http":
                raise
            if not begun:
                await problem(503, (ENDING,), {"Connection": "close", "Retry-After": "5"})(
                    scope, receive, send
                )
