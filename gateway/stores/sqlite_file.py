"""A SQLite file of the house: made with its tables on first use, private, safe for several processes."""

import errno
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from gateway.remembered import Remembered
from gateway.stores.rows import Durability, Statements, Value
from gateway.stores.rows import StoreUnusable as StoreUnusable
from metric_layer.issues import Issue

T = TypeVar("T")

BUSY_SECONDS = 5.0
PRIVATE = 0o600
SQLITE_FULL = "SQLITE_FULL"
NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT})
LEAST_ROOM = 128 * 1024
"""Bytes that SQLite needs for the log and the shared memory beside a file."""


class SqliteFile:
    """One connection to one file, shared by all threads of a process, one transaction at a time.

    `durability` is FULL where a lost commit would undo a decision and NORMAL where it only costs a re-run.
    Raises StoreUnusable, naming the file, when it cannot be opened, read or written.
    """

    def __init__(self, path: Path, schema: str, *, version: int, durability: Durability) -> None:
        """Open the file, making its folder and its tables where they are missing.

        On a full disk that is put off until somebody uses the file: traces can be read without it.
        """
        self._path = path
        self._lock = threading.RLock()
        self._make = (schema, version, durability)
        self._connection: sqlite3.Connection | None = None
        self._written = 0
        self._as_of = (0, 0)
        self._known: Remembered[Hashable, tuple[Any]] = Remembered()
        try:
            self._open()
        except StoreUnusable as fault:
            if fault.issues[0].code != "store_full":
                raise

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Yield the connection inside a write transaction: all of the block is kept, or none of it."""
        with self._lock, self._said_in_our_words():
            connection = self._connection or self._open()
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            finally:
                self._written += 1
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    def write(self, statement: str, values: Sequence[Value]) -> None:
        """Run one statement that writes, whole or not at all: it is a transaction of its own."""
        with self._lock, self._said_in_our_words():
            connection = self._connection or self._open()
            try:
                connection.execute(statement, values)
            finally:
                self._written += 1

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Yield the connection for one look."""
        with self._lock, self._said_in_our_words():
            yield self._connection or self._open()

    def looked(self, key: Hashable, read: Callable[[Statements], T]) -> T:
        """Return what `read` finds, or what it found under `key` where nothing was written since.

        SQLite says whether another connection wrote, of any process; our own transactions are counted.
        """
        with self._lock, self._said_in_our_words():
            connection = self._connection or self._open()
            if connection.in_transaction:
                return read(connection)
            (others,) = connection.execute("PRAGMA data_version").fetchone()
            if self._as_of != (self._written, others):
                self._as_of, self._known = (self._written, others), Remembered()
            known = self._known.found(key)
            if known is None:
                known = self._known.put(key, (read(connection),))
        found: T = known[0]
        return found

    def forget(self) -> None:
        """Write the log back and empty it, so that deleted rows are in no file any more."""
        with self.reading() as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()

    def _open(self) -> sqlite3.Connection:
        with self._lock, self._said_in_our_words():
            self._path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(self._path, os.O_CREAT | os.O_RDWR, PRIVATE))
            self._connection = sqlite3.connect(
                self._path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            try:
                self._prepare(*self._make)
            except BaseException:
                self._connection.close()
                self._connection = None
                raise
            return self._connection

    def _prepare(self, schema: str, version: int, durability: str) -> None:
        with self.reading() as connection:
            _write_ahead(connection)
            connection.execute(f"PRAGMA synchronous={durability}")
            connection.execute("PRAGMA secure_delete=ON").fetchone()
        with self.transaction() as connection:
            (found,) = connection.execute("PRAGMA user_version").fetchone()
            if found not in (0, version):
                raise self._unusable(
                    "store_version",
                    f"{self._path.name} has format {found}; this version reads {version}",
                    "Use the version of cellbound that wrote it, or move the file away.",
                )
            for statement in filter(None, map(str.strip, schema.split(";"))):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version={version}")

    @contextmanager
    def _said_in_our_words(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            reason = _full(self._path.name) if _no_room(self._path) else _reason(error, self._path.name)
            raise self._unusable(*reason) from error
        except OSError as error:
            if error.errno in NO_ROOM:
                raise self._unusable(*_full(self._path.name)) from error
            raise self._unusable(
                "store_unwritable",
                f"{self._path.name} cannot be opened ({error.strerror})",
                "See that the folder exists and can be written to.",
            ) from error

    def _unusable(self, code: str, message: str, next_step: str) -> StoreUnusable:
        return StoreUnusable((Issue(code=code, message=message, place=self._path.name, next_step=next_step),))


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Switch to the write-ahead log; of two that do so at once, SQLite tells one `busy` right away."""
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL").fetchone()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return


def _reason(error: sqlite3.DatabaseError, name: str) -> tuple[str, str, str]:
    seen = getattr(error, "sqlite_errorname", type(error).__name__)
    if seen == SQLITE_FULL:
        return _full(name)
    if seen.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return "store_busy", f"{name} is held by another program", "Try again in a moment."
    if seen.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
        return "store_damaged", f"{name} is damaged or no SQLite file", "Move it away; a new one is made."
    return "store_unwritable", f"{name} cannot be used ({seen})", "See that the file can be written to."


def _full(name: str) -> tuple[str, str, str]:
    return "store_full", f"the disk under {name} is full", "Make room, then ask again."


def _no_room(path: Path) -> bool:
    """Say whether the disk is so full that SQLite could not even make the files it works with."""
    try:
        disk = os.statvfs(path.parent)
    except OSError:
        return False
    return disk.f_bavail * disk.f_frsize < LEAST_ROOM
