"""DuckDB: one read-only file, one locked instance per role, prices from EXPLAIN, rows up to the caps."""

import threading
import time
from collections.abc import Mapping
from pathlib import Path

import duckdb

from gateway.engines.base import Capabilities, EngineError, Identity, Limits, RoleScope, Rows
from gateway.engines.content_hash import ContentHashes, FileIdentity, identity_of
from gateway.engines.duckdb_errors import missing_file
from gateway.engines.duckdb_flights import Flights
from gateway.engines.duckdb_plan import estimate
from gateway.engines.duckdb_proof import find_faults
from gateway.engines.duckdb_rows import read_rows
from gateway.engines.duckdb_session import Session, open_session
from gateway.engines.file_lock import SharedLock
from metric_layer.plan import Dialect
from traces.records import DataReference, Estimate

NOTES = (
    "row rules are views of the gateway over tables with a secret name, not rights in the database",
    "whether a failing predicate of free SQL fails can depend on rows that a row rule hides",
    "some list and string functions outrun the time and memory limits",
)


class DuckDBEngine:
    """The embedded database. Roles share the file and nothing else; a file put in its place is opened."""

    dialect: Dialect = "duckdb"

    def __init__(
        self,
        path: Path,
        scopes: Mapping[str, RoleScope],
        limits: Limits,
        temp_directory: Path,
        *,
        hash_sidecar: Path | None = None,
    ) -> None:
        """Open nothing before the first question. `hash_sidecar` keeps the file's hash between processes."""
        self._path = path
        self._scopes = scopes
        self._limits = limits
        self._temp_directory = temp_directory
        self._hashes = ContentHashes(hash_sidecar)
        self._flights = Flights()
        self._lock = threading.Lock()
        self._identity: FileIdentity = ()
        self._sessions: dict[str, Session] = {}
        self._file: SharedLock | None = None

    def explain(self, sql: str, who: Identity, limits: Limits) -> Estimate:
        """Return an upper bound of what would be read. EXPLAIN plans the statement and never executes it.

        Raises EngineError when the statement is not one SELECT over relations of the role, EngineTimeout when
        planning takes too long.
        """
        session = self._session(who.role)
        with session.cursor(limits.seconds) as cursor:
            plans = session.plan(cursor, sql)
            return estimate(plans.physical, lambda table: session.storage(cursor, table))

    def run(self, sql: str, who: Identity, limits: Limits, query_id: str) -> Rows:
        """Run one SELECT as the role and stream rows up to the caps of `limits`.

        Raises EngineError, EngineTimeout, or EngineCancelled after `cancel(query_id)`.
        """
        with self._flights.flying(query_id) as flight:
            session = self._session(who.role)
            with session.cursor(limits.seconds) as cursor:
                flight.cursor = cursor
                if sql not in session.planned:
                    session.plan(cursor, sql)
                flight.check()
                started = time.monotonic()
                cursor.execute(sql)
                return read_rows(cursor, flight, limits, started)

    def cancel(self, query_id: str) -> None:
        """Stop the query with that id; if it has not begun yet, it will not begin."""
        self._flights.stop(query_id)

    def pin(self) -> DataReference:
        """Return the content hash of the file."""
        return DataReference(kind="content_hash", value=self._hashes.of(self._path))

    def capabilities(self) -> Capabilities:
        """Return what DuckDB promises here."""
        return Capabilities(
            engine="duckdb",
            version=duckdb.__version__,
            mode="soft",
            enforces_rows="gateway views",
            read_only=True,
            time_travel="none; the file's content hash says whether the data is the same",
            notes=NOTES,
            settings={
                "memory_limit": f"{self._limits.memory_mb} MB per role",
                "max_temp_directory_size": f"{self._limits.spill_mb} MB per role",
                "max_execution_time": "per query",
                "enable_external_access": "false",
                "file_system": "open for spilling" if self._limits.spill_mb else "off",
                "lock_configuration": "true",
            },
        )

    def probe(self, scope: RoleScope) -> tuple[str, ...]:
        """Prove that the role's session is read-only and locked, and shows its rows and columns only."""
        session = self._session(scope.role)
        with session.cursor(self._limits.seconds) as cursor:
            return find_faults(cursor, scope, session.alias)

    def close(self) -> None:
        """Stop what runs and close every instance."""
        self._flights.stop_all()
        with self._lock:
            self._shut()

    def _session(self, role: str) -> Session:
        """Return the role's instance, opened when first wanted and again once the file is another one."""
        scope = self._scopes.get(role)
        if scope is None:
            raise EngineError("unknown_role", f"the database knows no role {role}")
        with self._lock:
            if identity_of(self._path) != self._identity:
                self._shut()
            if self._file is None:
                self._file = self._take_file()
                self._identity = identity_of(self._path)
            if role not in self._sessions:
                self._sessions[role] = open_session(self._path, scope, self._limits, self._temp_directory)
            return self._sessions[role]

    def _take_file(self) -> SharedLock:
        if not self._path.is_file():
            raise missing_file(self._path)
        return SharedLock(self._path)

    def _shut(self) -> None:
        for session in self._sessions.values():
            session.close()
        self._sessions.clear()
        if self._file is not None:
            self._file.close()
            self._file = None
