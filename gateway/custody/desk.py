"""The acts of custody behind every door. Each asks for a right and a reason, and is on record first."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Protocol

from gateway.custody.reports import Erasure, HoldOnSubject, KeptSegment, Retirement, Rotation
from gateway.custody.rights import Person, knows_of, refused, subject_of
from gateway.house import House
from gateway.houses import Houses
from gateway.record.entitled import as_told
from gateway.record.traceview import trace_view
from gateway.reply import Refusal, ReplyIssue, TraceView
from gateway.state import StateStore
from gateway.stores.results import ResultStore
from policies.policy import Right
from traces.custody_records import Erased, KeysRotated, LegalHold, Retired, Unsealed
from traces.keys import Purpose
from traces.records import Caller, Trace
from traces.retention import Wish
from traces.seal import seal
from traces.store.files import FileTraceStore
from traces.store.retiring import delete, retirable
from traces.store.sealed import SealedStore

ROTATED: tuple[Purpose, ...] = ("chain", "signing")


class Purged(Protocol):
    """A store that keeps something of a subject; `erase` returns how much went."""

    def erase(self, subject: str) -> int:
        """Forget a subject."""
        ...


class Custody:
    """Unseals, erases, holds, retires and rotates. `more` are further stores that an erasure goes through."""

    def __init__(
        self,
        houses: Houses,
        traces: SealedStore,
        results: ResultStore,
        state: StateStore,
        more: Sequence[tuple[str, Purged]] = (),
    ) -> None:
        self._houses = houses
        self._traces = traces
        self._purged: tuple[tuple[str, Purged], ...] = (("results", results), ("state", state), *more)

    def unseal(self, caller: Caller, trace_id: str, reason: str) -> TraceView | Refusal | None:
        """Return a trace with its words, once it is on record who read them and why; None without one."""
        with self._houses.asking() as house:
            trace = self._opened(house, caller, trace_id, reason)
            if not isinstance(trace, Trace):
                return trace
            return trace_view(trace, house.keys, words=True)

    def open_trace(self, caller: Caller, trace_id: str, reason: str) -> Trace | Refusal | None:
        """Return a trace whole, as `unseal` does."""
        with self._houses.asking() as house:
            return self._opened(house, caller, trace_id, reason)

    def erase(self, caller: Caller, person: Person, reason: str) -> Erasure | Refusal:
        """Destroy the keys of a person and purge them from every store; raises KeysUnusable under a hold.

        The record is written first: an erasure that was cut short is seen, and can be ordered again.
        """
        with self._houses.asking() as house:
            subject = self._subject(house, caller, person, "erase", reason)
            if isinstance(subject, Refusal):
                return subject
            if subject in house.keys.held():
                return _held(subject)
            now, by, sealed = house.now(), house.subject(caller), self._sealed(house, caller, reason)
            ids = house.keys.ids_of(subject)
            record = Erased(at=now, by=by, sealed_reason=sealed, subject=subject, key_ids=ids)
            self._traces.append(record, durable=True)
            destroyed = house.keys.destroy_subject(subject)
            self._traces.forget(subject)
            purged = {name: store.erase(subject) for name, store in self._purged}
        return Erasure(subject=subject, keys=len(destroyed), purged=purged)

    def hold(
        self, caller: Caller, person: Person, reason: str, *, release: bool = False
    ) -> HoldOnSubject | Refusal:
        """Block the erasure and the retirement of a person's traces, or, with `release`, allow them again."""
        with self._houses.asking() as house:
            subject = self._subject(house, caller, person, "erase", reason)
            if isinstance(subject, Refusal):
                return subject
            record = LegalHold(
                at=house.now(),
                by=house.subject(caller),
                sealed_reason=self._sealed(house, caller, reason),
                subject=subject,
                released=release,
            )
            self._traces.append(record, durable=True)
            keys = house.keys
            changed = keys.release(subject) if release else keys.hold(subject)
        return HoldOnSubject(subject=subject, held=not release, changed=changed)

    def retire(
        self, caller: Caller, days: int, reason: str, *, dry_run: bool = False
    ) -> Retirement | Refusal:
        """Delete closed segments whose records are all older than `days`; checkpoints stay."""
        with self._houses.asking() as house:
            no = refused(house, caller, "erase", reason)
            if no is not None:
                return no
            store = self._traces.inner
            if not isinstance(store, FileTraceStore):
                return _not_here()
            wish = Wish(house.now() - timedelta(days=days), frozenset(house.keys.held()))
            found = retirable(store, wish)
            if found.segments and not dry_run:
                record = Retired(
                    at=house.now(),
                    by=house.subject(caller),
                    sealed_reason=self._sealed(house, caller, reason),
                    days=days,
                    segments=found.segments,
                )
                self._traces.append(record, durable=True)
                delete(store, found.segments)
        return Retirement(
            days=days,
            deleted=tuple(each.segment for each in found.segments),
            records=sum(each.records for each in found.segments),
            kept=tuple(KeptSegment(segment=each.segment, why=each.why) for each in found.kept),
            dry_run=dry_run,
        )

    def may_rotate(self, caller: Caller, reason: str) -> Refusal | None:
        """Return why a caller may not rotate keys, or None."""
        with self._houses.asking() as house:
            return refused(house, caller, "admin", reason)

    def rotate(self, caller: Caller, kinds: Sequence[str], reason: str) -> Rotation | Refusal:
        """Put fresh keys in force: `chain`, `signing`, `subjects`. What older ones sealed or signed holds.

        Any other kind that is named was rotated before, and is only put on record.
        """
        with self._houses.asking() as house:
            no = refused(house, caller, "admin", reason)
            if no is not None:
                return no
            keys, now = house.keys, house.now()
            ids = tuple(keys.rotate(kind, now) for kind in ROTATED if kind in kinds)
            if "subjects" in kinds:
                keys.rotate_subjects()
            record = KeysRotated(
                at=now,
                by=house.subject(caller),
                sealed_reason=self._sealed(house, caller, reason),
                kinds=tuple(kinds),
                key_ids=ids,
            )
            self._traces.append(record, durable=True)
        return Rotation(kinds=tuple(kinds), key_ids=ids, next_step=_AGAIN if ids else "")

    def _opened(self, house: House, caller: Caller, trace_id: str, reason: str) -> Trace | Refusal | None:
        trace = self._traces.read(trace_id)
        if trace is None or trace.opened.tenant != caller.tenant:
            return None
        if trace.opened.subject == house.subject(caller):
            return as_told(trace)
        if not knows_of(house, caller):
            return None
        no = refused(house, caller, "unseal", reason)
        if no is not None:
            return no
        record = Unsealed(
            at=house.now(),
            by=house.subject(caller),
            sealed_reason=self._sealed(house, caller, reason),
            of=trace_id,
            subject=trace.opened.subject,
        )
        self._traces.append(record, durable=True)
        return trace

    def _subject(
        self, house: House, caller: Caller, person: Person, right: Right, reason: str
    ) -> str | Refusal:
        return refused(house, caller, right, reason) or subject_of(house, self._traces, caller, person)

    def _sealed(self, house: House, caller: Caller, reason: str) -> str:
        return seal(house.keys, house.subject(caller), reason)


_AGAIN = "Start `serve` and `mcp` again: what runs now goes on with the keys it began with."


def _held(subject: str) -> Refusal:
    return Refusal(
        issues=(
            ReplyIssue(
                code="subject_held",
                message="A legal hold stands on this person: nothing of theirs may be erased.",
                stage="input",
                path="/subject",
                seen=subject,
                next_step="Release it first with `cellbound trace hold --release`, if you may.",
            ),
        )
    )


def _not_here() -> Refusal:
    return Refusal(
        issues=(
            ReplyIssue(
                code="retention_elsewhere",
                message="These traces lie in a database that the gateway may only add to.",
                stage="input",
                next_step="Let its owner delete old partitions, with the gateway's checkpoints at hand.",
            ),
        )
    )
