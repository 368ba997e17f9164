"""Progress over MCP: the name of each stage as a question gets there, for clients that asked for it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from mcp.server import ServerRequestContext

from gateway.cancellation import Cancellation

LAST = ""


class Progress:
    """The stages of one call, told in their order and all of them before its result.

    The count goes on over the rounds of a call that asks back. Without a progress token nothing is told.
    """

    def __init__(self, context: ServerRequestContext[Any, Any]) -> None:
        self.context = context
        self._wanted = (context.meta or {}).get("progress_token") is not None
        self._count = 0

    @asynccontextmanager
    async def told(self) -> AsyncIterator[Cancellation]:
        """Give the cancellation of a question whose stages are told while the block runs."""
        if not self._wanted:
            yield Cancellation()
            return
        loop = asyncio.get_running_loop()
        stages: asyncio.Queue[str] = asyncio.Queue()

        def hear(stage: str) -> None:
            loop.call_soon_threadsafe(stages.put_nowait, stage)

        telling = asyncio.ensure_future(self._tell(stages))
        try:
            yield Cancellation(hear)
            stages.put_nowait(LAST)
            await telling
        finally:
            telling.cancel()

    async def _tell(self, stages: "asyncio.Queue[str]") -> None:
        while (stage := await stages.get()) != LAST:
            self._count += 1
            await self.context.session.report_progress(self._count, message=stage)
