"""The routes over saved analyses: list them, run one."""

from functools import partial
from typing import Any

from fastapi import APIRouter, Depends, Request
from fastapi.security import HTTPBearer
from starlette.responses import Response

from gateway.analyses.call import AnalysisCall
from gateway.analyses.view import AnalysisList, AnalysisReply
from gateway.cancellation import Cancellation
from gateway.doors.analysis_body import body_schema, call_of
from gateway.doors.analysis_face import AnalysisFace
from gateway.doors.counters import Counters
from gateway.doors.http_leaver import unless_left
from gateway.doors.http_problem import Problem
from gateway.doors.http_routes import Asking, json_body, respond
from gateway.doors.status import OUTCOMES
from gateway.doors.workers import Workers

PROBLEMS = (400, 401, 404, 408, 413, 415, 500, 503)


class AnalysisRoutes:
    """The routes over the saved analyses of one house, as methods."""

    def __init__(self, face: AnalysisFace, workers: Workers, counters: Counters) -> None:
        self._face = face
        self._workers = workers
        self._counters = counters

    async def list_analyses(self, caller: Asking) -> Response:
        """List the saved analyses that the caller may run, with what their parameters take."""
        return respond(await self._workers.call(partial(self._face.list_analyses, caller)))

    async def run_analysis(self, request: Request, caller: Asking, name: str) -> Response:
        """Run a saved analysis as the caller: one answer over the results of all its steps."""
        call = call_of(name, await json_body(request), "http")
        if not isinstance(call, AnalysisCall):
            return respond(AnalysisReply(outcome="invalid_plan", issues=call))
        leaver = Cancellation()
        work = partial(self._face.run_analysis, caller, call, cancellation=leaver)
        result = await unless_left(request, self._workers, work, leaver)
        if result is None:
            self._counters.result("http", "left")
            return Response(status_code=OUTCOMES["left"].http)
        self._counters.result("http", getattr(result, "outcome", type(result).__name__))
        return respond(result)


def build_analysis_routes(face: AnalysisFace, workers: Workers, counters: Counters) -> APIRouter:
    """Return the routes over the saved analyses of one house."""
    routes = AnalysisRoutes(face, workers, counters)
    router = APIRouter(prefix="/v1", dependencies=[Depends(HTTPBearer(auto_error=False))])
    problems: dict[int | str, dict[str, Any]] = {status: {"model": Problem} for status in PROBLEMS}
    router.add_api_route(
        "/analyses",
        routes.list_analyses,
        methods=["GET"],
        operation_id="list_analyses",
        responses={200: {"model": AnalysisList}, **problems},
    )
    told: dict[int | str, dict[str, Any]] = {
        row.http: {"model": AnalysisReply} for name, row in OUTCOMES.items() if name != "left"
    }
    router.add_api_route(
        "/analyses/{name}",
        routes.run_analysis,
        methods=["POST"],
        operation_id="run_analysis",
        openapi_extra={
            "requestBody": {"required": True, "content": {"application/json": {"schema": body_schema()}}}
        },
        responses={**problems, **told},
    )
    return router
