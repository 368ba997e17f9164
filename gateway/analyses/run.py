"""Saved analyses of one caller: listed as they may see them, run step by step with their own access."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from gateway.analyses.call import AnalysisCall
from gateway.analyses.cards import card_of
from gateway.analyses.parametrise import unbindable
from gateway.analyses.together import reply_of_steps
from gateway.analyses.view import AnalysisList, AnalysisReply
from gateway.asking import Entry, SavedStep
from gateway.cancellation import Cancellation
from gateway.chosen import unused, unused_note
from gateway.holds.records import keyed
from gateway.house import House
from gateway.pipeline import answer
from gateway.playbooks.access import shown_to
from gateway.playbooks.definition import Step
from gateway.playbooks.filling import filled, worded
from gateway.playbooks.parameters import Asking, Given, bind
from gateway.playbooks.shelf import Saved
from gateway.playbooks.statements import statement
from gateway.record.recorder import Recorder
from gateway.reply import TOLD, Refusal, Reply, issue_of
from gateway.stages.settlement import PURPOSE
from metric_layer.issues import Issue
from metric_layer.parse import parse_plan
from metric_layer.plan import MetricPlan
from metric_layer.resolve import Resolved, resolve
from metric_layer.sql.parameters import NotBindable
from metric_layer.vocabulary import near
from policies.entitlement import Entitlement
from traces.records import AnalysisPin, Ask, Caller

GONE_ON = (*TOLD, "dry_run")
"""The outcomes of a step after which the next one runs."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A step with its parameters in it, ready to be asked. A plan that is none is refused before any runs."""

    step: Step
    plan: MetricPlan | None
    saved: SavedStep


