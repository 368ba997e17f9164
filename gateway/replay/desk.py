"""The verbs over recorded questions: replay one, replay a sample, hold two side by side; and who may."""

from collections.abc import Callable, Iterable
from datetime import datetime

from gateway.asking import EVALUATION
from gateway.house import House
from gateway.record.entitled import as_audited, as_told, still_entitled
from gateway.replay.artefacts import Shelf
from gateway.replay.report import Reader
from gateway.replay.sample import Choice, ReplaySample, spread, summed_up
from gateway.replay.side_by_side import TraceDifference, side_by_side
from gateway.replay.single import Replayer
from gateway.reply import ReplayReport
from traces.assembly import questions
from traces.custody_records import Unsealed
from traces.pins import PinStore
from traces.records import Caller, Trace
from traces.seal import seal
from traces.store.sealed import SealedStore


class Replays:
    """Replays what a store holds. `askers` gives the users that the project knows."""

    def __init__(
        self, traces: SealedStore, pins: PinStore | None, askers: Callable[[], Iterable[Caller]]
    ) -> None:
        self._traces = traces
        self._pins = pins
        self._askers = askers

    def one(self, house: House, caller: Caller, trace_id: str, against: House | None) -> ReplayReport | None:
        """Replay a question of the caller's own, or of anyone's for who may audit.

        Who may unseal sees the values of another's question; that they did is on record before.
        """
        trace = self._readable(house, caller, trace_id)
        if trace is None:
            return None
        reader = self._reader(house, caller, trace)
        if reader.unseals and not reader.own:
            by = house.subject(caller)
            why = seal(house.keys, by, "replay")
            seen = Unsealed(
                at=house.now(), by=by, sealed_reason=why, of=trace_id, subject=trace.opened.subject
            )
            self._traces.append(seen, durable=True)
        return self._replayer(against or house).replay(trace, reader)

    def sample(self, house: House, caller: Caller, choice: Choice, against: House | None) -> ReplaySample:
        """Replay a sample of the tenant's questions for who may audit, else of the caller's own.

        Of the values of others none are told.
        """
        audits = "audit" in house.rights(caller)
        found = list(self._ended(house, caller, choice.since, audits=audits))
        replayer = self._replayer(against or house)
        replayed: list[tuple[Trace, ReplayReport]] = []
        unplanned = 0
        for trace_id in spread(found, choice.most):
            trace = self._traces.read(trace_id)
            if trace is not None and not _came_to_a_query(trace):
                unplanned += 1
            elif trace is not None:
                reader = self._reader(house, caller, trace)
                shown = reader if reader.own else Reader(caller, impersonates=reader.impersonates)
                replayed.append((trace, replayer.replay(trace, shown)))
        return summed_up(replayed, len(found), own_only=not audits, unplanned=unplanned)

    def diff(self, house: House, caller: Caller, old: str, new: str) -> TraceDifference | None:
        """Hold two traces side by side that the caller may read; another's comes without its values."""
        found = [self._readable(house, caller, trace_id) for trace_id in (old, new)]
        before, after = found
        if before is None or after is None:
            return None
        hidden = [
            as_told(trace) if _plain(house, caller, trace) else self._masked(house, caller, trace)
            for trace in (before, after)
        ]
        return side_by_side(hidden[0], hidden[1])

    def _masked(self, house: House, caller: Caller, trace: Trace) -> Trace:
        if _own(house, caller, trace):
            return self._traces.masked(as_told(trace))
        return as_audited(house, caller, self._traces.masked(trace))

    def _replayer(self, house: House) -> Replayer:
        return Replayer(
            house,
            Shelf(self._pins),
            askers=self._askers,
            write=lambda record: self._traces.append(record, durable=True),
        )

    def _ended(self, house: House, caller: Caller, since: datetime | None, *, audits: bool) -> Iterable[str]:
        """Yield the id of each question that ended, evaluations left out, in the order they were asked."""
        subject = "" if audits else house.subject(caller)
        found = [
            opened
            for opened, closed in questions(self._traces.records())
            if closed is not None
            and opened.tenant == caller.tenant
            and opened.client != EVALUATION.name
            and subject in ("", opened.subject)
            and (since is None or opened.at >= since)
        ]
        return (opened.trace_id for opened in sorted(found, key=lambda opened: opened.trace_id))

    def _reader(self, house: House, caller: Caller, trace: Trace) -> Reader:
        rights = house.rights(caller)
        own = _own(house, caller, trace)
        return Reader(
            caller,
            unseals="unseal" in rights,
            impersonates="replay_as_asker" in rights,
            own=own,
            withheld=own and not still_entitled(house, caller, trace),
        )

    def _readable(self, house: House, caller: Caller, trace_id: str) -> Trace | None:
        trace = self._traces.read(trace_id)
        if trace is None or trace.opened.tenant != caller.tenant:
            return None
        return trace if _own(house, caller, trace) or "audit" in house.rights(caller) else None


def _plain(house: House, caller: Caller, trace: Trace) -> bool:
    """Say whether a caller sees the values of a trace: it is their own, and their access is what it was."""
    return _own(house, caller, trace) and still_entitled(house, caller, trace)


def _own(house: House, caller: Caller, trace: Trace) -> bool:
    return trace.opened.subject == house.subject(caller)


def _came_to_a_query(trace: Trace) -> bool:
    """Say whether there is anything to ask again: a question in words may have ended before any plan."""
    closed = trace.closed
    wrote = closed is not None and (closed.query is not None or bool(closed.sealed_submitted))
    return wrote or trace.opened.ask.plan is not None or trace.erased
