"""What waits for a decision: the queue, one item with all that is needed to decide it, and the decision."""

from collections.abc import Sequence

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gateway.doors.console.ask_form import AskForm
from gateway.doors.console.case_pages import made_of
from gateway.doors.console.desk import Desk, Visit
from gateway.doors.console.marked import marked_sql, marked_text
from gateway.doors.console.navigation import ROOT
from gateway.doors.console.rendering import Pages
from gateway.doors.console.stages import ORDER
from gateway.doors.evaluating.case import right_by
from gateway.doors.status import NOT_FOUND
from gateway.reply import Refusal, ReplyIssue
from gateway.reviews.refusals import CONFLICTS
from gateway.reviews.reliability import reliability_svg
from gateway.reviews.view import HeldFindingView, HoldView

HERE = f"{ROOT}/holds"
STATUSES = ("waiting", "accepted", "denied", "used", "expired", "all")
MOST = 100
FORBIDDEN, CONFLICT, UNPROCESSABLE = 403, 409, 422
STAGES = tuple(stage for stage, _ in ORDER)


class HoldPages:
    """The pages of held questions. Who may see and decide what is the house's own rule."""

    def __init__(self, desk: Desk, pages: Pages) -> None:
        self._desk = desk
        self._pages = pages

    async def listed(self, request: Request, visit: Visit) -> Response:
        """List what waits, the one that expires first in front; other statuses by the query."""
        asked = request.query_params.get("status", "waiting")
        status = asked if asked in STATUSES else "waiting"

        def page() -> Response:
            found = self._desk.gateway.list_holds(visit.caller, status, MOST)
            if isinstance(found, Refusal):
                return self._pages.refusal(visit, "No queue", found.issues, NOT_FOUND)
            part = "hold_rows.html" if request.headers.get("hx-request") else "holds.html"
            return self._pages.page(
                part,
                visit,
                here=HERE,
                found=found,
                status_shown=status,
                statuses=STATUSES,
                reviews=visit.may("review"),
            )

        return await self._desk.call(request, page)

    async def shown(self, request: Request, visit: Visit) -> Response:
        """Show one item; to a script that looks again, only whether it still waits."""
        hold_id = str(request.path_params["hold_id"])

        def page() -> Response:
            found = self._desk.gateway.show_hold(visit.caller, hold_id)
            if isinstance(found, Refusal):
                return self._pages.refusal(visit, "No such item", found.issues, NOT_FOUND)
            if request.headers.get("hx-request"):
                part = "hold_told.html" if "told" in request.query_params else "hold_state.html"
                return self._pages.page(part, visit, hold=found)
            return self._item(visit, found)

        return await self._desk.call(request, page)

    async def decide(self, request: Request, visit: Visit) -> Response:
        """Record a decision, once: who comes second sees the first one, and why theirs was not taken."""
        hold_id = str(request.path_params["hold_id"])
        form = await request.form()
        verdict, reason = (str(form.get(name, "")) for name in ("verdict", "reason"))
        chosen = tuple(str(key) for key in form.getlist("finding"))

        def page() -> Response:
            ruled = self._desk.gateway.decide_hold(visit.caller, hold_id, verdict, reason, chosen)
            if not isinstance(ruled, Refusal):
                self._desk.counters.result("console", f"hold_{verdict}")
                return RedirectResponse(f"{HERE}/{hold_id}", 303)
            found = self._desk.gateway.show_hold(visit.caller, hold_id)
            if isinstance(found, Refusal):
                return self._pages.refusal(visit, "No such item", ruled.issues, NOT_FOUND)
            late = any(issue.code in CONFLICTS for issue in ruled.issues)
            return self._item(
                visit, found, ruled.issues, CONFLICT if late else UNPROCESSABLE, reason=reason, chosen=chosen
            )

        return await self._desk.call(request, page)

    async def judges(self, request: Request, visit: Visit) -> Response:
        """Hold what judges said against what people decided later, finding by finding."""

        def page() -> Response:
            found = self._desk.gateway.calibration(visit.caller)
            if isinstance(found, Refusal):
                return self._pages.refusal(visit, "Not for your role", found.issues, FORBIDDEN)
            shown = [(each, Markup(reliability_svg(each))) for each in found.findings]
            return self._pages.page("judges.html", visit, here=HERE, found=found, shown=shown)

        return await self._desk.call(request, page)

    def _item(
        self,
        visit: Visit,
        hold: HoldView,
        issues: Sequence[ReplyIssue] = (),
        status: int = 200,
        *,
        reason: str = "",
        chosen: Sequence[str] = (),
    ) -> Response:
        return self._pages.page(
            "hold.html",
            visit,
            here=HERE,
            status=status,
            hold=hold,
            findings=ranked(hold.findings),
            sql=marked_sql(hold.sql, hold.findings, hold.estimate),
            draft=marked_text(hold.draft, hold.findings),
            form=AskForm().fresh(),
            plan=hold.plan.model_dump_json(by_alias=True, exclude_none=True) if hold.plan else "",
            case=made_of(self._desk.cases, hold.trace_id),
            makes_case=visit.may("evaluate") and self._desk.cases is not None and _is_decided(hold),
            issues=tuple(issues),
            reason=reason,
            chosen=tuple(chosen),
        )


def _is_decided(hold: HoldView) -> bool:
    """Say whether a question was decided that has a plan, so that it is known what is right."""
    right = right_by(hold.status, settled=not any(map(is_open, hold.findings)))
    return right is not None and hold.kind == "question" and hold.plan is not None


def is_open(finding: HeldFindingView) -> bool:
    """Say whether a finding still needs somebody."""
    return not finding.carried and finding.accepted < finding.needed


def ranked(findings: Sequence[HeldFindingView]) -> tuple[HeldFindingView, ...]:
    """Return findings with the open ones first, then by how many people they need, then by stage."""
    return tuple(sorted(findings, key=lambda f: (not is_open(f), -f.needed, STAGES.index(f.stage))))
