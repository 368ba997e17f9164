"""What every route takes from a request: who asks, the JSON of the body, an idempotency key."""

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.routing import APIRoute
from fastapi.security import HTTPBearer
from starlette.responses import Response

from gateway.asking import MOST_ID
from gateway.doors.http.auth import current_caller
from gateway.doors.http.problem import problem
from gateway.doors.json_input import BadJson, read_json
from gateway.reply import ReplyIssue, issue_of
from metric_layer.issues import Issue
from metric_layer.vocabulary import near
from traces.records import Caller

EVENTS = "text/event-stream"


class Rejected(Exception):
    """A request that is no request: its response is ready."""

    def __init__(self, response: Response) -> None:
        super().__init__("rejected")
        self.response = response


async def asking() -> Caller:
    """Return who is asking: on the loop, for a plain function would be sent through a thread."""
    return current_caller()


Asking = Annotated[Caller, Depends(asking)]
"""Who is asking; the token was checked before the route was found."""


async def json_body(request: Request) -> object:
    """Return the JSON of a request. Raises Rejected for any other body."""
    kind = request.headers.get("content-type", "application/json").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Rejected(problem(415, (issue_of(_NOT_JSON_TYPE, "input"),)))
    try:
        return read_json(await request.body(), "body")
    except BadJson as fault:
        raise Rejected(problem(400, (issue_of(fault.issue, "input"),))) from fault


def idempotency_key(request: Request) -> str:
    """Return the key of a request; empty without one. Raises Rejected for one that nobody can keep."""
    key = request.headers.get("idempotency-key")
    if key is None:
        return ""
    if not key.strip() or len(key) > MOST_ID or not key.isprintable():
        raise Rejected(problem(400, (issue_of(_BAD_KEY, "input"),)))
    return key


async def known_query(request: Request) -> None:
    """Let a request through whose query its route knows. Raises Rejected for any other parameter."""
    if not request.scope["query_string"]:
        return
    route = request.scope.get("route")
    known = _query_names(route) if isinstance(route, APIRoute) else ()
    strange = [name for name in dict.fromkeys(request.query_params) if name not in known]
    if strange:
        raise Rejected(problem(422, tuple(_unknown_parameter(name, known) for name in strange)))


def versioned() -> APIRouter:
    """Return a router for routes under /v1: each looks at its query first, and says that it takes a token."""
    return APIRouter(prefix="/v1", dependencies=[Depends(known_query), Depends(HTTPBearer(auto_error=False))])


def _query_names(route: APIRoute) -> tuple[str, ...]:
    return tuple(each.alias for each in route.dependant.query_params)


def _unknown_parameter(name: str, known: Sequence[str]) -> ReplyIssue:
    close = near(name, known)
    listed = f"This route takes: {', '.join(known)}." if known else "This route takes none: leave it out."
    return ReplyIssue(
        code="unknown_argument",
        message="The query has a parameter that this route does not know.",
        stage="input",
        path=f"/query/{name[:100]}",
        seen=name[:100],
        candidates=close,
        next_step=f"Did you mean {close[0]}?" if close else listed,
    )


def wants_events(request: Request) -> bool:
    """Say whether the caller wants to hear of every stage as the question gets there."""
    named = request.headers.get("accept", "").split(",")
    return any(each.partition(";")[0].strip().lower() == EVENTS for each in named)


KEY: dict[str, Any] = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "The same key with the same request gets the same reply for an hour; nothing runs again.",
    "schema": {"type": "string", "minLength": 1, "maxLength": MOST_ID},
}
_BAD_KEY = Issue(
    code="bad_idempotency_key",
    message=f"An Idempotency-Key is 1 to {MOST_ID} printable characters.",
    next_step="Send a fresh UUID with each new question.",
)
_NOT_JSON_TYPE = Issue(
    code="not_json",
    message="The body must be application/json.",
    next_step="Send `Content-Type: application/json`.",
)
