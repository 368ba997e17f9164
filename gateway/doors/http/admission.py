"""Says `busy` to a question that has no place and may not wait for one, before its body is read."""

from starlette.types import ASGIApp, Receive, Scope, Send

from gateway.doors.fair_queue import FULL
from gateway.doors.http.credentials import caller_in
from gateway.doors.http.faults import house_fault
from gateway.doors.http.routes import QUESTIONS
from gateway.doors.workers import Workers
from gateway.errors import Busy


class Admission:
    """Refuses at the door what the queue would refuse: the same answer, without the work before it."""

    def __init__(self, app: ASGIApp, workers: Workers) -> None:
        self._app = app
        self._workers = workers
        self._refused = house_fault(Busy((FULL,)))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or pass the request on."""
        if scope["type"] == "http" and scope["path"] == QUESTIONS and scope["method"] == "POST":
            caller = caller_in(scope)
            if caller is not None and self._workers.refuses(caller):
                await self._refused(scope, receive, send)
                return
        await self._app(scope, receive, send)
