"""Where a question's records go: to the stores while it is asked, to memory while it is replayed."""

from typing import Protocol

from gateway.results import ResultStore
from gateway.state import StateStore
from traces.records import AnyRecord, Close, Hold, Open, Receipt, Table, Trace
from traces.store.base import TraceStore


class Recorder(Protocol):
    """Takes every record of one question."""

    def write(self, record: AnyRecord, *, durable: bool) -> Receipt:
        """Keep a record; when `durable`, return only once it is on disk."""
        ...

    def hold(self, hold: Hold, asker: str) -> None:
        """Let the question wait for somebody entitled to decide."""
        ...

    def accepted(self, approval_id: str, binding: str, asker: str) -> bool:
        """Say whether exactly this question was accepted; asking uses the accept up."""
        ...

    def keep(self, trace_id: str, asker: str, table: Table) -> None:
        """Keep the result for drafts and follow-ups of the same asker."""
        ...


class StoreRecorder:
    """Writes to the stores."""

    def __init__(self, traces: TraceStore, results: ResultStore, state: StateStore) -> None:
        self._traces = traces
        self._results = results
        self._state = state

    def write(self, record: AnyRecord, *, durable: bool) -> Receipt:
        """Append to the trace store."""
        return self._traces.append(record, durable=durable)

    def hold(self, hold: Hold, asker: str) -> None:
        """Write the hold to the trace, then offer it to reviewers."""
        self._traces.append(hold, durable=True)
        self._state.create_hold(
            hold_id=hold.hold_id,
            trace_id=hold.trace_id,
            binding=hold.binding,
            findings=tuple(f"{finding.check}: {finding.reason}" for finding in hold.findings),
            asker=asker,
            expires=hold.expires,
        )

    def accepted(self, approval_id: str, binding: str, asker: str) -> bool:
        """Use up an accept that is bound to this question and this asker."""
        return self._state.consume_hold(approval_id, binding, asker)

    def keep(self, trace_id: str, asker: str, table: Table) -> None:
        """Put the table into the result store."""
        self._results.put(trace_id, asker, table)


class MemoryRecorder:
    """Keeps a replayed question's records to itself; nothing is written anywhere."""

    def __init__(self, *, was_accepted: bool) -> None:
        self._was_accepted = was_accepted
        self._opened: list[Open] = []
        self._closed: list[Close] = []

    def write(self, record: AnyRecord, *, durable: bool) -> Receipt:
        """Remember the record."""
        if isinstance(record, Open):
            self._opened.append(record)
        elif isinstance(record, Close):
            self._closed.append(record)
        return Receipt(trace_id="", log="replay", seq=0, hash="")

    def hold(self, hold: Hold, asker: str) -> None:
        """A replay asks nobody."""

    def accepted(self, approval_id: str, binding: str, asker: str) -> bool:
        """Answer as the reviewer did when the question was asked."""
        return self._was_accepted

    def keep(self, trace_id: str, asker: str, table: Table) -> None:
        """A replay leaves no result behind."""

    def trace(self) -> Trace:
        """Return what was remembered as a trace."""
        opened = self._opened[-1]
        return Trace(trace_id=opened.trace_id, opened=opened, closed=self._closed[-1])
