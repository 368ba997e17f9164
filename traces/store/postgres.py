"""Traces in PostgreSQL, for several replicas: one log per process, all of them read together."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from typing import TypeVar

import psycopg

from traces.assembly import assemble
from traces.chain import Damage, Segment, Verified
from traces.checkpoint import Checkpoint
from traces.custody_records import RetiredSegment
from traces.errors import CheckpointUnusable, TraceDamaged
from traces.formats import RecordReader, encode
from traces.frame import ChainKey, Line
from traces.merkle import leaf_hash
from traces.records import AnyRecord, Close, QuestionRecord, Receipt, Trace
from traces.store.base import Summary
from traces.store.disk import Disk
from traces.store.following import Source, sources_of
from traces.store.keeper import CheckpointKeeper, KeptCheckpoints
from traces.store.limits import DEFAULT, StoreLimits
from traces.store.log import Entry, LogRules
from traces.store.postgres_log import PostgresLog
from traces.store.postgres_opening import Database, log_stand
from traces.store.postgres_retention import delete_segments
from traces.store.postgres_rows import (
    Found,
    StoredSegment,
    TableOfNotes,
    all_lines,
    lines_of_question,
    questions_before,
    segments_of,
    stored_segments,
    when_asked,
)
from traces.store.postgres_session import Connection, connect, deadline, reading, shown
from traces.store.summary import moment_of, no_open, summary_of
from traces.store.writer import Writer
from traces.verifying import Evidence, verify_logs

T = TypeVar("T")
_NEWEST = "~"
"""Sorts after every time and every trace id."""


class PostgresTraceStore:
    """A database of logs, set up with `traces.store.postgres_setup`. Nothing is opened before first use.

    `log_id` names the log to write; with none given, one that nobody writes any more is continued, else a new
    one begun. The login may insert and select only; the database refuses every change, the owner's included.
    `retention` is the url of the login that deletes old segments, where there is one.
    """

    def __init__(
        self,
        url: str,
        key: ChainKey,
        *,
        log_id: str = "",
        limits: StoreLimits = DEFAULT,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        keeper: CheckpointKeeper | None = None,
        retention: str = "",
    ) -> None:
        self._retention = retention
        self._database = Database(url, shown(url), limits.patience)
        self._log_id = log_id
        self._rules = LogRules(key, Disk(), clock, limits.segment_bytes, keeper)
        self._notes = TableOfNotes(url, limits.patience)
        self._opening = threading.Lock()
        self._open: tuple[PostgresLog, Writer] | None = None
        self._looking = threading.Lock()
        self._reading: Connection | None = None
        self._reader = RecordReader()

    def append(self, record: AnyRecord, *, durable: bool) -> Receipt:
        """Write a record; with `durable`, return once the server flushed it; raises TraceUnwritable."""
        log, writer = self._writing()
        body = encode(record)
        entry = writer.append(Entry(body, durable, leaf_hash(body)))
        trace_id = record.trace_id if isinstance(record, QuestionRecord) else ""
        return Receipt(trace_id=trace_id, log=log.log, seq=entry.seq, hash=entry.hash)

    @contextmanager
    def reserve(self, size: int) -> Iterator[None]:
        """See on entry that the database takes records: no space can be set aside; raises TraceUnwritable."""
        log, _ = self._writing()
        log.reserve(size)
        yield

    def read(self, trace_id: str) -> Trace | None:
        """Return everything recorded about one question; raises TraceDamaged where it cannot be read."""
        records = [self._record(log, line) for log, line in self._lines_of(trace_id)]
        trace = assemble(records)
        if trace is None and records:
            raise no_open(trace_id, self._database.place)
        return trace

    def receipt(self, trace_id: str) -> Receipt | None:
        """Return the receipt that the closing record of a question was answered with, or None without one."""
        for log, line in self._lines_of(trace_id):
            if isinstance(self._record(log, line), Close):
                return Receipt(trace_id=trace_id, log=log, seq=line.seq, hash=line.hash)
        return None

    def list(
        self, limit: int = 50, before: str = "", subject: str = "", tenant: str | None = None
    ) -> Iterator[Summary]:
        """Yield the newest questions of a subject and tenant, where given; `before` is where a page ended."""
        summaries = (self._summary(trace_id, at) for trace_id, at in self._questions(before))
        wanted = (one for one in summaries if subject in ("", one.subject) and tenant in (None, one.tenant))
        return islice(wanted, limit)

    def records(self) -> Iterator[AnyRecord]:
        """Yield every record, log by log, in order of writing; raises TraceDamaged at an unreadable one."""
        with self._snapshot() as connection:
            for log, line in all_lines(connection):
                yield self._record(log, line)

    @contextmanager
    def following(self) -> Iterator[Sequence[Source]]:
        """Give every segment as of now, to be read from a known record on; raises TraceDamaged."""
        with self._snapshot() as connection:
            yield sources_of(stored_segments(connection), StoredSegment.lines_from)

    def verify(
        self, receipts: Sequence[Receipt] = (), checkpoints: Sequence[Checkpoint] = ()
    ) -> tuple[Verified | Damage, ...]:
        """Return one verdict for each log, also for one that is gone but left a receipt or a checkpoint."""
        kept = self._kept()
        with self._snapshot() as connection:
            evidence = Evidence(receipts, (*kept.sound, *checkpoints), kept.forged)
            return verify_logs(segments_of(connection), self._rules.key, evidence)

    def checkpoint(self) -> tuple[str, ...]:
        """Sign where every whole log stands, whoever writes it; keep the notes; raises CheckpointUnusable."""
        keeper = self._rules.keeper
        if keeper is None:
            return ()
        made = []
        with self._snapshot() as connection:
            for log in segments_of(connection):
                found = log_stand(connection, log, self._notes, self._rules)
                if found is not None:
                    end, key_id = found
                    made.append((log, *keeper.over(log, end.number, end.stand, key_id)))
        for log, name, note in made:
            self._notes.put(name, note)
            keeper.copy_on(self._notes, log, (name,))
        return tuple(note for _, _, note in made)

    @property
    def deletes(self) -> bool:
        """Whether there is a login that may delete."""
        return bool(self._retention)

    @contextmanager
    def segments(self) -> Iterator[Mapping[str, Sequence[Segment]]]:
        """Give the segments of every log as of now; raises TraceDamaged."""
        with self._snapshot() as connection:
            yield segments_of(connection)

    def checkpoints_of(self, log: str) -> Sequence[Checkpoint]:
        """Return the checkpoints that our keys signed over a log; raises CheckpointUnusable."""
        return self._kept(log).sound

    def delete(self, segments: Sequence[RetiredSegment]) -> None:
        """Delete segments in one transaction, over the login for that; raises TraceUnwritable."""
        delete_segments(self._retention, self._database.patience, segments)

    @property
    def note_fault(self) -> CheckpointUnusable | None:
        """Why the last checkpoint could not be kept in both places, if it could not."""
        return self._rules.keeper.fault if self._rules.keeper else None

    def close(self) -> None:
        """Finish what is being written and let another process continue this log."""
        with self._opening:
            opened, self._open = self._open, None
        try:
            if opened is not None:
                log, writer = opened
                writer.close()
                log.close(self._database.patience)
        finally:
            with self._looking:
                self._forget_reading()

    def _writing(self) -> tuple[PostgresLog, Writer]:
        with self._opening:
            if self._open is None:
                log = PostgresLog(self._database, self._log_id, self._rules)
                self._open = log, Writer(log, self._database.place, self._database.patience)
            return self._open

    def _kept(self, log: str = "") -> KeptCheckpoints:
        keeper = self._rules.keeper
        kept = keeper.found(self._notes, log) if keeper else KeptCheckpoints()
        for fault in kept.faults:
            raise fault
        return kept

    def _lines_of(self, trace_id: str) -> Sequence[Found]:
        if "\0" in trace_id:  # No text in the database holds one, and the driver refuses to look.
            return ()
        return self._look(lambda connection: lines_of_question(connection, trace_id))

    def _questions(self, before: str) -> Iterator[tuple[str, str]]:
        at, last = _NEWEST, _NEWEST
        if "\0" in before:
            return
        if before:
            found = self._look(lambda connection: when_asked(connection, before))
            if found is None:
                return
            at, last = found, before
        while page := self._look(partial(questions_before, at=at, trace_id=last)):
            yield from page
            last, at = page[-1]

    def _look(self, work: Callable[[Connection], T]) -> T:
        """Read over the connection that is kept for that, or over a fresh one where it was lost meanwhile."""
        with self._looking, reading(self._database.place):
            if self._reading is not None:
                try:
                    with deadline(self._reading, self._database.patience):
                        return work(self._reading)
                except psycopg.OperationalError:
                    self._forget_reading()
            self._reading = self._connect()
            with deadline(self._reading, self._database.patience):
                return work(self._reading)

    def _forget_reading(self) -> None:
        connection, self._reading = self._reading, None
        if connection is not None:
            connection.close()

    @contextmanager
    def _snapshot(self) -> Iterator[Connection]:
        """Give a connection of its own that sees one state of the database throughout."""
        with reading(self._database.place), closing(self._connect()) as found:
            found.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield found

    def _connect(self) -> Connection:
        return connect(self._database.url, self._database.patience, "cellbound reading")

    def _record(self, log: str, line: Line) -> AnyRecord:
        return self._reader.read(line.body, f"{log}, record {line.seq}")

    def _summary(self, trace_id: str, at: str) -> Summary:
        try:
            trace = self.read(trace_id)
        except TraceDamaged:
            trace = None
        return summary_of(trace_id, moment_of(at), trace)
