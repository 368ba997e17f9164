"""A question as a stream of events (SSE): the name of every stage as it begins, and the reply last."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any

from fastapi import Request
from starlette.responses import Response, StreamingResponse

from gateway.cancellation import Cancellation
from gateway.doors.faults import FAULTS, refusal_for, status_for
from gateway.doors.http.problem import problem_of
from gateway.doors.http.reads import Reads
from gateway.doors.http.request import EVENTS
from gateway.doors.status import status_of
from gateway.reply import Refusal
from metric_layer.record import Record

HEARTBEAT = 10.0
DEFECT = 500
HEADERS = {"Cache-Control": "private, no-store", "X-Accel-Buffering": "no"}
ALIVE = b": alive\n\n"


async def events_of(
    request: Request, reads: Reads, asked: Callable[[Cancellation], Record], heartbeat: float = HEARTBEAT
) -> Response:
    """Return the stream of a question. It begins with the question's first stage.

    What is refused before that is a problem with its own status, as without events; a caller who hangs up
    stops the question.
    """
    progress = _Progress(reads, asked)
    try:
        begun = await progress.begun(request)
    except BaseException:
        progress.stop()
        raise
    if not begun:
        progress.stop()
        return reads.left()
    return StreamingResponse(progress.events(request, heartbeat), 200, HEADERS, EVENTS)


class _Progress:
    """One running question and the stages that it has told of."""

    def __init__(self, reads: Reads, asked: Callable[[Cancellation], Record]) -> None:
        self._loop = asyncio.get_running_loop()
        self._reads = reads
        self._stages: asyncio.Queue[str] = asyncio.Queue()
        self._first = ""
        cancellation = Cancellation(self._hear)
        work = partial(asked, cancellation)
        self._running = asyncio.ensure_future(reads.workers.call(work, cancellation))

    def _hear(self, stage: str) -> None:
        self._loop.call_soon_threadsafe(self._stages.put_nowait, stage)

    def stop(self) -> None:
        """Stop the question, unless it has ended."""
        self._running.cancel()

    async def begun(self, request: Request) -> bool:
        """Wait until the question begins; False where the caller hung up. Raises what it was refused with."""
        leaving = asyncio.ensure_future(_left(request))
        hearing = asyncio.ensure_future(self._stages.get())
        try:
            await asyncio.wait({self._running, hearing, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            leaving.cancel()
            hearing.cancel()
        if hearing.done() and not hearing.cancelled():
            self._first = hearing.result()
            return True
        if self._running.done():
            self._running.result()
            return True
        return False

    async def events(self, request: Request, heartbeat: float) -> AsyncIterator[bytes]:
        """Yield the stages as they come, a comment now and then, and in the end what became of it."""
        leaving = asyncio.ensure_future(_left(request))
        try:
            if self._first:
                yield _event("stage", json.dumps({"stage": self._first}))
            async for stage in self._further(leaving, heartbeat):
                yield _event("stage", json.dumps({"stage": stage})) if stage else ALIVE
            if self._running.done():
                yield self._last()
        finally:
            leaving.cancel()
            self.stop()

    async def _further(self, leaving: "asyncio.Future[None]", heartbeat: float) -> AsyncIterator[str]:
        """Yield each stage, and nothing where none came for a while; end where the caller hung up."""
        while not leaving.done() and not (self._running.done() and self._stages.empty()):
            hearing = asyncio.ensure_future(self._stages.get())
            awaited: set[asyncio.Future[Any]] = {self._running, hearing, leaving}
            await asyncio.wait(awaited, timeout=heartbeat, return_when=asyncio.FIRST_COMPLETED)
            if hearing.done():
                yield hearing.result()
                continue
            hearing.cancel()
            if not self._running.done() and not leaving.done():
                yield ""

    def _last(self) -> bytes:
        fault = self._running.exception()
        if isinstance(fault, Exception):
            status = status_for(fault).http if isinstance(fault, FAULTS) else DEFECT
            return _event("problem", problem_of(status, refusal_for(fault).issues).model_dump_json())
        found = self._running.result()
        self._reads.counted(found)
        if isinstance(found, Refusal):
            return _event("problem", problem_of(status_of(found).http, found.issues).model_dump_json())
        return _event("reply", found.model_dump_json(by_alias=True))


def _event(name: str, data: str) -> bytes:
    """Return an event; JSON has no line breaks of its own."""
    return f"event: {name}\ndata: {data}\n\n".encode()


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        continue
