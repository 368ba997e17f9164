"""Says `busy` to a question that has no place and may not wait for one, before its body is read."""

from collections.abc import Sequence

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from gateway.doors.counters import Counters
from gateway.doors.fair_queue import FULL
from gateway.doors.http.credentials import Credentials, caller_in
from gateway.doors.http.faults import house_fault
from gateway.doors.http.host import are_known, hosts_in
from gateway.doors.http.problem import Written, written
from gateway.doors.http.rate import Rates
from gateway.doors.http.routes import QUESTIONS
from gateway.doors.workers import Workers
from gateway.errors import Busy


class Admission:
    """Refuses at the door what the queue would refuse: the same answer, without the work before it."""

    def __init__(self, app: ASGIApp, workers: Workers) -> None:
        self._app = app
        self._workers = workers
        self._refused = busy()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or pass the request on."""
        if scope["type"] == "http" and asks(scope):
            caller = caller_in(scope)
            if caller is not None and self._workers.refuses(caller):
                await self._refused(scope, receive, send)
                return
        await self._app(scope, receive, send)


class EarlyAdmission:
    """Says `busy` as soon as the head of a question is read, in the words and on the terms of the long way.

    Under overload most requests end here: no task is started for them, so they wait for nobody. Where it
    takes more to know who asks, or where another answer is due, the long way gives it.
    """

    def __init__(
        self,
        credentials: Credentials,
        workers: Workers,
        rates: Rates,
        counters: Counters,
        allowed_hosts: Sequence[str],
    ) -> None:
        self._credentials = credentials
        self._workers = workers
        self._rates = rates
        self._counters = counters
        self._hosts = tuple(allowed_hosts)
        response = busy()
        self._status = response.status_code
        self._said = written(response)

    def __call__(self, scope: Scope) -> Written | None:
        """Return the whole answer to a request that is refused here; None for any other."""
        if not self._workers.full or not asks(scope):
            return None
        headers = Headers(scope=scope)
        caller = self._credentials.listed(headers) if are_known(hosts_in(headers), self._hosts) else None
        if caller is None or self._rates.wait(caller)[0] or not self._workers.refuses(caller):
            return None
        self._rates.take(caller)
        self._counters.response(self._status)
        return self._said


def asks(scope: Scope) -> bool:
    """Say whether a request is a question."""
    return bool(scope["path"] == QUESTIONS and scope["method"] == "POST")


def busy() -> Response:
    """Return what is said to a question that has no place and may not wait for one."""
    return house_fault(Busy((FULL,)))
