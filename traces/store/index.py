"""The search index beside the traces: rebuilt from them at any time, and never more than they say.

It follows every log from where it stopped. It holds names, versions, outcomes, SQL without literals, and
keyed hashes of persons and of cited numbers; an erasure takes a person's numbers out of it.
"""

import hmac
import sqlite3
from collections.abc import Callable, Sequence
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import TypeVar

from metric_layer.plan import Dialect
from metric_layer.record import Record
from traces.errors import IndexUnusable
from traces.formats import RecordReader
from traces.keys import KeyStore
from traces.precisions import keyed_number, spelled
from traces.records import Outcome
from traces.store.following import Followed, Source
from traces.store.index_feed import Feed
from traces.store.index_file import DAMAGED, IndexFile
from traces.store.index_rows import bare_sql, moment, time_of

T = TypeVar("T")
PURPOSE = "index"
NAME = "index.sqlite"


class Search(Record):
    """What to find: everything that is given must hold. Times are UTC; `until` is left out itself.

    `numbers` are ways to read one number, each at the precision in which it was written. `unfinished` asks
    for questions that never ended; `sql` is a piece of SQL, whose literals do not count.
    """

    tenant: str
    subject: str = ""
    definition: str = ""
    version: int | None = None
    check: str = ""
    outcome: Outcome | None = None
    unfinished: bool = False
    table: str = ""
    numbers: tuple[Decimal, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    sql: str = ""
    dialect: Dialect = "duckdb"
    limit: int = 50


class Hit(Record):
    """A question that was found; `outcome` is None while it is open."""

    trace_id: str
    at: datetime
    subject: str
    role: str
    outcome: Outcome | None
    metrics: tuple[str, ...]


class IndexSize(Record):
    """How many questions the index knows, and from how many segments."""

    traces: int
    segments: int


class TraceIndex:
    """Finds traces of a store; `place` is the file of the index, and without one it lives for one look."""

    def __init__(self, place: Path | None, store: Followed, keys: KeyStore) -> None:
        self._key = keys.commitment(PURPOSE)
        self._file = IndexFile(place, hmac.digest(self._key, b"id", "sha256").hex()[:16])
        self._store = store
        self._keys = keys

    def find(self, search: Search) -> tuple[Hit, ...]:
        """Return what matches, newest first, as of now. Raises IndexUnusable and TraceDamaged."""
        where, values = self._conditions(search)

        def look(connection: sqlite3.Connection) -> tuple[Hit, ...]:
            self._catch_up(connection)
            rows = connection.execute(
                "SELECT id, at, subject, role, outcome, metrics FROM traces WHERE "
                f"{' AND '.join(where)} ORDER BY at DESC, id DESC LIMIT ?",
                (*values, search.limit),
            )
            return tuple(map(_hit, rows))

        return self._use(look)

    def rebuild(self) -> IndexSize:
        """Make the index anew from the traces. Raises IndexUnusable and TraceDamaged."""
        with self._file.using(afresh=True) as connection:
            self._catch_up(connection)
            return _size(connection)

    def refresh(self) -> IndexSize:
        """Bring the index up to date. Raises IndexUnusable and TraceDamaged."""

        def catch_up(connection: sqlite3.Connection) -> IndexSize:
            self._catch_up(connection)
            return _size(connection)

        return self._use(catch_up)

    def erase(self, subject: str) -> int:
        """Forget the numbers that were told to a subject; return how many hashes went."""
        if not self._file.exists:
            return 0

        def forget(connection: sqlite3.Connection) -> int:
            gone = connection.execute(
                "DELETE FROM numbers WHERE n IN (SELECT n FROM traces WHERE subject = ?)", (subject,)
            ).rowcount
            connection.commit()
            return gone

        return self._use(forget)

    def _use(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Work on the index; one that turns out to be damaged is made anew first."""
        try:
            with self._file.using() as connection:
                return work(connection)
        except IndexUnusable as fault:
            if fault.code != DAMAGED:
                raise
        with self._file.using(afresh=True) as connection:
            return work(connection)

    def _catch_up(self, connection: sqlite3.Connection) -> None:
        with self._store.following() as sources:
            if not self._follow(connection, sources):
                for table in ("traces", "facts", "numbers", "statements", "sources"):
                    connection.execute(f"DELETE FROM {table}")
                self._follow(connection, sources)

    def _follow(self, connection: sqlite3.Connection, sources: Sequence[Source]) -> bool:
        feed = Feed(connection, self._keys, self._key, RecordReader())
        return feed.knows(sources) and all(feed.take(source) for source in sources)

    def _conditions(self, search: Search) -> tuple[list[str], list[object]]:
        found: list[tuple[str, object]] = [("tenant = ?", search.tenant)]
        found += [("subject = ?", search.subject)] if search.subject else []
        found += [("outcome = ?", search.outcome)] if search.outcome else []
        found += [("at >= ?", moment(search.since))] if search.since else []
        found += [("at < ?", moment(search.until))] if search.until else []
        for kind, value in _facts(search):
            found.append((f"n IN (SELECT n FROM facts WHERE kind = '{kind}' AND value = ?)", value))
        if search.sql:
            piece = bare_sql(search.sql, search.dialect)
            found.append(("q IN (SELECT q FROM statements WHERE instr(sql, ?))", piece))
        where, values = [text for text, _ in found], [value for _, value in found]
        if search.unfinished:
            where.append("outcome IS NULL")
        if search.numbers:
            hashes = [keyed_number(self._key, spelled(each)) for each in search.numbers]
            where.append(f"n IN (SELECT n FROM numbers WHERE hash IN ({', '.join('?' * len(hashes))}))")
            values += hashes
        return where, values


def _facts(search: Search) -> list[tuple[str, str]]:
    version = f"{search.definition} v{search.version}" if search.version is not None else ""
    asked = (
        ("version", version),
        ("definition", "" if version else search.definition),
        ("check", search.check),
        ("table", search.table.lower()),
    )
    return [(kind, value) for kind, value in asked if value]


def _hit(row: tuple[str, int, str, str, Outcome | None, str]) -> Hit:
    trace_id, at, subject, role, outcome, metrics = row
    return Hit(
        trace_id=trace_id,
        at=time_of(at),
        subject=subject,
        role=role,
        outcome=outcome,
        metrics=tuple(metrics.split()),
    )


def _size(connection: sqlite3.Connection) -> IndexSize:
    ((traces, segments),) = connection.execute(
        "SELECT (SELECT count(*) FROM traces WHERE tenant IS NOT NULL), (SELECT count(*) FROM sources)"
    )
    return IndexSize(traces=traces, segments=segments)
