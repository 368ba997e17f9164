"""DuckDB: queries in worker processes, over one read-only file or a role's own extract of it."""

import secrets
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import duckdb

from gateway.engines.base import Capabilities, EngineError, Identity, Limits, Promise, RoleScope, Rows
from gateway.engines.content_hash import ContentHashes, FileIdentity
from gateway.engines.duckdb_errors import missing_file
from gateway.engines.duckdb_extracts import Extracts, scope_over
from gateway.engines.duckdb_pool import Pool
from gateway.engines.duckdb_process import ANSWER_BYTES, Size, worker_died
from gateway.engines.duckdb_promises import inspect_sessions
from gateway.engines.duckdb_source import Place, Source, whole_of
from gateway.engines.duckdb_wire import Message, rows_in, scope_head
from gateway.engines.file_lock import SharedLock
from gateway.engines.flights import Flight, Flights
from gateway.engines.turnstile import Turnstile
from gateway.settings.file import DuckDBSettings
from metric_layer.plan import Dialect
from traces.cost_records import Explained
from traces.records import DataReference, Estimate

T = TypeVar("T")

INTERRUPT_EVERY = 0.005
LOOK_EVERY = 2.0
BROKEN = frozenset(
    {
        "not_a_database",
        "database_unreadable",
        "database_version",
        "database_damaged",
        "relation_unreadable",
    }
)
"""What opening or reading a file says that is not whole."""
WORST_GROWTH = 16
"""How many bytes a value of a result may need on its way for each byte it counts."""

SOFT_NOTES = (
    "row rules are views of the gateway over tables with a secret name, not rights in the database",
    "whether a failing predicate of free SQL fails can depend on rows that a row rule hides",
)
HARD_NOTES = ("each role reads a file of its own that holds its rows and columns and no others",)


@dataclass(frozen=True, slots=True)
class View:
    """What a role's sessions open: their name, what a worker has to be told, and what the data was.

    `identity` are the files as they were then.
    """

    session: str
    opening: Mapping[str, Any]
    data: DataReference | None
    identity: FileIdentity


