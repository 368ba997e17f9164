"""A house that answers whatever a test put into it, and remembers who asked what."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from gateway.analyses.call import AnalysisCall
from gateway.analyses.view import AnalysisList, AnalysisReply
from gateway.asking import NO_DOOR, NO_OPTIONS, AskOptions, Door
from gateway.cancellation import Cancellation
from gateway.record.evidence import Evidence
from gateway.record.kept import OwnResult, unknown_result
from gateway.reply import (
    CatalogHits,
    DraftReply,
    Finding,
    MetricCard,
    MetricLine,
    MetricList,
    Readiness,
    Refusal,
    Reply,
    ReplyIssue,
    SqlReport,
    TraceLine,
    TraceView,
    Verification,
)
from gateway.reviews.view import Calibration, HoldList, HoldView
from metric_layer.catalog_hits import CatalogHit
from traces.records import Caller, Receipt

TOKEN = "a token for ana"
METRICS = MetricList(
    metrics=(
        MetricLine(
            name="net_revenue",
            label="Net revenue",
            description="Amounts less refunds.",
            unit="EUR",
            version=3,
            owner="finance",
            status="certified",
        ),
    ),
    dimensions=("region",),
)
CARD = MetricCard(
    name="net_revenue",
    version=3,
    owner="finance",
    status="certified",
    label="Net revenue",
    description="Amounts less refunds.",
    type="derived",
    formula="gross_revenue - refunds",
    unit="EUR",
    synonyms=(),
    time_field="order_date",
    grains=("month",),
    dimensions=(),
    example={"metrics": ["net_revenue"]},
)
NO_METRIC = Refusal(
    issues=(
        ReplyIssue(
            code="unknown_metric", message="No such metric.", stage="plan", candidates=("net_revenue",)
        ),
    )
)

NO_HOLD = Refusal(issues=(ReplyIssue(code="unknown_hold", message="No such hold.", stage="input"),))


@dataclass
class FakeGateway:
    """Answers `reply` to every question. With `hangs`, a question runs until its caller is gone."""

    reply: Reply = field(
        default_factory=lambda: Reply(outcome="answered", trace_id="t1", rows=((1, "2.50", None),))
    )
    draft: DraftReply = field(default_factory=lambda: DraftReply(outcome="passed", text="2.50"))
    analyses: AnalysisList = field(default_factory=lambda: AnalysisList(analyses=()))
    analysis_reply: AnalysisReply | Refusal = field(
        default_factory=lambda: AnalysisReply(outcome="answered", trace_id="t1")
    )
    lines: tuple[TraceLine, ...] = ()
    kept: dict[str, OwnResult] = field(default_factory=dict)
    stamped: str = "one"
    called: list[AnalysisCall] = field(default_factory=list)
    fault: Exception | None = None
    hangs: bool = False
    stages: tuple[str, ...] = ()
    parts: tuple[Finding, ...] = (Finding(name="database", ok=True, detail="secret place"),)
    asked: list[tuple[Caller, object, Mapping[str, str], bool, str, Door]] = field(default_factory=list)
    options: AskOptions = NO_OPTIONS
    keys: list[tuple[str, str]] = field(default_factory=list)
    drafts: list[tuple[Caller, str, tuple[str, ...], object]] = field(default_factory=list)
    begun: threading.Event = field(default_factory=threading.Event)
    stopped: threading.Event = field(default_factory=threading.Event)

    def list_metrics(self, caller: Caller, search: str = "", limit: int = 50) -> MetricList:
        if self.fault:
            raise self.fault
        return METRICS

    def describe_metric(self, caller: Caller, name: str) -> MetricCard | Refusal:
        return CARD if name == CARD.name else NO_METRIC

    def search_catalog(
        self, caller: Caller, search: str, limit: int = 10, exclude_examples: Sequence[str] = ()
    ) -> CatalogHits | Refusal:
        hit = CatalogHit(kind="metric", name=CARD.name, text=CARD.description)
        return CatalogHits(hits=() if exclude_examples else (hit,))

    def ask(
        self,
        caller: Caller,
        raw_plan: object,
        options: AskOptions = NO_OPTIONS,
        *,
        door: Door = NO_DOOR,
        cancellation: Cancellation | None = None,
    ) -> Reply:
        self.options = options
        self.asked.append((caller, raw_plan, options.choices, options.dry_run, options.approval_id, door))
        for stage in self.stages:
            if cancellation is not None:
                cancellation.reached(stage)
        if self.hangs and cancellation is not None:
            with cancellation.stopping(self.stopped.set):
                self.begun.set()
                self.stopped.wait(20)
        if self.fault:
            raise self.fault
        return self.reply

    def ask_question(
        self,
        caller: Caller,
        question: str,
        options: AskOptions = NO_OPTIONS,
        *,
        door: Door = NO_DOOR,
        cancellation: Cancellation | None = None,
    ) -> Reply:
        return self.ask(caller, question, options, door=door, cancellation=cancellation)

    def once(self, caller: Caller, key: str, asked: str, work: Callable[[], Reply]) -> Reply:
        self.keys.append((key, asked))
        return work()

    def list_analyses(self, caller: Caller) -> AnalysisList:
        return self.analyses

    def run_analysis(
        self, caller: Caller, call: AnalysisCall, *, cancellation: Cancellation | None = None
    ) -> AnalysisReply | Refusal:
        self.called.append(call)
        return self.analysis_reply

    def list_holds(self, caller: Caller, status: str = "waiting", limit: int = 100) -> HoldList | Refusal:
        return HoldList(holds=())

    def show_hold(self, caller: Caller, hold_id: str) -> HoldView | Refusal:
        return NO_HOLD

    def hold_waits(self, caller: Caller, hold_id: str) -> bool:
        return False

    def decide_hold(
        self, caller: Caller, hold_id: str, verdict: str, reason: str, findings: Sequence[str] = ()
    ) -> HoldView | Refusal:
        return NO_HOLD

    def verify_traces(self, caller: Caller, receipts: Sequence[Receipt] = ()) -> Verification | Refusal:
        return Verification(ok=True, records=0, segments=0)

    def calibration(self, caller: Caller) -> Calibration | Refusal:
        return Calibration(findings=())

    def check_answer(
        self,
        caller: Caller,
        draft: str,
        trace_ids: Sequence[str],
        declare: object = (),
        approval_id: str = "",
    ) -> DraftReply:
        self.drafts.append((caller, draft, tuple(trace_ids), declare))
        return self.draft

    def list_traces(self, caller: Caller, limit: int = 50, before: str = "") -> tuple[TraceLine, ...]:
        older = [line for line in self.lines if not before or line.trace_id < before]
        return tuple(older[:limit])

    def result(self, caller: Caller, trace_id: str) -> OwnResult | Refusal:
        return self.kept.get(trace_id) or unknown_result(trace_id)

    def check_sql(self, caller: Caller, sql: str) -> SqlReport | Refusal:
        return SqlReport(verdict="allow", sql=sql, regenerated=sql, decisions=())

    def stamp(self, caller: Caller) -> str:
        return self.stamped

    def evidence(self, caller: Caller, trace_id: str) -> Evidence | None:
        return None

    def get_trace(self, caller: Caller, trace_id: str) -> TraceView | None:
        return TraceView(trace_id="t1", outcome="answered", records=()) if trace_id == "t1" else None

    def ready(self) -> Readiness:
        return Readiness(ready=all(part.ok for part in self.parts), findings=self.parts)
