"""What the doors ask of the house about saved analyses."""

from typing import Protocol

from gateway.analyses.call import AnalysisCall
from gateway.analyses.view import AnalysisList, AnalysisReply
from gateway.cancellation import Cancellation
from gateway.reply import Refusal
from traces.records import Caller


class AnalysisFace(Protocol):
    """The verbs on saved analyses that HTTP and MCP share."""

    def list_analyses(self, caller: Caller) -> AnalysisList:
        """Return the saved analyses that a caller may run."""
        ...

    def run_analysis(
        self, caller: Caller, call: AnalysisCall, *, cancellation: Cancellation | None = None
    ) -> AnalysisReply | Refusal:
        """Run a saved analysis as the caller, or say what became of it."""
        ...
