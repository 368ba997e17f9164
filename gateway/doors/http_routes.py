"""The /v1 routes: a request in, one verb of the house, its result out with the status of the table."""

import json
from collections.abc import Callable, Mapping
from functools import partial
from hashlib import sha256
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi.security import HTTPBearer
from pydantic import Field, ValidationError
from starlette.responses import Response

from gateway.asking import MOST_ID
from gateway.cancellation import Cancellation
from gateway.doors.ask_body import AskBody, argument_issues, pydantic_errors, split_ask
from gateway.doors.counters import Counters
from gateway.doors.face import Face
from gateway.doors.faults import unknown_trace
from gateway.doors.http_auth import current_caller
from gateway.doors.http_leaver import unless_left
from gateway.doors.http_problem import Problem, problem
from gateway.doors.json_input import BadJson, read_json
from gateway.doors.schemas import inlined, plan_schema, words_schema
from gateway.doors.status import DRAFTS, OUTCOMES, status_of
from gateway.doors.workers import Workers
from gateway.reply import DraftReply, MetricCard, MetricList, Refusal, Reply, TraceView, issue_of
from metric_layer.issues import Issue
from metric_layer.record import Record
from traces.records import Caller


class DraftBody(Record):
    """A draft to check, the traces it rests on, the figures for code to compute, and its accepted hold."""

    draft: str
    trace_ids: Annotated[tuple[str, ...], Field(min_length=1, max_length=20)]
    declare: tuple[Mapping[str, Any], ...] = ()
    approval_id: Annotated[str, Field(max_length=MOST_ID)] = ""


class Rejected(Exception):
    """A request that is no request: its response is ready."""

    def __init__(self, response: Response) -> None:
        super().__init__("rejected")
        self.response = response


Asking = Annotated[Caller, Depends(current_caller)]
"""Who is asking; the token was checked before the route was found."""


class Routes:
    """The routes over one house, as methods."""

    def __init__(self, face: Face, workers: Workers, counters: Counters) -> None:
        self._face = face
        self._workers = workers
        self._counters = counters

    async def ask(self, request: Request, caller: Asking) -> Response:
        """Answer a metric plan or a question in words.

        The plan stands under `plan`, or its own keys stand flat; the words stand under `question`. With an
        `Idempotency-Key`, the same request sent again within an hour gets the same reply, and nothing runs.
        """
        body, key = await json_body(request), _idempotency_key(request)
        asked = split_ask(body)
        if not isinstance(asked, AskBody):
            return respond(Reply(outcome="invalid_plan", issues=asked))
        cancellation = Cancellation()
        work = partial(asked.asked, self._face, caller, "http", cancellation)
        if key:
            digest = sha256(json.dumps(body, sort_keys=True, default=str).encode()).hexdigest()
            work = partial(self._face.once, caller, key, digest, work)
        return await self._run(request, work, cancellation)

    async def check_answer(self, request: Request, caller: Asking) -> Response:
        """Check a draft: every number must have its cell."""
        try:
            body = DraftBody.model_validate(await json_body(request))
        except ValidationError as fault:
            return respond(DraftReply(outcome="invalid", issues=argument_issues(pydantic_errors(fault))))
        sent = body.draft, body.trace_ids, body.declare, body.approval_id
        work = partial(self._face.check_answer, caller, *sent)
        return await self._run(request, work)

    async def list_metrics(
        self,
        request: Request,
        caller: Asking,
        search: str = "",
        limit: Annotated[int, Query(ge=1, le=200)] = 50,
    ) -> Response:
        """List the metrics the caller may ask for."""
        return await self._run(request, partial(self._face.list_metrics, caller, search, limit))

    async def describe_metric(self, request: Request, caller: Asking, name: str) -> Response:
        """Show one metric with its dimensions and a plan that works."""
        return await self._run(request, partial(self._face.describe_metric, caller, name))

    async def get_trace(self, request: Request, caller: Asking, trace_id: str) -> Response:
        """Show how an answer came about. No rows."""
        work = partial(self._face.get_trace, caller, trace_id)
        return await self._run(request, lambda: work() or unknown_trace(trace_id))

    async def _run(
        self, request: Request, work: Callable[[], Record], cancellation: Cancellation | None = None
    ) -> Response:
        result = await unless_left(request, self._workers, work, cancellation or Cancellation())
        if result is None:
            self._counters.result("http", "left")
            return Response(status_code=OUTCOMES["left"].http)
        self._counters.result("http", getattr(result, "outcome", type(result).__name__))
        return respond(result)


