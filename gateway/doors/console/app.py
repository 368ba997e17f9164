"""The console as one application: its routes, the gate in front of them, and the headers on every page."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from gateway.doors.console.analysis_pages import AnalysisPages
from gateway.doors.console.ask_pages import AskPages
from gateway.doors.console.case_pages import CasePages
from gateway.doors.console.desk import Desk, Left, Visit
from gateway.doors.console.draft_pages import DraftPages
from gateway.doors.console.eval_pages import EvalPages
from gateway.doors.console.gate import Gate
from gateway.doors.console.headers import PageHeaders
from gateway.doors.console.hold_pages import HoldPages
from gateway.doors.console.house_pages import HousePages
from gateway.doors.console.ladder_pages import LadderPages
from gateway.doors.console.metric_pages import MetricPages
from gateway.doors.console.navigation import ROOT, first_place
from gateway.doors.console.personal_pages import Discovered, PersonalPages
from gateway.doors.console.rendering import STATIC, Pages
from gateway.doors.console.sessions import Sessions
from gateway.doors.console.signin import SignIn
from gateway.doors.console.single_sign_on import SingleSignOn
from gateway.doors.console.trace_pages import TracePages
from gateway.doors.counters import Counters
from gateway.doors.evidence_page import PAGES
from gateway.doors.faults import FAULTS, refusal_for, status_for
from gateway.doors.status import NOT_FOUND, OUTCOMES
from gateway.doors.workers import Workers
from gateway.reply import ReplyIssue
from gateway.service import Gateway

Handler = Callable[[Request, Visit], Awaitable[Response]]
GET, POST = "GET", "POST"


@dataclass(frozen=True, slots=True)
class Console:
    """What the console is made of besides the server around it.

    `runs` holds what evaluations wrote, `cases` what they ask; without it no case is made here.
    """

    gateway: Gateway
    sign_in: SignIn
    runs: Path
    sign_on: SingleSignOn | None = None
    discovered: Discovered | None = None
    cases: Path | None = None

    def app(self, workers: Workers, counters: Counters) -> Starlette:
        """Return the application, to be mounted at /console."""
        pages = Pages()
        house = self.gateway.house
        sessions = Sessions(house.keys, house.now, self.gateway.state.ended)
        gate = Gate(self.gateway, self.sign_in, sessions, pages, self.sign_on)
        desk = Desk(self.gateway, workers, counters, self.runs, self.cases)
        return Starlette(
            routes=_routes(desk, gate, pages, self.discovered),
            middleware=[Middleware(PageHeaders)],
            exception_handlers={
                Left: _left,
                HTTPException: _Faults(pages).no_such_page,
                **{kind: _Faults(pages).house_fault for kind in FAULTS},
                Exception: _Faults(pages).house_fault,
            },
        )


def _routes(desk: Desk, gate: Gate, pages: Pages, discovered: Discovered | None) -> list[BaseRoute]:
    ask, traces = AskPages(desk, pages), TracePages(desk, pages)
    metrics, house, evals = MetricPages(desk, pages), HousePages(desk, pages), EvalPages(desk, pages)
    holds, analyses = HoldPages(desk, pages), AnalysisPages(desk, pages)
    cases, drafts = CasePages(desk, pages), DraftPages(desk, pages)
    ladder, personal = LadderPages(desk, pages), PersonalPages(desk, pages, discovered)
    guarded: tuple[tuple[str, str, Handler, str], ...] = (
        (GET, "/", _home, ""),
        (GET, "/ask", ask.form, "ask"),
        (POST, "/ask/check", ask.check, "ask"),
        (POST, "/ask/run", ask.run, "ask"),
        (GET, "/metrics", metrics.listed, ""),
        (GET, "/metrics/{name}", metrics.card, ""),
        (GET, "/analyses", analyses.listed, "ask"),
        (GET, "/analyses/{name}", analyses.shown, "ask"),
        (POST, "/analyses/{name}", analyses.run, "ask"),
        (GET, "/traces", traces.listed, ""),
        (GET, "/traces/{trace_id}", traces.shown, ""),
        (GET, "/traces/{trace_id}/charts", traces.charts, ""),
        (GET, "/diff", traces.diff, ""),
        (GET, "/holds", holds.listed, ""),
        (GET, "/holds/{hold_id}", holds.shown, ""),
        (POST, "/holds/{hold_id}", holds.decide, "review"),
        (POST, "/holds/{hold_id}/case", cases.make, "evaluate"),
        (GET, "/drafts/{trace_id}", drafts.form, "ask"),
        (POST, "/drafts/{trace_id}", drafts.check, "ask"),
        (GET, "/judges", holds.judges, "review"),
        (GET, "/ladder", ladder.listed, ""),
        (GET, "/ladder/{name}", ladder.shown, ""),
        (POST, "/ladder/{name}", ladder.move, "release"),
        (GET, "/firing", house.firing, "audit"),
        (GET, "/personal", personal.listed, "accept_tags"),
        (POST, "/personal", personal.decide, "accept_tags"),
        (GET, "/health", house.health, ""),
        (GET, "/evals", evals.listed, "evaluate"),
        (GET, "/evals/{run}", evals.shown, "evaluate"),
        (POST, "/sign-out", gate.sign_out, ""),
    )
    return [
        Route("/sign-in", gate.sign_in_form, methods=[GET]),
        Route("/sign-in", gate.sign_in, methods=[POST]),
        Route("/sign-on", gate.sign_on, methods=[GET]),
        Route("/signed-in", gate.signed_in, methods=[GET]),
        *(
            Route(path, gate.guarded(handler, right), methods=[method])
            for method, path, handler, right in guarded
        ),
        Mount("/style", StaticFiles(directory=PAGES), name="style"),
        Mount("/static", StaticFiles(directory=STATIC), name="static"),
        Route("/{rest:path}", gate.guarded(_Faults(pages).nothing_here, ""), methods=[GET]),
    ]


async def _home(_: Request, visit: Visit) -> Response:
    return RedirectResponse(first_place(visit), 303)


async def _left(_: Request, __: Exception) -> Response:
    return Response(status_code=OUTCOMES["left"].http)


class _Faults:
    """What a page says when it cannot be made: the issues of the table, never a traceback."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages

    async def house_fault(self, _: Request, fault: Exception) -> Response:
        """Say what is wrong with the house."""
        issues = refusal_for(fault).issues
        return self._pages.refusal(None, "This page cannot be shown", issues, status_for(fault))

    async def nothing_here(self, _: Request, visit: Visit) -> Response:
        """Say that nothing is here, to somebody who is signed in."""
        return self._pages.refusal(visit, "No such page", (_NO_PAGE,), NOT_FOUND)

    async def no_such_page(self, _: Request, fault: Exception) -> Response:
        """Say that nothing is here."""
        status = fault.status_code if isinstance(fault, HTTPException) else 500
        return self._pages.refusal(None, "No such page", (_NO_PAGE,), status)


_NO_PAGE = ReplyIssue(
    code="no_such_page",
    message="The console has no such page.",
    stage="input",
    next_step=f"Begin at {ROOT}/.",
)
