"""Files that hold what one role may see and nothing else, made from the role's views of a database file."""

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import duckdb

from gateway.engines.base import EngineBusy, EngineError, Limits, Relation, RoleScope
from gateway.engines.content_hash import ContentHashes, FileIdentity
from gateway.engines.duckdb_errors import BIND_ERRORS, first_line
from gateway.engines.duckdb_session import SOURCE, relations_unreadable
from gateway.engines.duckdb_source import Source, text
from gateway.engines.duckdb_storage import quote, unquote
from gateway.engines.extract_folder import prepare, remove_unread, sync, workshop
from gateway.engines.file_lock import SharedLock

LOOK_EVERY = 0.05
RETRY_AFTER = 5.0
_SOURCE, _EXTRACT = "cellbound_source", "cellbound_extract"


class Extracts:
    """A file per role's relations and content of the source. Made in the background, read by workers.

    Whoever asks waits for the file that they need; the others are there already or come later.
    """

    def __init__(self, folder: Path, source: Source, hashes: ContentHashes, limits: Limits) -> None:
        """Make nothing yet."""
        self._folder = folder
        self._source = source
        self._hashes = hashes
        self._limits = limits
        self._lock = threading.Lock()
        self._builder: ThreadPoolExecutor | None = None
        self._building: dict[Path, Future[None]] = {}
        self._held: dict[Path, SharedLock] = {}
        self._connection: duckdb.DuckDBPyConnection | None = None

    def of(self, scope: RoleScope, seconds: float, check: Callable[[], None]) -> tuple[Path, str]:
        """Return the role's file and the content hash of the source that it was made from.

        `check` is called while waiting and may raise. Raises EngineBusy `extract_building` after `seconds`,
        and EngineError when the file cannot be made.
        """
        deadline = time.monotonic() + seconds
        file, data, made = self.make(scope)
        while not made.done():
            check()
            if time.monotonic() > deadline:
                raise EngineBusy(
                    "extract_building",
                    "what your role may see is being prepared from new data",
                    next_step="Ask again in a few seconds.",
                    retry_after=RETRY_AFTER,
                )
            wait((made,), LOOK_EVERY)
        if made.cancelled():
            raise _closed()
        made.result()
        return file, data

    def make(self, scope: RoleScope) -> tuple[Path, str, "Future[None]"]:
        """Return the role's file, its source's hash, and a future that is done once the file is there."""
        before = self._source.identity()
        data = self._source.digest(self._hashes)
        file = self._folder / name_of(extracted(scope), data)
        with self._lock:
            made = self._building.get(file)
            if made is None or (made.done() and (made.exception() is not None or not file.exists())):
                made = self._submit(lambda: self._make(file, scope, before))
                self._building[file] = made
        return file, data, made

    def discard(self, name: str) -> None:
        """Give up a file that cannot be opened, so that it is made anew."""
        file = self._folder / name
        with self._lock:
            self._building.pop(file, None)
            held = self._held.pop(file, None)
            if held is not None:
                held.close()
            with suppress(OSError):
                file.unlink()

    def sweep(self, scopes: Iterable[RoleScope]) -> None:
        """Have every file removed that no scope needs with the source as it is, unless somebody reads it."""
        data = self._source.digest(self._hashes)
        needed = {self._folder / name_of(extracted(scope), data) for scope in scopes}
        with self._lock:
            for file in self._held.keys() - needed:
                self._held.pop(file).close()
                self._building.pop(file, None)
            self._submit(lambda: remove_unread(self._folder, needed))

    def close(self) -> None:
        """Stop what is being made and give every file back."""
        with self._lock:
            builder, self._builder = self._builder, None
            making, self._building = tuple(self._building.values()), {}
        if builder is not None:
            builder.shutdown(wait=False, cancel_futures=True)
            while not all(made.done() for made in making):
                self._interrupt()
                time.sleep(LOOK_EVERY)
            builder.shutdown()
        with self._lock:
            for held in self._held.values():
                held.close()
            self._held.clear()

    def _interrupt(self) -> None:
        with self._lock, suppress(duckdb.Error):
            if self._connection is not None:
                self._connection.interrupt()

    def _submit(self, task: Callable[[], None]) -> "Future[None]":
        """Have the builder do something; one thing at a time, so nothing is removed that is being made."""
        if self._builder is None:
            self._builder = ThreadPoolExecutor(1, thread_name_prefix="duckdb-extracts")
        return self._builder.submit(task)

    def _make(self, file: Path, scope: RoleScope, before: FileIdentity) -> None:
        if not file.is_file():
            try:
                self._build(file, scope, before)
            except duckdb.InterruptException:
                raise _closed() from None
            except OSError as fault:
                raise _not_written(fault.strerror or type(fault).__name__) from fault
            except duckdb.Error as fault:
                raise _not_written(first_line(fault, _SOURCE)) from fault
        lock = SharedLock(file)
        with self._lock:
            before_it = self._held.pop(file, None)
            self._held[file] = lock
        if before_it is not None:
            before_it.close()

    def _build(self, file: Path, scope: RoleScope, before: FileIdentity) -> None:
        """Write the file apart and move it into place once it is whole, on disk and of the data it says."""
        prepare(self._folder, self._source.file)
        with workshop(file) as building:
            try:
                with duckdb.connect(":memory:") as database:
                    with self._lock:
                        self._connection = database
                    self._fill(database, building, scope)
            finally:
                with self._lock:
                    self._connection = None
            building.chmod(0o600)
            sync(building)
            if self._source.identity() != before:
                raise EngineError(
                    "database_changing",
                    f"{self._source.named} changed while what the role may see was taken from it",
                    retryable=True,
                    next_step="Ask again.",
                )
            building.replace(file)
            sync(self._folder)

    def _fill(self, database: duckdb.DuckDBPyConnection, building: Path, scope: RoleScope) -> None:
        database.execute("SET enable_progress_bar=false")
        database.execute(f"SET memory_limit='{self._limits.memory_mb}MB'")
        database.execute("SET TimeZone='UTC'")
        database.execute(f"SET temp_directory={text(building.with_name('spill'))}")
        self._source.attach(database, _SOURCE)
        database.execute(f"ATTACH {text(building)} AS {_EXTRACT} (TYPE duckdb)")
        wrong = []
        for relation in extracted(scope):
            try:
                for statement in _statements(relation):
                    database.execute(statement)
            except BIND_ERRORS as fault:
                wrong.append(f"{relation.name} cannot be read: {first_line(fault, _SOURCE)}")
        if wrong:
            raise relations_unreadable(scope.role, wrong)
        database.execute(f"DETACH {_EXTRACT}")


