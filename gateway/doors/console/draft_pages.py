"""A text about an answer, held against its cells before it leaves: what passed, and what is in its way."""

from dataclasses import dataclass

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from gateway.asking import MOST_ID
from gateway.doors.console.desk import Desk, Visit
from gateway.doors.console.marked import marked_spans
from gateway.doors.console.navigation import ROOT
from gateway.doors.console.rendering import Pages
from gateway.doors.faults import unknown_trace
from gateway.doors.json_input import BadJson, read_json
from gateway.doors.status import NOT_FOUND, status_of
from gateway.reply import DraftReply, ReplyIssue, issue_of
from gateway.reviews.view import HoldView

HERE = f"{ROOT}/traces"
MOST_TEXT = 100_000
UNPROCESSABLE = 422


@dataclass(frozen=True, slots=True)
class DraftForm:
    """What a person filled in: the text, the figures for code to compute (JSON), and an accepted hold."""

    draft: str = ""
    declare: str = ""
    approval_id: str = ""

    def declared(self) -> object:
        """Return the declared figures. Raises BadJson."""
        return read_json(self.declare.encode("utf-8", "replace"), "declare") if self.declare else ()


class DraftPages:
    """The form beside one answer of the person's own. The house says whose answers may be cited."""

    def __init__(self, desk: Desk, pages: Pages) -> None:
        self._desk = desk
        self._pages = pages

    async def form(self, request: Request, visit: Visit) -> Response:
        """Show the form; a draft that was held and accepted stands in it, ready to be sent again."""
        trace_id = str(request.path_params["trace_id"])
        approval = request.query_params.get("approval_id", "")[:MOST_ID]

        def page() -> Response:
            held = self._desk.gateway.show_hold(visit.caller, approval) if approval else None
            mine = isinstance(held, HoldView) and held.own and held.trace_id == trace_id
            kept = DraftForm(held.draft, "", approval) if isinstance(held, HoldView) and mine else DraftForm()
            return self._page(visit, trace_id, kept)

        return await self._desk.call(request, page)

    async def check(self, request: Request, visit: Visit) -> Response:
        """Check a text, on the record of its answer; every thing in its way is told at once."""
        trace_id, form = str(request.path_params["trace_id"]), _form_of(await request.form())

        def page() -> Response:
            try:
                declared = form.declared()
            except BadJson as fault:
                return self._page(visit, trace_id, form, issues=(issue_of(fault.issue, "input"),))
            gateway = self._desk.gateway
            reply = gateway.check_answer(visit.caller, form.draft, [trace_id], declared, form.approval_id)
            self._desk.counters.result("console", f"draft_{reply.outcome}")
            return self._page(visit, trace_id, form, reply)

        return await self._desk.call(request, page)

    def _page(
        self,
        visit: Visit,
        trace_id: str,
        form: DraftForm,
        reply: DraftReply | None = None,
        issues: tuple[ReplyIssue, ...] = (),
    ) -> Response:
        view = self._desk.gateway.get_trace(visit.caller, trace_id)
        if view is None:
            return self._pages.refusal(visit, "No such trace", unknown_trace(trace_id).issues, NOT_FOUND)
        spans = [(each.start, each.end) for each in reply.findings] if reply else []
        return self._pages.page(
            "draft.html",
            visit,
            here=HERE,
            status=status_of(reply).http if reply else UNPROCESSABLE if issues else 200,
            trace=view,
            form=form,
            reply=reply,
            parts=marked_spans(form.draft, spans),
            issues=issues or (reply.issues if reply else ()),
        )


def _form_of(sent: FormData) -> DraftForm:
    draft, declare, approval = (str(sent.get(name, "")) for name in ("draft", "declare", "approval_id"))
    # A browser sends the ends of lines as two characters; spans and held texts know one.
    draft = draft.replace("\r\n", "\n")
    return DraftForm(draft[:MOST_TEXT], declare.strip()[:MOST_TEXT], approval[:MOST_ID])
