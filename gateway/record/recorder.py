"""Where a question's records go: to the stores while it is asked, to memory while it is replayed."""

from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from typing import Protocol

from gateway.holds.approvals import Approvals, RecordedApprovals, StoredApprovals, Told, UnofferedApprovals
from gateway.releases.in_force import pin_of, recorded_pin
from gateway.state import Amount, StateStore
from gateway.stores.attestations import Attestation, AttestationStore
from gateway.stores.results import ResultStore
from gateway.team_choice import Choice
from policies.differencing import Asked
from policies.policy import Policy
from policies.release import AskedAs
from traces.keys import KeyStore
from traces.records import (
    Actual,
    AnyRecord,
    Approval,
    Close,
    Open,
    Receipt,
    ReleasePin,
    Spent,
    Table,
    Trace,
)
from traces.release_records import StageDecided
from traces.store.base import TraceStore

Watch = Callable[[Open, Close], None]
"""Hears of a question that has ended on the record, private parts and all; it tells none of those."""


class Recorder(Protocol):
    """Takes every record of one question."""

    def write(self, record: AnyRecord, *, durable: bool) -> Receipt:
        """Keep a record; when `durable`, return only once it is on disk."""
        ...

    @property
    def approvals(self) -> Approvals:
        """Return where the question waits, and what its asker comes back with."""
        ...

    def released(self, policy: Policy, keys: KeyStore, asked: AskedAs) -> ReleasePin:
        """Return the class of a question, with the stage in force for it."""
        ...

    def decided(self, question_class: str) -> StageDecided | None:
        """Return the last decision about the stage of a class."""
        ...

    def keep(self, trace_id: str, asker: str, table: Table) -> None:
        """Keep the result for drafts and follow-ups of the same asker."""
        ...

    def chosen(self, team: str) -> Mapping[str, Choice]:
        """Return the readings of open terms that a team chose, by term."""
        ...

    def choose(self, choice: Choice) -> None:
        """Keep a reading for the team's next question."""
        ...

    def remember(self, subject: str, conversation: str, sealed_plan: str) -> None:
        """Keep a plan that was answered, sealed, for the follow-ups of a conversation."""
        ...

    def attested(self, relationships: Iterable[str]) -> Mapping[str, Attestation]:
        """Return what is attested of the keys of these relationships, by name."""
        ...

    def guard_held(self, guard: str, since: datetime) -> datetime | None:
        """Return when a guard held, where it need not be counted again."""
        ...

    def note_held(self, guard: str) -> None:
        """Remember that a guard held."""
        ...

    def count_near(self, trace_id: str, subject: str, asked: Asked, smallest: int) -> int:
        """Remember a question over people; return how many others of its asker differ from it by few."""
        ...

    def forget_asked(self, trace_id: str) -> None:
        """Forget a question over people whose figures nobody was told."""
        ...

    def spent(self, subject: str, day: date) -> Spent:
        """Return what a subject's questions of a day were counted with."""
        ...

    def spend(self, trace_id: str, subject: str, day: date, amount: Amount, hard: Amount) -> Spent:
        """Count a question for the day unless that goes over a hard line; return what the others took."""
        ...

    def correct(self, trace_id: str, actual: Actual) -> None:
        """Count a question with what it really read, where the engine says so."""
        ...

    def refund(self, trace_id: str) -> None:
        """Count a question no more, because it did not run."""
        ...


