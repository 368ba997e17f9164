"""The verbs over recorded questions: find them, say how one came about, export them; and who may."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from gateway.custody.rights import lacking
from gateway.house import House
from gateway.houses import Houses
from gateway.record.entitled import as_audited, as_told, still_entitled
from gateway.record.gather import gather
from gateway.record.ledger import verification
from gateway.reply import Refusal, ReplyIssue, Verification
from gateway.stores.results import ResultStore
from gateway.tracing.explained import WhyReport
from gateway.tracing.exporting import Exporting
from gateway.tracing.figures import readings_of
from gateway.tracing.found import FoundTraces, IndexBuilt, Wanted
from gateway.tracing.search import find
from gateway.tracing.why import Reader, explain
from traces.errors import Unsealable
from traces.records import Caller, Receipt, Trace
from traces.seal import unseal_any
from traces.signatures import is_signed
from traces.store.index import TraceIndex
from traces.store.sealed import SealedStore


class Tracing:
    """Reads what a store holds, for its askers and for who may audit."""

    def __init__(self, houses: Houses, traces: SealedStore, results: ResultStore, index: TraceIndex) -> None:
        self._houses = houses
        self._traces = traces
        self._results = results
        self._index = index

    def find(self, caller: Caller, wanted: Wanted) -> FoundTraces | Refusal:
        """Return the questions that match, of the caller's own or, with `audit`, of the tenant's."""
        with self._houses.asking() as house:
            return find(house, self._index, caller, wanted)

    def index(self, *, rebuild: bool) -> IndexBuilt:
        """Bring the search index up to date, or make it anew. It tells its caller sizes only."""
        built = self._index.rebuild() if rebuild else self._index.refresh()
        return IndexBuilt(traces=built.traces, segments=built.segments, rebuilt=rebuild)

    def why(self, caller: Caller, trace_id: str, number: str = "") -> WhyReport | Refusal | None:
        """Say how an answer came about; None for a trace that the caller may not read.

        With `number` only where that number is from; a Refusal where it is none, or not one of the answer's.
        """
        if number and not readings_of(number):
            return _refused("unreadable_number", "This is not one number.", number, _AS_WRITTEN)
        with self._houses.asking() as house:
            trace = self._readable(house, caller, trace_id)
            if trace is None:
                return None
            own = trace.opened.subject == house.subject(caller)
            plain = own and still_entitled(house, caller, trace)
            trace = as_told(trace) if own else trace
            shown = trace if own else as_audited(house, caller, self._traces.masked(trace))
            found = gather(house, self._traces, self._results, caller, shown, own=own)
            question = self._question(house, trace) if plain else ""
            genuine = partial(is_signed, keys=house.keys)
            report = explain(trace, shown, found, Reader(plain, genuine, question, number))
        if number and not report.numbers and not report.missing:
            return _refused("not_cited", "No number of this answer is that one.", number, _ELSEWHERE)
        return report

    def verify(self, caller: Caller, receipts: Sequence[Receipt] = ()) -> Verification | Refusal:
        """Check every log, and receipts against them; it takes the right `verify`."""
        with self._houses.asking() as house:
            problems = lacking(house, caller, "verify")
        if problems:
            return Refusal(issues=problems)
        return verification(self._traces.verify(receipts))

    def export(self, caller: Caller, since: datetime | None = None) -> Exporting:
        """Return the questions to export: the tenant's with `audit`, else the caller's own."""
        with self._houses.asking() as house:
            return Exporting(house, self._traces, caller, since)

    def _question(self, house: House, trace: Trace) -> str:
        try:
            return unseal_any(house.keys, trace.opened.sealed_question)
        except Unsealable:
            return ""

    def _readable(self, house: House, caller: Caller, trace_id: str) -> Trace | None:
        trace = self._traces.read(trace_id)
        if trace is None or trace.opened.tenant != caller.tenant:
            return None
        if trace.opened.subject == house.subject(caller):
            return trace
        return trace if "audit" in house.rights(caller) else None


_AS_WRITTEN = "Write it as it stood in the answer: 1234567.8, 1,234,568 or 1.23M."
_ELSEWHERE = "See every number with `cellbound trace why TRACE`, or look for it with `trace find --number`."


def _refused(code: str, message: str, seen: str, next_step: str) -> Refusal:
    issue = ReplyIssue(
        code=code, message=message, stage="input", path="/number", seen=seen[:100], next_step=next_step
    )
    return Refusal(issues=(issue,))
