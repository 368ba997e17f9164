"""Traces as append-only files: one log of segments per writing process, all of them read together."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from itertools import dropwhile, islice
from pathlib import Path

from traces.assembly import assemble
from traces.chain import Damage, SegmentFile, Verified, segments_in
from traces.checkpoint import Checkpoint
from traces.custody_records import RetiredSegment
from traces.errors import CheckpointUnusable, TraceDamaged
from traces.formats import RecordReader
from traces.frame import ChainKey, Line, read_line
from traces.records import AnyRecord, Close, QuestionRecord, Receipt, Trace
from traces.store.base import Summary
from traces.store.disk import Disk
from traces.store.following import Source, sources_of
from traces.store.keeper import CheckpointKeeper, KeptCheckpoints
from traces.store.limits import DEFAULT, StoreLimits
from traces.store.log import ChainLog, Entry, LogRules
from traces.store.notes import FolderOfNotes
from traces.store.opening import open_log, signed_stand
from traces.store.refusal import reading
from traces.store.scan import Place, Scan, lines_of_file
from traces.store.summary import no_open, summary_of
from traces.store.writer import Writer
from traces.verifying import Evidence, settled, verify_logs


class FileTraceStore:
    """A folder of logs. Nothing is opened for writing before the first record, so a reader leaves no trace.

    `key` links the records: whoever can write to the folder cannot make a record without it.

    `log_id` names the log to write; with none given, a log of this host that nobody writes any more is
    continued, else a new one begun. `keeper` signs where the logs stand whenever a segment or a process ends;
    without one no checkpoint is made or looked for.
    """

    def __init__(
        self,
        folder: Path,
        key: ChainKey,
        *,
        log_id: str = "",
        limits: StoreLimits = DEFAULT,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        disk: Disk | None = None,
        keeper: CheckpointKeeper | None = None,
    ) -> None:
        self._folder = folder
        self._log_id = log_id
        self._patience = limits.patience
        self._rules = LogRules(key, disk or Disk(), clock, limits.segment_bytes, keeper)
        self._opening = threading.Lock()
        self._open: tuple[ChainLog, Writer] | None = None
        self._scan = Scan(folder)
        self._reader = RecordReader()

    def append(self, record: AnyRecord, *, durable: bool) -> Receipt:
        """Write a record; with `durable`, return once it survives a power cut; raises TraceUnwritable."""
        log, writer = self._writing()
        entry = writer.append(Entry(b"", durable, record=record))
        return Receipt(trace_id=_question_of(record), log=log.log, seq=entry.seq, hash=entry.hash)

    def receipt(self, trace_id: str) -> Receipt | None:
        """Return the receipt that the closing record of a question was answered with, or None without one."""
        with reading(self._folder):
            for log, line, record in self._lines_of(trace_id):
                if isinstance(record, Close):
                    return Receipt(trace_id=trace_id, log=log, seq=line.seq, hash=line.hash)
        return None

    def reserve(self, size: int) -> AbstractContextManager[None]:
        """Set `size` bytes aside for durable records meanwhile; raises TraceUnwritable on entry."""
        return _Reserved(self._writing, size)

    def read(self, trace_id: str) -> Trace | None:
        """Return everything recorded about one question; raises TraceDamaged where it cannot be read."""
        with reading(self._folder):
            records = [record for _, _, record in self._lines_of(trace_id)]
        trace = assemble(records)
        if trace is None and records:
            raise no_open(trace_id, str(self._folder))
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
                try:
                    _, _, record = self._line_at(place)
                except FileNotFoundError:  # its segment was retired meanwhile
                    continue
                yield record

    @contextmanager
    def following(self) -> Iterator[Sequence[Source]]:
        """Give every segment, to be read from a known line on; raises TraceDamaged."""
        with reading(self._folder):
            logs = segments_in(self._folder) if self._folder.is_dir() else {}
            yield sources_of(logs, lines_of_file)

    def verify(
        self, receipts: Sequence[Receipt] = (), checkpoints: Sequence[Checkpoint] = ()
    ) -> tuple[Verified | Damage, ...]:
        """Return one verdict for each log, also for one that is gone but left a receipt or a checkpoint."""
        with reading(self._folder):

            def look() -> tuple[Verified | Damage, ...]:
                kept = self._kept()
                logs = segments_in(self._folder) if self._folder.is_dir() else {}
                evidence = Evidence(receipts, (*kept.sound, *checkpoints), kept.forged)
                return verify_logs(logs, self._rules.key, evidence)

            return settled(look)

    def checkpoint(self) -> tuple[str, ...]:
        """Sign where every log stands that is whole, also one that another process writes; keep the notes.

        Raises CheckpointUnusable where they cannot be kept. Without a keeper there is nothing to sign with.
        """
        keeper = self._rules.keeper
        if keeper is None:
            return ()
        first, notes = FolderOfNotes(self._folder, self._rules.disk), []
        with reading(self._folder):
            logs = segments_in(self._folder) if self._folder.is_dir() else {}
            for log, segments in logs.items():
                signed = signed_stand(segments, self._folder, self._rules)
                if signed is not None:
                    first.put(*signed)
                    keeper.copy_on(first, log, signed[:1])
                    notes.append(signed[1])
        return tuple(notes)

    @property
    def deletes(self) -> bool:
        """Whether segments can be deleted: the files are ours."""
        return True

    @contextmanager
    def segments(self) -> Iterator[Mapping[str, Sequence[SegmentFile]]]:
        """Give the segments of every log as of now; raises TraceDamaged."""
        with reading(self._folder):
            yield segments_in(self._folder) if self._folder.is_dir() else {}

    def checkpoints_of(self, log: str) -> Sequence[Checkpoint]:
        """Return the checkpoints that our keys signed over a log; raises CheckpointUnusable."""
        return self._kept(log).sound

    def delete(self, segments: Sequence[RetiredSegment]) -> None:
        """Delete segments, oldest first, so that a crash leaves a log that begins later and has no hole."""
        for each in sorted(segments, key=lambda one: (one.log, one.number)):
            (self._folder / each.segment).unlink(missing_ok=True)
        self._scan.forget()

    @property
    def note_fault(self) -> CheckpointUnusable | None:
        """Why the last checkpoint could not be kept in both places, if it could not."""
        return self._rules.keeper.fault if self._rules.keeper else None

    def close(self) -> None:
        """Finish what is being written and let another process continue this log."""
        with self._opening:
            opened, self._open = self._open, None
        if opened is not None:
            log, writer = opened
            writer.close()
            log.close(self._patience)

    def _writing(self) -> tuple[ChainLog, Writer]:
        opened = self._open
        if opened is not None:
            return opened
        with self._opening:
            if self._open is None:
                log = open_log(self._folder, self._log_id, self._rules)
                self._open = log, Writer(log, self._folder, self._patience)
            return self._open

    def _kept(self, log: str = "") -> KeptCheckpoints:
        """Return the checkpoints beside the segments and in the second place; raises CheckpointUnusable."""
        keeper = self._rules.keeper
        kept = keeper.found(FolderOfNotes(self._folder), log) if keeper else KeptCheckpoints()
        for fault in kept.faults:
            raise fault
        return kept

    def _lines_of(self, trace_id: str) -> Sequence[tuple[str, Line, AnyRecord]]:
        places = self._scan.places(trace_id)
        try:
            return [self._line_at(place, trace_id) for place in places]
        except (TraceDamaged, FileNotFoundError):
            self._scan.forget()
        return [self._line_at(place, trace_id) for place in self._scan.places(trace_id)]

    def _line_at(self, place: Place, trace_id: str = "") -> tuple[str, Line, AnyRecord]:
        """Return the log that a place is in, its line and its record; raises TraceDamaged."""
        with place.segment.path.open("rb") as file:
            file.seek(place.offset)
            line = read_line(file.read(place.size))
        where = f"{place.segment.path.name}, record {place.seq}"
        if line is None or line.seq != place.seq:
            raise _not_there(where)
        record = self._reader.read(line.body, where)
        if trace_id and _question_of(record) != trace_id:
            raise _not_there(where)
        return place.segment.log, line, record

    def _summary(self, trace_id: str, at: datetime) -> Summary:
        try:
            trace = self.read(trace_id)
        except TraceDamaged:
            trace = None
        return summary_of(trace_id, at, trace)


class _Reserved(AbstractContextManager[None]):
    """Space in the log while a question runs."""

    __slots__ = ("_log", "_size", "_writing")

    def __init__(self, writing: Callable[[], tuple[ChainLog, Writer]], size: int) -> None:
        self._writing = writing
        self._size = size

    def __enter__(self) -> None:
        self._log, _ = self._writing()
        self._log.reserve(self._size)

    def __exit__(self, *_: object) -> None:
        self._log.release(self._size)


def _question_of(record: AnyRecord) -> str:
    return record.trace_id if isinstance(record, QuestionRecord) else ""


def _not_there(where: str) -> TraceDamaged:
    return TraceDamaged(
        "trace_moved", "a record is not where it was", place=where, next_step="run `cellbound trace verify`"
    )
