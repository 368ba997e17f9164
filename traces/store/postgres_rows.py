"""Reading logs out of PostgreSQL: segments for the verifier, notes, and the records of a question."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import LiteralString

import psycopg

from traces.chain import Segment
from traces.errors import CheckpointUnusable
from traces.frame import Line, write_line
from traces.store.notes import log_of
from traces.store.postgres_session import Connection, connect, meaning

Found = tuple[str, Line]
"""The log that a line was found in, and the line."""
_AT_ONCE = 2000
_OF_SEGMENT: LiteralString = (
    "SELECT seq, hash, body FROM cellbound.records WHERE log = %s AND segment = %s ORDER BY seq"
)
_OF_SEGMENT_FROM: LiteralString = (
    "SELECT seq, hash, body FROM cellbound.records WHERE log = %s AND segment = %s AND seq >= %s "
    "ORDER BY seq LIMIT %s"
)
_OF_QUESTION = "SELECT log, seq, hash, body FROM cellbound.records WHERE trace_id = %s ORDER BY log, seq"
_SEGMENTS = "SELECT DISTINCT log, segment FROM cellbound.records WHERE %s IN ('', log) ORDER BY log, segment"
_PAGE = (
    "SELECT trace_id, at FROM cellbound.records WHERE kind = 'open' AND (at, trace_id) < (%s, %s) "
    "ORDER BY at DESC, trace_id DESC LIMIT 200"
)
_WHEN = "SELECT at FROM cellbound.records WHERE trace_id = %s AND kind = 'open' ORDER BY log, seq LIMIT 1"


@dataclass(frozen=True, slots=True)
class StoredSegment:
    """A segment of a log in the database. Its columns stand for no more than its lines say."""

    log: str
    number: int
    connection: Connection = field(repr=False, compare=False)

    @property
    def label(self) -> str:
        """The log and the number."""
        return f"{self.log}.{self.number:06d}"

    def first_line(self) -> bytes:
        """Return the line in which it says what it is."""
        row = self.connection.execute(_OF_SEGMENT + " LIMIT 1", (self.log, self.number)).fetchone()
        return _line(*row) if row else b""

    def lines(self) -> tuple[list[bytes], bytes]:
        """Return the lines as a file would hold them. Nothing is torn: a row is whole or not there."""
        rows = self.connection.execute(_OF_SEGMENT, (self.log, self.number), binary=True)
        return [_line(*row) for row in rows], b""

    def lines_from(self, seq: int) -> Iterator[tuple[int, Line]]:
        """Yield each record from number `seq` on, with its number."""
        while True:
            asked = (self.log, self.number, seq, _AT_ONCE)
            rows = self.connection.execute(_OF_SEGMENT_FROM, asked).fetchall()
            for seq, digest, body in rows:
                yield seq, Line(seq, digest, body.encode())
            if len(rows) < _AT_ONCE:
                return
            seq += 1


def segments_of(connection: Connection, log: str = "") -> dict[str, list[Segment]]:
    """Return the segments of every log, or of one, in order; raises psycopg.Error."""
    rows = connection.execute(
        "SELECT DISTINCT log, segment FROM cellbound.records WHERE %s IN ('', log) ORDER BY log, segment",
        (log,),
    )
    logs: dict[str, list[Segment]] = {}
    for name, number in rows:
        logs.setdefault(name, []).append(StoredSegment(name, number, connection))
    return logs


def stored_segments(connection: Connection) -> dict[str, list[StoredSegment]]:
    """Return every log's segments, to be read record by record; raises psycopg.Error."""
    logs: dict[str, list[StoredSegment]] = {}
    for log, number in connection.execute(_SEGMENTS, ("",)):
        logs.setdefault(log, []).append(StoredSegment(log, number, connection))
    return logs


def lines_of_question(connection: Connection, trace_id: str) -> list[Found]:
    """Return the log and the line of each record of a question, in the order of their logs."""
    rows = connection.execute(_OF_QUESTION, (trace_id,))
    return [(log, Line(seq, digest, body.encode())) for log, seq, digest, body in rows]


def when_asked(connection: Connection, trace_id: str) -> str | None:
    """Return the time a question was opened at, as its record says."""
    row = connection.execute(_WHEN, (trace_id,)).fetchone()
    return str(row[0]) if row else None


def questions_before(connection: Connection, at: str, trace_id: str) -> list[tuple[str, str]]:
    """Return a page of trace ids and times, newest first, of questions older than the one named."""
    return connection.execute(_PAGE, (at, trace_id)).fetchall()


def all_lines(connection: Connection) -> Iterator[Found]:
    """Yield the log and the line of every record, log by log, in the order of writing."""
    log, seq = "", -1
    while True:
        rows = connection.execute(
            "SELECT log, seq, hash, body FROM cellbound.records WHERE (log, seq) > (%s, %s) "
            "ORDER BY log, seq LIMIT %s",
            (log, seq, _AT_ONCE),
        ).fetchall()
        for log, seq, digest, body in rows:
            yield log, Line(seq, digest, body.encode())
        if len(rows) < _AT_ONCE:
            return


class TableOfNotes:
    """Signed notes as rows; one that is replaced stays, and the newest counts."""

    def __init__(self, url: str, seconds: float) -> None:
        self._url = url
        self._seconds = seconds

    def put(self, name: str, note: str) -> None:
        """Add the note."""
        self._run("INSERT INTO cellbound.checkpoints (name, note) VALUES (%s, %s)", (name, note))

    def get(self, name: str) -> str | None:
        """Return the newest note of that name."""
        rows = self._run(
            "SELECT note FROM cellbound.checkpoints WHERE name = %s ORDER BY kept DESC LIMIT 1", (name,)
        )
        return rows[0] if rows else None

    def names(self, log: str = "") -> Sequence[str]:
        """Return the names of all notes, or of one log's."""
        names = self._run("SELECT DISTINCT name FROM cellbound.checkpoints ORDER BY name", ())
        return [name for name in names if log in ("", log_of(name))]

    def _run(self, statement: str, values: tuple[str, ...]) -> list[str]:
        try:
            with connect(self._url, self._seconds, "cellbound notes") as connection:
                cursor = connection.execute(statement.encode(), values)
                return [str(row[0]) for row in cursor] if cursor.description else []
        except psycopg.Error as error:
            fault = meaning(error)
            raise CheckpointUnusable(
                "checkpoint_place_unusable",
                f"checkpoints cannot be kept in the trace database: {fault.message}",
                next_step=fault.next_step,
            ) from None


def _line(seq: int, digest: str, body: str) -> bytes:
    return write_line(seq, digest, body.encode())[:-1]
