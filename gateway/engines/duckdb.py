"""DuckDB: queries in worker processes, over one read-only file or a role's own extract of it."""

import secrets
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import duckdb

from gateway.engines.base import (
    Capabilities,
    EngineError,
    EngineTimeout,
    Identity,
    Limits,
    Promise,
    RoleScope,
    Rows,
)
from gateway.engines.blocking import apart, waited
from gateway.engines.content_hash import ContentHashes, FileIdentity
from gateway.engines.duckdb_errors import missing_file, reading_file
from gateway.engines.duckdb_extracts import Extracts
from gateway.engines.duckdb_pool import Pool
from gateway.engines.duckdb_process import ANSWER_BYTES, Size, worker_died
from gateway.engines.duckdb_promises import inspect_sessions
from gateway.engines.duckdb_source import Source
from gateway.engines.duckdb_views import View, Views
from gateway.engines.duckdb_wire import Message, rows_in, scope_head
from gateway.engines.event_loop import Overdue
from gateway.engines.flights import Flight, Flights
from gateway.engines.refusals import timed_out
from gateway.engines.turnstile import Turnstile
from gateway.remembered import Remembered
from gateway.settings.file import DuckDBSettings
from metric_layer.plan import Dialect
from traces.cost_records import Explained
from traces.records import DataReference, Estimate

T = TypeVar("T")

INTERRUPT_EVERY = 0.005
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

