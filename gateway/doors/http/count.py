"""Counts HTTP responses by status."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway.doors.counters import Counters


class CountResponses:
    """Counts every response as its first byte leaves."""

    def __init__(self, app: ASGIApp, counters: Counters) -> None:
        self._app = app
        self._counters = counters

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and count what comes back."""

        async def counting(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._counters.response(message["status"])
            await send(message)

        await self._app(scope, receive, counting if scope["type"] == "http" else send)
