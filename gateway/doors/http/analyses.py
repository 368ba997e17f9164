"""The routes over saved analyses: list them, run one."""

from functools import partial

from fastapi import APIRouter, Request
from starlette.responses import Response

from gateway.analyses.call import AnalysisCall
from gateway.analyses.view import AnalysisList, AnalysisReply
from gateway.asking import door_of
from gateway.cancellation import Cancellation
from gateway.doors.analysis_body import body_schema, call_of
from gateway.doors.face import Face
from gateway.doors.http.auth import entered_by
from gateway.doors.http.described import body, documented
from gateway.doors.http.events import events_of
from gateway.doors.http.pages import Cursor, Limit, page_of
from gateway.doors.http.reads import Reads, respond
from gateway.doors.http.request import Asking, json_body, versioned, wants_events
from gateway.reply import Refusal


class AnalysisRoutes:
    """The routes over the saved analyses of one house, as methods."""

    def __init__(self, face: Face, reads: Reads) -> None:
        self._face = face
        self._reads = reads

    async def list_analyses(
        self, request: Request, caller: Asking, limit: Limit = 50, cursor: Cursor = ""
    ) -> Response:
        """List the saved analyses that the caller may run, with what their parameters take, page by page."""

        def work() -> AnalysisList:
            found = self._face.list_analyses(caller)
            page = page_of(found.analyses, lambda card: card.name, limit, cursor, "analyses")
            return found.model_copy(update={"analyses": page.items, "next_cursor": page.next_cursor})

        return await self._reads.stamped(request, partial(self._face.stamp, caller), work)

    async def run_analysis(self, request: Request, caller: Asking, name: str) -> Response:
        """Run a saved analysis as the caller: one answer over the results of all its steps.

        With `Accept: text/event-stream`, an event `stage` names each stage of each step as it begins; the
        last one is `reply`, or `problem`.
        """
        came = entered_by(door_of("http", request.headers.get("user-agent", "")))
        call = call_of(name, await json_body(request), came)
        if not isinstance(call, AnalysisCall):
            return respond(AnalysisReply(outcome="invalid_plan", issues=call))

        def run(cancellation: Cancellation) -> AnalysisReply | Refusal:
            return self._face.run_analysis(caller, call, cancellation=cancellation)

        if wants_events(request):
            return await events_of(request, self._reads, run)
        leaver = Cancellation()
        return await self._reads.told(request, partial(run, leaver), leaver)


def build_analysis_routes(face: Face, reads: Reads) -> APIRouter:
    """Return the routes over the saved analyses of one house."""
    routes = AnalysisRoutes(face, reads)
    router = versioned()
    router.add_api_route(
        "/analyses",
        routes.list_analyses,
        methods=["GET"],
        operation_id="list_analyses",
        responses=documented(AnalysisList, cached=True),
    )
    router.add_api_route(
        "/analyses/{name}",
        routes.run_analysis,
        methods=["POST"],
        operation_id="run_analysis",
        openapi_extra=body(body_schema(), call={"parameters": {"quarter": "2026-Q3"}}),
        responses=documented(AnalysisReply, events=True),
    )
    return router
