"""What is watched: whether the house can answer, and how often each check fires."""

from datetime import timedelta

from starlette.requests import Request
from starlette.responses import Response

from evals.firing import firing
from gateway.doors.console.desk import Desk, Visit
from gateway.doors.console.navigation import ROOT
from gateway.doors.console.rendering import Pages
from gateway.doors.status import BROKEN, OK
from gateway.record.recorded import recorded
from gateway.reply import Refusal

SPANS = {"4": "four weeks", "13": "a quarter", "52": "a year"}
DEFAULT_SPAN = "13"
SAMPLE = 3


class HousePages:
    """Health for everybody, firing rates for who may audit."""

    def __init__(self, desk: Desk, pages: Pages) -> None:
        self._desk = desk
        self._pages = pages

    async def health(self, request: Request, visit: Visit) -> Response:
        """Say part by part whether the house can answer; details only to an administrator."""

        def page() -> Response:
            found = self._desk.gateway.ready()
            status = (OK if found.ready else BROKEN).http
            return self._pages.page(
                "health.html",
                visit,
                here=f"{ROOT}/health",
                status=status,
                found=found,
                details=visit.may("admin"),
            )

        return await self._desk.call(request, page)

    async def firing(self, request: Request, visit: Visit) -> Response:
        """Say how often each check fired among the questions it judged, and what moved suddenly."""
        asked = request.query_params.get("weeks", DEFAULT_SPAN)
        weeks = asked if asked in SPANS else DEFAULT_SPAN

        def page() -> Response:
            gateway = self._desk.gateway
            since = gateway.house.now().date() - timedelta(weeks=int(weeks))
            found = recorded(gateway.house, gateway.traces, visit.caller, since)
            if isinstance(found, Refusal):
                return self._pages.refusal(visit, "Not for your role", found.issues, 403)
            people = gateway.calibration(visit.caller)
            return self._pages.page(
                "firing.html",
                visit,
                here=f"{ROOT}/firing",
                found=firing(found, sample=SAMPLE),
                people=() if isinstance(people, Refusal) else people.reviewers,
                days=gateway.samples.kept(visit.caller),
                spans=SPANS,
                weeks=weeks,
            )

        return await self._desk.call(request, page)
