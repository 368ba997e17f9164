"""What a look for personal data suggested, and a data owner's word on it, in force once it is written."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gateway.discovery.decisions import Definitions, TagDecision, decide, listed
from gateway.discovery.kept import take_up
from gateway.discovery.reports import SuggestionList
from gateway.doors.console.desk import Desk, Visit
from gateway.doors.console.navigation import ROOT
from gateway.doors.console.rendering import Pages
from gateway.reply import Refusal, ReplyIssue
from gateway.settings.file import Settings
from metric_layer.personal import NONE

HERE = f"{ROOT}/personal"
FORBIDDEN, UNPROCESSABLE = 403, 422
TAKE_UP = "take_up"


@dataclass(frozen=True, slots=True)
class Discovered:
    """Where the last look is kept, and the folder of definitions that decisions are written into."""

    report: Path
    metrics: Path


def discovered_in(settings: Settings) -> Discovered:
    """Return where a project keeps its last look and its definitions."""
    return Discovered(settings.at(settings.paths.discovery), settings.at(settings.paths.metrics))


class PersonalPages:
    """The suggestions of `cellbound discover`. No value of the data is on them."""

    def __init__(self, desk: Desk, pages: Pages, discovered: Discovered | None) -> None:
        self._desk = desk
        self._pages = pages
        self._discovered = discovered

    async def listed(self, request: Request, visit: Visit) -> Response:
        """List what was suggested, what nobody has decided in front."""
        return await self._desk.call(request, lambda: self._page(visit))

    async def decide(self, request: Request, visit: Visit) -> Response:
        """Write a decision down and put it in force, or go by the newest look from now on."""
        form = await request.form()
        column, tag, verdict = (str(form.get(name, "")) for name in ("column", "tag", "verdict"))
        because = str(form.get("because", ""))

        def page() -> Response:
            found = self._discovered
            if found is None:
                return self._page(visit)
            if verdict == TAKE_UP:
                take_up(found.report, str(form.get("looked", "")))
                return RedirectResponse(HERE, 303)
            made = TagDecision(column=column, tag=NONE if verdict == NONE else tag, because=because)
            house = self._desk.gateway.house
            done = decide(_in_force(self._desk, found), visit.caller, (made,), house.now().date())
            if isinstance(done, Refusal):
                return self._page(visit, done.issues, UNPROCESSABLE)
            self._desk.gateway.reload()
            self._desk.counters.result("console", "tag_accepted")
            return RedirectResponse(HERE, 303)

        return await self._desk.call(request, page)

    def _page(self, visit: Visit, issues: Sequence[ReplyIssue] = (), status: int = 200) -> Response:
        found: SuggestionList | Refusal = SuggestionList()
        if self._discovered is not None:
            found = listed(_in_force(self._desk, self._discovered), visit.caller, self._discovered.report)
        if isinstance(found, Refusal):
            return self._pages.refusal(visit, "Not for your role", found.issues, FORBIDDEN)
        open_ones = tuple(each for each in found.suggestions if not each.tagged)
        return self._pages.page(
            "personal.html",
            visit,
            here=HERE,
            status=status,
            at=found.at,
            rechecked=found.rechecked,
            drift=found.drift,
            unread=tuple(each.place for each in found.unread),
            waiting=open_ones,
            decided=tuple(each for each in found.suggestions if each.tagged),
            issues=tuple(issues),
        )


def _in_force(desk: Desk, found: Discovered) -> Definitions:
    house = desk.gateway.house
    return Definitions(house.layer, house.governed.policy, found.metrics)