def extracted(scope: RoleScope) -> tuple[Relation, ...]:
    """Return the relations that an extract holds: those that the role does not read from Parquet files."""
    return tuple(each for each in scope.relations if not each.files)


def scope_over(scope: RoleScope) -> RoleScope:
    """Return the role's scope over its extract: each relation is there under its own name, whole."""
    relations = tuple(
        replace(each, select=f"SELECT * FROM {SOURCE}.{_place(each)}") for each in scope.relations
    )
    return RoleScope(scope.role, relations, scope.digest)


def name_of(relations: Sequence[Relation], data: str) -> str:
    """Return the name of the extract of these relations out of that content."""
    text = "\x1f".join((data, *(f"{each.name}\x1e{each.select}" for each in relations)))
    return f"{sha256(text.encode()).hexdigest()[:32]}.duckdb"


def _place(relation: Relation) -> str:
    """Return the schema and the name under which a relation is in an extract."""
    parts = unquote(relation.name)
    return ".".join(quote(part) for part in (parts if len(parts) == 2 else ("main", *parts)))


def _statements(relation: Relation) -> tuple[str, str]:
    schema = _place(relation).rpartition(".")[0]
    return (
        f"CREATE SCHEMA IF NOT EXISTS {_EXTRACT}.{schema}",
        f"CREATE TABLE {_EXTRACT}.{_place(relation)} AS {relation.select.replace(SOURCE, _SOURCE)}",
    )


def _closed() -> EngineError:
    return EngineError("database_closed", "the database was closed", retryable=True, next_step="Ask again.")


def _not_written(why: str) -> EngineError:
    return EngineError(
        "extract_not_written",
        f"what the role may see could not be written apart: {why}",
        next_step="See that the folder [paths] extracts can be written to and has room, or set "
        '[engine.duckdb] mode = "soft".',
    )
