"""The release ladder: every class with its stage, one with its evidence, and the decision to move it."""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gateway.doors.console.desk import Desk, Visit
from gateway.doors.console.navigation import ROOT
from gateway.doors.console.rendering import Pages
from gateway.doors.status import NOT_FOUND, status_of
from gateway.ladder.families import COUNTED
from gateway.ladder.view import ClassView
from gateway.reply import Refusal, ReplyIssue
from policies.release import STAGES
from traces.release_records import EvidenceFigure

HERE = f"{ROOT}/ladder"
FORBIDDEN = 403
MEANS = {
    "dry_run": "checked and priced; nothing runs",
    "shadow": "answered and recorded; nobody is told",
    "reviewed": "answered; people decide the middle band",
    "autonomous": "answered; judges decide what the policy gives them",
}
LABELS = {
    "disagreed": "Compared answers that an analyst did not agree with",
    "corrected": "Told answers that somebody corrected",
    "overridden": "Decided holds that people let pass",
    "unsigned": "Decisions on holds that this project did not sign, left out",
    "turnaround_s": "Median time to an answer, holds counted",
    "turnaround_held_s": "Median time to an answer that was held",
}


class LadderPages:
    """The pages of the ladder. Who may see and move a class is the house's own rule."""

    def __init__(self, desk: Desk, pages: Pages) -> None:
        self._desk = desk
        self._pages = pages

    async def listed(self, request: Request, visit: Visit) -> Response:
        """List every class that the policy names."""

        def page() -> Response:
            found = self._desk.gateway.ladder.list(visit.caller)
            if isinstance(found, Refusal):
                return self._pages.refusal(visit, "Not for your role", found.issues, FORBIDDEN)
            return self._pages.page("ladder.html", visit, here=HERE, found=found, stages=STAGES, means=MEANS)

        return await self._desk.call(request, page)

    async def shown(self, request: Request, visit: Visit) -> Response:
        """Show one class with its evidence."""
        name = str(request.path_params["name"])

        def page() -> Response:
            found = self._desk.gateway.ladder.show(visit.caller, name)
            if isinstance(found, Refusal):
                return self._pages.refusal(visit, "No such class", found.issues, status_of(found).http)
            return self._class(visit, found)

        return await self._desk.call(request, page)

    async def move(self, request: Request, visit: Visit) -> Response:
        """Record the decision of an owner; what is refused stands above the evidence."""
        name = str(request.path_params["name"])
        form = await request.form()
        to, reason = (str(form.get(key, "")) for key in ("to", "reason"))
        target = next((stage for stage in STAGES if stage == to), None)

        def page() -> Response:
            ladder = self._desk.gateway.ladder
            before = ladder.show(visit.caller, name)
            if isinstance(before, Refusal) or target is None:
                issues = before.issues if isinstance(before, Refusal) else (_NO_STAGE,)
                return self._pages.refusal(visit, "Nothing was moved", issues, NOT_FOUND)
            moved = ladder.move(visit.caller, name, target, reason, up=target in before.up)
            if not isinstance(moved, Refusal):
                self._desk.counters.result("console", "stage_decided")
                return RedirectResponse(f"{HERE}/{name}", 303)
            return self._class(visit, before, moved.issues, status_of(moved).http, reason=reason)

        return await self._desk.call(request, page)

    def _class(
        self,
        visit: Visit,
        found: ClassView,
        issues: Sequence[ReplyIssue] = (),
        status: int = 200,
        *,
        reason: str = "",
    ) -> Response:
        return self._pages.page(
            "ladder_class.html",
            visit,
            here=HERE,
            status=status,
            found=found,
            line=found.line,
            means=MEANS,
            counted=COUNTED,
            people=[(LABELS[each.name], each) for each in found.evidence if each.name in LABELS],
            families=_named(found, "eval "),
            firing=_named(found, "fired "),
            issues=tuple(issues),
            reason=reason,
        )


def _named(found: ClassView, kind: str) -> list[tuple[str, EvidenceFigure]]:
    """Return the figures of a kind, each under the rest of its name."""
    return [
        (each.name.removeprefix(kind).replace("_", " "), each)
        for each in found.evidence
        if each.name.startswith(kind)
    ]


_NO_STAGE = ReplyIssue(
    code="unknown_stage",
    message="There is no such stage.",
    stage="input",
    path="/to",
    next_step="Use one of the buttons of the page.",
)
