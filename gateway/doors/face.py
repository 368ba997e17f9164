"""What the doors ask of the house. `gateway.service.Gateway` answers; tests hand in a fake."""

from collections.abc import Callable, Sequence
from typing import Protocol

from gateway.asking import NO_DOOR, NO_OPTIONS, AskOptions, Door
from gateway.cancellation import Cancellation
from gateway.doors.analysis_face import AnalysisFace
from gateway.doors.hold_face import HoldFace
from gateway.doors.verify_face import VerifyFace
from gateway.record.evidence import Evidence
from gateway.record.kept import OwnResult
from gateway.reply import (
    CatalogHits,
    DraftReply,
    MetricCard,
    MetricList,
    Readiness,
    Refusal,
    Reply,
    SqlReport,
    TraceLine,
    TraceView,
)
from traces.records import Caller


class Face(HoldFace, AnalysisFace, VerifyFace, Protocol):
    """The verbs that HTTP and MCP share. All of them block: call them on a worker thread."""

    def list_metrics(self, caller: Caller, search: str = "", limit: int = 50) -> MetricList:
        """Return the metrics a caller may ask for."""
        ...

    def describe_metric(self, caller: Caller, name: str) -> MetricCard | Refusal:
        """Return one metric, or why there is nothing to show."""
        ...

    def search_catalog(
        self, caller: Caller, search: str, limit: int = 10, exclude_examples: Sequence[str] = ()
    ) -> CatalogHits | Refusal:
        """Return what of the catalogue a few words name."""
        ...

    def ask(
        self,
        caller: Caller,
        raw_plan: object,
        options: AskOptions = NO_OPTIONS,
        *,
        door: Door = NO_DOOR,
        cancellation: Cancellation | None = None,
    ) -> Reply:
        """Answer a plan, or say what became of it."""
        ...

    def ask_question(
        self,
        caller: Caller,
        question: str,
        options: AskOptions = NO_OPTIONS,
        *,
        door: Door = NO_DOOR,
        cancellation: Cancellation | None = None,
    ) -> Reply:
        """Answer a question in words, ask back, or say what is missing."""
        ...

    def once(self, caller: Caller, key: str, asked: str, work: Callable[[], Reply]) -> Reply:
        """Return what `work` returns; for the same key of the same caller the same reply again."""
        ...

    def check_answer(
        self,
        caller: Caller,
        draft: str,
        trace_ids: Sequence[str],
        declare: object = (),
        approval_id: str = "",
    ) -> DraftReply:
        """Say whether every number of a draft has its cell."""
        ...

    def get_trace(self, caller: Caller, trace_id: str) -> TraceView | None:
        """Return a trace the caller may read."""
        ...

    def list_traces(self, caller: Caller, limit: int = 50, before: str = "") -> tuple[TraceLine, ...]:
        """Return the newest traces that the caller may read, of those older than `before`."""
        ...

    def result(self, caller: Caller, trace_id: str) -> OwnResult | Refusal:
        """Return the kept rows of the caller's own answer."""
        ...

    def check_sql(self, caller: Caller, sql: str) -> SqlReport | Refusal:
        """Say what the checks think of a text. Nothing is sent to the database."""
        ...

    def stamp(self, caller: Caller) -> str:
        """Return a digest of all that what the caller may see of the definitions hangs on."""
        ...

    def evidence(self, caller: Caller, trace_id: str) -> Evidence | None:
        """Return what stands behind an answer the caller may read."""
        ...

    def ready(self) -> Readiness:
        """Say whether the house can answer, part by part."""
        ...
