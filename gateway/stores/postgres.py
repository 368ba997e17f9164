"""Rows of the house in PostgreSQL, for several replicas: what a file of SQLite is for one machine."""

import re
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from time import monotonic, sleep
from typing import TypeVar

import psycopg
from psycopg import errors

from gateway.stores.rows import Database, Row, Statements, StoreUnusable, Tables, Value
from metric_layer.issues import Issue
from traces.store.postgres_session import Connection, connect, deadline, shown

T = TypeVar("T")

SCHEMA = "cellbound_state"
STATEMENT_SECONDS = 5.0
BLOCK_SECONDS = 20.0
"""A block that takes longer is cut off: its server stalls, or its replica does."""
FRESH_SECONDS = 1.0
ASKING_SECONDS = 3.0
"""How long it is looked up what became of a commit that nobody confirmed."""
PAUSE = 0.05
_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('cellbound ' || %s, 0)), pg_current_xact_id()::text"
_STATUS = "SELECT pg_xact_status(%s::text::xid8)"
_MADE = f"""
CREATE TABLE IF NOT EXISTS {SCHEMA}.made (
    name TEXT PRIMARY KEY, version BIGINT NOT NULL, project TEXT NOT NULL, keys TEXT NOT NULL
)
"""
_FOUND = f"""
SELECT to_regclass('{SCHEMA}.made'), to_regnamespace('{SCHEMA}'), EXISTS (
    SELECT FROM pg_attribute WHERE attrelid = to_regclass('{SCHEMA}.made') AND attname = 'keys'
)
"""
_WITH_KEYS = f"ALTER TABLE {SCHEMA}.made ADD COLUMN keys TEXT NOT NULL DEFAULT ''"
"""Tables from before projects were told apart by their keys, which belong to who opens them first."""
_CLAIM = f"UPDATE {SCHEMA}.made SET keys = %s WHERE project = %s"
_ANOTHER = f"SELECT project FROM {SCHEMA}.made WHERE project <> %s OR keys <> %s LIMIT 1"
_PUT_MADE = f"""
INSERT INTO {SCHEMA}.made (name, version, project, keys) VALUES (%s, %s, %s, %s)
ON CONFLICT (name) DO UPDATE SET name = EXCLUDED.name
RETURNING version
"""
_SPELLED = (
    (r"\) STRICT(, WITHOUT ROWID)?", ")"),
    (r"\bINTEGER PRIMARY KEY\b", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
    (r"\bINTEGER\b", "BIGINT"),
    (r"\bREAL\b", "DOUBLE PRECISION"),
    (r"\bTEXT\b", 'TEXT COLLATE "C"'),
    (r"\bBLOB\b", "BYTEA"),
)
"""What stands in the schema of a store, and how PostgreSQL spells it."""


class PostgresRows:
    """The tables of one store in a database, shared by the threads of a process over one connection.

    Nothing is opened before first use; tables that are missing are made then. A write transaction holds one
    advisory lock for the store: of all replicas one writes at a time, as with a file. A commit that nobody
    confirmed is looked up. Raises StoreUnusable.
    """

    def __init__(self, database: Database, tables: Tables) -> None:
        self._database = database
        self._tables = tables
        self._place = shown(database.url)
        self._lock = threading.RLock()
        self._connection: Connection | None = None
        self._answered = 0.0
        self._writing = False

    @contextmanager
    def transaction(self) -> Iterator[Statements]:
        """Give one writer at a time, of all replicas, a block of which all is kept or nothing."""
        with self._lock, self._said_in_our_words():
            connection = self._live()
            with deadline(connection, BLOCK_SECONDS):
                number = self._begin(connection)
                self._writing = True
                try:
                    yield _Statements(connection)
                except BaseException:
                    with suppress(psycopg.Error):
                        connection.execute("ROLLBACK")
                    raise
                finally:
                    self._writing = False
                self._commit(connection, number)

    def write(self, statement: str, values: Sequence[Value]) -> None:
        """Run one statement that writes, whole or not at all, when it is this one's turn."""
        with self.transaction() as statements:
            statements.execute(statement, values)

    @contextmanager
    def reading(self) -> Iterator[Statements]:
        """Give one look; inside a transaction, at what it has written so far."""
        with self._lock, self._said_in_our_words():
            connection = self._live()
            with deadline(connection, BLOCK_SECONDS):
                yield _Statements(connection)

    def looked(self, key: Hashable, read: Callable[[Statements], T]) -> T:
        """Return what `read` finds: only the database can say whether another replica wrote."""
        with self.reading() as statements:
            return read(statements)

    def forget(self) -> None:
        """Do nothing: the database reuses the room of deleted rows by itself, and its backups are its own."""

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            self._drop()

    def _begin(self, connection: Connection) -> str:
        """Begin a transaction and wait for its turn; return its number."""
        connection.execute("BEGIN")
        try:
            (_, number) = connection.execute(_LOCK, (self._tables.name,)).fetchone() or (None, "")
        except psycopg.Error:
            with suppress(psycopg.Error):
                connection.execute("ROLLBACK")
            raise
        return str(number)

    def _commit(self, connection: Connection, number: str) -> None:
        """Commit; where the connection is lost on the way, find out whether it was done."""
        try:
            connection.execute("COMMIT")
        except psycopg.OperationalError:
            self._drop()
            if not self._was_committed(number):
                raise

    def _was_committed(self, number: str) -> bool:
        """Say whether the server committed a transaction. Raises psycopg.Error where it cannot be asked."""
        until = monotonic() + ASKING_SECONDS
        while True:
            found = self._live().execute(_STATUS, (number,)).fetchone()
            if found is not None and found[0] != "in progress":
                return bool(found[0] == "committed")
            if monotonic() > until:
                return False
            sleep(PAUSE)

    def _live(self) -> Connection:
        """Return the connection, a fresh one where it was lost while nobody looked."""
        connection = self._connection
        if connection is not None and not self._writing and monotonic() - self._answered > FRESH_SECONDS:
            try:
                with deadline(connection, STATEMENT_SECONDS):
                    connection.execute("SELECT 1")
            except psycopg.OperationalError:
                self._drop()
                connection = None
        self._answered = monotonic()
        return connection or self._open()

    def _open(self) -> Connection:
        connection = connect(self._database.url, STATEMENT_SECONDS, f"cellbound {self._tables.name}")
        try:
            with deadline(connection, BLOCK_SECONDS):
                self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        self._connection = connection
        return connection

    def _prepare(self, connection: Connection) -> None:
        """Set a fresh connection up, and make the tables where they are missing."""
        (encoding,) = connection.execute("SELECT current_setting('server_encoding')").fetchone() or ("",)
        if encoding != "UTF8":
            raise self._unusable("store_encoding", f"the state database keeps text as {encoding}", _NEW)
        connection.prepare_threshold = None
        flushed = "on" if self._tables.durability == "FULL" else "off"
        connection.execute(f"SET synchronous_commit = {flushed}")
        connection.execute(f"SET idle_in_transaction_session_timeout = {int(BLOCK_SECONDS * 1000)}")
        connection.execute("SET client_min_messages = warning")
        connection.execute(f"SET search_path = {SCHEMA}, pg_catalog")
        with connection.transaction():
            connection.execute(_LOCK, ("tables",))
            self._make(connection)

    def _make(self, connection: Connection) -> None:
        table, schema, keyed = connection.execute(_FOUND).fetchone() or (None, None, False)
        if schema is None:
            connection.execute(f"CREATE SCHEMA {SCHEMA}")
        if table is None:
            connection.execute(_MADE)
        elif not keyed:
            connection.execute(_WITH_KEYS)
            connection.execute(_CLAIM, (self._database.keys, self._database.project))
        self._demand_ours(connection)
        for statement in filter(None, map(str.strip, spelled(self._tables.schema).split(";"))):
            connection.execute(statement.encode())

    def _demand_ours(self, connection: Connection) -> None:
        """Note that the tables are this project's, in this format; raise where they are not."""
        project, keys = self._database.project, self._database.keys
        another = connection.execute(_ANOTHER, (project, keys)).fetchone()
        if another is not None:
            other_keys = ", with other keys" if another[0] == project else ""
            message = f"the state database is that of another project ({another[0]}{other_keys})"
            step = "Give each project a database of its own; replicas of one share its keys."
            raise self._unusable("store_of_another", message, step)
        wanted = self._tables.version
        found = connection.execute(_PUT_MADE, (self._tables.name, wanted, project, keys)).fetchone()
        if found is not None and found[0] != wanted:
            message = f"{self._tables.name} has format {found[0]}; this version reads {wanted}"
            raise self._unusable("store_version", message, "Run the same version of cellbound everywhere.")

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    @contextmanager
    def _said_in_our_words(self) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as error:
            if isinstance(error, psycopg.OperationalError) and not isinstance(error, errors.QueryCanceled):
                self._drop()
            raise self._unusable(*_reason(error)) from None

    def _unusable(self, code: str, message: str, next_step: str) -> StoreUnusable:
        return StoreUnusable((Issue(code=code, message=message, place=self._place, next_step=next_step),))


class _Statements:
    """Runs statements of the stores on a connection: their marks are ?, the driver's are %s."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def execute(self, statement: str, values: Sequence[Value] = (), /) -> psycopg.Cursor[Row]:
        """Run one statement."""
        return self._connection.execute(_marked(statement), tuple(values))

    def executemany(self, statement: str, rows: Iterable[Sequence[Value]], /) -> None:
        """Run one statement for each row of values."""
        for row in rows:
            self.execute(statement, row)


@lru_cache(maxsize=256)
def _marked(statement: str) -> bytes:
    return statement.replace("%", "%%").replace("?", "%s").encode()


def spelled(schema: str) -> str:
    """Return the tables of a store as PostgreSQL declares them."""
    for ours, theirs in _SPELLED:
        schema = re.sub(ours, theirs, schema)
    return schema


_NEW = "Create it as `cellbound setup sql --state` prints it."
_BUSY = ("store_busy", "the state database is held by another replica", "Try again in a moment.")
_AWAY = ("store_away", "the state database does not answer", "See that it runs and is reachable, then retry.")
_OTHER = ("store_unwritable", "the state database refused a statement", "Look into its log.")
_REASONS: tuple[tuple[tuple[type[psycopg.Error], ...], tuple[str, str, str]], ...] = (
    (
        (errors.DiskFull, errors.OutOfMemory),
        ("store_full", "the disk of the state database is full", "Make room, then ask again."),
    ),
    ((errors.QueryCanceled, errors.LockNotAvailable, errors.TooManyConnections), _BUSY),
    (
        (errors.InsufficientPrivilege,),
        ("store_no_right", "this login may not use the tables of the state database", _NEW),
    ),
    (
        (errors.ReadOnlySqlTransaction,),
        ("store_read_only", "the state database takes no writes", "Point [state] url at the primary."),
    ),
    ((psycopg.OperationalError, psycopg.InterfaceError), _AWAY),
)
"""Which errors of the driver mean what, the first that fits."""


def _reason(error: psycopg.Error) -> tuple[str, str, str]:
    code, message, step = next((said for kinds, said in _REASONS if isinstance(error, kinds)), _OTHER)
    return code, f"{message} ({error.sqlstate})" if error.sqlstate else message, step
