"""What the sessions of each role open: the file that is there now, or the role's extract of it."""

import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gateway.engines.base import EngineError, Identity, Limits, RoleScope
from gateway.engines.content_hash import FileIdentity, is_file
from gateway.engines.duckdb_errors import missing_file
from gateway.engines.duckdb_extracts import Extracts, scope_over
from gateway.engines.duckdb_pool import Pool
from gateway.engines.duckdb_source import Place, Source, whole_of
from gateway.engines.duckdb_wire import scope_head
from gateway.engines.file_lock import SharedLock
from gateway.engines.flights import Flight
from traces.records import DataReference

LOOK_EVERY = 2.0


@dataclass(frozen=True, slots=True)
class View:
    """What a role's sessions open: their name, what a worker has to be told, and what the data was.

    `identity` are the files as they were then.
    """

    session: str
    opening: Mapping[str, Any]
    data: DataReference | None
    identity: FileIdentity

    @property
    def path(self) -> Path:
        """The database file that is opened."""
        return Path(self.opening["path"])


class Views:
    """The view of each role, made when first wanted and again once the source is another one.

    Holds the source's file against writers for as long as anything may read it, and has the sessions over a
    source that is gone closed in the pool. Safe from any thread.
    """

    def __init__(
        self,
        path: Path,
        source: Source,
        scopes: Mapping[str, RoleScope],
        limits: Limits,
        extracts: Extracts | None,
        pool: Pool,
    ) -> None:
        """Open nothing yet. Without `extracts` every role reads the source itself, the file at `path`."""
        self._path = path
        self._source = source
        self._scopes = scopes
        self._limits = limits
        self._extracts = extracts
        self._pool = pool
        self._lock = threading.Lock()
        self._identity: FileIdentity = ()
        self._generation = 0
        self._views: dict[str, View] = {}
        self._columns: Mapping[Place, frozenset[str]] = {}
        self._file: SharedLock | None = None
        self._held = False
        self._watching: threading.Event | None = None

    def named(self, who: Identity) -> str:
        """Return the name of the scope that somebody reads: their tenant's own one, or the role's."""
        return who.scope if who.scope in self._scopes else who.role

    def of(self, role: str, seconds: float, flight: Flight) -> View:
        """Return what the role's sessions open. Raises EngineError where there is no such role or file."""
        scope = self._scopes.get(role)
        if scope is None:
            raise EngineError("unknown_role", f"the database knows no role {role}")
        with self._lock:
            self._follow()
            generation, known, identity = self._generation, self._views.get(role), self._identity
        if known is not None and is_file(known.opening["path"]):
            return known
        path, data = self._path, None
        if self._extracts is not None:
            scope = self._split(scope)
            path, value = self._extracts.of(scope, seconds, flight.check)
            scope, data = scope_over(scope), DataReference(kind="content_hash", value=value)
        opening = {"path": str(path.resolve()), **scope_head(scope, self._limits)}
        view = View(f"{self._pool.token}.{generation}.{role}", opening, data, identity)
        with self._lock:
            if generation == self._generation:
                self._views[role] = view
        return view

    def give_up(self, role: str, view: View) -> bool:
        """Have the extract behind a view that cannot be read made anew, unless somebody did so already.

        Return False where the view is the source itself.
        """
        if self._extracts is None:
            return False
        with self._lock:
            if self._views.get(role) is view:
                del self._views[role]
                # A session of the same name over what is given up may be open in a worker.
                self._generation += 1
                self._pool.forget()
                self._extracts.discard(view.path.name)
        return True

    def close(self) -> None:
        """Give the source's file back, and end what makes extracts."""
        if self._extracts is not None:
            self._extracts.close()
        with self._lock:
            if self._watching is not None:
                self._watching.set()
                self._watching = None
            self._leave()

    def _split(self, scope: RoleScope) -> RoleScope:
        """Return the scope with the Parquet files that the role may read as they are beside their relations.

        What the role sees a part of, and what is no Parquet file, is read from its extract.
        """
        if not self._source.lake:
            return scope
        files, columns = self._source.parquet(), self._columns
        relations = []
        for each in scope.relations:
            place = whole_of(each, columns)
            whole = tuple(str(file.resolve()) for file in files[place]) if place else ()
            relations.append(replace(each, files=whole))
        return replace(scope, relations=tuple(relations))

    def _follow(self) -> None:
        """Hold the files that are there now; forget what was made from those that were there before."""
        identity = self._source.identity()
        if self._held and identity and identity == self._identity:
            return
        if not self._source.there():
            self._leave()
            raise missing_file(self._path)
        roles = tuple(self._views)
        self._leave()
        self._file = SharedLock(self._source.file) if self._source.file else None
        self._held = True
        self._identity = self._source.identity()
        self._columns = self._source.columns()
        if self._extracts is not None:
            self._refresh(self._extracts, roles)

    def _leave(self) -> None:
        self._views.clear()
        self._generation += 1
        if self._file is not None:
            self._file.close()
            self._file = None
        if self._held:
            self._held = False
            self._pool.forget()

    def _refresh(self, extracts: Extracts, roles: tuple[str, ...]) -> None:
        """Look on from now on; begin the extracts of the roles that were asking, drop what nobody needs."""
        if self._watching is None:
            self._watching = threading.Event()
            threading.Thread(target=self._watch, args=(self._watching,), daemon=True).start()
        for role in roles:
            extracts.make(self._split(self._scopes[role]))
        extracts.sweep(map(self._split, self._scopes.values()))

    def _watch(self, over: threading.Event) -> None:
        """See soon that the file is another one, so that its extracts are there when somebody asks."""
        while not over.wait(LOOK_EVERY):
            with self._lock, suppress(EngineError):
                if not over.is_set():
                    self._follow()
