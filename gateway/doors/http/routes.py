"""The /v1 routes: a request in, one verb of the house, its result out with the status of the table."""

import json
from collections.abc import Callable, Mapping
from functools import cache, partial
from hashlib import sha256
from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import Field, ValidationError
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from gateway.asking import MOST_ID, door_of
from gateway.cancellation import Cancellation
from gateway.doors.arguments import argument_issues, pydantic_errors
from gateway.doors.ask_body import AskBody, split_ask
from gateway.doors.face import Face
from gateway.doors.faults import unknown_trace
from gateway.doors.http.auth import current_caller, entered_by
from gateway.doors.http.described import body, documented, schema_of
from gateway.doors.http.events import events_of
from gateway.doors.http.pages import WHOLE, Cursor, Limit, cursor_of, page_of, place_in
from gateway.doors.http.problem import problem
from gateway.doors.http.reads import Reads, respond
from gateway.doors.http.request import (
    KEY,
    Asking,
    Rejected,
    idempotency_key,
    json_body,
    known_query,
    versioned,
    wants_events,
)
from gateway.doors.schemas import Schema, plan_schema, words_schema
from gateway.reply import DraftReply, MetricCard, MetricList, Reply, SqlReport, TraceList, TraceView
from metric_layer.record import Record
from traces.records import Caller

QUESTIONS = "/v1/questions"


class DraftBody(Record):
    """A draft to check, the traces it rests on, the figures for code to compute, and its accepted hold."""

    draft: str
    trace_ids: Annotated[tuple[str, ...], Field(min_length=1, max_length=20)]
    declare: tuple[Mapping[str, Any], ...] = ()
    approval_id: Annotated[str, Field(max_length=MOST_ID)] = ""


class SqlBody(Record):
    """A piece of SQL to hold against the checks."""

    sql: Annotated[str, Field(max_length=100_000)]


class Routes:
    """The routes over one house, as methods."""

    def __init__(self, face: Face, reads: Reads) -> None:
        self._face = face
        self._reads = reads

    async def ask(self, request: Request, caller: Asking) -> Response:
        """Answer a metric plan or a question in words.

        The plan stands under `plan`, or its own keys stand flat; the words stand under `question`. With an
        `Idempotency-Key`, the same request sent again within an hour gets the same reply, and nothing runs.
        With `Accept: text/event-stream`, an event `stage` names each stage as it begins; the last one is
        `reply`, or `problem`.
        """
        sent, key = await json_body(request), idempotency_key(request)
        asked = split_ask(sent)
        if not isinstance(asked, AskBody):
            return respond(Reply(outcome="invalid_plan", issues=asked))

        came = entered_by(door_of("http", request.headers.get("user-agent", ""), key))

        def put(cancellation: Cancellation) -> Reply:
            work = partial(asked.asked, self._face, caller, came, cancellation)
            if not key:
                return work()
            digest = sha256(json.dumps(sent, sort_keys=True, default=str).encode()).hexdigest()
            return self._face.once(caller, key, digest, work)

        if wants_events(request):
            return await events_of(request, self._reads, put)
        cancellation = Cancellation()
        return await self._reads.told(request, partial(put, cancellation), cancellation)

    async def check_answer(self, request: Request, caller: Asking) -> Response:
        """Check a draft: every number must have its cell."""
        try:
            draft = DraftBody.model_validate(await json_body(request))
        except ValidationError as fault:
            return respond(DraftReply(outcome="invalid", issues=argument_issues(pydantic_errors(fault))))
        sent = draft.draft, draft.trace_ids, draft.declare, draft.approval_id
        return await self._reads.told(request, partial(self._face.check_answer, caller, *sent))

    async def check_sql(self, request: Request, caller: Asking) -> Response:
        """Say what every check thinks of a piece of SQL, on the record. Nothing is sent to the database."""
        try:
            given = SqlBody.model_validate(await json_body(request))
        except ValidationError as fault:
            raise Rejected(problem(422, argument_issues(pydantic_errors(fault)))) from fault
        return await self._reads.told(request, partial(self._face.check_sql, caller, given.sql))

    async def list_metrics(
        self, request: Request, caller: Asking, search: str = "", limit: Limit = 50, cursor: Cursor = ""
    ) -> Response:
        """List the metrics the caller may ask for, page by page."""

        def work() -> MetricList:
            found = self._face.list_metrics(caller, search, WHOLE)
            listing = f"metrics {search}"
            page = page_of(found.metrics, lambda metric: metric.name, limit, cursor, listing)
            return found.model_copy(
                update={"metrics": page.items, "left_off": page.left_off, "next_cursor": page.next_cursor}
            )

        return await self._reads.stamped(request, partial(self._face.stamp, caller), work)

    async def describe_metric(self, request: Request, caller: Asking, name: str) -> Response:
        """Show one metric with its dimensions and a plan that works."""
        work = partial(self._face.describe_metric, caller, name)
        return await self._reads.stamped(request, partial(self._face.stamp, caller), work)

    async def list_traces(
        self, request: Request, caller: Asking, limit: Limit = 50, cursor: Cursor = ""
    ) -> Response:
        """List your own traces, newest first, page by page; who may audit sees everybody's of the tenant."""
        work = partial(self._page_of_traces, caller, limit, place_in(cursor, "traces") if cursor else "")
        return await self._reads.tagged(request, work)

    def _page_of_traces(self, caller: Caller, limit: int, before: str) -> TraceList:
        found = self._face.list_traces(caller, limit + 1, before)
        more = len(found) > limit
        shown = found[:limit]
        return TraceList(traces=shown, next_cursor=cursor_of(shown[-1].trace_id, "traces") if more else "")

    async def get_trace(self, request: Request, caller: Asking, trace_id: str) -> Response:
        """Show how an answer came about. No rows."""
        work = partial(self._face.get_trace, caller, trace_id)
        return await self._reads.tagged(request, lambda: work() or unknown_trace(trace_id))


