"""The head of a response and the beginning of its body leave in one piece."""

import asyncio

from uvicorn.protocols.http.httptools_impl import RequestResponseCycle


class Joined(asyncio.Transport):
    """What one response is written to: its head waits for what comes first of its body.

    Of two pieces, whoever asked would be woken by the first one, to wait for the second. A body that takes
    longer than this turn of the loop is not waited for.
    """

    def __init__(
        self, transport: asyncio.Transport, cycle: RequestResponseCycle, loop: asyncio.AbstractEventLoop
    ) -> None:
        super().__init__()
        self._transport = transport
        self._cycle = cycle
        self._loop = loop
        self._head = b""
        # To a HEAD no body comes, and the next response may be written before this turn ends.
        self._joins = cycle.scope["method"] != "HEAD"

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send a piece; the first one of a response with the next."""
        if self._joins and self._cycle.response_started:
            self._joins = False
            self._head = bytes(data)
            self._loop.call_soon(self._flush)
            return
        head, self._head = self._head, b""
        self._transport.write(head + data if head else data)

    def close(self) -> None:
        """Close once all is sent."""
        self._flush()
        self._transport.close()

    def is_closing(self) -> bool:
        """Say whether it closes or is closed."""
        return self._transport.is_closing()

    def _flush(self) -> None:
        head, self._head = self._head, b""
        if head and not self._transport.is_closing():
            self._transport.write(head)
