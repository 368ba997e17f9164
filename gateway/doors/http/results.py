"""The rows of one's own answer, as JSON or as a file, under the caps and masks that the answer had."""

from functools import partial
from typing import Any, Literal

from fastapi import APIRouter, Request
from starlette.responses import Response

from gateway.doors.face import Face
from gateway.doors.http.described import problem_responses
from gateway.doors.http.leaver import unless_left
from gateway.doors.http.reads import Reads, respond
from gateway.doors.http.request import Asking, versioned
from gateway.doors.result_files import MEDIA, file_of
from gateway.record.result_view import ResultView
from gateway.reply import Refusal
from traces.records import Caller

Form = Literal["json", "csv", "arrow", "parquet"]
HEADERS = {"Cache-Control": "private, no-store", "X-Content-Type-Options": "nosniff"}


class ResultRoutes:
    """The route over the results of one house, as a method."""

    def __init__(self, face: Face, reads: Reads) -> None:
        self._face = face
        self._reads = reads

    async def get_result(
        self,
        request: Request,
        caller: Asking,
        trace_id: str,
        format: Form = "json",  # noqa: A002
    ) -> Response:
        """Return the rows of your own answer while they are kept, as many as policy shows of them.

        `X-Cellbound-Row-Count` counts the whole result; `X-Cellbound-Limit-Source` says what cut it, if
        anything did. In CSV, a text that a spreadsheet would take for a formula gets an apostrophe in front.
        """
        work = partial(self._made, caller, trace_id, format)
        found = await unless_left(request, self._reads.workers, work)
        return self._reads.left() if found is None else found

    def _made(self, caller: Caller, trace_id: str, form: Form) -> Response:
        found = self._face.result(caller, trace_id)
        self._reads.counters.result("http", type(found).__name__)
        if isinstance(found, Refusal):
            return respond(found)
        about = {
            **HEADERS,
            "X-Cellbound-Row-Count": str(found.view.row_count),
            "X-Cellbound-Limit-Source": found.view.limit_source,
        }
        if form == "json":
            response = respond(found.view)
            response.headers.update(about)
            return response
        name = f"cellbound-{found.view.trace_id}.{form}"
        about["Content-Disposition"] = f'attachment; filename="{name}"'
        return Response(file_of(found, form), 200, about, MEDIA[form])


def build_result_routes(face: Face, reads: Reads) -> APIRouter:
    """Return the route over the results of one house."""
    router = versioned()
    files: dict[str, Any] = {
        media.partition(";")[0]: {"schema": {"type": "string", "format": "binary"}}
        for media in MEDIA.values()
    }
    router.add_api_route(
        "/results/{trace_id}",
        ResultRoutes(face, reads).get_result,
        methods=["GET"],
        operation_id="get_result",
        responses={200: {"model": ResultView, "content": files}, **problem_responses()},
    )
    return router
