"""Calls over HTTP that run in this process, so that a client of the handshake's era can take one back.

Such a client says so in a request of its own. Nothing of a session is kept: its id is only a name, so that
two clients of one person whose calls have the same number do not stop each other's.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from mcp.server import ServerRequestContext

from gateway.cancellation import Cancellation
from traces.records import Caller

SESSION = "mcp-session-id"
LONGEST = 200


@dataclass(frozen=True, slots=True)
class Call:
    """One call: whose, in which session, and its number as JSON."""

    tenant: str
    user: str
    session: str
    number: str


def call_of(caller: Caller, session: str, number: object) -> Call | None:
    """Return a call's name; None outside a session, or for a number that is none."""
    if not session or len(session) > LONGEST or not isinstance(number, int | str):
        return None
    return Call(caller.tenant, caller.user, session, json.dumps(number)[:LONGEST])


def running_call(caller: Caller, context: ServerRequestContext[Any, Any]) -> Call | None:
    """Return the name of the call that a tool works on."""
    headers = getattr(context.request, "headers", None)
    session = headers.get(SESSION, "") if isinstance(headers, Mapping) else ""
    return call_of(caller, session, context.request_id)


class Calls:
    """What runs now, by its name."""

    def __init__(self) -> None:
        self._running: dict[Call, Cancellation] = {}

    @contextmanager
    def running(self, call: Call | None, cancellation: Cancellation) -> Iterator[None]:
        """Let a call be taken back while the block runs."""
        if call is None:
            yield
            return
        self._running[call] = cancellation
        try:
            yield
        finally:
            if self._running.get(call) is cancellation:
                del self._running[call]

    def take_back(self, call: Call | None) -> None:
        """Stop a call, if it runs here."""
        found = self._running.get(call) if call is not None else None
        if found is not None:
            found.cancel()
