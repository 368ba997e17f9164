"""The response to a call that tells nothing on its way: JSON, and a stream of events where it takes long."""

import asyncio
from contextlib import suppress

from starlette.types import Message, Send

ALIVE_SECONDS = 15.0
"""How long nothing is sent: proxies close what is silent for longer."""
ALIVE = b": ping\r\n\r\n"
STREAM = b"text/event-stream"
HEADERS = [
    (b"content-type", STREAM),
    (b"cache-control", b"no-cache, no-transform"),
    (b"x-accel-buffering", b"no"),
]


class LateResponse:
    """Sends a whole response as it is while nothing of it was sent, else as the last event of a stream.

    A stream begins after so many `seconds`; None is for a client that takes none, however long it takes.
    """

    def __init__(self, send: Send, seconds: float | None = ALIVE_SECONDS) -> None:
        self._out = send
        self._seconds = seconds
        self._timer: asyncio.TimerHandle | None = None
        self._over = asyncio.Event()
        self._keeping: asyncio.Task[None] | None = None

    def __enter__(self) -> "LateResponse":
        if self._seconds is not None:
            self._timer = asyncio.get_running_loop().call_later(self._seconds, self._begin, self._seconds)
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        if self._timer is not None:
            self._timer.cancel()

    async def send(self, message: Message) -> None:
        """Send a part of the response: its start, or its one body.

        What the stream is just sending goes out whole before it.
        """
        self.__exit__()
        if self._keeping is not None:
            await asyncio.shield(self._keeping)
        if self._keeping is None:
            await self._out(message)
        elif message["type"] == "http.response.body":
            data = b"event: message\r\ndata: %b\r\n\r\n" % message["body"]
            await self._out({"type": "http.response.body", "body": data, "more_body": False})

    def _begin(self, seconds: float) -> None:
        self._keeping = asyncio.ensure_future(self._keep_alive(seconds))

    async def _keep_alive(self, seconds: float) -> None:
        """Begin the stream and keep it alive until the response is there; no send is cut off."""
        await self._out({"type": "http.response.start", "status": 200, "headers": HEADERS})
        while not self._over.is_set():
            await self._out({"type": "http.response.body", "body": ALIVE, "more_body": True})
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._over.wait()
