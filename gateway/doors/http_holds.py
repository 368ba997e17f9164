"""The routes over held questions: list, show, wait, decide, and how well judges agree with people."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi.security import HTTPBearer
from pydantic import Field, ValidationError
from starlette.responses import Response

from gateway.doors.ask_body import argument_issues, pydantic_errors
from gateway.doors.counters import Counters
from gateway.doors.hold_face import HoldFace
from gateway.doors.hold_waiting import LONGEST_WAIT, until_decided
from gateway.doors.http_problem import Problem, problem
from gateway.doors.http_routes import Asking, json_body, respond
from gateway.doors.schemas import inlined
from gateway.doors.workers import Workers
from gateway.reviews.view import Calibration, HoldList, HoldView
from metric_layer.record import Record
from traces.records import Caller

Wait = Annotated[float, Query(ge=0, le=LONGEST_WAIT)]
PROBLEMS = (400, 401, 403, 404, 409, 413, 415, 422, 500, 503)


class DecisionBody(Record):
    """A decision: `accept`, `deny` or `revoke`, why, and the findings it is about (all where left out)."""

    verdict: str
    reason: str
    findings: Annotated[tuple[str, ...], Field(max_length=100)] = ()


class HoldRoutes:
    """The routes over the held questions of one house, as methods."""

    def __init__(self, face: HoldFace, workers: Workers, counters: Counters) -> None:
        self._face = face
        self._workers = workers
        self._counters = counters

    async def list_holds(
        self,
        caller: Asking,
        status: str = "waiting",
        limit: Annotated[int, Query(ge=1, le=200)] = 100,
    ) -> Response:
        """List held questions: a reviewer those of the tenant, anybody else their own."""
        return await self._told(partial(self._face.list_holds, caller, status, limit))

    async def show_hold(self, request: Request, caller: Asking, hold_id: str, wait: Wait = 0) -> Response:
        """Show one held question; with `wait`, as soon as it is decided or after that many seconds."""
        if wait:
            await self._until_decided(request, caller, hold_id, wait)
        return await self._told(partial(self._face.show_hold, caller, hold_id))

    async def decide_hold(self, request: Request, caller: Asking, hold_id: str) -> Response:
        """Decide a held question, once. An accept runs nothing: its asker comes back with it."""
        try:
            body = DecisionBody.model_validate(await json_body(request))
        except ValidationError as fault:
            return problem(422, argument_issues(pydantic_errors(fault)))
        work = partial(self._face.decide_hold, caller, hold_id, body.verdict, body.reason, body.findings)
        return await self._told(work)

    async def calibration(self, caller: Asking) -> Response:
        """Show how far judges agreed with the people who decided the same findings later."""
        return await self._told(partial(self._face.calibration, caller))

    async def _told(self, work: Callable[[], Record]) -> Response:
        result = await self._workers.call(work)
        self._counters.result("http", type(result).__name__)
        return respond(result)

    async def _until_decided(self, request: Request, caller: Caller, hold_id: str, wait: float) -> None:
        """Wait for the decision or for the caller to hang up, whichever is first."""
        waiting = asyncio.ensure_future(until_decided(self._face, self._workers, caller, hold_id, wait))
        leaving = asyncio.ensure_future(_left(request))
        try:
            done, _ = await asyncio.wait({waiting, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if waiting in done:
                waiting.result()
        finally:
            waiting.cancel()
            leaving.cancel()


def build_hold_routes(face: HoldFace, workers: Workers, counters: Counters) -> APIRouter:
    """Return the routes over the held questions of one house."""
    routes = HoldRoutes(face, workers, counters)
    router = APIRouter(prefix="/v1", dependencies=[Depends(HTTPBearer(auto_error=False))])
    reads: tuple[tuple[str, Callable[..., Coroutine[Any, Any, Response]], type[Record]], ...] = (
        ("/holds", routes.list_holds, HoldList),
        ("/holds/{hold_id}", routes.show_hold, HoldView),
        ("/calibration", routes.calibration, Calibration),
    )
    for path, read, model in reads:
        router.add_api_route(
            path, read, methods=["GET"], operation_id=read.__name__, responses=_documented(model)
        )
    content = {"application/json": {"schema": inlined(DecisionBody.model_json_schema())}}
    router.add_api_route(
        "/holds/{hold_id}/decisions",
        routes.decide_hold,
        methods=["POST"],
        operation_id="decide_hold",
        openapi_extra={"requestBody": {"required": True, "content": content}},
        responses=_documented(HoldView),
    )
    return router


def _documented(model: type[Record]) -> dict[int | str, dict[str, Any]]:
    return {200: {"model": model}, **{status: {"model": Problem} for status in PROBLEMS}}


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        continue
