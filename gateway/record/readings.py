"""What one caller may read of the record: traces, what stands behind an answer, and the rows of their own."""

from dataclasses import dataclass

from gateway.house import House
from gateway.record.entitled import as_audited, as_told, still_entitled
from gateway.record.evidence import Evidence
from gateway.record.gather import gather
from gateway.record.kept import OwnResult, own_result, reading_of, stored_of, unknown_result
from gateway.record.traceview import masked_view, trace_line, trace_view
from gateway.reply import Refusal, TraceLine, TraceView
from gateway.stores.results import ResultStore
from traces.records import Caller, Trace
from traces.store.sealed import SealedStore


@dataclass(frozen=True, slots=True)
class Readings:
    """The record as one caller reads it under one house: their own questions, or who may audit a tenant's."""

    house: House
    traces: SealedStore
    results: ResultStore
    caller: Caller

    def trace(self, trace_id: str) -> TraceView | None:
        """Return a trace that the caller asked for themself; who may audit sees its headers and steps."""
        trace = self._readable(trace_id)
        if trace is None:
            return None
        if not self._own(trace):
            return masked_view(self._audited(trace))
        return trace_view(as_told(trace), self.house.keys, withheld=self._withheld(trace))

    def evidence(self, trace_id: str) -> Evidence | None:
        """Return what stands behind an answer of the caller's own, or of anyone's for who may audit."""
        trace = self._readable(trace_id)
        if trace is None:
            return None
        own = self._own(trace)
        if own and trace.untold:
            return None
        shown = trace if own else self._audited(trace)
        return gather(self.house, self.traces, self.results, self.caller, shown, own=own)

    def result(self, trace_id: str) -> OwnResult | Refusal:
        """Return the kept rows of the caller's own answer, as policy shows them today."""
        trace = self._readable(trace_id)
        if trace is None or not self._own(trace) or trace.untold:
            return unknown_result(trace_id)
        withheld = self._withheld(trace)
        stored = stored_of(self.house, self.results, trace, own=True, withheld=withheld)
        if isinstance(stored, str):
            return unknown_result(trace_id)
        return own_result(stored, trace_id, reading_of(self.house, trace))

    def lines(self, limit: int, before: str = "") -> tuple[TraceLine, ...]:
        """Return the newest traces that the caller may read, of those older than `before`."""
        subject = "" if self.audits else self.house.subject(self.caller)
        found = self.traces.list(limit, before=before, subject=subject, tenant=self.caller.tenant)
        return tuple(trace_line(summary) for summary in found)

    @property
    def audits(self) -> bool:
        """Say whether the caller may read everybody's traces of the tenant."""
        return "audit" in self.house.rights(self.caller)

    def _readable(self, trace_id: str) -> Trace | None:
        trace = self.traces.read(trace_id)
        if trace is None or trace.opened.tenant != self.caller.tenant:
            return None
        return trace if self._own(trace) or self.audits else None

    def _own(self, trace: Trace) -> bool:
        return trace.opened.subject == self.house.subject(self.caller)

    def _audited(self, trace: Trace) -> Trace:
        return as_audited(self.house, self.caller, self.traces.masked(trace))

    def _withheld(self, trace: Trace) -> bool:
        """Say whether a trace of the caller's own holds values that their access reaches no more."""
        return self._own(trace) and not still_entitled(self.house, self.caller, trace)