class DuckDBEngine:
    """The embedded database. A file put in the place of another is opened, and extracted anew."""

    dialect: Dialect = "duckdb"

    def __init__(
        self,
        path: Path,
        scopes: Mapping[str, RoleScope],
        limits: Limits,
        temp_directory: Path,
        *,
        settings: DuckDBSettings,
        extracts: Path,
        hash_sidecar: Path | None = None,
    ) -> None:
        """Open nothing before the first question. `hash_sidecar` keeps the file's hash between processes.

        Where relations are Parquet files, `path` may be `:memory:`. Raises EngineError `parquet_needs_hard`
        for mode `soft` with them.
        """
        self._path = path
        self._source = Source(path, settings.parquet)
        self._scopes = scopes
        self._limits = limits
        self._settings = settings
        self._hashes = ContentHashes(hash_sidecar)
        self._flights = Flights(INTERRUPT_EVERY)
        self._pool = Pool(
            Turnstile(settings.workers, settings.waiting, settings.wait_seconds),
            Size(limits.memory_mb, limits.spill_mb),
            temp_directory.absolute(),
        )
        self._extracts = (
            Extracts(extracts.absolute(), self._source, self._hashes, limits)
            if _hard(settings, scopes, lake=self._source.lake)
            else None
        )
        self._lock = threading.Lock()
        self._identity: FileIdentity = ()
        self._generation = 0
        self._views: dict[str, View] = {}
        self._columns: Mapping[Place, frozenset[str]] = {}
        self._file: SharedLock | None = None
        self._held = False
        self._watching: threading.Event | None = None

    def explain(self, sql: str, who: Identity, limits: Limits, query_id: str = "") -> Estimate:
        """Return an upper bound of what would be read. EXPLAIN plans the statement and never executes it.

        Raises EngineError when the statement is not one SELECT over relations of the role, EngineTimeout when
        planning takes too long, EngineCancelled after `cancel(query_id)`.
        """
        head = {"sql": sql, "seconds": limits.seconds}
        with self._flights.flying(query_id or secrets.token_hex(8)) as flight:
            answer, _ = self._ask("explain", head, who.role, limits, flight)
        return _understood(lambda: Explained.model_validate(answer.head["estimate"]))

    def run(self, sql: str, who: Identity, limits: Limits, query_id: str, *, beside: str = "") -> Rows:
        """Run one SELECT as the role and stream rows up to the caps of `limits`, after the one `beside` it.

        The file is open read-only and locked, so both read the same data.

        Raises EngineError, EngineTimeout, or EngineCancelled after `cancel(query_id)`.
        """
        head = {"sql": sql, "beside": beside, "limits": asdict(limits)}
        with self._flights.flying(query_id) as flight:
            answer, view = self._ask("run", head, who.role, limits, flight)
        if self._source.lake and self._source.identity() != view.identity:
            raise EngineError(
                "data_changed",
                "Parquet files changed while they were read",
                retryable=True,
                next_step="Ask again.",
            )
        return replace(_understood(lambda: rows_in(answer)), data=view.data)

    def cancel(self, query_id: str) -> None:
        """Stop the query with that id; if it has not begun yet, it will not begin."""
        self._flights.stop(query_id)

    def pin(self) -> DataReference:
        """Return the content hash of the file. Raises EngineError when it is not there any more."""
        if not self._source.there():
            raise missing_file(self._path)
        return DataReference(kind="content_hash", value=self._source.digest(self._hashes))

    def capabilities(self) -> Capabilities:
        """Return what DuckDB promises here."""
        hard = self._extracts is not None
        return Capabilities(
            engine="duckdb",
            version=duckdb.__version__,
            mode="hard" if hard else "soft",
            enforces_rows="a file per role with its rows only" if hard else "gateway views",
            read_only=True,
            time_travel="none; the file's content hash says whether the data is the same",
            notes=HARD_NOTES if hard else SOFT_NOTES,
            settings={
                "workers": f"{self._settings.workers} processes, killed when they outrun a limit",
                "memory_limit": f"{self._limits.memory_mb} MB per worker",
                "max_temp_directory_size": f"{self._limits.spill_mb} MB per worker",
                "max_execution_time": "per query",
                "enable_external_access": "false",
                "file_system": _opened_for(self._limits, self._source),
                "lock_configuration": "true",
            },
        )

    def probe(self, scope: RoleScope) -> tuple[str, ...]:
        """Prove that the role's session is read-only and locked, and shows its rows and columns only."""
        head = {
            **scope_head(scope, self._limits),
            "seconds": self._limits.seconds,
            "extract": self._extracts is not None,
        }
        with self._flights.flying(secrets.token_hex(8)) as flight:
            answer, _ = self._ask("probe", head, scope.role, self._limits, flight)
        return _understood(lambda: tuple(map(str, answer.head["faults"])))

    def inspect(self, scope: RoleScope) -> tuple[Promise, ...]:
        """Try writes through a session opened like the role's, over a copy; all roles' are opened alike."""
        return inspect_sessions(self._limits, lake=self._source.lake)

    def close(self) -> None:
        """Stop what runs, close every session and give the file back."""
        self._flights.stop_all()
        self._pool.close()
        if self._extracts is not None:
            self._extracts.close()
        with self._lock:
            if self._watching is not None:
                self._watching.set()
                self._watching = None
            self._leave()

    def _ask(
        self, verb: str, head: Mapping[str, Any], role: str, limits: Limits, flight: Flight
    ) -> tuple[Message, View]:
        """Have a worker obey an order as the role; it is killed when it neither ends nor stops in time.

        An extract that cannot be opened or read is made anew, once.
        """
        view = self._view(role, limits.seconds, flight)
        try:
            return self._order(view, verb, head, limits, flight), view
        except EngineError as fault:
            if self._extracts is None or fault.code not in BROKEN:
                raise
            self._give_up(self._extracts, role, view)
        view = self._view(role, limits.seconds, flight)
        return self._order(view, verb, head, limits, flight), view

    def _order(
        self, view: View, verb: str, head: Mapping[str, Any], limits: Limits, flight: Flight
    ) -> Message:
        largest = ANSWER_BYTES + WORST_GROWTH * limits.bytes
        with self._pool.worker(view.session, view.opening, flight) as worker:
            return worker.order(verb, head, limits.seconds, largest)

    def _give_up(self, extracts: Extracts, role: str, view: View) -> None:
        """Give up the extract behind a view, unless another question did so already."""
        with self._lock:
            if self._views.get(role) is view:
                del self._views[role]
                # A session of the same name over what is given up may be open in a worker.
                self._generation += 1
                self._pool.forget()
                extracts.discard(Path(view.opening["path"]).name)

    def _view(self, role: str, seconds: float, flight: Flight) -> View:
        """Return what the role's sessions open, made when first wanted and again once the file is another."""
        scope = self._scopes.get(role)
        if scope is None:
            raise EngineError("unknown_role", f"the database knows no role {role}")
        with self._lock:
            self._follow()
            generation, known, identity = self._generation, self._views.get(role), self._identity
        if known is not None and Path(known.opening["path"]).is_file():
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
        if not self._source.there():
            self._leave()
            raise missing_file(self._path)
        identity = self._source.identity()
        if self._held and identity == self._identity:
            return
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


def _hard(settings: DuckDBSettings, scopes: Mapping[str, RoleScope], *, lake: bool) -> bool:
    """Say whether roles read extracts: as configured, else as soon as two of them see different things.

    Over Parquet files always: DuckDB knows no rights on a part of a file.
    """
    if lake and settings.mode == "soft":
        raise EngineError(
            "parquet_needs_hard",
            "relations under [engine.duckdb.parquet] need the mode hard",
            next_step='Write mode = "hard" under [engine.duckdb], or leave it out.',
        )
    if lake:
        return True
    if settings.mode != "auto":
        return settings.mode == "hard"
    return len({tuple((each.name, each.select) for each in scope.relations) for scope in scopes.values()}) > 1


def _opened_for(limits: Limits, source: Source) -> str:
    """Say what a session may open files for."""
    uses = (("spilling", bool(limits.spill_mb)), ("the role's Parquet files", source.lake))
    return " and ".join(f"open for {use}" for use, wanted in uses if wanted) or "off"


def _understood(read: Callable[[], T]) -> T:
    """Return what a worker's answer says; one that makes no sense is like no answer."""
    try:
        return read()
    except (ValueError, LookupError, TypeError, ArithmeticError) as fault:
        raise worker_died("its process answered what is no answer") from fault