BARE_NAMES = "main"
KEPT = "as it was when first asked of this data"
SOFT_NOTES = (
    "row rules are views of the gateway over tables with a secret name, not rights in the database",
    "whether a failing predicate of free SQL fails can depend on rows that a row rule hides",
)
HARD_NOTES = ("each role reads a file of its own that holds its rows and columns and no others",)


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
        self._limits = limits
        self._settings = settings
        self._hashes = ContentHashes(hash_sidecar)
        self._flights = Flights(INTERRUPT_EVERY)
        self._pool = Pool(
            Turnstile(settings.workers, settings.waiting, settings.wait_seconds),
            Size(limits.memory_mb, limits.spill_mb),
            temp_directory.absolute(),
        )
        self._hard = _hard(settings, scopes, lake=self._source.lake)
        kept = Extracts(extracts.absolute(), self._source, self._hashes, limits) if self._hard else None
        self._priced = Remembered[tuple[str, str], Explained]()
        self._pinned: tuple[FileIdentity, DataReference] | None = None
        self._views = Views(path, self._source, scopes, limits, kept, self._pool)

    def explain(self, sql: str, who: Identity, limits: Limits, query_id: str = "") -> Estimate:
        """Return an upper bound of what would be read. EXPLAIN plans the statement and never executes it.

        One that was asked before over the same files is not planned anew, and says so: neither the files nor
        what the role sees of them can be others. Raises EngineError when the statement is not one SELECT over
        relations of the role, EngineTimeout when planning takes too long, EngineCancelled after
        `cancel(query_id)`.
        """
        role = self._views.named(who)
        with self._flights.flying(query_id or secrets.token_hex(8), limits.seconds) as flight:
            view = self._views.of(role, flight.left(limits).seconds, flight)
            kept = self._priced.found((view.session, sql))
            if kept is not None:
                return kept
            answer, view = self._ask("explain", {"sql": sql}, role, limits, flight)
        found = _understood(lambda: Explained.model_validate(answer.head["estimate"]))
        self._priced.put((view.session, sql), found.model_copy(update={"notes": (*found.notes, KEPT)}))
        return found

    def run(self, sql: str, who: Identity, limits: Limits, query_id: str, *, beside: str = "") -> Rows:
        """Run one SELECT as the role and stream rows up to the caps of `limits`, after the one `beside` it.

        The file is open read-only and locked, so both read the same data.

        Raises EngineError, EngineTimeout, or EngineCancelled after `cancel(query_id)`.
        """
        head = {"sql": sql, "beside": beside}
        with self._flights.flying(query_id, limits.seconds) as flight:
            answer, view = self._ask("run", head, self._views.named(who), limits, flight)
        if self._source.lake and self._source.identity() != view.identity:
            raise EngineError(
                "data_changed",
                "Parquet files changed while they were read",
                retryable=True,
                next_step="Ask again.",
            )
        return _understood(lambda: rows_in(answer, view.data))

    def one_snapshot(self, query_id: str) -> AbstractContextManager[None]:
        """Do nothing: both read the file, and `run` names the content that it read."""
        return nullcontext()

    def cancel(self, query_id: str) -> None:
        """Stop the query with that id; if it has not begun yet, it will not begin."""
        self._flights.stop(query_id)

    def pin(self, seconds: float | None = None, query_id: str = "") -> DataReference:
        """Return the content hash of the file. Raises EngineError when it is not there any more.

        A file that nobody has read yet is read whole. Who cannot wait for that hears EngineBusy
        `database_reading`, and it goes on.
        """
        identity = self._source.identity()
        known = self._pinned
        if known is None or known[0] != identity:
            if not self._source.there():
                raise missing_file(self._path)
            limits = self._limits if seconds is None else self._limits.leaving(seconds)
            content = self._hashed(limits.seconds, query_id)
            known = self._pinned = (identity, DataReference(kind="content_hash", value=content))
        return known[1]

    def capabilities(self) -> Capabilities:
        """Return what DuckDB promises here."""
        return self._promises

    @cached_property
    def _promises(self) -> Capabilities:
        hard = self._hard
        return Capabilities(
            engine="duckdb",
            version=duckdb.__version__,
            mode="hard" if hard else "soft",
            search_path=BARE_NAMES,
            enforces_rows="a file per role with its rows only" if hard else "gateway views",
            read_only=True,
            time_travel="none; the file's content hash says whether the data is the same",
            notes=HARD_NOTES if hard else SOFT_NOTES,
            settings={
                "estimate": "over the file of the run; another one in its place is data_changed",
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
        head = {**scope_head(scope, self._limits), "extract": self._hard}
        with self._flights.flying(secrets.token_hex(8)) as flight:
            answer, _ = self._ask("probe", head, scope.role, self._limits, flight)
        return _understood(lambda: tuple(map(str, answer.head["faults"])))

    def inspect(self, scope: RoleScope) -> tuple[Promise, ...]:
        """Try writes through a session opened like the role's, over a copy; all roles' are opened alike.

        Raises EngineError where the role's own cannot be opened: a copy alone would prove nothing.
        """
        self.run("SELECT 1", Identity("doctor", scope.role), self._limits, secrets.token_hex(8))
        return inspect_sessions(self._limits, lake=self._source.lake)

    def close(self) -> None:
        """Stop what runs, close every session and give the file back."""
        self._flights.stop_all()
        self._pool.close()
        self._views.close()

    def _hashed(self, seconds: float, query_id: str) -> str:
        reading = apart("duckdb-hash", lambda: self._source.digest(self._hashes))
        with self._flights.flying(query_id or secrets.token_hex(8), seconds) as flight:
            try:
                return waited(reading, flight, flight.deadline)
            except Overdue:
                raise reading_file() from None

    def _ask(
        self, verb: str, head: Mapping[str, Any], role: str, limits: Limits, flight: Flight
    ) -> tuple[Message, View]:
        """Have a worker obey an order as the role; it is killed when it neither ends nor stops in time.

        An extract that cannot be opened or read is made anew, once.
        """
        view = self._views.of(role, flight.left(limits).seconds, flight)
        try:
            return self._order(view, verb, head, limits, flight), view
        except EngineError as fault:
            if fault.code not in BROKEN or not self._views.give_up(role, view):
                raise
        view = self._views.of(role, flight.left(limits).seconds, flight)
        return self._order(view, verb, head, limits, flight), view

    def _order(
        self, view: View, verb: str, head: Mapping[str, Any], limits: Limits, flight: Flight
    ) -> Message:
        largest = ANSWER_BYTES + WORST_GROWTH * limits.bytes
        with self._pool.worker(view.session, view.opening, flight, limits) as worker:
            try:
                return worker.order(verb, head, flight.left(limits), largest)
            except EngineTimeout:
                raise timed_out(limits.whole) from None


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
