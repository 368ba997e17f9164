"""Gateway: the one object behind every door."""

from collections.abc import Mapping, Sequence

from gateway.cancellation import Cancellation
from gateway.catalogue import describe_metric, list_metrics
from gateway.drafts import Draft, check_draft
from gateway.engines.base import EngineError
from gateway.entitled import still_entitled
from gateway.evidence import Evidence
from gateway.gather import gather
from gateway.house import House
from gateway.pipeline import Planner, answer
from gateway.recorder import StoreRecorder
from gateway.replay import replay
from gateway.reply import (
    DraftReply,
    Finding,
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
from gateway.state import StateStore
from gateway.traceview import trace_line, trace_view, verification
from metric_layer.issues import Issue
from metric_layer.parse import parse_plan
from metric_layer.plan import MetricPlan
from policies.facts import SqlFacts
from policies.register import SQL_CHECKS, judge, worst
from traces.errors import TraceError
from traces.records import Ask, Caller, Receipt, Trace
from traces.store.base import TraceStore

HEADROOM = 262_144


class Gateway:
    """A project, open. Every verb blocks; doors call it on worker threads."""

    def __init__(self, house: House, traces: TraceStore, results: ResultStore, state: StateStore) -> None:
        self.house = house
        self.traces = traces
        self.results = results
        self.state = state

    def list_metrics(self, caller: Caller, search: str = "", limit: int = 50) -> MetricList:
        """Return the metrics and dimensions a caller may ask for."""
        return list_metrics(self.house, caller, search, limit)

    def describe_metric(self, caller: Caller, name: str) -> MetricCard | Refusal:
        """Return one metric with its dimensions and a plan that works, or why there is nothing to show."""
        return describe_metric(self.house, caller, name)

    def ask(
        self,
        caller: Caller,
        raw_plan: object,
        *,
        choices: Mapping[str, str] | None = None,
        dry_run: bool = False,
        approval_id: str = "",
        client: str = "",
        cancellation: Cancellation | None = None,
    ) -> Reply:
        """Answer a plan, or say what became of it. What is no plan at all leaves no trace."""
        plan = parse_plan(raw_plan)
        if not isinstance(plan, MetricPlan):
            return Reply(outcome="invalid_plan", issues=tuple(issue_of(issue, "input") for issue in plan))
        ask = Ask(plan=plan, choices=choices or {}, dry_run=dry_run, approval_id=approval_id)
        with self.traces.reserve(HEADROOM):
            return answer(self.house, self._recorder(), caller, ask, cancellation=cancellation, client=client)

    def ask_planned(self, caller: Caller, planner: Planner, *, dry_run: bool = False) -> Reply:
        """Answer with SQL that a planner wrote. No door reaches this: it is for the gateway's own agent."""
        with self.traces.reserve(HEADROOM):
            return answer(self.house, self._recorder(), caller, Ask(dry_run=dry_run), planner=planner)

    def check_answer(
        self, caller: Caller, draft: str, trace_ids: Sequence[str], declare: object = ()
    ) -> DraftReply:
        """Say whether every number of a draft has its cell in the results it cites."""
        sent = Draft(text=draft, trace_ids=trace_ids, declare=declare)
        return check_draft(self.house, self.traces, self.results, self.state, caller, sent)

    def get_trace(self, caller: Caller, trace_id: str) -> TraceView | None:
        """Return a trace that the caller asked for themself or may audit."""
        trace = self._readable(caller, trace_id)
        if trace is None:
            return None
        return trace_view(trace, self.house.keys, withheld=self._withheld(caller, trace))

    def evidence(self, caller: Caller, trace_id: str) -> Evidence | None:
        """Return what stands behind an answer of the caller's own, or of anyone's for who may audit."""
        trace = self._readable(caller, trace_id)
        if trace is None:
            return None
        return gather(self.house, self.traces, self.results, caller, trace, own=self._own(caller, trace))

    def list_traces(self, caller: Caller, limit: int = 50) -> tuple[TraceLine, ...]:
        """Return the newest traces the caller may read: none of another tenant, whoever asks."""
        subject = "" if self._may(caller, "audit") else self._subject(caller)
        found = self.traces.list(limit, subject=subject, tenant=caller.tenant)
        return tuple(trace_line(summary) for summary in found)

    def verify_traces(self, receipts: Sequence[Receipt] = ()) -> Verification:
        """Check every log byte for byte and name the first bad record."""
        return verification(self.traces.verify(receipts))

    def replay(self, caller: Caller, trace_id: str, against: House | None = None) -> ReplayReport | None:
        """Ask a recorded question again under today's house, or under a candidate, and name what differs."""
        trace = self._readable(caller, trace_id)
        if trace is None:
            return None
        own, withheld = self._own(caller, trace), self._withheld(caller, trace)
        return replay(trace, against or self.house, caller, own=own, withheld=withheld)

    def check_sql(self, caller: Caller, sql: str) -> SqlReport | Refusal:
        """Say what the checks think of a text. Nothing is sent to the database."""
        role = self.house.entitlements.of(caller)
        if role is None or "check_sql" not in role.role.may:
            refused = Issue(
                code="entitlement",
                message="Your role may not try SQL against the checks.",
                seen=role.role_name if role else "no role",
                next_step="Ask the policy's owner for the right check_sql.",
            )
            return Refusal(issues=(issue_of(refused, "input"),))
        reading = role.reader.read(sql, self.house.now())
        facts = SqlFacts(
            origin="free",
            policy=self.house.governed.policy,
            catalogue=role.catalogue,
            reading=reading,
            resolved=None,
        )
        decisions = judge(SQL_CHECKS, facts)
        verdict = worst(decisions)
        return SqlReport(
            verdict="allow" if verdict == "skipped" else verdict,
            sql=sql,
            regenerated=reading.sql,
            decisions=decisions,
        )

    def ready(self) -> Readiness:
        """Say whether the house can answer: definitions, database, trace store."""
        findings = (
            Finding(name="definitions", ok=True, detail=f"layer {self.house.layer.digest[:12]}"),
            self._database(),
            self._promises(),
            self._trace_store(),
        )
        return Readiness(ready=all(finding.ok for finding in findings), findings=findings)

    def close(self) -> None:
        """Give the database and the stores back."""
        self.house.engine.close()
        self.traces.close()
        self.results.close()
        self.state.close()

    def _database(self) -> Finding:
        try:
            data = self.house.engine.pin()
        except EngineError as fault:
            return Finding(name="database", ok=False, detail=str(fault), next_step=fault.next_step)
        return Finding(name="database", ok=True, detail=f"answers; data {data.value[:12]}")

    def _promises(self) -> Finding:
        """What the engine can promise, in its own words: nobody should have to guess how hard a wall is."""
        can = self.house.engine.capabilities()
        said = (
            f"{can.engine} {can.version}, mode {can.mode}",
            f"rows held by {can.enforces_rows}",
            "read-only" if can.read_only else "not read-only",
            f"time travel: {can.time_travel}",
            *(f"{name} {value}" for name, value in can.settings.items()),
            *can.notes,
        )
        return Finding(name="engine", ok=can.read_only, detail="; ".join(said))

    def _trace_store(self) -> Finding:
        try:
            with self.traces.reserve(HEADROOM):
                return Finding(name="traces", ok=True, detail="room for the next record")
        except TraceError as fault:
            return Finding(name="traces", ok=False, detail=str(fault), next_step=fault.next_step)

    def _recorder(self) -> StoreRecorder:
        return StoreRecorder(self.traces, self.results, self.state)

    def _subject(self, caller: Caller) -> str:
        return self.house.subject(caller)

    def _own(self, caller: Caller, trace: Trace) -> bool:
        return trace.opened.subject == self._subject(caller)

    def _withheld(self, caller: Caller, trace: Trace) -> bool:
        """Say whether a trace of the caller's own holds values that their access reaches no more."""
        return self._own(caller, trace) and not still_entitled(self.house, caller, trace)

    def _may(self, caller: Caller, right: str) -> bool:
        role = self.house.entitlements.of(caller)
        return role is not None and right in role.role.may

    def _readable(self, caller: Caller, trace_id: str) -> Trace | None:
        trace = self.traces.read(trace_id)
        if trace is None or trace.opened.tenant != caller.tenant:
            return None
        return trace if self._own(caller, trace) or self._may(caller, "audit") else None