@dataclass(frozen=True, slots=True)
class Analyses:
    """The saved analyses under one house, for one caller. One they may not see does not exist for them."""

    house: House
    recorder: Recorder
    caller: Caller

    def listed(self) -> AnalysisList:
        """Return what the caller may run, in the order of names."""
        house = self.house
        cards = tuple(card_of(saved, house.layer) for saved in self.shown())
        return AnalysisList(analyses=cards, as_tools=house.governed.policy.analyses.as_tools)

    def shown(self) -> Iterator[Saved]:
        """Yield the analyses whose every name, and whose SQL, the caller's role may see."""
        house = self.house
        role = house.entitlements.of(self.caller)
        if role is not None:
            yield from shown_to(role, house.analyses, house.layer, house.governed.policy, house.now())

    def run(self, call: AnalysisCall, cancellation: Cancellation | None) -> AnalysisReply | Refusal:
        """Run an analysis as the caller. What is no call of one leaves no trace."""
        shown = {saved.analysis.name: saved for saved in self.shown()}
        saved = shown.get(call.name)
        if saved is None:
            return unknown_analysis(call.name, tuple(shown))
        bound = bind(saved.analysis, call.parameters, self._asking())
        if not isinstance(bound, Mapping):
            return _invalid(bound)
        steps = self._steps(saved, bound)
        if not isinstance(steps, list):
            return _invalid(steps)
        replies = self._replies(steps, call, cancellation)
        shown_as = {each: value.shown for each, value in bound.items()}
        idle = unused_note(unused(partial(self._resolved, steps), call.options.choices))
        return reply_of_steps(_pin(saved, replies[-1][0]), shown_as, replies, [idle] if idle else ())

    def _replies(
        self, steps: Sequence[Asked], call: AnalysisCall, cancellation: Cancellation | None
    ) -> list[tuple[str, Reply]]:
        """Ask the steps in order. Once one is held, those after it are held too where they have to be.

        So all that waits is decided at once; nothing more runs, and accepts of other steps stay unused.
        """
        accepted = self._accepts(call.options.approval_id)
        replies: list[tuple[str, Reply]] = []
        held = False
        for asked in self._in_order(steps, call.options.choices):
            approval = accepted.get(self._key(asked.plan), "")
            if held and approval:
                continue
            step = replace(asked, saved=replace(asked.saved, waits=held))
            reply = self._answer(step, call, approval, cancellation)
            replies.append((asked.step.id, reply))
            held = held or reply.outcome == "held"
            if reply.outcome not in GONE_ON and not held:
                break
        return replies

    def _accepts(self, approval_ids: str) -> Mapping[str, str]:
        """Return the holds that a caller comes back with, parted by commas, by the plan they were for."""
        found: dict[str, str] = {}
        for each in filter(None, map(str.strip, approval_ids.split(","))):
            held = self.recorder.approvals.find(each)
            found[held.hold.parts.get("plan", "") if held else ""] = each
        return found

    def _key(self, plan: MetricPlan | None) -> str:
        """Return what a hold of this plan is found by; without a plan, that of any hold over SQL."""
        text = plan.model_dump_json(by_alias=True) if plan else ""
        return keyed(self.house.keys.commitment(PURPOSE), {"plan": text})["plan"]

    def _answer(
        self, asked: Asked, call: AnalysisCall, approval_id: str, cancellation: Cancellation | None
    ) -> Reply:
        options = call.options
        ask = Ask(
            plan=asked.plan,
            choices=options.choices,
            dry_run=options.dry_run,
            approval_id=approval_id,
        )
        sql = asked.saved.sql
        return answer(
            self.house,
            self.recorder,
            self.caller,
            ask,
            planner=(lambda _catalogue: sql) if sql else None,
            cancellation=cancellation,
            entry=Entry(call.door, options.conversation, saved=asked.saved),
        )

    def _steps(self, saved: Saved, bound: Mapping[str, Given]) -> list[Asked] | tuple[Issue, ...]:
        """Return every step with its parameters, or what makes one of their plans no plan."""
        found: list[Asked] = []
        issues: list[Issue] = []
        for step in saved.analysis.steps:
            plan = parse_plan(filled(step.plan, bound)) if step.plan is not None else None
            if isinstance(plan, tuple):
                issues.extend(plan)
                continue
            try:
                sql = statement(step, saved.analysis, bound, self.house.engine.dialect)
            except NotBindable as fault:
                issues.append(unbindable(str(fault)))
                continue
            said = SavedStep(_pin(saved, step.id), worded(step.wording, bound), step.declare, sql)
            found.append(Asked(step, plan, said))
        return tuple(issues) or found

    def _in_order(self, steps: Sequence[Asked], choices: Mapping[str, str]) -> Sequence[Asked]:
        """Return the steps as they run; one that cannot resolve goes first, so that no other is paid for."""
        found = self._resolved(steps, choices)
        return next(
            ([asked] for asked, each in zip(steps, found, strict=True) if isinstance(each, tuple)), steps
        )

    def _resolved(self, steps: Sequence[Asked], choices: Mapping[str, str]) -> tuple[Resolved | None, ...]:
        """Return what each step means to the caller; None for one without a plan."""
        role = self.house.entitlements.of(self.caller)
        return tuple(self._meant(step.plan, role, choices) if step.plan and role else None for step in steps)

    def _meant(self, plan: MetricPlan, role: Entitlement, choices: Mapping[str, str]) -> Resolved:
        return resolve(
            plan,
            self.house.layer,
            visible=role.visible,
            choices=choices,
            today=self.house.now().date(),
            dialect=self.house.engine.dialect,
            allow=self.house.governed.policy.askable,
        )

    def _asking(self) -> Asking:
        return Asking(self.house.layer, self.house.now().date(), dialect=self.house.engine.dialect)


def _pin(saved: Saved, step: str) -> AnalysisPin:
    analysis = saved.analysis
    return AnalysisPin(name=analysis.name, version=analysis.version, digest=saved.digest, step=step)


def unknown_analysis(name: str, known: Sequence[str]) -> Refusal:
    """Say that there is no such analysis, in the same words whether it is missing or hidden."""
    issue = Issue(
        code="unknown_analysis",
        message=f"No saved analysis {name!r} is known.",
        path="/name",
        seen=name,
        candidates=near(name, known),
        next_step="Find one with search_catalog, or list them with `cellbound analyses list`.",
    )
    return Refusal(issues=(issue_of(issue, "input"),))


def _invalid(issues: Sequence[Issue]) -> AnalysisReply:
    return AnalysisReply(outcome="invalid_plan", issues=tuple(issue_of(issue, "input") for issue in issues))
