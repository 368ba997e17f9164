"""What the doors ask of the house. `gateway.service.Gateway` answers; tests hand in a fake."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from gateway.cancellation import Cancellation
from gateway.reply import DraftReply, MetricCard, MetricList, Readiness, Refusal, Reply, TraceView
from traces.records import Caller


class Face(Protocol):
    """The verbs that HTTP and MCP share. All of them block: call them on a worker thread."""

    def list_metrics(self, caller: Caller, search: str = "", limit: int = 50) -> MetricList:
        """Return the metrics a caller may ask for."""
        ...

    def describe_metric(self, caller: Caller, name: str) -> MetricCard | Refusal:
        """Return one metric, or why there is nothing to show."""
        ...

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
        """Answer a plan, or say what became of it."""
        ...

    def check_answer(
        self, caller: Caller, draft: str, trace_ids: Sequence[str], declare: object = ()
    ) -> DraftReply:
        """Say whether every number of a draft has its cell."""
        ...

    def get_trace(self, caller: Caller, trace_id: str) -> TraceView | None:
        """Return a trace the caller may read."""
        ...

    def ready(self) -> Readiness:
        """Say whether the house can answer, part by part."""
        ...