def build_routes(face: Face, workers: Workers, counters: Counters) -> APIRouter:
    """Return the routes over one house."""
    routes = Routes(face, workers, counters)
    router = APIRouter(prefix="/v1", dependencies=[Depends(HTTPBearer(auto_error=False))])
    router.add_api_route(
        "/questions",
        routes.ask,
        methods=["POST"],
        operation_id="ask",
        openapi_extra={**_body({"anyOf": [plan_schema(), words_schema()]}), "parameters": [_KEY]},
        responses=_documented(Reply),
    )
    router.add_api_route(
        "/answers/check",
        routes.check_answer,
        methods=["POST"],
        operation_id="check_answer",
        openapi_extra=_body(inlined(DraftBody.model_json_schema())),
        responses=_documented(DraftReply),
    )
    for path, read, model in (
        ("/metrics", routes.list_metrics, MetricList),
        ("/metrics/{name}", routes.describe_metric, MetricCard),
        ("/traces/{trace_id}", routes.get_trace, TraceView),
    ):
        router.add_api_route(
            path, read, methods=["GET"], operation_id=read.__name__, responses=_documented(model)
        )
    return router


def respond(result: Record) -> Response:
    """Return the same object as over MCP, or a problem where the request names nothing."""
    status = status_of(result).http
    if isinstance(result, Refusal):
        return problem(status, result.issues)
    wait = (
        {"Retry-After": str(result.retry_after)} if isinstance(result, Reply) and result.retry_after else {}
    )
    return Response(result.model_dump_json(by_alias=True), status, wait, "application/json")


def _idempotency_key(request: Request) -> str:
    key = request.headers.get("idempotency-key", "")
    if len(key) > MOST_ID or not key.isprintable():
        raise Rejected(problem(400, (issue_of(_BAD_KEY, "input"),)))
    return key


async def json_body(request: Request) -> object:
    """Return the JSON of a request. Raises Rejected for any other body."""
    kind = request.headers.get("content-type", "application/json").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Rejected(problem(415, (issue_of(_NOT_JSON_TYPE, "input"),)))
    try:
        return read_json(await request.body(), "body")
    except BadJson as fault:
        raise Rejected(problem(400, (issue_of(fault.issue, "input"),))) from fault


def _body(schema: dict[str, Any]) -> dict[str, Any]:
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


def _documented(model: type[Record]) -> dict[int | str, dict[str, Any]]:
    replies = {200: model}
    if model is Reply:
        replies |= {row.http: Reply for outcome, row in OUTCOMES.items() if outcome != "left"}
    if model is DraftReply:
        replies |= {row.http: DraftReply for row in DRAFTS.values()}
    problems = dict.fromkeys((400, 401, 404, 408, 413, 415, 422, 500, 503), Problem)
    return {status: {"model": shape} for status, shape in {**problems, **replies}.items()}


_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "The same key with the same request gets the same reply for an hour; nothing runs again.",
    "schema": {"type": "string", "maxLength": MOST_ID},
}
_BAD_KEY = Issue(
    code="bad_idempotency_key",
    message=f"An Idempotency-Key is at most {MOST_ID} printable characters.",
    next_step="Send a fresh UUID with each new question.",
)
_NOT_JSON_TYPE = Issue(
    code="not_json",
    message="The body must be application/json.",
    next_step="Send `Content-Type: application/json`.",
)
