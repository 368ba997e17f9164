"""Saved analyses: what each is for, a form with its parameters, and the answer with a trace for each step."""

from collections.abc import Mapping

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from gateway.analyses.call import AnalysisCall
from gateway.analyses.run import unknown_analysis
from gateway.analyses.view import AnalysisCard
from gateway.asking import MOST_ID, AskOptions
from gateway.cancellation import Cancellation
from gateway.doors.console.desk import DOOR, Desk, Visit
from gateway.doors.console.navigation import ROOT
from gateway.doors.console.rendering import Pages
from gateway.doors.status import NOT_FOUND, status_of
from gateway.reply import Refusal

HERE = f"{ROOT}/analyses"
FIELD = "p_"
"""What stands before the name of a parameter in a form."""
MOST_TEXT = 2_000
NOTHING = "No such analysis"


class AnalysisPages:
    """The list, and one page per analysis with its form and, once it ran, its answer."""

    def __init__(self, desk: Desk, pages: Pages) -> None:
        self._desk = desk
        self._pages = pages

    async def listed(self, request: Request, visit: Visit) -> Response:
        """List the analyses that the person may run."""

        def page() -> Response:
            found = self._desk.gateway.list_analyses(visit.caller)
            return self._pages.page("analyses.html", visit, here=HERE, found=found)

        return await self._desk.call(request, page)

    async def shown(self, request: Request, visit: Visit) -> Response:
        """Show one analysis with its form; nothing runs."""
        name = str(request.path_params["name"])

        def page() -> Response:
            card = self._card(visit, name)
            if card is None:
                return self._nothing(visit, name)
            given = {key: str(value) for key, value in card.example.items() if isinstance(value, str | int)}
            return self._pages.page("analysis.html", visit, here=HERE, card=card, given=given, reply=None)

        return await self._desk.call(request, page)

    async def run(self, request: Request, visit: Visit) -> Response:
        """Run an analysis with what the form says, as the person themself."""
        name, sent, leaver = str(request.path_params["name"]), await request.form(), Cancellation()

        def page() -> Response:
            card = self._card(visit, name)
            if card is None:
                return self._nothing(visit, name)
            approval = sent.get("approval_id", "")
            options = AskOptions(approval_id=approval[:MOST_ID] if isinstance(approval, str) else "")
            call = AnalysisCall(name, _parameters(card, sent), options, DOOR)
            reply = self._desk.gateway.run_analysis(visit.caller, call, cancellation=leaver)
            if isinstance(reply, Refusal):
                return self._pages.refusal(visit, NOTHING, reply.issues, NOT_FOUND)
            self._desk.counters.told("console", reply)
            given = {parameter.name: _text(sent, parameter.name) for parameter in card.parameters}
            return self._pages.page(
                "analysis.html",
                visit,
                here=HERE,
                status=status_of(reply).http,
                card=card,
                given=given,
                reply=reply,
            )

        return await self._desk.call(request, page, leaver)

    def _card(self, visit: Visit, name: str) -> AnalysisCard | None:
        cards = self._desk.gateway.list_analyses(visit.caller).analyses
        return next((card for card in cards if card.name == name), None)

    def _nothing(self, visit: Visit, name: str) -> Response:
        known = [card.name for card in self._desk.gateway.list_analyses(visit.caller).analyses]
        return self._pages.refusal(visit, NOTHING, unknown_analysis(name, known).issues, NOT_FOUND)


def _parameters(card: AnalysisCard, sent: FormData) -> Mapping[str, object]:
    """Return what was filled in; an empty field is a parameter that was not given, commas part a list."""
    found: dict[str, object] = {}
    for parameter in card.parameters:
        text = _text(sent, parameter.name)
        several = parameter.accepts.get("type") == "array"
        if text:
            found[parameter.name] = tuple(filter(None, map(str.strip, text.split(",")))) if several else text
    return found


def _text(sent: FormData, name: str) -> str:
    value = sent.get(f"{FIELD}{name}", "")
    return value.strip()[:MOST_TEXT] if isinstance(value, str) else ""
