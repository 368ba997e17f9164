"""Waits for a decision without keeping a worker thread: it looks, gives the thread back, and looks again."""

import asyncio
from functools import partial

from gateway.doors.hold_face import HoldFace
from gateway.doors.workers import Workers
from traces.records import Caller

LOOK_SECONDS = 0.5
LONGEST_WAIT = 50.0
"""Below the minute after which many clients give a call up."""


async def until_decided(
    face: HoldFace, workers: Workers, caller: Caller, hold_id: str, seconds: float
) -> None:
    """Return once a hold waits no more, or after `seconds`. A caller who leaves ends it by cancelling."""
    loop = asyncio.get_running_loop()
    until = loop.time() + min(seconds, LONGEST_WAIT)
    while (left := until - loop.time()) > 0:
        if not await workers.call(partial(face.hold_waits, caller, hold_id)):
            return
        await asyncio.sleep(min(LOOK_SECONDS, left))
