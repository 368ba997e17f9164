"""Recorded questions: the list, one trace on which every number leads to its cell, two side by side."""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from gateway.charts.draw import Picture, draw
from gateway.charts.plot import Undrawn
from gateway.doors.console.desk import Desk, Visit
from gateway.doors.console.navigation import ROOT
from gateway.doors.console.rendering import Pages
from gateway.doors.console.stages import stages_of
from gateway.doors.evidence_page import page_values, title_of
from gateway.doors.faults import unknown_trace
from gateway.doors.status import NOT_FOUND
from gateway.record.evidence import Evidence
from gateway.reply import TraceView

HERE = f"{ROOT}/traces"
MOST = 200
MOST_ID = 100
DRAWING_SECONDS = 15.0


class TracePages:
    """The pages of what was recorded. Whose traces a person may read is the house's own rule."""

    def __init__(self, desk: Desk, pages: Pages) -> None:
        self._desk = desk
        self._pages = pages

    async def listed(self, request: Request, visit: Visit) -> Response:
        """List the newest traces; an id that was typed leads to its page."""
        wanted = request.query_params.get("id", "").strip()[:MOST_ID]
        if wanted:
            return RedirectResponse(f"{HERE}/{wanted}" if wanted.isalnum() else HERE, 303)

        def page() -> Response:
            lines = self._desk.gateway.list_traces(visit.caller, MOST)
            return self._pages.page(
                "traces.html", visit, here=HERE, lines=lines, everyone=visit.may("audit"), most=MOST
            )

        return await self._desk.call(request, page)

    async def shown(self, request: Request, visit: Visit) -> Response:
        """Show one trace; its chart is drawn on request, with scripts by itself."""
        trace_id = str(request.path_params["trace_id"])

        def page() -> Response:
            found = self._desk.gateway.evidence(visit.caller, trace_id)
            view = self._desk.gateway.get_trace(visit.caller, trace_id)
            if found is None or view is None:
                return self._unknown(visit, trace_id)
            values = page_values(found, no_picture=found.kept.no_plot, charts_at=charts_at(found), lit=True)
            return self._pages.page(
                "trace.html",
                visit,
                here=HERE,
                stages=stages_of(found.decisions),
                question=view.question,
                holds=holds_of(view),
                **values,
            )

        return await self._desk.call(request, page)

    async def charts(self, request: Request, visit: Visit) -> Response:
        """Draw the charts of a trace: to a script the pictures alone, else the page with them."""
        trace_id = str(request.path_params["trace_id"])

        def page() -> Response:
            found = self._desk.gateway.evidence(visit.caller, trace_id)
            if found is None:
                return self._unknown(visit, trace_id)
            pictures, reason = drawn(found)
            values = page_values(found, pictures, no_picture=reason or found.kept.no_plot)
            part = "charts.html" if request.headers.get("hx-request") else "charts_page.html"
            return self._pages.page(part, visit, here=HERE, **values)

        return await self._desk.call(request, page)

    async def diff(self, request: Request, visit: Visit) -> Response:
        """Hold two traces that the person may read against each other, step by step."""
        ids = [request.query_params.get(name, "").strip()[:MOST_ID] for name in ("old", "new")]

        def page() -> Response:
            gateway, caller = self._desk.gateway, visit.caller
            sides = [gateway.evidence(caller, trace_id) if trace_id else None for trace_id in ids]
            missing = next((i for i, side in zip(ids, sides, strict=True) if i and side is None), "")
            found = gateway.diff_traces(caller, *ids) if all(sides) else None
            if missing or (all(ids) and found is None):
                return self._unknown(visit, missing or ids[0])
            shown = [(side, title_of(side)) for side in sides if side is not None]
            return self._pages.page("diff.html", visit, here=HERE, ids=ids, sides=shown, found=found)

        return await self._desk.call(request, page)

    def _unknown(self, visit: Visit, trace_id: str) -> HTMLResponse:
        return self._pages.refusal(visit, "No such trace", unknown_trace(trace_id).issues, NOT_FOUND)


def holds_of(view: TraceView) -> tuple[str, ...]:
    """Return the ids under which a question was held, the newest last."""
    return tuple(str(record["hold_id"]) for record in view.records if record.get("kind") == "hold")


def charts_at(found: Evidence) -> str:
    """Return where the charts of an answer can be had; empty where there is nothing to draw."""
    return f"{HERE}/{found.trace_id}/charts" if found.kept.plots else ""


def drawn(found: Evidence) -> tuple[Sequence[Picture], str]:
    """Return the pictures of an answer, or why there are none."""
    pictures = draw(found.kept.plots, seconds=DRAWING_SECONDS) if found.kept.plots else ()
    return ((), pictures.reason) if isinstance(pictures, Undrawn) else (pictures, "")
