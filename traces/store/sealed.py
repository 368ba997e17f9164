"""A place for traces: seals what is personal and signs judgements on the way in, and opens on the way out."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager

from metric_layer.layer import Layer
from traces.chain import Damage, Verified
from traces.checkpoint import Checkpoint
from traces.errors import CheckpointUnusable, TraceDamaged, TraceUnwritable, Unsealable
from traces.keys import KeyStore
from traces.known import KnownNames
from traces.private import Private, private_of
from traces.records import AnyRecord, Judgement, Open, QuestionRecord, Receipt, Trace
from traces.sealing import masked_trace, sealed, unsealed, unsealed_trace
from traces.shown import Shown
from traces.signatures import signed
from traces.store.base import Summary, TraceStore
from traces.store.following import Source

_REMEMBERED = 4096


class SealedStore:
    """Wraps any other store. Nobody who holds this one can write a personal text unsealed.

    What is read is whole, or stays masked where its subject was erased: `Trace.erased` says so. `layer` gives
    the definitions in force, whose names may stand in clear.
    """

    def __init__(self, inner: TraceStore, keys: KeyStore, layer: Callable[[], Layer]) -> None:
        self.inner = inner
        self._keys = keys
        self._layer = layer
        self._lock = threading.Lock()
        self._known: tuple[Layer, KnownNames] | None = None
        self._private: OrderedDict[str, Private] = OrderedDict()
        self._shown = Shown()

    def append(self, record: AnyRecord, *, durable: bool) -> Receipt:
        """Seal a record and write it, a judgement signed; raises TraceUnwritable."""
        if isinstance(record, Judgement):
            record = signed(record, self._keys)
        if not isinstance(record, QuestionRecord):
            return self.inner.append(record, durable=durable)
        private = self._private_of(record)
        stored = sealed(record, private, self._names(), self._keys, self._shown)
        return self.inner.append(stored, durable=durable)

    def reserve(self, size: int) -> AbstractContextManager[None]:
        """Set `size` bytes aside, as the inner store does."""
        return self.inner.reserve(size)

    def read(self, trace_id: str) -> Trace | None:
        """Return everything recorded about one question, opened; raises TraceDamaged."""
        trace = self.inner.read(trace_id)
        return trace and self._opened(trace)

    def masked(self, trace: Trace) -> Trace:
        """Return what people may see of a trace who may not read its words."""
        return masked_trace(trace, private_of(trace.opened, self._names()), self._names())

    def receipt(self, trace_id: str) -> Receipt | None:
        """Return the receipt that the closing record of a question was answered with, or None without one."""
        return self.inner.receipt(trace_id)

    def list(
        self, limit: int = 50, before: str = "", subject: str = "", tenant: str | None = None
    ) -> Iterator[Summary]:
        """Yield the newest questions first, as the inner store does."""
        return self.inner.list(limit, before, subject, tenant)

    def records(self) -> Iterator[AnyRecord]:
        """Yield every record, opened, log by log, in the order of writing; raises TraceDamaged."""
        for record in self.inner.records():
            try:
                yield unsealed(record, self._keys)
            except Unsealable as fault:
                raise _altered(getattr(record, "trace_id", ""), fault) from fault

    def following(self) -> AbstractContextManager[Sequence[Source]]:
        """Give every segment as it is stored, sealed; raises TraceDamaged."""
        return self.inner.following()

    def verify(
        self, receipts: Sequence[Receipt] = (), checkpoints: Sequence[Checkpoint] = ()
    ) -> tuple[Verified | Damage, ...]:
        """Check every log over its bytes as written, which needs nothing opened."""
        return self.inner.verify(receipts, checkpoints)

    def checkpoint(self) -> tuple[str, ...]:
        """Return a signed note over every log."""
        return self.inner.checkpoint()

    @property
    def note_fault(self) -> CheckpointUnusable | None:
        """Why the last checkpoint could not be kept in both places, if it could not."""
        return self.inner.note_fault

    def forget(self, subject: str) -> None:
        """Keep nothing in memory of a subject who was erased."""
        with self._lock:
            gone = [name for name, private in self._private.items() if private.subject == subject]
            for name in gone:
                del self._private[name]
        self._shown.forget()

    def close(self) -> None:
        """Finish what is being written and give the files back."""
        self.inner.close()

    def _opened(self, trace: Trace) -> Trace:
        try:
            return unsealed_trace(trace, self._keys)
        except Unsealable as fault:
            raise _altered(trace.trace_id, fault) from fault

    def _names(self) -> KnownNames:
        layer = self._layer()
        known = self._known
        if known is None or known[0] is not layer:
            known = self._known = (layer, KnownNames(layer))
        return known[1]

    def _private_of(self, record: QuestionRecord) -> Private:
        """Return what is personal in the question of a record, remembered from its opening."""
        if isinstance(record, Open):
            return self._remember(private_of(record, self._names()), record.trace_id)
        with self._lock:
            known = self._private.get(record.trace_id)
        if known is not None:
            return known
        trace = self.read(record.trace_id)
        if trace is None:
            raise TraceUnwritable(
                "trace_no_open",
                f"trace {record.trace_id} was never opened here, so nobody knows under whose key it belongs",
                next_step="run `cellbound trace verify`",
            )
        return self._remember(private_of(trace.opened, self._names()), record.trace_id)

    def _remember(self, private: Private, trace_id: str) -> Private:
        with self._lock:
            self._private[trace_id] = private
            if len(self._private) > _REMEMBERED:
                self._private.popitem(last=False)
        return private


def _altered(trace_id: str, fault: Unsealable) -> TraceDamaged:
    return TraceDamaged(fault.code, str(fault), place=f"trace {trace_id}", next_step=fault.next_step)
