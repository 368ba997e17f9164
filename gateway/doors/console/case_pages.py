"""From a decided item to an evaluation case, at a press of a button."""

from pathlib import Path

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gateway.doors.console.desk import Desk, Visit
from gateway.doors.console.navigation import ROOT
from gateway.doors.console.rendering import Pages
from gateway.doors.evaluating.case import Told, case_file, case_in
from gateway.doors.json_input import BadInput
from gateway.doors.status import status_of
from gateway.errors import HouseError
from gateway.reply import Refusal, ReplyIssue, issue_of

UNPROCESSABLE = 422
MOST_WORDS = 2_000
TITLE = "No case was made"


class CasePages:
    """Writes cases into the project's folder. The owner of the cases reviews them before they count."""

    def __init__(self, desk: Desk, pages: Pages) -> None:
        self._desk = desk
        self._pages = pages

    async def make(self, request: Request, visit: Visit) -> Response:
        """Write an item as a case and go back to it; a second press is told that there is one."""
        hold_id, form = str(request.path_params["hold_id"]), await request.form()
        words = str(form.get("question", "")).strip()[:MOST_WORDS]

        def page() -> Response:
            folder = self._desk.cases
            if folder is None or not words:
                return self._pages.refusal(
                    visit, TITLE, (_NO_WORDS if folder else _NO_FOLDER,), UNPROCESSABLE
                )
            try:
                made = case_in(
                    self._desk.gateway, visit.caller, hold_id, Told(words, tags=("review",)), folder
                )
            except BadInput as fault:
                return self._pages.refusal(visit, TITLE, (issue_of(fault.issue, "input"),), UNPROCESSABLE)
            except HouseError as fault:
                issues = tuple(issue_of(issue, "input") for issue in fault.issues)
                return self._pages.refusal(visit, TITLE, issues, UNPROCESSABLE)
            if isinstance(made, Refusal):
                return self._pages.refusal(visit, TITLE, made.issues, status_of(made).http)
            self._desk.counters.result("console", "case_made")
            return RedirectResponse(f"{ROOT}/holds/{hold_id}", 303)

        return await self._desk.call(request, page)


def made_of(folder: Path | None, trace_id: str) -> str:
    """Return the name of the file of the case that a trace became; empty where it became none."""
    file = case_file(folder, trace_id) if folder else None
    return file.name if file is not None and file.is_file() else ""


_NO_WORDS = ReplyIssue(
    code="missing_argument",
    message="A case needs the words of its question.",
    stage="input",
    path="/question",
    next_step="Write the question as its asker would.",
)
_NO_FOLDER = ReplyIssue(
    code="no_case",
    message="This console has no folder of cases.",
    stage="input",
    next_step="Set [paths] cases and start again.",
)
