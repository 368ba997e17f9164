"""Feeds the index: segments are read from the last line that was taken, and committed line by line."""

import sqlite3
from collections.abc import Sequence

from traces.custody_records import Erased
from traces.formats import RecordReader
from traces.frame import Line
from traces.keys import KeyStore
from traces.records import AnswerAttempt, AnyRecord, Close, Hold, Open, Query
from traces.store.following import Source
from traces.store.index_rows import Fact, bare_sql, facts_of, metrics_of, moment, numbers_of

_AT_ONCE = 4000
"""Records in one transaction: what a killed process has to do again."""


class Feed:
    """Takes what was added to segments since the index saw them last."""

    def __init__(
        self, connection: sqlite3.Connection, keys: KeyStore, key: bytes, reader: RecordReader
    ) -> None:
        self._connection = connection
        self._keys = keys
        self._key = key
        self._reader = reader
        self._ids: dict[str, int] = {}
        self._statements: dict[tuple[str, str], int] = {}
        self._facts: list[tuple[str, str, int]] = []
        self._numbers: list[tuple[int, int]] = []
        (last,) = connection.execute("SELECT coalesce(max(n), 0) FROM traces").fetchone()
        self._last: int = last

    def knows(self, sources: Sequence[Source]) -> bool:
        """Drop the questions of segments that are gone; False where a segment is not what it was."""
        there = {source.name: source for source in sources}
        for s, name, undone in self._connection.execute("SELECT s, name, undone FROM sources").fetchall():
            if name not in there:
                self._drop(s)
            elif there[name].undone != undone:
                return False
        self._connection.commit()
        return True

    def take(self, source: Source) -> bool:
        """Take the lines of a segment after the last one known; False where that is not there any more."""
        mark = self._connection.execute(
            "SELECT s, place, hash FROM sources WHERE name = ?", (source.name,)
        ).fetchone()
        lines = source.lines(mark[1] if mark else 0)
        if mark:
            first = next(lines, None)
            if first is None or first[1].hash != mark[2]:
                return False
        s: int | None = mark[0] if mark else None
        last, count = None, 0
        for place, line in lines:
            s = self._new_source(source) if s is None else s
            if source.undone is None or line.seq < source.undone:
                self._take(self._reader.read(line.body, f"{source.name}, record {line.seq}"), s)
            last, count = (place, line), count + 1
            if count % _AT_ONCE == 0:
                self._commit(s, place, line)
        if s is not None and last is not None:
            self._commit(s, *last)
        return True

    def _take(self, record: AnyRecord, s: int) -> None:
        match record:
            case Open():
                self._open(record, s)
            case Close():
                self._close(record, s)
            case AnswerAttempt():
                n = self._question(record.trace_id, s)
                self._found_by(n, facts_of(record))
                self._tells(n, record)
            case Hold():
                self._found_by(self._question(record.trace_id, s), facts_of(record))
            case Erased():
                self._forget(record)

    def _open(self, opened: Open, s: int) -> None:
        n = self._question(opened.trace_id, s)
        metrics = metrics_of(opened)
        first = self._connection.execute(
            "UPDATE traces SET at = ?, tenant = ?, subject = ?, role = ?, metrics = ?, s = ? "
            "WHERE n = ? AND tenant IS NULL",
            (moment(opened.at), opened.tenant, opened.subject, opened.role, metrics, s, n),
        ).rowcount
        if first:
            self._found_by(n, facts_of(opened))

    def _close(self, closed: Close, s: int) -> None:
        n = self._question(closed.trace_id, s)
        query = self._statement(closed.query) if closed.query else None
        first = self._connection.execute(
            "UPDATE traces SET outcome = ?, q = ? WHERE n = ? AND outcome IS NULL", (closed.outcome, query, n)
        ).rowcount
        if first:
            self._found_by(n, facts_of(closed))
            self._tells(n, closed)

    def _found_by(self, n: int, facts: frozenset[Fact]) -> None:
        self._facts += [(kind, value, n) for kind, value in facts]

    def _tells(self, n: int, record: AnswerAttempt | Close) -> None:
        self._numbers += [(each, n) for each in numbers_of(record, self._keys, self._key)]

    def _forget(self, erased: Erased) -> None:
        """Take out what was told to somebody until they were erased, whoever indexed it meanwhile."""
        self._flush()
        self._connection.execute(
            "DELETE FROM numbers WHERE n IN (SELECT n FROM traces WHERE subject = ? AND at <= ?)",
            (erased.subject, moment(erased.at)),
        )

    def _question(self, trace_id: str, s: int) -> int:
        known = self._ids.get(trace_id)
        if known is not None:
            return known
        row = self._connection.execute("SELECT n FROM traces WHERE id = ?", (trace_id,)).fetchone()
        if row is None:
            self._last += 1
            self._connection.execute(
                "INSERT INTO traces (n, id, s) VALUES (?, ?, ?)", (self._last, trace_id, s)
            )
        found: int = row[0] if row else self._last
        self._ids[trace_id] = found
        return found

    def _statement(self, query: Query) -> int:
        """Return the number of a statement; many questions share one, literals apart."""
        known = self._statements.get((query.sql, query.dialect))
        if known is None:
            sql = bare_sql(query.sql, query.dialect)
            self._connection.execute("INSERT OR IGNORE INTO statements (sql) VALUES (?)", (sql,))
            (known,) = self._connection.execute("SELECT q FROM statements WHERE sql = ?", (sql,)).fetchone()
            self._statements[query.sql, query.dialect] = known
        return known

    def _new_source(self, source: Source) -> int:
        found = self._connection.execute(
            "INSERT INTO sources (name, place, hash, undone) VALUES (?, 0, '', ?)",
            (source.name, source.undone),
        ).lastrowid
        assert found is not None
        return found

    def _commit(self, s: int, place: int, line: Line) -> None:
        self._flush()
        self._connection.execute("UPDATE sources SET place = ?, hash = ? WHERE s = ?", (place, line.hash, s))
        self._connection.commit()
        self._ids.clear()
        self._statements.clear()

    def _flush(self) -> None:
        self._connection.executemany("INSERT OR IGNORE INTO facts VALUES (?, ?, ?)", sorted(self._facts))
        self._connection.executemany("INSERT OR IGNORE INTO numbers VALUES (?, ?)", sorted(self._numbers))
        self._facts.clear()
        self._numbers.clear()

    def _drop(self, s: int) -> None:
        """Take out the questions that began in a segment that is gone, and their statements."""
        of_it = "n IN (SELECT n FROM traces WHERE s = ?)"
        self._connection.execute(f"DELETE FROM facts WHERE {of_it}", (s,))
        self._connection.execute(f"DELETE FROM numbers WHERE {of_it}", (s,))
        self._connection.execute("DELETE FROM traces WHERE s = ?", (s,))
        self._connection.execute("DELETE FROM sources WHERE s = ?", (s,))
        self._connection.execute(
            "DELETE FROM statements WHERE NOT EXISTS (SELECT 1 FROM traces WHERE traces.q = statements.q)"
        )
