"""Gateway: the one object behind every door."""

from collections.abc import Callable, Sequence
from hashlib import sha256

from gateway import __version__
from gateway.agent.desk import AgentDesk
from gateway.agent.task import Stores
from gateway.analyses.accept import take_in
from gateway.analyses.call import AnalysisCall, NewAnalysis
from gateway.analyses.run import Analyses
from gateway.analyses.view import AcceptedAnalysis, AnalysisList, AnalysisReply
from gateway.asking import EVALUATION, NO_DOOR, NO_OPTIONS, AskOptions, Door
from gateway.cancellation import Cancellation
from gateway.catalogue import describe_metric, list_metrics
from gateway.choices import ChoiceList, list_choices, revoke_choice
from gateway.custody.desk import Custody
from gateway.drafts.answer import Draft, check_draft
from gateway.holds.approvals import end_what_is_over
from gateway.house import House
from gateway.houses import Houses
from gateway.ladder.desk import Ladder
from gateway.narrower import answer_or_narrower, narrower_issue
from gateway.nearby import planned_entry
from gateway.operation.attest import attest
from gateway.operation.beside import ALONE, Beside
from gateway.operation.readiness import HEADROOM, readiness
from gateway.operation.reload import Reload, Reloader
from gateway.pipeline import Planner, answer
from gateway.questions import Questions
from gateway.read_plans import ReadPlans
from gateway.record.entitled import Standing, standing_of
from gateway.record.evidence import Evidence
from gateway.record.kept import OwnResult
from gateway.record.readings import Readings
from gateway.record.recorder import EvaluationRecorder, StoreRecorder, Watch
from gateway.record.samples import DailySamples
from gateway.releases.in_force import stages_of
from gateway.repeated import reply_once
from gateway.replay.desk import Replays
from gateway.replay.revision import Revision, revise
from gateway.replay.sample import Choice, ReplaySample
from gateway.replay.side_by_side import TraceDifference
from gateway.reply import (
    AttestReport,
    CatalogHits,
    DraftReply,
    MetricCard,
    MetricList,
    Readiness,
    Refusal,
    ReplayReport,
    Reply,
    SqlReport,
    TraceLine,
    TraceView,
    Verification,
    issue_of,
)
from gateway.reviews.desk import LONGEST_WAIT, Desk
from gateway.reviews.view import Calibration, HoldList, HoldView
from gateway.search import search_catalog
from gateway.sql_check import check_sql
from gateway.state import StateStore
from gateway.stores.attestations import AttestationStore
from gateway.stores.results import ResultStore
from gateway.tracing.desk import Tracing
from metric_layer.layer import Layer
from metric_layer.plan import MetricPlan
from metric_layer.settle import Words
from metric_layer.unread import unread
from traces.records import Ask, Caller, Receipt
from traces.store.base import TraceStore
from traces.store.index import TraceIndex
from traces.store.sealed import SealedStore


