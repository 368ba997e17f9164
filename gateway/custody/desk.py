"""The acts of custody behind every door. Each asks for a right and a reason, and is on record first."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Protocol

from gateway.custody.named import keys_of, naming, sealed_with
from gateway.custody.refusals import LEAST_TEXT, held, not_here, too_short
from gateway.custody.reports import (
    Erasure,
    HoldOnSubject,
    KeptSegment,
    NamedTraces,
    Retirement,
    Rotation,
    TraceErasure,
)
from gateway.custody.rights import Person, knows_of, refused, subject_of
from gateway.house import House
from gateway.houses import Houses
from gateway.record.entitled import as_told
from gateway.record.traceview import trace_view
from gateway.reply import Refusal, TraceView
from gateway.state import StateStore
from gateway.stores.results import ResultStore
from policies.policy import Right
from traces.custody_records import Erased, KeysRotated, LegalHold, Retired, Unsealed
from traces.keys import Purpose
from traces.records import Caller, Trace
from traces.retention import Wish
from traces.seal import seal
from traces.store.retiring import RetiringStore, retirable
from traces.store.sealed import SealedStore

ROTATED: tuple[Purpose, ...] = ("chain", "signing")


class Purged(Protocol):
    """A store that keeps something of a subject; `erase` returns how much went."""

    def erase(self, subject: str) -> int:
        """Forget a subject."""
        ...


class Custody:
    """Unseals, erases, holds, retires and rotates.

    `more` are further stores that an erasure goes through; `users` are those that the project lists.
    """

    def __init__(
        self,
        houses: Houses,
        traces: SealedStore,
        results: ResultStore,
        state: StateStore,
        more: Sequence[tuple[str, Purged]] = (),
        users: Sequence[Caller] = (),
    ) -> None:
        self._users = tuple(users)
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
                return held(subject)
            now, by, sealed = house.now(), house.subject(caller), self._sealed(house, caller, reason)
            ids = house.keys.ids_of(subject)
            record = Erased(at=now, by=by, sealed_reason=sealed, subject=subject, key_ids=ids)
            self._traces.append(record, durable=True)
            destroyed = house.keys.destroy_subject(subject)
            self._traces.forget(subject)
            purged = {name: store.erase(subject) for name, store in self._purged}
        return Erasure(subject=subject, keys=len(destroyed), purged=purged)

    def naming(self, caller: Caller, text: str, reason: str) -> NamedTraces | Refusal:
        """Return the traces in whose words a text stands; it takes the right `unseal`, and is on record."""
        with self._houses.asking() as house:
            no = refused(house, caller, "unseal", reason)
            if no is None and len(text.strip()) < LEAST_TEXT:
                no = too_short(text)
            return no or naming(house, self._traces, caller, text, reason)

    def erase_trace(
        self, caller: Caller, trace_id: str, reason: str, *, dry_run: bool = False
    ) -> TraceErasure | Refusal | None:
        """Destroy the keys that sealed a trace; None without one. Other words under them go, too.

        The records are written first. Raises KeysUnusable where somebody is put under a hold meanwhile.
        """
        with self._houses.asking() as house:
            stored = self._traces.inner.read(trace_id)
            known = stored is not None and stored.opened.tenant == caller.tenant
            no = refused(house, caller, "erase", reason)
            if no is not None:
                return no
            if stored is None or not known:
                return None
            found = keys_of(stored, house.keys)
            blocked = next((subject for subject in found if subject in house.keys.held()), "")
            if blocked:
                return held(blocked)
            ids = [key_id for each in found.values() for key_id in each]
            report = TraceErasure(
                trace_id=trace_id,
                keys=len(ids),
                traces=sealed_with(self._traces.inner.records(), ids),
                subjects=tuple(found),
                dry_run=dry_run,
            )
            return report if dry_run else self._erased(house, caller, found, report, reason)

    def _erased(
        self,
        house: House,
        caller: Caller,
        found: Mapping[str, tuple[str, ...]],
        report: TraceErasure,
        reason: str,
    ) -> TraceErasure:
        now, by = house.now(), house.subject(caller)
        for subject, ids in found.items():
            sealed = self._sealed(house, caller, reason)
            record = Erased(
                at=now, by=by, sealed_reason=sealed, subject=subject, key_ids=ids, of=report.trace_id
            )
            self._traces.append(record, durable=True)
        purged = dict.fromkeys((name for name, _ in self._purged), 0)
        for subject, ids in found.items():
            house.keys.destroy_keys(subject, ids)
            self._traces.forget(subject)
            for name, store in self._purged:
                purged[name] += store.erase(subject)
        return report.model_copy(update={"purged": purged})

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
            if not isinstance(store, RetiringStore) or not (store.deletes or dry_run):
                return not_here()
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
                store.delete(found.segments)
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
        no = refused(house, caller, right, reason)
        return no or subject_of(house, self._traces, caller, person, self._users)

    def _sealed(self, house: House, caller: Caller, reason: str) -> str:
        return seal(house.keys, house.subject(caller), reason)


_AGAIN = "Start `serve` and `mcp` again: what runs now goes on with the keys it began with."
