"""The log of one process in PostgreSQL: one statement a batch, gone on with after a lost connection."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from time import monotonic
from typing import NamedTuple

import psycopg

from traces.errors import TraceUnwritable
from traces.frame import GENESIS
from traces.log_records import SegmentStart
from traces.store.keeper import NoteWriter, Stand
from traces.store.log import Entry, LogRules, chained
from traces.store.postgres_opening import Database, give_back, lock_again, take_log
from traces.store.postgres_rows import TableOfNotes
from traces.store.postgres_session import Connection, deadline, require_writer, unwritable

_INSERT = (
    b"WITH waits AS (SELECT set_config('synchronous_commit', %s, true)) "
    b"INSERT INTO cellbound.records (log, seq, segment, hash, body) "
    b"SELECT %s, r.seq, r.segment, r.hash, r.body "
    b"FROM waits, unnest(%b::bigint[], %b::int[], %b::text[], %b::text[]) AS r (seq, segment, hash, body)"
)
_END = "SELECT seq, hash FROM cellbound.records WHERE log = %s ORDER BY seq DESC LIMIT 1"
_FRESH_SECONDS = 1.0
MOST_UNSYNCED = 4 * 1024 * 1024


class _Row(NamedTuple):
    seq: int
    segment: int
    hash: str
    body: str


class _Batch(NamedTuple):
    """Rows, where the log stands with them, and whether somebody waits until they are durable."""

    rows: tuple[_Row, ...]
    stand: Stand
    waits: bool


class PostgresLog:
    """Appends to one log. One thread writes; any thread may ask whether there is room.

    `_stand` is what the database took, `_durable` what it had made durable, `_unsynced` the rows between: a
    server that crashes may lose those, and they are written again. `_sent` is a batch of which nobody knows.
    """

    unsynced_bytes = 0

    def __init__(self, database: Database, log_id: str, rules: LogRules) -> None:
        self._database = database
        self._rules = rules
        self._lock = threading.Lock()
        self._unsynced: list[_Row] = []
        self._sent: _Batch | None = None
        self._connection: Connection | None = None
        self._answered = 0.0
        with self._said_in_our_words():
            connection, self.log, end = take_log(database, log_id, rules)
        self._connection = connection
        self._process = connection.info.backend_pid
        self._stand = self._durable = end.stand
        self._number, self._day, self._signed = end.number, end.day, end.signed
        self._size = end.offset
        self._notes: NoteWriter | None = None
        if rules.keeper:
            notes = TableOfNotes(database.url, database.patience)
            self._notes = NoteWriter(rules.keeper, notes, self.log)

    def write(self, entries: Sequence[Entry]) -> None:
        """Write entries in order, durable where one asks for it; all or none, and then TraceUnwritable.

        After a lost connection it is looked up once whether they are there, and if not they are sent once
        more. When that fails, too, nobody is acknowledged, and the next batch begins by looking.
        """
        with self._lock, self._said_in_our_words():
            try:
                self._write(entries)
            except psycopg.Error as error:
                if not _is_away(error):
                    self._sent = None
                    raise
                self._once_more(entries)

    def write_at_once(self, entry: Entry) -> bool:
        """Leave every entry to the writing thread: it gathers what waits into one statement."""
        return False

    def sync(self) -> None:
        """Do nothing: a batch was durable once it was written, where one of it asked for that."""

    def reserve(self, size: int) -> None:
        """See that the database takes records now; it cannot set space aside. Raises TraceUnwritable."""
        if self._connection is not None and monotonic() - self._answered < _FRESH_SECONDS:
            return
        with self._lock, self._said_in_our_words():
            connection = self._ready()
            with deadline(connection, self._database.patience):
                require_writer(connection, self._database.place)
            self._answered = monotonic()

    def release(self, size: int) -> None:
        """Nothing was set aside."""

    def close(self, patience: float = 10.0) -> None:
        """Sign where the log was durable and let another process go on with it.

        What was not durable yet is so within the server's wal_writer_delay; nobody was promised more.
        """
        with self._lock:
            self._sign()
            if self._connection is not None:
                with suppress(psycopg.Error), deadline(self._connection, self._database.patience):
                    give_back(self._connection, self.log)
            self._drop()
        if self._notes is not None:
            self._notes.close(patience)

    def _once_more(self, entries: Sequence[Entry]) -> None:
        """Connect again, look whether the batch is there, and write it if not."""
        sent = self._sent
        self._drop()
        self._ready()
        if sent is None or self._stand.seq != sent.stand.seq:
            self._write(entries)

    def _write(self, entries: Sequence[Entry]) -> None:
        self._ready()
        start = self._next_start(sum(len(entry.body) for entry in entries))
        number = self._number + 1 if start else self._number
        everything = [*([start] if start else []), *entries]
        _, stand = chained(everything, self._stand, self._rules.key)
        rows = tuple(_Row(each.seq, number, each.hash, each.body.decode()) for each in everything)
        waits = any(entry.durable for entry in entries) or self._unsynced_size() > MOST_UNSYNCED
        if start:
            self._sign()
        self._send(_Batch(rows, stand, waits))

    def _next_start(self, size: int) -> Entry | None:
        """Return the first record of a new segment, where one is due."""
        today = self._rules.clock()
        fits = self._size + size <= self._rules.max_bytes
        if self._number >= 0 and fits and today.toordinal() == self._day:
            return None
        start = SegmentStart(
            at=today,
            log=self.log,
            number=self._number + 1,
            first=self._stand.seq,
            previous=self._stand.head,
            key_id=self._rules.key.id,
        )
        return Entry(start.model_dump_json(by_alias=True).encode(), durable=False)

    def _send(self, batch: _Batch) -> None:
        connection = self._ready()
        self._sent = batch
        self._insert(connection, batch.rows, waits=batch.waits)
        self._accept(batch)

    def _accept(self, batch: _Batch) -> None:
        self._sent, self._stand = None, batch.stand
        for row in batch.rows:
            if row.segment != self._number:
                self._number, self._size, self._day = row.segment, 0, self._rules.clock().toordinal()
            self._size += len(row.body)
        self._unsynced.extend(batch.rows)
        if batch.waits:
            self._durable = batch.stand
            self._unsynced.clear()

    def _insert(self, connection: Connection, rows: Sequence[_Row], *, waits: bool) -> None:
        columns = [list(column) for column in zip(*rows, strict=True)]
        with deadline(connection, self._database.patience):
            connection.execute(_INSERT, ("on" if waits else "off", self.log, *columns))
        self._answered = monotonic()

    def _ready(self) -> Connection:
        """Return the connection; a new one once the log is ours again and holds what it should."""
        if self._connection is None:
            connection = self._database.connect()
            try:
                with deadline(connection, self._database.patience):
                    lock_again(connection, self.log, self._process, self._database)
                    self._reconcile(connection)
            except BaseException:
                connection.close()
                raise
            self._connection, self._process = connection, connection.info.backend_pid
        return self._connection

    def _reconcile(self, connection: Connection) -> None:
        """Learn what became of the batch that was sent last, and write again what a crash took away."""
        row = connection.execute(_END, (self.log,)).fetchone()
        seq, head = (row[0] + 1, row[1]) if row else (0, GENESIS)
        sent = self._sent.rows if self._sent else ()
        heads = {each.seq + 1: each.hash for each in (*self._unsynced, *sent)}
        heads[self._durable.seq] = self._durable.head
        if heads.get(seq) != head:
            raise _other_end(self.log, self._database.place, behind=seq < self._durable.seq)
        if self._sent is not None and seq == self._sent.stand.seq:
            self._accept(self._sent)
        elif seq < self._stand.seq:
            self._insert(connection, [each for each in self._unsynced if each.seq >= seq], waits=True)
        self._sent = None

    def _sign(self) -> None:
        """Have a checkpoint kept over what the database made durable, unless there is one."""
        keeper = self._rules.keeper
        if keeper is None or self._notes is None or self._number < 0 or self._durable.seq <= self._signed:
            return
        self._notes.write(*keeper.over(self.log, self._number, self._durable, self._rules.key.id))
        self._signed = self._durable.seq

    def _unsynced_size(self) -> int:
        return sum(len(row.body) for row in self._unsynced)

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    @contextmanager
    def _said_in_our_words(self) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as error:
            self._drop()
            raise unwritable(error, self._database.place) from None


def _is_away(error: psycopg.Error) -> bool:
    """Say whether the connection is gone, and not only a statement refused."""
    return error.sqlstate is None or error.sqlstate.startswith(("08", "57P"))


def _other_end(log: str, place: str, *, behind: bool) -> TraceUnwritable:
    if behind:
        return TraceUnwritable(
            "trace_database_behind",
            f"log {log} lacks records that were durable: this is an older state of the database",
            place=place,
            next_step="bring back the database that had them; or restart to go on without, on record",
        )
    return TraceUnwritable(
        "trace_log_taken",
        f"another writer went on with log {log}",
        place=place,
        next_step="restart this process: it takes a log of its own",
    )
