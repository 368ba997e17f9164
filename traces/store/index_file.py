"""The file of the index: one user at a time, private, thrown away where it is damaged or of another kind."""

import fcntl
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from traces.errors import IndexUnusable

FORMAT = 1
PATIENCE = 60.0
DAMAGED = "index_damaged"
_PAUSE = 0.02
_SCHEMA = """
CREATE TABLE IF NOT EXISTS made_with (key_id TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS sources (
  s INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, place INTEGER NOT NULL, hash TEXT NOT NULL, undone INTEGER
);
CREATE TABLE IF NOT EXISTS statements (q INTEGER PRIMARY KEY, sql TEXT UNIQUE NOT NULL);
CREATE TABLE IF NOT EXISTS traces (
  n INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, s INTEGER NOT NULL, at INTEGER NOT NULL DEFAULT 0,
  tenant TEXT, subject TEXT, role TEXT, outcome TEXT, metrics TEXT, q INTEGER
);
CREATE INDEX IF NOT EXISTS by_time ON traces (tenant, at);
CREATE INDEX IF NOT EXISTS by_subject ON traces (subject, at);
CREATE INDEX IF NOT EXISTS by_outcome ON traces (tenant, outcome, at);
CREATE INDEX IF NOT EXISTS by_statement ON traces (q);
CREATE INDEX IF NOT EXISTS by_source ON traces (s);
CREATE TABLE IF NOT EXISTS facts (
  kind TEXT NOT NULL, value TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (kind, value, n)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS numbers (
  hash INTEGER NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (hash, n)
) WITHOUT ROWID;
"""


class IndexFile:
    """Gives connections to the index, one at a time over all processes; without a place it is in memory."""

    def __init__(self, place: Path | None, key_id: str, patience: float = PATIENCE) -> None:
        self.place = place
        self._key_id = key_id
        self._patience = patience

    @contextmanager
    def using(self, *, afresh: bool = False) -> Iterator[sqlite3.Connection]:
        """Give the index; made anew with `afresh`, and where it is damaged or of another format or key.

        Raises IndexUnusable. What the block leaves uncommitted is undone.
        """
        with _said_in_our_words(self.place), self._alone():
            if afresh:
                self._throw_away()
            try:
                connection = self._open()
            except sqlite3.DatabaseError as fault:
                if not is_damage(fault):
                    raise
                self._throw_away()
                connection = self._open()
            with closing(connection):
                yield connection

    @property
    def exists(self) -> bool:
        """Whether there is an index already."""
        return self.place is not None and self.place.exists()

    def _open(self) -> sqlite3.Connection:
        connection = self._connect()
        try:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version:
                found = connection.execute("SELECT key_id FROM made_with").fetchone()
                if version == FORMAT and found == (self._key_id,):
                    return connection
                connection.close()
                self._throw_away()
                connection = self._connect()
            return _made(connection, self._key_id)
        except BaseException:
            connection.close()
            raise

    def _connect(self) -> sqlite3.Connection:
        if self.place is None:
            return sqlite3.connect(":memory:")
        os.close(os.open(self.place, os.O_CREAT | os.O_RDWR, 0o600))
        connection = sqlite3.connect(self.place)
        for pragma in (
            "journal_mode=TRUNCATE",
            "synchronous=NORMAL",
            "secure_delete=ON",
            "cache_size=-32000",
        ):
            connection.execute(f"PRAGMA {pragma}").fetchone()
        return connection

    def _throw_away(self) -> None:
        if self.place is not None:
            for ending in ("", "-journal", "-wal", "-shm"):
                with suppress(FileNotFoundError):
                    self.place.with_name(self.place.name + ending).unlink()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold the index for this process; the kernel gives it back when the process dies."""
        if self.place is None:
            yield
            return
        self.place.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(self.place.with_name(f"{self.place.name}.busy"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            self._wait_for(handle)
            yield
        finally:
            os.close(handle)

    def _wait_for(self, handle: int) -> None:
        until = time.monotonic() + self._patience
        while True:
            try:
                return fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > until:
                    raise IndexUnusable(
                        "index_busy",
                        f"another process has used the trace index for more than {self._patience:.0f} s",
                        place=str(self.place),
                        next_step="try again when it is done",
                    ) from None
                time.sleep(_PAUSE)


def is_damage(fault: sqlite3.Error) -> bool:
    """Say whether a fault means that the file is no index any more, rather than that the disk is full."""
    name = getattr(fault, "sqlite_errorname", "")
    return name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")) or "no such table" in str(fault)


def _made(connection: sqlite3.Connection, key_id: str) -> sqlite3.Connection:
    connection.executescript(f"BEGIN;{_SCHEMA}")
    connection.execute("INSERT INTO made_with VALUES (?)", (key_id,))
    connection.execute(f"PRAGMA user_version={FORMAT}")
    connection.commit()
    return connection


@contextmanager
def _said_in_our_words(place: Path | None) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as fault:
        if isinstance(fault, sqlite3.DatabaseError) and is_damage(fault):
            raise IndexUnusable(DAMAGED, "the trace index is damaged", place=str(place)) from fault
        seen = getattr(fault, "sqlite_errorname", "") or getattr(fault, "strerror", "") or str(fault)
        raise IndexUnusable(
            "index_unusable",
            f"the trace index cannot be used ({seen})",
            place=str(place),
            next_step="see that its folder can be written to and has room; no trace is touched by this",
        ) from fault
