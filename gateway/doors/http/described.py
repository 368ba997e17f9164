"""How routes describe themselves in OpenAPI: bodies with examples, replies by status, problems, events."""

from typing import Any

from gateway.doors.http.problem import Problem
from gateway.doors.http.request import EVENTS
from gateway.doors.status import DRAFTS, OUTCOMES
from gateway.reply import DraftReply, Reply
from metric_layer.record import Record

EVERYWHERE = (401, 403, 404, 421, 422, 429, 500, 503)
WITH_BODY = (400, 408, 413, 415)
Responses = dict[int | str, dict[str, Any]]


def documented(
    model: type[Record],
    *,
    posted: bool = True,
    cached: bool = False,
    events: bool = False,
    problems: tuple[int, ...] = (),
) -> Responses:
    """Return what a route may answer: its replies by the status of the table, and problems."""
    replies: dict[int, type[Record]] = {200: model}
    if issubclass(model, Reply):
        replies |= {row.http: model for outcome, row in OUTCOMES.items() if outcome != "left"}
    if model is DraftReply:
        replies |= {row.http: model for row in DRAFTS.values()}
    with_body = WITH_BODY if posted and not cached else ()
    listed = (*EVERYWHERE, *with_body, *problems)
    found: Responses = {status: {"model": Problem} for status in listed}
    for status, shape in replies.items():
        found[status] = {"model": shape}
    if cached:
        found[200]["headers"] = {"ETag": _ETAG, "Cache-Control": _CACHED}
        found[304] = {"description": "What If-None-Match names is still the newest."}
    if events:
        found[200]["content"] = {EVENTS: {"schema": {"type": "string"}, "example": _STREAM}}
    return found


def body(schema: dict[str, Any], **examples: dict[str, Any]) -> dict[str, Any]:
    """Return the description of a JSON body, with an example for each case that is named."""
    shown = {name: {"value": value} for name, value in examples.items()}
    content = {"schema": schema, **({"examples": shown} if shown else {})}
    return {"requestBody": {"required": True, "content": {"application/json": content}}}


_ETAG = {"schema": {"type": "string"}, "description": "Send it as If-None-Match and get 304 while it holds."}
_CACHED = {"schema": {"type": "string", "const": "private, no-cache"}}
_STREAM = 'event: stage\ndata: {"stage": "resolve"}\n\nevent: reply\ndata: {"outcome": "answered"}\n\n'
