"""What a balancer asks: does the process run, and can it answer."""

import asyncio
import time
from collections.abc import Callable

from fastapi import FastAPI
from starlette.responses import JSONResponse, Response

from gateway.doors.face import Face
from gateway.reply import Finding, Readiness

READY_SECONDS = 1.0


class _Probe:
    """Asks the house whether it is ready at most once a second, however often that is called from outside."""

    def __init__(self, face: Face) -> None:
        self._face = face
        self._lock = asyncio.Lock()
        self._at = float("-inf")
        self._last = Readiness(ready=False, findings=())

    async def readiness(self) -> Readiness:
        async with self._lock:
            if time.monotonic() - self._at > READY_SECONDS:
                self._last = await asyncio.to_thread(self._face.ready)
                self._at = time.monotonic()
            return self._last


def add_health(app: FastAPI, face: Face, lost: Callable[[], tuple[Finding, ...]]) -> None:
    """Give an application the two routes of health; both are open and tell of nobody.

    `lost` is asked on the thread of the loop for what is wrong with this process besides the house.
    """
    probe = _Probe(face)

    @app.get("/health/live", operation_id="live")
    async def live() -> Response:
        """Say that the process runs."""
        return JSONResponse({"live": True})

    @app.get("/health/ready", operation_id="ready", responses={503: {"description": "Not ready."}})
    async def ready() -> Response:
        """Say whether questions can be answered, part by part; details are for `cellbound doctor`.

        Files that were changed and are wrong are named by code and place: the last good set answers.
        """
        house, own = await probe.readiness(), lost()
        findings = (*house.findings, *own)
        is_ready = house.ready and not any(finding.needed for finding in own)
        parts = {finding.name: finding.ok for finding in findings}
        issues = [{"code": i.code, "place": i.place} for finding in findings for i in finding.issues]
        said = {"ready": is_ready, "parts": parts, **({"issues": issues} if issues else {})}
        return JSONResponse(said, 200 if is_ready else 503)
