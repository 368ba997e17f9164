"""Gateway: the one object behind every door."""

from collections.abc import Callable, Sequence

from gateway.asking import NO_OPTIONS, AskOptions, Entry
from gateway.attest import attest
from gateway.attestations import AttestationStore
from gateway.cancellation import Cancellation
from gateway.catalogue import describe_metric, list_metrics
from gateway.choices import ChoiceList, list_choices, revoke_choice
from gateway.drafts import Draft, check_draft
from gateway.entitled import still_entitled
from gateway.evidence import Evidence
from gateway.gather import gather
from gateway.house import House
from gateway.houses import Houses
from gateway.narrower import answer_or_narrower, narrower_issue
from gateway.pipeline import Planner, answer
from gateway.questions import Questions
from gateway.readiness import HEADROOM, readiness
from gateway.recorder import StoreRecorder
from gateway.reload import ProjectFiles, Reload, Reloader
from gateway.repeated import longest, reply_once
from gateway.replay import replay
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
from gateway.results import ResultStore
from gateway.revision import Revision, revise
from gateway.search import search_catalog
from gateway.sql_check import check_sql
from gateway.state import StateStore
from gateway.traceview import trace_line, trace_view, verification
from metric_layer.layer import Layer
from metric_layer.parse import parse_plan
from metric_layer.plan import MetricPlan
from traces.records import Ask, Caller, Receipt, Trace
from traces.store.base import TraceStore


