"""The routes of charts: one plot of an answer as SVG or PNG, for whoever may read its rows."""

from functools import partial

from fastapi import APIRouter, Request
from starlette.responses import Response

from gateway.charts.draw import Picture
from gateway.doors.charting import Form, chart_of
from gateway.doors.face import Face
from gateway.doors.faults import unknown_trace
from gateway.doors.http.described import problem_responses
from gateway.doors.http.leaver import unless_left
from gateway.doors.http.reads import Reads, respond
from gateway.doors.http.request import Asking, versioned
from gateway.reply import Refusal
from traces.records import Caller

MEDIA = {"svg": "image/svg+xml", "png": "image/png"}
# The picture is private, is never guessed to be a page, and loads nothing should somebody open it as one.
HEADERS = {
    "Cache-Control": "private, no-store",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
}


class ChartRoutes:
    """The routes over the charts of one house, as methods."""

    def __init__(self, face: Face, reads: Reads) -> None:
        self._face = face
        self._reads = reads

    async def chart_svg(
        self, request: Request, caller: Asking, trace_id: str, metric: str = "", dark: bool = False
    ) -> Response:
        """Draw the chart of an answer's rows as SVG, of `metric` where it has several."""
        return await self._drawn(request, partial(self._chart, caller, trace_id, "svg", metric, dark))

    async def chart_png(
        self, request: Request, caller: Asking, trace_id: str, metric: str = "", dark: bool = False
    ) -> Response:
        """Draw the chart of an answer's rows as PNG, of `metric` where it has several."""
        return await self._drawn(request, partial(self._chart, caller, trace_id, "png", metric, dark))

    def _chart(self, caller: Caller, trace_id: str, form: Form, metric: str, dark: bool) -> Picture | Refusal:
        found = self._face.evidence(caller, trace_id)
        return unknown_trace(trace_id) if found is None else chart_of(found, form, metric=metric, dark=dark)

    async def _drawn(self, request: Request, work: "partial[Picture | Refusal]") -> Response:
        drawn = await unless_left(request, self._reads.workers, work)
        if drawn is None:
            return self._reads.left()
        self._reads.counters.result("http", type(drawn).__name__)
        if isinstance(drawn, Refusal):
            return respond(drawn)
        return Response(drawn.data, 200, HEADERS, MEDIA[drawn.form])


def build_chart_routes(face: Face, reads: Reads) -> APIRouter:
    """Return the routes of charts over one house."""
    routes = ChartRoutes(face, reads)
    router = versioned()
    for form, draw in (("svg", routes.chart_svg), ("png", routes.chart_png)):
        router.add_api_route(
            f"/traces/{{trace_id}}/chart.{form}",
            draw,
            methods=["GET"],
            operation_id=f"chart_{form}",
            response_class=Response,
            responses={
                200: {"content": {MEDIA[form]: {}}, "description": "The chart."},
                **problem_responses(),
            },
        )
    return router
