"""Taking a log of the trace database to write: one that nobody writes any more, or a new one."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from time import monotonic, sleep

from traces.chain import Segment, key_of, start_in
from traces.errors import TraceUnwritable
from traces.frame import ChainKey, follows, read_line
from traces.merkle import MerkleTree
from traces.store.keeper import Stand
from traces.store.lease import new_log_id
from traces.store.log import LogRules
from traces.store.postgres_rows import TableOfNotes, segments_of
from traces.store.postgres_session import Connection, connect, deadline, require_writer
from traces.store.recovery import LogEnd, with_tree

_LOCK = "SELECT pg_try_advisory_lock(hashtextextended('cellbound trace log ' || %s, 0))"
_UNLOCK = "SELECT pg_advisory_unlock(hashtextextended('cellbound trace log ' || %s, 0))"
_END_SESSION = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = %s AND usename = current_user"
)
_LOCK_SECONDS = 5.0
_PAUSE = 0.05


@dataclass(frozen=True, slots=True)
class Database:
    """Where traces go: a url for the driver, the same without secrets, seconds for the longest statement."""

    url: str = field(repr=False)
    place: str
    patience: float

    def connect(self) -> Connection:
        """Open a connection that may add traces; raises psycopg.Error and TraceUnwritable."""
        connection = connect(self.url, self.patience, "cellbound traces")
        try:
            require_writer(connection, self.place)
        except BaseException:
            connection.close()
            raise
        return connection


def take_log(database: Database, log_id: str, rules: LogRules) -> tuple[Connection, str, LogEnd]:
    """Return a connection that alone may write a log, the log's id, and where it ends.

    Raises TraceUnwritable for a log that was asked for by name and is damaged or taken, and psycopg.Error.
    """
    connection = database.connect()
    try:
        with deadline(connection, database.patience):
            log, end = _take(connection, database, log_id, rules)
    except BaseException:
        connection.close()
        raise
    return connection, log, end


def _take(connection: Connection, database: Database, log_id: str, rules: LogRules) -> tuple[str, LogEnd]:
    for log in [log_id] if log_id else [*_idle(connection, rules.key), new_log_id()]:
        if not _locked(connection, log):
            continue
        end = _end_to_go_on_from(connection, log, database, rules)
        if end is not None:
            connection.execute(
                "INSERT INTO cellbound.logs (log, key_id) VALUES (%s, %s) ON CONFLICT (log) DO NOTHING",
                (log, rules.key.id),
            )
            return log, end
        give_back(connection, log)
        if log_id:
            raise _refused("trace_log_damaged", f"log {log} is damaged and cannot be continued", database)
    raise _refused("trace_log_taken", f"log {log_id} is being written by another process", database)


def give_back(connection: Connection, log: str) -> None:
    """Let another writer have a log now: the server ends a closed session only a moment later."""
    connection.execute(_UNLOCK, (log,))


def lock_again(connection: Connection, log: str, dead: int, database: Database) -> None:
    """Take a log back after its connection was lost: the server's end of that, `dead`, may not know yet.

    Raises TraceUnwritable when somebody else has it, and psycopg.Error.
    """
    end = monotonic() + min(_LOCK_SECONDS, database.patience)
    while not _locked(connection, log):
        if monotonic() > end:
            raise _refused("trace_log_taken", f"log {log} is being written by another process", database)
        connection.execute(_END_SESSION, (dead,))
        sleep(_PAUSE)


def _idle(connection: Connection, key: ChainKey) -> list[str]:
    rows = connection.execute("SELECT log FROM cellbound.logs WHERE key_id = %s ORDER BY begun", (key.id,))
    return [str(row[0]) for row in rows]


def _locked(connection: Connection, log: str) -> bool:
    row = connection.execute(_LOCK, (log,)).fetchone()
    return bool(row and row[0])


def log_stand(
    connection: Connection, log: str, notes: TableOfNotes, rules: LogRules
) -> tuple[LogEnd, str] | None:
    """Return where a log ends and the id of its key; None where it is damaged, or behind a checkpoint."""
    segments = segments_of(connection, log).get(log, [])
    if not segments:
        return None
    key = key_of(segments[0], rules.key)
    end = _end_of(segments, key)
    if end is not None and rules.keeper is not None:
        end = with_tree(end, segments, rules.keeper.found(notes, log).sound, key)
    return (end, key.id) if end else None


def _end_to_go_on_from(
    connection: Connection, log: str, database: Database, rules: LogRules
) -> LogEnd | None:
    """Return where a log ends that may be continued with the key in force."""
    notes = TableOfNotes(database.url, database.patience)
    if not segments_of(connection, log):
        behind = rules.keeper is not None and rules.keeper.found(notes, log).sound
        return None if behind else LogEnd.empty_log(MerkleTree() if rules.keeper else None)
    found = log_stand(connection, log, notes, rules)
    return found[0] if found and found[1] == rules.key.id else None


def _end_of(segments: Sequence[Segment], key: ChainKey) -> LogEnd | None:
    """Follow the last segment to its end; `offset` is how many bytes are in it."""
    last = segments[-1]
    lines, _ = last.lines()
    start = start_in(lines[0], key)
    if start is None:
        return None
    seq, head = start.first, start.previous
    for raw in lines:
        line = read_line(raw)
        if line is None or not follows(line, seq, head, key):
            return None
        seq, head = seq + 1, line.hash
    return LogEnd(None, last.number, sum(map(len, lines)), Stand(seq, head), start.at.toordinal(), (), ())


def _refused(code: str, message: str, database: Database) -> TraceUnwritable:
    step = "run `cellbound trace verify`, and give this process another log id, or none"
    return TraceUnwritable(code, message, place=database.place, next_step=step)