def questions(face: Face, reads: Reads) -> ASGIApp:
    """Return what answers questions as they are served; the route of `build_routes` describes it.

    What FastAPI does before it calls a route costs more than all the rest of this door.
    """
    routes = Routes(face, reads)

    async def ask(scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive, send)
        await known_query(request)
        response = await routes.ask(request, current_caller())
        await response(scope, receive, send)

    return ask


def build_routes(face: Face, reads: Reads) -> APIRouter:
    """Return the routes over one house."""
    routes = Routes(face, reads)
    router = versioned()
    asking = {**body(_question(), **ASKED), "parameters": [KEY]}
    checking = body(schema_of(DraftBody), draft=DRAFT)
    trying = body(schema_of(SqlBody), sql={"sql": "SELECT count(*) FROM orders"})
    posts: tuple[tuple[str, Callable[..., Any], dict[str, Any], type[Record]], ...] = (
        ("/questions", routes.ask, asking, Reply),
        ("/answers/check", routes.check_answer, checking, DraftReply),
        ("/sql/check", routes.check_sql, trying, SqlReport),
    )
    for path, post, extra, model in posts:
        router.add_api_route(
            path,
            post,
            methods=["POST"],
            operation_id=post.__name__,
            openapi_extra=extra,
            responses=documented(model, events=model is Reply),
        )
    for path, read, model in (
        ("/metrics", routes.list_metrics, MetricList),
        ("/metrics/{name}", routes.describe_metric, MetricCard),
        ("/traces", routes.list_traces, TraceList),
        ("/traces/{trace_id}", routes.get_trace, TraceView),
    ):
        router.add_api_route(
            path,
            read,
            methods=["GET"],
            operation_id=read.__name__,
            responses=documented(model, cached=True),
        )
    return router


@cache
def _question() -> Schema:
    """Return the schema of a question, as a plan or in words. It is made once: nobody changes it."""
    return {"anyOf": [plan_schema(), words_schema()]}


ASKED: dict[str, Any] = {
    "plan": {
        "metrics": ["net_revenue"],
        "dimensions": ["region"],
        "time": {"field": "order_date", "from": "2026-07-01", "to": "2026-09-30", "grain": "month"},
    },
    "question": {"question": "net revenue by region in Q3 2026", "conversation": "c1"},
    "dry_run": {"plan": {"metrics": ["net_revenue"]}, "dry_run": True},
}
DRAFT = {"draft": "Net revenue was {{c:0.net_revenue}}.", "trace_ids": ["019a3f00c0de00000000000000000000"]}