class Gateway:
    """A project, open. Every verb blocks; doors call it on worker threads.

    One question sees one house, even when `reload` puts another in force meanwhile. `files` is what is
    reloaded, `digest` what it was before `house` was read; without it nothing ever changes.
    """

    def __init__(
        self,
        house: House,
        traces: TraceStore,
        results: ResultStore,
        state: StateStore,
        attestations: AttestationStore,
        *,
        files: ProjectFiles | None = None,
        digest: str = "",
    ) -> None:
        self.houses = Houses(house)
        self.traces = traces
        self.results = results
        self.state = state
        self.attestations = attestations
        self._reloader = Reloader(self.houses, files, digest) if files else None

    @property
    def house(self) -> House:
        """The house in force now; a question keeps the one it began under."""
        return self.houses.house

    def reload(self, *, once_settled: bool = False) -> Reload | None:
        """Take the project's files as they are now; the last good set stays where they are wrong.

        With `once_settled`, files that are still being written wait for the next look. None without files.
        """
        return self._reloader.look(once_settled=once_settled) if self._reloader else None

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
        client: str = "",
        cancellation: Cancellation | None = None,
    ) -> Reply:
        """Answer a plan, or say what became of it. What is no plan at all leaves no trace.

        After a timeout the plan is asked once more over `accept_narrower`, a part of its window.
        """
        plan = parse_plan(raw_plan)
        if not isinstance(plan, MetricPlan):
            return Reply(outcome="invalid_plan", issues=tuple(issue_of(issue, "input") for issue in plan))
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
        entry = Entry(client, options.conversation)
        with self.houses.asking() as house, self.traces.reserve(HEADROOM):
            recorder = self._recorder()
            return answer_or_narrower(house, recorder, caller, ask, cancellation=cancellation, entry=entry)

    def ask_question(
        self,
        caller: Caller,
        question: str,
        options: AskOptions = NO_OPTIONS,
        *,
        client: str = "",
        cancellation: Cancellation | None = None,
    ) -> Reply:
        """Answer a question in words, ask back, or say what is missing. No model is asked.

        A follow-up goes on from the plan that the same caller was last answered in `conversation`.
        """
        with self.houses.asking() as house, self.traces.reserve(HEADROOM):
            questions = Questions(house, self._recorder(), self.state.conversations, caller)
            return questions.ask(question, options, client=client, cancellation=cancellation)

    def once(self, caller: Caller, key: str, asked: str, work: Callable[[], Reply]) -> Reply:
        """Return what `work` returns; for the same key of the same caller, within an hour, the same reply.

        `asked` is a digest of the request; a kept reply ends with the access it was given under. Raises Busy
        while the first request with that key runs.
        """
        house = self.house
        role = house.entitlements.of(caller)
        under = f"{asked} {role.role_name} {role.digest}" if role else asked
        running = longest(house.governed.policy.caps.seconds)
        return reply_once(house.keys, self.state.replies, house.subject(caller), key, under, work, running)

    def ask_planned(self, caller: Caller, planner: Planner, *, dry_run: bool = False) -> Reply:
        """Answer with SQL that a planner wrote. No door reaches this: it is for the gateway's own agent."""
        with self.houses.asking() as house, self.traces.reserve(HEADROOM):
            return answer(house, self._recorder(), caller, Ask(dry_run=dry_run), planner=planner)

    def check_answer(
        self, caller: Caller, draft: str, trace_ids: Sequence[str], declare: object = ()
    ) -> DraftReply:
        """Say whether every number of a draft has its cell in the results it cites."""
        sent = Draft(text=draft, trace_ids=trace_ids, declare=declare)
        with self.houses.asking() as house:
            recorder = self._recorder()
            return check_draft(house, self.traces, self.results, self.state, recorder, caller, sent)

    def get_trace(self, caller: Caller, trace_id: str) -> TraceView | None:
        """Return a trace that the caller asked for themself or may audit."""
        with self.houses.asking() as house:
            trace = self._readable(house, caller, trace_id)
            if trace is None:
                return None
            return trace_view(trace, house.keys, withheld=_withheld(house, caller, trace))

    def evidence(self, caller: Caller, trace_id: str) -> Evidence | None:
        """Return what stands behind an answer of the caller's own, or of anyone's for who may audit."""
        with self.houses.asking() as house:
            trace = self._readable(house, caller, trace_id)
            if trace is None:
                return None
            own = _own(house, caller, trace)
            return gather(house, self.traces, self.results, caller, trace, own=own)

    def list_traces(self, caller: Caller, limit: int = 50) -> tuple[TraceLine, ...]:
        """Return the newest traces the caller may read: none of another tenant, whoever asks."""
        house = self.house
        subject = "" if _may(house, caller, "audit") else house.subject(caller)
        found = self.traces.list(limit, subject=subject, tenant=caller.tenant)
        return tuple(trace_line(summary) for summary in found)

    def verify_traces(self, receipts: Sequence[Receipt] = ()) -> Verification:
        """Check every log byte for byte and name the first bad record."""
        return verification(self.traces.verify(receipts))

    def replay(self, caller: Caller, trace_id: str, against: House | None = None) -> ReplayReport | None:
        """Ask a recorded question again under today's house, or under a candidate, and name what differs."""
        with self.houses.asking() as house:
            trace = self._readable(house, caller, trace_id)
            if trace is None:
                return None
            own, withheld = _own(house, caller, trace), _withheld(house, caller, trace)
            return replay(trace, against or house, caller, own=own, withheld=withheld)

    def revise(self, caller: Caller, old: Layer, new: Layer) -> Revision:
        """Say which recorded questions two layers would put to the database otherwise. Nothing runs."""
        house = self.house
        return revise(house, self.traces, caller, old, new, audits=_may(house, caller, "audit"))

    def list_choices(self, caller: Caller, team: str = "") -> ChoiceList | Refusal:
        """Return how one team, or each that the caller is in, chose to read open terms."""
        return list_choices(self.house, self.state, caller, team)

    def revoke_choice(self, caller: Caller, term: str, team: str = "") -> ChoiceList | Refusal:
        """Forget the reading of a term; only members of the team may."""
        return revoke_choice(self.house, self.state, caller, term, team)

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
            return readiness(house, self.traces, self._reloader.finding() if self._reloader else None)

    def close(self) -> None:
        """Give the database and the stores back."""
        self.houses.close()
        self.traces.close()
        self.results.close()
        self.state.close()
        self.attestations.close()

    def _recorder(self) -> StoreRecorder:
        return StoreRecorder(self.traces, self.results, self.state, self.attestations)

    def _readable(self, house: House, caller: Caller, trace_id: str) -> Trace | None:
        trace = self.traces.read(trace_id)
        if trace is None or trace.opened.tenant != caller.tenant:
            return None
        return trace if _own(house, caller, trace) or _may(house, caller, "audit") else None


def _own(house: House, caller: Caller, trace: Trace) -> bool:
    return trace.opened.subject == house.subject(caller)


def _withheld(house: House, caller: Caller, trace: Trace) -> bool:
    """Say whether a trace of the caller's own holds values that their access reaches no more."""
    return _own(house, caller, trace) and not still_entitled(house, caller, trace)


def _may(house: House, caller: Caller, right: str) -> bool:
    role = house.entitlements.of(caller)
    return role is not None and right in role.role.may
