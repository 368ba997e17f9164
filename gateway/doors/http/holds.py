"""The routes over held questions: list, show, wait, decide, and how well judges agree with people."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import Field, ValidationError
from starlette.responses import Response

from gateway.doors.arguments import argument_issues, pydantic_errors
from gateway.doors.hold_face import HoldFace
from gateway.doors.hold_waiting import LONGEST_WAIT, until_decided
from gateway.doors.http.described import body, documented, schema_of
from gateway.doors.http.pages import WHOLE, Cursor, Limit, page_of
from gateway.doors.http.problem import problem
from gateway.doors.http.reads import Reads
from gateway.doors.http.request import Asking, json_body, versioned
from gateway.reply import Refusal
from gateway.reviews.view import Calibration, HoldList, HoldView
from metric_layer.record import Record
from traces.records import Caller

Wait = Annotated[float, Query(ge=0, le=LONGEST_WAIT)]


class DecisionBody(Record):
    """A decision: `accept`, `deny` or `revoke`, why, and the findings it is about (all where left out)."""

    verdict: str
    reason: str
    findings: Annotated[tuple[str, ...], Field(max_length=100)] = ()


class HoldRoutes:
    """The routes over the held questions of one house, as methods."""

    def __init__(self, face: HoldFace, reads: Reads) -> None:
        self._face = face
        self._reads = reads

    async def list_holds(
        self,
        request: Request,
        caller: Asking,
        status: str = "waiting",
        limit: Limit = 100,
        cursor: Cursor = "",
    ) -> Response:
        """List held questions, page by page: a reviewer those of the tenant, anybody else their own."""

        def work() -> HoldList | Refusal:
            found = self._face.list_holds(caller, status, WHOLE)
            if isinstance(found, Refusal):
                return found
            page = page_of(found.holds, lambda hold: hold.hold_id, limit, cursor, f"holds {status}")
            return found.model_copy(
                update={"holds": page.items, "left_off": page.left_off, "next_cursor": page.next_cursor}
            )

        return await self._reads.told(request, work)

    async def show_hold(self, request: Request, caller: Asking, hold_id: str, wait: Wait = 0) -> Response:
        """Show one held question; with `wait`, as soon as it is decided or after that many seconds."""
        if wait:
            await self._until_decided(request, caller, hold_id, wait)
        return await self._reads.told(request, partial(self._face.show_hold, caller, hold_id))

    async def decide_hold(self, request: Request, caller: Asking, hold_id: str) -> Response:
        """Decide a held question, once. An accept runs nothing: its asker comes back with it."""
        try:
            given = DecisionBody.model_validate(await json_body(request))
        except ValidationError as fault:
            return problem(422, argument_issues(pydantic_errors(fault)))
        work = partial(self._face.decide_hold, caller, hold_id, given.verdict, given.reason, given.findings)
        return await self._reads.told(request, work)

    async def calibration(self, request: Request, caller: Asking) -> Response:
        """Show how far judges agreed with the people who decided the same findings later."""
        return await self._reads.told(request, partial(self._face.calibration, caller))

    async def _until_decided(self, request: Request, caller: Caller, hold_id: str, wait: float) -> None:
        """Wait for the decision or for the caller to hang up, whichever is first."""
        waiting = asyncio.ensure_future(until_decided(self._face, self._reads.workers, caller, hold_id, wait))
        leaving = asyncio.ensure_future(_left(request))
        try:
            done, _ = await asyncio.wait({waiting, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if waiting in done:
                waiting.result()
        finally:
            waiting.cancel()
            leaving.cancel()


def build_hold_routes(face: HoldFace, reads: Reads) -> APIRouter:
    """Return the routes over the held questions of one house."""
    routes = HoldRoutes(face, reads)
    router = versioned()
    gets: tuple[tuple[str, Callable[..., Coroutine[Any, Any, Response]], type[Record]], ...] = (
        ("/holds", routes.list_holds, HoldList),
        ("/holds/{hold_id}", routes.show_hold, HoldView),
        ("/calibration", routes.calibration, Calibration),
    )
    for path, read, model in gets:
        router.add_api_route(
            path, read, methods=["GET"], operation_id=read.__name__, responses=documented(model, posted=False)
        )
    router.add_api_route(
        "/holds/{hold_id}/decisions",
        routes.decide_hold,
        methods=["POST"],
        operation_id="decide_hold",
        openapi_extra=body(
            schema_of(DecisionBody),
            accept={"verdict": "accept", "reason": "A quarter is needed for the board."},
        ),
        responses=documented(HoldView, problems=(409,)),
    )
    return router


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        continue
