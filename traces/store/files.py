"""Traces as append-only files: one log of segments per writing process, all of them read together."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import dropwhile, islice
from pathlib import Path

from traces.assembly import assemble
from traces.chain import Damage, Verified, segments_in, verify
from traces.damage import SAID
from traces.errors import TraceDamaged
from traces.formats import RecordReader, encode
from traces.frame import ChainKey, Line, read_line
from traces.log_records import Recovered, SegmentStart
from traces.questions import QuestionOrder
from traces.records import AnyRecord, Close, Receipt, Trace
from traces.store.base import Summary
from traces.store.disk import Disk
from traces.store.log import ChainLog, Entry
from traces.store.opening import open_log
from traces.store.refusal import reading
from traces.store.scan import Place, Scan
from traces.store.writer import Writer

SEGMENT_BYTES = 64 * 1024 * 1024


class FileTraceStore:
    """A folder of logs. Nothing is opened for writing before the first record, so a reader leaves no trace.

    `key` links the records: whoever can write to the folder cannot make a record without it.

    `log_id` names the log to write; with none given, a log of this host that nobody writes any more is
    continued, else a new one begun. `patience` is how many seconds a caller waits for the disk.
    """

    def __init__(
        self,
        folder: Path,
        key: ChainKey,
        *,
        log_id: str = "",
        segment_bytes: int = SEGMENT_BYTES,
        patience: float = 30.0,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        disk: Disk | None = None,
    ) -> None:
        self._folder = folder
        self._key = key
        self._log_id = log_id
        self._segment_bytes = segment_bytes
        self._patience = patience
        self._clock = clock
        self._disk = disk or Disk()
        self._opening = threading.Lock()
        self._open: tuple[ChainLog, Writer] | None = None
        self._scan = Scan(folder)
        self._reader = RecordReader()

    def append(self, record: AnyRecord, *, durable: bool) -> Receipt:
        """Write a record; with `durable`, return once it survives a power cut; raises TraceUnwritable."""
        log, writer = self._writing()
        entry = writer.append(Entry(encode(record), durable=durable))
        return Receipt(trace_id=_question_of(record), log=log.log, seq=entry.seq, hash=entry.hash)

    def receipt(self, trace_id: str) -> Receipt | None:
        """Return the receipt that the closing record of a question was answered with, or None without one."""
        with reading(self._folder):
            for place in self._scan.places(trace_id):
                line, record = self._line_at(place, trace_id)
                if isinstance(record, Close):
                    return Receipt(trace_id=trace_id, log=place.segment.log, seq=line.seq, hash=line.hash)
        return None

    @contextmanager
    def reserve(self, size: int) -> Iterator[None]:
        """Set `size` bytes aside for durable records meanwhile; raises TraceUnwritable on entry."""
        log, _ = self._writing()
        log.reserve(size)
        try:
            yield
        finally:
            log.release(size)

    def read(self, trace_id: str) -> Trace | None:
        """Return everything recorded about one question; raises TraceDamaged where it cannot be read."""
        with reading(self._folder):
            records = self._records_of(trace_id)
        trace = assemble(records)
        if trace is None and records:
            raise _no_open(trace_id, self._folder)
        return trace

    def list(
        self, limit: int = 50, before: str = "", subject: str = "", tenant: str | None = None
    ) -> Iterator[Summary]:
        """Yield the newest questions of a subject and tenant, where given; `before` is where a page ended."""
        with reading(self._folder):
            questions = iter(self._scan.newest())
        if before:
            questions = islice(dropwhile(lambda question: question[1] != before, questions), 1, None)
        summaries = (self._summary(trace_id, at) for at, trace_id in questions)
        wanted = (one for one in summaries if subject in ("", one.subject) and tenant in (None, one.tenant))
        return islice(wanted, limit)

    def records(self) -> Iterator[AnyRecord]:
        """Yield every record, log by log, in order of writing; raises TraceDamaged at an unreadable one."""
        with reading(self._folder):
            for place in self._scan.all_places():
                yield self._record_at(place)

    def verify(self, receipts: Sequence[Receipt] = ()) -> tuple[Verified | Damage, ...]:
        """Return one verdict for each log, also for a log that is gone but left a receipt."""
        order = QuestionOrder()
        with reading(self._folder):
            logs = segments_in(self._folder) if self._folder.is_dir() else {}
            verdicts: dict[str, Verified | Damage] = {
                log: verify(
                    segments, self._key, [receipt for receipt in receipts if receipt.log == log], order
                )
                for log, segments in logs.items()
            }
        for receipt in receipts:
            verdicts.setdefault(receipt.log, _whole_log_gone(receipt))
        return tuple(verdicts.values())

    def close(self) -> None:
        """Finish what is being written and let another process continue this log."""
        with self._opening:
            opened, self._open = self._open, None
        if opened is not None:
            log, writer = opened
            writer.close()
            log.close()

    def _writing(self) -> tuple[ChainLog, Writer]:
        with self._opening:
            if self._open is None:
                log = open_log(
                    self._folder,
                    self._log_id,
                    self._key,
                    disk=self._disk,
                    clock=self._clock,
                    max_bytes=self._segment_bytes,
                )
                self._open = log, Writer(log, self._folder, self._patience)
            return self._open

    def _records_of(self, trace_id: str) -> Sequence[AnyRecord]:
        places = self._scan.places(trace_id)
        try:
            return [self._record_at(place, trace_id) for place in places]
        except TraceDamaged:
            self._scan.forget()
        return [self._record_at(place, trace_id) for place in self._scan.places(trace_id)]

    def _record_at(self, place: Place, trace_id: str = "") -> AnyRecord:
        return self._line_at(place, trace_id)[1]

    def _line_at(self, place: Place, trace_id: str = "") -> tuple[Line, AnyRecord]:
        with place.segment.path.open("rb") as file:
            file.seek(place.offset)
            line = read_line(file.read(place.size))
        where = f"{place.segment.path.name}, record {place.seq}"
        if line is None or line.seq != place.seq:
            raise _not_there(where)
        record = self._reader.read(line.body, where)
        if trace_id and _question_of(record) != trace_id:
            raise _not_there(where)
        return line, record

    def _summary(self, trace_id: str, at: datetime) -> Summary:
        try:
            trace = self.read(trace_id)
        except TraceDamaged:
            trace = None
        if trace is None:
            return Summary(trace_id=trace_id, at=at, readable=False)
        opened = trace.opened
        return Summary(
            trace_id=trace_id,
            at=opened.at,
            subject=opened.subject,
            role=opened.role,
            tenant=opened.tenant,
            origin=opened.origin,
            outcome=trace.closed.outcome if trace.closed else None,
            metrics=opened.ask.plan.metrics if opened.ask.plan else (),
            attempts=len(trace.attempts),
            holds=len(trace.holds),
        )


def _question_of(record: AnyRecord) -> str:
    return "" if isinstance(record, Recovered | SegmentStart) else record.trace_id


def _whole_log_gone(receipt: Receipt) -> Damage:
    return Damage(
        log=receipt.log, seq=receipt.seq, segment="", line=0, kind="cut_tail", message=SAID["cut_tail"]
    )


def _no_open(trace_id: str, place: Path) -> TraceDamaged:
    return TraceDamaged(
        "trace_no_open",
        f"trace {trace_id} has records but none that opens it",
        place=str(place),
        next_step="run `cellbound trace verify`",
    )


def _not_there(where: str) -> TraceDamaged:
    return TraceDamaged(
        "trace_moved", "a record is not where it was", place=where, next_step="run `cellbound trace verify`"
    )
