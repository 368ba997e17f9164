"""How routes describe themselves in OpenAPI: bodies with examples, replies by status, problems, events."""

from functools import cache
from typing import Any

from gateway.doors.http.problem import MEDIA_TYPE, Problem
from gateway.doors.http.request import EVENTS
from gateway.doors.schemas import Schema, inlined
from gateway.doors.status import DRAFTS, OUTCOMES
from gateway.reply import DraftReply, Reply
from metric_layer.record import Record

EVERYWHERE = (401, 403, 404, 421, 422, 429, 500, 503)
WITH_BODY = (400, 408, 413, 415)
SCHEMAS = "#/components/schemas/"
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
    found = problem_responses(*with_body, *problems)
    found |= {status: _referring("application/json", shape) for status, shape in replies.items()}
    found[200] = {"model": model}
    if cached:
        found[200]["headers"] = {"ETag": _ETAG, "Cache-Control": _CACHED}
        found[304] = {"description": "What If-None-Match names is still the newest."}
    if events:
        found[200]["content"] = {EVENTS: {"schema": {"type": "string"}, "example": _STREAM}}
    return found


def problem_responses(*statuses: int) -> Responses:
    """Return the problems that every route may answer, and those with `statuses`.

    The description of the application holds their schema.
    """
    return {status: _referring(MEDIA_TYPE, Problem) for status in (*EVERYWHERE, *statuses)}


def _referring(media: str, model: type[Record]) -> dict[str, Any]:
    """Return a response that refers to a schema: of a `model` FastAPI makes a validator, for every status."""
    return {"content": {media: {"schema": {"$ref": SCHEMAS + model.__name__}}}}


@cache
def schema_of(model: type[Record]) -> Schema:
    """Return the schema of a body. It is made once: whoever has it shares it, and changes nothing in it."""
    return inlined(model.model_json_schema())


def body(schema: dict[str, Any], **examples: dict[str, Any]) -> dict[str, Any]:
    """Return the description of a JSON body, with an example for each case that is named."""
    shown = {name: {"value": value} for name, value in examples.items()}
    content = {"schema": schema, **({"examples": shown} if shown else {})}
    return {"requestBody": {"required": True, "content": {"application/json": content}}}


_ETAG = {"schema": {"type": "string"}, "description": "Send it as If-None-Match and get 304 while it holds."}
_CACHED = {"schema": {"type": "string", "const": "private, no-cache"}}
_STREAM = 'event: stage\ndata: {"stage": "resolve"}\n\nevent: reply\ndata: {"outcome": "answered"}\n\n'
