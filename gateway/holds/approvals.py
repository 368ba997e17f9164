"""Approvals of one question: its hold, the accept it returns with, and every decision in its trace."""

from collections.abc import Callable
from typing import Protocol

from gateway.holds.opinions import OpinionLog
from gateway.holds.records import Held, NewHold, Ruled
from gateway.holds.store import HoldStore
from traces.records import Approval, Decision, Hold, Judgement, mono_us
from traces.store.base import TraceStore

Told = Callable[[Held], None]


class Approvals(Protocol):
    """What a question that waits, or comes back accepted, needs of the house."""

    def recorded(self) -> tuple[Approval, ...] | None:
        """Return who let the findings pass when the question was asked; None where it is asked now."""
        ...

    @property
    def opinions(self) -> OpinionLog:
        """Return the log of what judges said."""
        ...

    def find(self, hold_id: str) -> Held | None:
        """Return a hold as it stands now."""
        ...

    def wait(self, new: NewHold, findings: tuple[Decision, ...]) -> Held:
        """Let the question wait for somebody entitled to decide; `findings` are in the hold's order."""
        ...

    def use(self, hold_id: str, base: str, asker: str, trace_id: str) -> bool:
        """Use up an accept for one run; True once."""
        ...

    def give_back(self, trace_id: str) -> None:
        """Let an accept count again whose question did not run after all."""
        ...


class StoredApprovals:
    """Approvals in the stores of the project. `told` is called with every hold that is new."""

    def __init__(
        self, traces: TraceStore, holds: HoldStore, opinions: OpinionLog, told: Told | None = None
    ) -> None:
        self._traces = traces
        self._holds = holds
        self._opinions = opinions
        self._told = told

    def recorded(self) -> tuple[Approval, ...] | None:
        """Nothing is recorded of a question that is asked now."""
        return None

    @property
    def opinions(self) -> OpinionLog:
        """Return the log of the project."""
        return self._opinions

    def find(self, hold_id: str) -> Held | None:
        """Look the hold up; one whose time is over is ended, on the record."""
        held = self._holds.find(hold_id)
        if held is not None and held.status == "expired":
            end_what_is_over(self._traces, self._holds)
        return held

    def wait(self, new: NewHold, findings: tuple[Decision, ...]) -> Held:
        """Write the hold to the trace, then offer it to reviewers; what waits already is offered once."""
        waiting = self._holds.same(new)
        if waiting is not None:
            return waiting
        self._record(new, findings)
        held = self._holds.open(new)
        if held.id == new.id and self._told is not None:
            self._told(held)
        return held

    def _record(self, new: NewHold, findings: tuple[Decision, ...]) -> None:
        self._traces.append(
            Hold(
                trace_id=new.trace_id,
                at=new.at,
                mono_us=mono_us(),
                hold_id=new.id,
                findings=findings,
                binding=new.binding,
                expires=new.expires,
                about=new.kind,
                earlier=new.earlier,
                changed=new.changed,
            ),
            durable=True,
        )

    def use(self, hold_id: str, base: str, asker: str, trace_id: str) -> bool:
        """Use the accept up, once every decision on it stands in its trace."""
        record_decisions(self._traces, self._holds)
        return self._holds.use(hold_id, base, asker, trace_id)

    def give_back(self, trace_id: str) -> None:
        """Give the accept back."""
        self._holds.give_back(trace_id)


class UnofferedApprovals(StoredApprovals):
    """Approvals of a question that is nobody's work: that it waits is on the record, and nobody is asked."""

    def wait(self, new: NewHold, findings: tuple[Decision, ...]) -> Held:
        """Write the hold to the trace, and offer it to nobody."""
        self._record(new, findings)
        return Held(new, "waiting")


class RecordedApprovals:
    """Approvals of a replayed question: what was let through then is let through again; nothing is kept."""

    def __init__(self, recorded: tuple[Approval, ...]) -> None:
        self._recorded = recorded

    def recorded(self) -> tuple[Approval, ...] | None:
        """Return who let the findings pass when the question was asked."""
        return self._recorded

    @property
    def opinions(self) -> OpinionLog:
        """No judge is asked in a replay."""
        raise LookupError("a replay asks no judge")

    def find(self, hold_id: str) -> Held | None:
        """A replay looks nothing up."""
        return None

    def wait(self, new: NewHold, findings: tuple[Decision, ...]) -> Held:
        """A replay asks nobody."""
        return Held(new, "waiting")

    def use(self, hold_id: str, base: str, asker: str, trace_id: str) -> bool:
        """A replay uses nothing up."""
        return False

    def give_back(self, trace_id: str) -> None:
        """A replay has nothing to give back."""


def end_what_is_over(traces: TraceStore, holds: HoldStore) -> None:
    """Expire what nobody decided or came for in time, and write down decisions that no trace holds yet."""
    holds.expire()
    record_decisions(traces, holds)


def record_decisions(traces: TraceStore, holds: HoldStore) -> None:
    """Write every decision and expiry that no trace holds yet to the trace of its question.

    A decision counts from the moment it is taken; a crash before it was written here is made good by the next
    one who looks. A decision may then stand twice, and never not at all.
    """
    with holds.recording:
        open_ones = holds.unrecorded()
        for _, held, ruled in open_ones:
            traces.append(_judgement(held, ruled), durable=True)
        if open_ones:
            holds.mark_recorded(number for number, _, _ in open_ones)


def _judgement(held: Held, ruled: Ruled) -> Judgement:
    return Judgement(
        trace_id=held.hold.trace_id,
        at=ruled.at,
        mono_us=mono_us(),
        hold_id=held.id,
        verdict=ruled.verdict,
        by=ruled.by,
        sealed_reason=ruled.sealed_reason,
        findings=ruled.findings,
        own=ruled.own,
    )