class StoreRecorder:
    """Writes to the stores."""

    waits_in: type[StoredApprovals] = StoredApprovals

    def __init__(
        self,
        traces: TraceStore,
        results: ResultStore,
        state: StateStore,
        attestations: AttestationStore,
        told: Told | None = None,
        watch: Watch | None = None,
    ) -> None:
        self._traces = traces
        self._approvals = self.waits_in(traces, state.holds, state.opinions, told)
        self._results = results
        self._state = state
        self._attestations = attestations
        self._watch = watch
        self._opened: Open | None = None

    def write(self, record: AnyRecord, *, durable: bool) -> Receipt:
        """Append to the trace store; whoever watches hears of a question once its end is there."""
        receipt = self._traces.append(record, durable=durable)
        if self._watch is not None:
            self._tell(record)
        return receipt

    def _tell(self, record: AnyRecord) -> None:
        opened = self._opened
        if isinstance(record, Open):
            self._opened = record
        elif isinstance(record, Close) and opened is not None and opened.trace_id == record.trace_id:
            self._opened = None
            if self._watch is not None:
                self._watch(opened, record)

    @property
    def approvals(self) -> Approvals:
        """Return the approvals of the project's stores."""
        return self._approvals

    def released(self, policy: Policy, keys: KeyStore, asked: AskedAs) -> ReleasePin:
        """Read what the policy says, and what was decided since."""
        return pin_of(policy, keys, self.decided, asked)

    def decided(self, question_class: str) -> StageDecided | None:
        """Read the state store."""
        return self._state.releases.newest(question_class)

    def keep(self, trace_id: str, asker: str, table: Table) -> None:
        """Put the table into the result store."""
        self._results.put(trace_id, asker, table)

    def chosen(self, team: str) -> Mapping[str, Choice]:
        """Read the team's choices."""
        return {choice.term: choice for choice in self._state.list_choices(team)}

    def choose(self, choice: Choice) -> None:
        """Write the choice to the state store."""
        self._state.record_choice(choice)

    def remember(self, subject: str, conversation: str, sealed_plan: str) -> None:
        """Write the plan to the state store, for as long as results are kept."""
        self._state.conversations.remember(subject, conversation, sealed_plan, self._results.ttl)

    def attested(self, relationships: Iterable[str]) -> Mapping[str, Attestation]:
        """Read the attestations."""
        return self._attestations.of(relationships)

    def guard_held(self, guard: str, since: datetime) -> datetime | None:
        """Look the guard up."""
        return self._attestations.guard_held(guard, since)

    def note_held(self, guard: str) -> None:
        """Write the guard down."""
        self._attestations.note_held(guard)

    def count_near(self, trace_id: str, subject: str, asked: Asked, smallest: int) -> int:
        """Compare with the last day."""
        return self._state.asked.count_near(trace_id, subject, asked, smallest)

    def forget_asked(self, trace_id: str) -> None:
        """Take the question out of the state store."""
        self._state.asked.forget(trace_id)

    def spent(self, subject: str, day: date) -> Spent:
        """Add up the day."""
        return _spent(self._state.spent(subject, day))

    def spend(self, trace_id: str, subject: str, day: date, amount: Amount, hard: Amount) -> Spent:
        """Add up the day and this question in one transaction."""
        return _spent(self._state.spend(trace_id, subject, day, amount, hard))

    def correct(self, trace_id: str, actual: Actual) -> None:
        """Put the bytes that were read in the place of those that were expected."""
        if actual.bytes is not None:
            self._state.correct_bytes(trace_id, actual.bytes)

    def refund(self, trace_id: str) -> None:
        """Take the question off the day."""
        self._state.refund(trace_id)


class EvaluationRecorder(StoreRecorder):
    """Writes to the stores; what waits is offered to no reviewer."""

    waits_in = UnofferedApprovals


def _spent(amount: Amount) -> Spent:
    return Spent(bytes=amount[0], rows=amount[1], cost=amount[2])


class MemoryRecorder:
    """Keeps a replayed question's records to itself; nothing is written anywhere."""

    def __init__(
        self,
        *,
        approvals: tuple[Approval, ...],
        was_guarded: bool,
        day: Spent | None = None,
        released: ReleasePin | None = None,
        was_near: int = 0,
    ) -> None:
        self._was_near = was_near
        self._approvals = RecordedApprovals(approvals)
        self._day = day or Spent()
        self._released = released
        self._was_guarded = was_guarded
        self._opened: list[Open] = []
        self._closed: list[Close] = []

    def write(self, record: AnyRecord, *, durable: bool) -> Receipt:
        """Remember the record."""
        if isinstance(record, Open):
            self._opened.append(record)
        elif isinstance(record, Close):
            self._closed.append(record)
        return Receipt(trace_id="", log="replay", seq=0, hash="")

    @property
    def approvals(self) -> Approvals:
        """Answer as reviewers and judges did when the question was asked."""
        return self._approvals

    def released(self, policy: Policy, keys: KeyStore, asked: AskedAs) -> ReleasePin:
        """Say what had been decided when the question was asked, else what the policy says."""
        return recorded_pin(policy, asked, self._released)

    def decided(self, question_class: str) -> StageDecided | None:
        """A replay goes by what its trace says had been decided."""
        return None

    def keep(self, trace_id: str, asker: str, table: Table) -> None:
        """A replay leaves no result behind."""

    def chosen(self, team: str) -> Mapping[str, Choice]:
        """A replay is asked with the readings that were used."""
        return {}

    def choose(self, choice: Choice) -> None:
        """A replay chooses nothing."""

    def remember(self, subject: str, conversation: str, sealed_plan: str) -> None:
        """A replay is in no conversation."""

    def attested(self, relationships: Iterable[str]) -> Mapping[str, Attestation]:
        """A replay counts what was counted, whatever was attested since."""
        return {}

    def guard_held(self, guard: str, since: datetime) -> datetime | None:
        """Count again what was counted when the question was asked."""
        return None if self._was_guarded else since

    def note_held(self, guard: str) -> None:
        """A replay remembers nothing."""

    def count_near(self, trace_id: str, subject: str, asked: Asked, smallest: int) -> int:
        """Say what was found when the question was asked."""
        return self._was_near

    def forget_asked(self, trace_id: str) -> None:
        """A replay remembers nothing."""

    def spent(self, subject: str, day: date) -> Spent:
        """Say what the day was when the question was asked."""
        return self._day

    def spend(self, trace_id: str, subject: str, day: date, amount: Amount, hard: Amount) -> Spent:
        """A replay is on nobody's account."""
        return self._day

    def correct(self, trace_id: str, actual: Actual) -> None:
        """A replay is on nobody's account."""

    def refund(self, trace_id: str) -> None:
        """A replay is on nobody's account."""

    def trace(self) -> Trace:
        """Return what was remembered as a trace."""
        opened = self._opened[-1]
        return Trace(trace_id=opened.trace_id, opened=opened, closed=self._closed[-1])