class Gateway:
    """A project, open. Every verb blocks; doors call it on worker threads.

    One question sees one house, even when `reload` puts another in force meanwhile.
    """

    def __init__(
        self,
        house: House,
        traces: TraceStore,
        results: ResultStore,
        state: StateStore,
        attestations: AttestationStore,
        beside: Beside = ALONE,
    ) -> None:
        self.houses = Houses(house)
        inner = traces.inner if isinstance(traces, SealedStore) else traces
        self.traces = SealedStore(inner, house.keys, lambda: self.house.layer)
        self.results = results
        self.state = state
        self.notices = beside.notices
        self.attestations = attestations
        index = TraceIndex(beside.index, inner, house.keys)
        self.custody = Custody(self.houses, self.traces, results, state, (("index", index),), beside.askers)
        self.tracing = Tracing(self.houses, self.traces, results, index)
        self.pins = beside.pins
        self._plans = ReadPlans()
        self.watch: Watch | None = None
        self.ladder = Ladder(self.houses, self.traces, state, beside.runs)
        self.samples = DailySamples(self.houses, self.traces, beside.samples, beside.sample)
        self.agent = AgentDesk(self.houses, Stores(self.traces, results, state), beside.askers)
        self._replays = Replays(self.traces, self.pins, lambda: beside.askers)
        self._reloader = Reloader(self.houses, beside.files, beside.digest) if beside.files else None

    @property
    def house(self) -> House:
        """The house in force now; a question keeps the one it began under."""
        return self.houses.house

    def reload(self, *, once_settled: bool = False) -> Reload | None:
        """Take the project's files as they are now; the last good set stays where they are wrong.

        With `once_settled`, files that are still being written wait for the next look. None without files.
        """
        return self._reloader.look(once_settled=once_settled) if self._reloader else None

    def standing(self, caller: Caller) -> Standing:
        """Return the role a caller acts in and what it may do."""
        return standing_of(self.house, caller)

    def list_metrics(self, caller: Caller, search: str = "", limit: int = 50) -> MetricList:
        """Return the metrics and dimensions a caller may ask for."""
        house = self.house
        return list_metrics(house.layer, house.visible_for(caller), search, limit)

    def describe_metric(self, caller: Caller, name: str) -> MetricCard | Refusal:
        """Return one metric with its dimensions and a plan that works, or why there is nothing to show."""
        house = self.house
        return describe_metric(house.layer, house.visible_for(caller), name)

    def search_catalog(
        self, caller: Caller, search: str, limit: int = 10, exclude_examples: Sequence[str] = ()
    ) -> CatalogHits | Refusal:
        """Return metrics, dimensions, values and examples for a few words; an evaluator may hide examples."""
        return search_catalog(self.house, caller, search, limit, exclude_examples)

    def ask(
        self,
        caller: Caller,
        raw_plan: object,
        options: AskOptions = NO_OPTIONS,
        *,
        door: Door = NO_DOOR,
        cancellation: Cancellation | None = None,
    ) -> Reply:
        """Answer a plan, or say what became of it. What is no plan at all leaves no trace.

        After a timeout the plan is asked once more over `accept_narrower`, a part of its window.
        """
        plan = self._plans.read(raw_plan)
        if not isinstance(plan, MetricPlan):
            return self._unread(caller, raw_plan, options)
        accepted = options.accept_narrower
        if accepted and (wrong := narrower_issue(plan, accepted)):
            return Reply(outcome="invalid_plan", issues=(issue_of(wrong, "input"),))
        ask = Ask(
            plan=plan,
            choices=options.choices,
            dry_run=options.dry_run,
            approval_id=options.approval_id,
            accept_narrower=accepted,
        )
        with self.houses.asking() as house, self.traces.reserve(HEADROOM):
            entry, recorder = planned_entry(house, caller, plan, options, door), self._recorder(door)
            return answer_or_narrower(house, recorder, caller, ask, cancellation=cancellation, entry=entry)

    def ask_question(
        self,
        caller: Caller,
        question: str,
        options: AskOptions = NO_OPTIONS,
        *,
        door: Door = NO_DOOR,
        cancellation: Cancellation | None = None,
    ) -> Reply:
        """Answer a question in words, ask back, or say what is missing.

        What intake cannot read is put to a model where the settings name one, within the policy's limits.

        A follow-up goes on from the plan that the same caller was last answered in `conversation`.
        """
        if cancellation is not None:
            cancellation.reached("intake")
        with self.houses.asking() as house, self.traces.reserve(HEADROOM):
            stores = self.agent.stores
            questions = Questions(house, self._recorder(door), self.state.conversations, caller, stores)
            return questions.ask(question, options, door=door, cancellation=cancellation)

    def list_analyses(self, caller: Caller) -> AnalysisList:
        """Return the saved analyses that a caller may run."""
        with self.houses.asking() as house:
            return Analyses(house, self._recorder(), caller).listed()

    def run_analysis(
        self, caller: Caller, call: AnalysisCall, *, cancellation: Cancellation | None = None
    ) -> AnalysisReply | Refusal:
        """Run a saved analysis as the caller: each step is a question of theirs, with a trace of its own."""
        with self.houses.asking() as house, self.traces.reserve(HEADROOM):
            return Analyses(house, self._recorder(call.door), caller).run(call, cancellation)

    def accept_analysis(self, caller: Caller, hold_id: str, about: NewAnalysis) -> AcceptedAnalysis | Refusal:
        """Return the accepted SQL of a hold as the file of a saved analysis, pinned to it."""
        with self.houses.asking() as house:
            return take_in(self._desk(house, caller), hold_id, about)

    def once(self, caller: Caller, key: str, asked: str, work: Callable[[], Reply]) -> Reply:
        """Return what `work` returns; for the same key of the same caller, within an hour, the same reply.

        `asked` is a digest of the request; a kept reply ends with the access and the release stages it was
        given under. Raises Busy while the first request with that key runs.
        """
        house = self.house
        asked = f"{asked} {stages_of(house.governed.policy, house.keys, self.state.releases.newest)}"
        role = house.entitlements.of(caller)
        under = f"{asked} {role.role_name} {role.digest}" if role else asked
        return reply_once(house.keys, self.state.replies, house.subject(caller), key, under, work)

    def ask_planned(self, caller: Caller, planner: Planner, *, dry_run: bool = False) -> Reply:
        """Answer with SQL that a planner wrote. No door reaches this: it is for the gateway's own agent."""
        with self.houses.asking() as house, self.traces.reserve(HEADROOM):
            return answer(house, self._recorder(), caller, Ask(dry_run=dry_run), planner=planner)

    def check_answer(
        self,
        caller: Caller,
        draft: str,
        trace_ids: Sequence[str],
        declare: object = (),
        approval_id: str = "",
    ) -> DraftReply:
        """Say whether every number of a draft has its cell in the results it cites.

        A draft that was held comes back as it was, with the hold's id.
        """
        sent = Draft(text=draft, trace_ids=trace_ids, declare=declare, approval_id=approval_id)
        with self.houses.asking() as house:
            recorder = self._recorder()
            return check_draft(house, self.traces, self.results, self.state, recorder, caller, sent)

    def get_trace(self, caller: Caller, trace_id: str) -> TraceView | None:
        """Return a trace that the caller asked for themself; who may audit sees its headers and steps."""
        with self.houses.asking() as house:
            return self._readings(house, caller).trace(trace_id)

    def evidence(self, caller: Caller, trace_id: str) -> Evidence | None:
        """Return what stands behind an answer of the caller's own, or of anyone's for who may audit."""
        with self.houses.asking() as house:
            return self._readings(house, caller).evidence(trace_id)

    def result(self, caller: Caller, trace_id: str) -> OwnResult | Refusal:
        """Return the kept rows of the caller's own answer, as policy shows them today."""
        with self.houses.asking() as house:
            return self._readings(house, caller).result(trace_id)

    def list_traces(self, caller: Caller, limit: int = 50, before: str = "") -> tuple[TraceLine, ...]:
        """Return the newest traces the caller may read, older than `before`: none of another tenant."""
        with self.houses.asking() as house:
            return self._readings(house, caller).lines(limit, before)

    def stamp(self, caller: Caller) -> str:
        """Return a digest of all that what a caller may see of the definitions hangs on."""
        with self.houses.asking() as house:
            role = house.entitlements.of(caller)
            defined = (__version__, house.layer.digest, house.governed.digest, house.analyses.digest)
            seen = (role.role_name, role.digest) if role else ()
            return sha256("\n".join((*defined, *seen)).encode()).hexdigest()

    def verify_traces(self, caller: Caller, receipts: Sequence[Receipt] = ()) -> Verification | Refusal:
        """Check every log byte for byte, for who has the right `verify`; the first bad record is named."""
        return self.tracing.verify(caller, receipts)

    def replay(self, caller: Caller, trace_id: str, against: House | None = None) -> ReplayReport | None:
        """Work a recorded question through again under today's house, or a candidate; name what differs."""
        with self.houses.asking() as house:
            return self._replays.one(house, caller, trace_id, against)

    def replay_sample(self, caller: Caller, choice: Choice, against: House | None = None) -> ReplaySample:
        """Replay a sample of the recorded questions under today's house, or under a candidate."""
        with self.houses.asking() as house:
            return self._replays.sample(house, caller, choice, against)

    def diff_traces(self, caller: Caller, old: str, new: str) -> TraceDifference | None:
        """Hold two traces side by side that the caller may read."""
        with self.houses.asking() as house:
            return self._replays.diff(house, caller, old, new)

    def revise(self, caller: Caller, old: Layer, new: Layer) -> Revision:
        """Say which recorded questions two layers would put to the database otherwise. Nothing runs."""
        house = self.house
        return revise(house, self.traces, caller, old, new, audits=self._readings(house, caller).audits)

    def list_choices(self, caller: Caller, team: str = "") -> ChoiceList | Refusal:
        """Return how one team, or each that the caller is in, chose to read open terms."""
        return list_choices(self.house, self.state, caller, team)

    def revoke_choice(self, caller: Caller, term: str, team: str = "") -> ChoiceList | Refusal:
        """Forget the reading of a term; only members of the team may."""
        return revoke_choice(self.house, self.state, caller, term, team)

    def list_holds(self, caller: Caller, status: str = "waiting", limit: int = 100) -> HoldList | Refusal:
        """Return the held questions that a caller may see: a reviewer the tenant's, others their own."""
        with self.houses.asking() as house:
            return self._desk(house, caller).list(status, limit)

    def show_hold(self, caller: Caller, hold_id: str) -> HoldView | Refusal:
        """Return one held question with all that is needed to decide it."""
        with self.houses.asking() as house:
            return self._desk(house, caller).show(hold_id)

    def expire_holds(self) -> None:
        """End what nobody decided or came for in time, on the record; servers do it every few seconds."""
        with self.traces.reserve(HEADROOM):
            end_what_is_over(self.traces, self.state.holds)

    def resume_notices(self) -> None:
        """Go on telling reviewers of what waits, where it was left; servers do it every few seconds."""
        if self.notices is not None:
            self.notices.resume()

    def hold_waits(self, caller: Caller, hold_id: str) -> bool:
        """Say whether a hold that the caller may see still waits for a decision."""
        with self.houses.asking() as house:
            return self._desk(house, caller).waits(hold_id)

    def decide_hold(
        self, caller: Caller, hold_id: str, verdict: str, reason: str, findings: Sequence[str] = ()
    ) -> HoldView | Refusal:
        """Accept, deny or take back. An accept runs nothing: the asker comes back with it, once."""
        with self.houses.asking() as house, self.traces.reserve(HEADROOM):
            return self._desk(house, caller).decide(hold_id, verdict, reason, findings)

    def await_decision(self, caller: Caller, hold_id: str, timeout: float = 25.0) -> HoldView | Refusal:
        """Return a hold as soon as it waits no more, or as it stands after `timeout` seconds.

        This blocks its thread; a door with many callers looks again and again with `show_hold` instead.
        """
        with self.houses.asking() as house:
            return self._desk(house, caller).await_decision(hold_id, min(timeout, LONGEST_WAIT))

    def calibration(self, caller: Caller) -> Calibration | Refusal:
        """Return how far judges agreed with the people who decided the same findings later."""
        with self.houses.asking() as house:
            return self._desk(house, caller).calibration()

    def check_sql(self, caller: Caller, sql: str) -> SqlReport | Refusal:
        """Say what the checks think of a text, on the record. Nothing is sent to the database."""
        with self.houses.asking() as house, self.traces.reserve(HEADROOM):
            return check_sql(house, self._recorder(), caller, sql)

    def attest(self, caller: Caller) -> AttestReport:
        """Count the declared keys and hierarchies in the data, and keep what the keys gave."""
        with self.houses.asking() as house:
            return attest(house, self.attestations, caller)

    def ready(self) -> Readiness:
        """Say whether the house can answer: definitions, database, trace store."""
        with self.houses.asking() as house:
            reload = self._reloader.finding() if self._reloader else None
            found = readiness(house, self.traces, self.state, reload)
        if self.notices is None or not self.notices.channels:
            return found
        return found.model_copy(update={"findings": (*found.findings, self.notices.finding())})

    def close(self) -> None:
        """Give the database and the stores back."""
        self.houses.close()
        if self.notices is not None:
            self.notices.close()
        self.traces.close()
        self.results.close()
        self.state.close()
        self.attestations.close()

    def _unread(self, caller: Caller, raw_plan: object, options: AskOptions) -> Reply:
        """Say all that is wrong with a plan of the wrong form, its names included, as this caller may."""
        house = self.house
        words = Words(house.layer, house.visible_for(caller), options.choices)
        told = tuple(issue_of(issue, "input") for issue in unread(raw_plan, words))
        return Reply(outcome="invalid_plan", issues=told)

    def _recorder(self, door: Door = NO_DOOR) -> StoreRecorder:
        told = self.notices.tell if self.notices else None
        kind = EvaluationRecorder if door == EVALUATION else StoreRecorder
        return kind(self.traces, self.results, self.state, self.attestations, told, self.watch)

    def _desk(self, house: House, caller: Caller) -> Desk:
        link = self.notices.link if self.notices else ""
        return Desk(house, self.traces, self.state, caller, link)

    def _readings(self, house: House, caller: Caller) -> Readings:
        return Readings(house, self.traces, self.results, caller)
