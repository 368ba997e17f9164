"""What a place for traces must do, and the ways in which it can fail."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from metric_layer.record import Record
from traces.chain import Damage, Verified
from traces.checkpoint import Checkpoint
from traces.errors import CheckpointUnusable
from traces.records import AnyRecord, Origin, Outcome, Receipt, Trace
from traces.store.following import Source


class Summary(Record):
    """One line about a trace; `outcome` is None while the question is open."""

    trace_id: str
    at: datetime
    subject: str = ""
    role: str = ""
    tenant: str = ""
    origin: Origin | None = None
    outcome: Outcome | None = None
    metrics: tuple[str, ...] = ()
    attempts: int = 0
    holds: int = 0
    readable: bool = True


class TraceStore(Protocol):
    """Append-only records of questions. Appending raises TraceUnwritable; reading raises TraceDamaged."""

    def append(self, record: AnyRecord, *, durable: bool) -> Receipt:
        """Write a record. With `durable`, return only once it would survive a power cut.

        Only the receipt of a durable append proves anything: other records may be written again elsewhere
        after a failed sync, under another number.
        """
        ...

    def reserve(self, size: int) -> AbstractContextManager[None]:
        """Set `size` bytes aside until the context ends, so that a close can be written on a full disk."""
        ...

    def read(self, trace_id: str) -> Trace | None:
        """Return everything recorded about one question, whichever process recorded it."""
        ...

    def receipt(self, trace_id: str) -> Receipt | None:
        """Return the receipt that the closing record of a question was answered with, or None without one."""
        ...

    def list(
        self, limit: int = 50, before: str = "", subject: str = "", tenant: str | None = None
    ) -> Iterator[Summary]:
        """Yield the newest questions first, of one subject and one tenant where given.

        `before` is the trace id at which the page before ended. Only what is yielded counts for `limit`.
        A question that cannot be read has neither subject nor tenant.
        """
        ...

    def records(self) -> Iterator[AnyRecord]:
        """Yield every record, log by log, in the order of writing."""
        ...

    def following(self) -> AbstractContextManager[Sequence[Source]]:
        """Give every segment as of now, to be read from a known record on; raises TraceDamaged."""
        ...

    def verify(
        self, receipts: Sequence[Receipt] = (), checkpoints: Sequence[Checkpoint] = ()
    ) -> tuple[Verified | Damage, ...]:
        """Check every log and return one verdict for each.

        Checkpoints that the store keeps are held against the logs, too; raises CheckpointUnusable where a
        place that keeps them is out of reach.
        """
        ...

    def checkpoint(self) -> tuple[str, ...]:
        """Sign where every whole log stands, keep the notes and return them; raises CheckpointUnusable.

        Also over a log that another process writes. Empty where there is nothing to sign with.
        """
        ...

    @property
    def note_fault(self) -> CheckpointUnusable | None:
        """Why the last checkpoint could not be kept in both places, if it could not."""
        ...

    def close(self) -> None:
        """Finish what is being written and give the files back."""
        ...
