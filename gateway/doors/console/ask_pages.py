"""Asking: the plan in words first, questions back as buttons, then the answer with its cells."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gateway.cancellation import Cancellation
from gateway.doors.console.ask_form import AskForm, form_of, plan_digest
from gateway.doors.console.desk import Desk, Visit
from gateway.doors.console.navigation import ROOT
from gateway.doors.console.rendering import Pages
from gateway.doors.console.stages import stages_of
from gateway.doors.console.trace_pages import HERE as TRACES
from gateway.doors.console.trace_pages import charts_at, holds_of
from gateway.doors.evidence_page import PageValues, page_values
from gateway.doors.status import status_of
from gateway.record.evidence import Evidence
from gateway.reply import Reply, TraceView
from gateway.reviews.plan_words import plan_in_words
from gateway.reviews.view import HoldView

HERE = f"{ROOT}/ask"
IN_PLACE = frozenset(("needs_clarification", "invalid_plan", "abstained", "not_released"))
"""Outcomes that are said beside the question: there is no answer to go to."""


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier question of the conversation, as far as it may still be shown."""

    trace_id: str
    question: str
    answer: str
    outcome: str
    hold: HoldView | None


class AskPages:
    """A conversation without a transcript on our side: its address names the traces, and those are read."""

    def __init__(self, desk: Desk, pages: Pages) -> None:
        self._desk = desk
        self._pages = pages

    async def form(self, request: Request, visit: Visit) -> Response:
        """Show the conversation so far, the newest answer in full, and the form for the next question."""
        form = form_of(request.query_params)

        def page() -> Response:
            found = self._evidence(visit, form.thread[-1]) if form.thread else None
            turns = self._turns(visit, form.thread[:-1] if found else form.thread)
            filled = partial(
                self._pages.page,
                "ask.html",
                visit,
                here=HERE,
                form=form.fresh(),
                turns=turns,
                asked=self._turns(visit, form.thread[-1:]),
                answered=found is not None,
                stages=stages_of(found.decisions) if found else (),
                changed="changed" in request.query_params,
            )
            return filled(**_answer(found)) if found else filled()

        return await self._desk.call(request, page)

    async def check(self, request: Request, visit: Visit) -> Response:
        """Read and check a question without running it: the plan in words, or what is asked back."""
        form, leaver = form_of(await request.form()), Cancellation()

        def page() -> Response:
            reply = form.ask(self._desk.gateway, visit.caller, leaver, dry_run=True)
            return self._checked(visit, form, reply)

        return await self._desk.call(request, page, leaver)

    async def run(self, request: Request, visit: Visit) -> Response:
        """Run a question and go to its answer; what left no trace is shown in place."""
        form, leaver = form_of(await request.form()), Cancellation()

        def page() -> Response:
            reply = form.ask(self._desk.gateway, visit.caller, leaver, dry_run=False)
            self._desk.counters.told("console", reply)
            back = reply.outcome in IN_PLACE
            if back or not reply.trace_id:
                return self._checked(visit, form, reply)
            changed = bool(form.shown) and plan_digest(reply.plan) != form.shown
            return RedirectResponse(f"{HERE}?{form.after(reply.trace_id, changed)}#answer", 303)

        return await self._desk.call(request, page, leaver)

    def _checked(self, visit: Visit, form: AskForm, reply: Reply) -> Response:
        found = self._evidence(visit, reply.trace_id) if reply.trace_id else None
        labels = {metric.name: metric.label for metric in found.metrics} if found else {}
        return self._pages.page(
            "checked.html",
            visit,
            here=HERE,
            status=status_of(reply).http,
            form=form.fresh(),
            turns=self._turns(visit, form.thread),
            reply=reply,
            sentence=plan_in_words(reply.plan, labels) if reply.plan else "",
            shown=plan_digest(reply.plan),
            metrics=[metric for metric in found.metrics if metric.asked] if found else (),
            stages=stages_of(found.decisions if found else reply.decisions),
            sql=page_values(found)["sql"] if found else "",
        )

    def _evidence(self, visit: Visit, trace_id: str) -> Evidence | None:
        return self._desk.gateway.evidence(visit.caller, trace_id)

    def _turns(self, visit: Visit, thread: Sequence[str]) -> tuple[Turn, ...]:
        views = (self._desk.gateway.get_trace(visit.caller, trace_id) for trace_id in thread)
        return tuple(
            Turn(
                trace_id=view.trace_id,
                question=view.question or "A plan",
                answer=view.answer,
                outcome=view.outcome,
                hold=self._hold(visit, view),
            )
            for view in views
            if view is not None
        )

    def _hold(self, visit: Visit, view: TraceView) -> HoldView | None:
        """Return the item under which a question waits, or waited, as it stands now."""
        holds = holds_of(view) if view.outcome == "held" else ()
        found = self._desk.gateway.show_hold(visit.caller, holds[-1]) if holds else None
        return found if isinstance(found, HoldView) else None


def _answer(found: Evidence) -> PageValues:
    return page_values(
        found,
        no_picture=found.kept.no_plot,
        charts_at=charts_at(found),
        home=f"{TRACES}/{found.trace_id}",
    )
