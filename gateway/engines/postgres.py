"""PostgreSQL: every question runs as its asker in one guarded, read-only, pipelined transaction."""

import json
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from pathlib import Path

from gateway.engines.base import Capabilities, Identity, Limits, Promise, RoleScope, Rows
from gateway.engines.credentials import Secrets
from gateway.engines.driver import driver_of
from gateway.engines.each_member import Members, faults_as, faults_of_each, promises_of_each
from gateway.engines.flights import Flight
from gateway.engines.postgres_asker import Askers
from gateway.engines.postgres_columns import columns_used
from gateway.engines.postgres_credentials import credentials_of
from gateway.engines.postgres_plan import Node, estimate, relations, writes
from gateway.engines.postgres_promises import Asked, inspect_asker
from gateway.engines.postgres_proof import find_relation_faults, find_session_faults
from gateway.engines.postgres_rows import read_rows
from gateway.engines.postgres_session import PINNED, Facts
from gateway.engines.postgres_sizes import RelationName, Size, Sizes
from gateway.engines.postgres_sizes import answer as sizes_in
from gateway.engines.postgres_sizes import question as ask_sizes
from gateway.engines.postgres_target import target_of
from gateway.engines.postgres_wire import Exchange
from gateway.engines.refusals import beside_too_large, not_one_select
from gateway.remembered import OF_STATEMENTS, Remembered
from gateway.settings.file import EngineSettings
from metric_layer.plan import Dialect
from traces.cost_records import Explained
from traces.records import DataReference, Estimate

PROOF_SECONDS = 300.0
EXPLAIN = "EXPLAIN (FORMAT JSON, VERBOSE) "

NOTES = (
    "rows and columns are held by the database: column grants and row policies of the asker's own role",
    "rows of an estimate are the planner's statistics",
)
SWITCHED = "one login acts as every asker: weaker than a login of their own, proved before it is used"


class PostgresEngine:
    """One database, reached as the asker: by a login of their own, or by a switched role that was proved.

    Relation names of a checked statement mean the relations of that name in the database (schema `public`
    where none is written), read with the asker's column grants and row policies.
    """

    dialect: Dialect = "postgres"

    def __init__(self, askers: Askers, settings: EngineSettings, limits: Limits, members: Members) -> None:
        """Connect to nothing yet. `members` are the configured users of each role of the policy."""
        self._askers = askers
        self._settings = settings
        self._limits = limits
        self._members = members
        self._sizes = Sizes()
        self._planned = Remembered[tuple[str, str], bool](OF_STATEMENTS)

    def explain(self, sql: str, who: Identity, limits: Limits, query_id: str = "") -> Estimate:
        """Return the planner's estimate, made as the asker and under the limits of the run.

        Functions that the planner evaluates run read-only and under the same time limit. Raises EngineError
        when the statement is not one SELECT the asker may run, EngineTimeout when planning takes too long.
        """
        with self._askers.flying(query_id, limits.seconds) as flight:
            root = self._plan(sql, who, limits, flight)
            found = estimate(root, self._sizes_of(relations(root), who, limits, flight))
            return Explained(**dict(found), columns=columns_used(root))

    def run(self, sql: str, who: Identity, limits: Limits, query_id: str, *, beside: str = "") -> Rows:
        """Run one SELECT as the asker and stream rows up to the caps of `limits`, after the one `beside` it.

        All statements read one snapshot. Raises EngineError, EngineTimeout, or EngineCancelled after
        `cancel(query_id)`.
        """
        statements = (beside, sql) if beside else (sql,)
        with self._askers.flying(query_id, limits.seconds) as flight:
            for statement in statements:
                if not self._planned.found((who.user, statement)):
                    self._plan(statement, who, limits, flight)
            with self._askers.asking(who, limits, flight, *statements, last=True) as (guarded, snapshot):
                ahead = read_rows(guarded.session, guarded.exchange, limits) if beside else None
                if ahead and ahead.truncated:
                    raise beside_too_large()
                rows = read_rows(guarded.session, guarded.exchange, limits)
            data = _reference(guarded.session.facts, snapshot)
            return replace(rows, beside=ahead.rows if ahead else (), data=data)

    def one_snapshot(self, query_id: str) -> AbstractContextManager[None]:
        """Let the prices and the run of a question be parts of one transaction, on one session."""
        return self._askers.keeping(query_id)

    def cancel(self, query_id: str) -> None:
        """Stop the query with that id; if it has not begun yet, it will not begin."""
        self._askers.stop(query_id)

    def pin(self, seconds: float | None = None, query_id: str = "") -> DataReference:
        """Return the snapshot that a transaction beginning now would read.

        Two equal ones say that nothing was written in between. The database keeps no old data: a snapshot
        can be compared, not read again.
        """
        if not self._askers.anybody():
            return DataReference(kind="none")
        limits = self._limits if seconds is None else self._limits.leaving(seconds)
        with (
            self._askers.flying(query_id, limits.seconds) as flight,
            self._askers.asking(None, limits, flight) as (guarded, snapshot),
        ):
            return _reference(guarded.session.facts, snapshot)

    def capabilities(self) -> Capabilities:
        """Return what PostgreSQL promises here; its version is known once somebody has connected."""
        facts, mode = self._askers.facts, self._settings.mode
        return Capabilities(
            engine="postgres",
            version=f"{facts.version // 10_000}.{facts.version % 10_000}" if facts else "",
            driver=driver_of("psycopg"),
            search_path=PINNED["search_path"],
            mode=mode,
            enforces_rows="row policies and column grants of the asker's role in the database",
            read_only=True,
            time_travel="none; equal snapshots say that nothing was written in between",
            notes=NOTES if mode == "login" else (*NOTES, SWITCHED),
            settings={
                "statement_timeout": "per query",
                "lock_timeout": "half of it, 5 s at most",
                "temp_file_limit": _spill(facts, self._limits),
                "isolation": "repeatable read, read only",
                "estimate": "in the transaction of the run, where nobody had to decide in between",
                "connections": str(self._settings.connections),
            },
        )

    def probe(self, scope: RoleScope) -> tuple[str, ...]:
        """Prove, as each configured user of the role, that they cannot write and see the role's data only."""
        return faults_of_each(self._members, scope, self._faults)

    def inspect(self, scope: RoleScope) -> tuple[Promise, ...]:
        """Try the database's own limits as each configured user of the role. Executes no write."""
        return promises_of_each(self._members, scope, self._promises)

    def close(self) -> None:
        """Stop what runs and close every session."""
        self._askers.close()

    def _faults(self, user: str, scope: RoleScope) -> Iterator[str]:
        # A row rule is proved over the whole table, which takes longer than a question may.
        limits = replace(self._limits, seconds=max(self._limits.seconds, PROOF_SECONDS))
        with self._askers.flying() as flight:
            ask = partial(self._askers.ask, Identity(user, scope.role), limits, flight)
            yield from faults_as(
                user,
                scope,
                lambda: find_session_faults(ask, self._askers.others(user)),
                partial(find_relation_faults, ask),
            )

    def _promises(self, user: str, scope: RoleScope) -> tuple[Promise, ...]:
        who, mode = Identity(user, scope.role), self._settings.mode
        roles = tuple(role for role in self._members if role != scope.role)
        with self._askers.flying() as flight:
            ask = partial(self._askers.ask, who, self._limits, flight)
            price_write = partial(self._askers.price_write, who, self._limits, flight)
            return inspect_asker(Asked(user, scope, roles, self._askers.others(user), ask, price_write, mode))

    def _plan(self, sql: str, who: Identity, limits: Limits, flight: Flight) -> Node:
        """Return the plan of a SELECT, and remember that the text is one."""
        with self._askers.asking(who, limits, flight, EXPLAIN + sql) as (guarded, _):
            root = _plan_in(guarded.exchange)
        self._planned.put((who.user, sql), True)
        return root

    def _sizes_of(
        self, names: frozenset[RelationName], who: Identity, limits: Limits, flight: Flight
    ) -> Mapping[RelationName, Size]:
        known, unknown = self._sizes.known(who.user, names)
        if not unknown:
            return known
        read = sizes_in(self._askers.ask(who, limits, flight, ask_sizes(unknown)))
        self._sizes.keep(who.user, read)
        return {**known, **read}


def open_postgres(
    settings: EngineSettings,
    limits: Limits,
    members: Members,
    folder: Path,
    exchanged: Secrets | None = None,
) -> PostgresEngine:
    """Return the engine that the settings name; a password file is relative to `folder`."""
    credentials = credentials_of(settings.credentials, folder, exchanged)
    askers = Askers(target_of(settings.url), settings, credentials, members)
    return PostgresEngine(askers, settings, limits, members)


def _plan_in(exchange: Exchange) -> Node:
    """Return the root of the plan that comes next. Raises EngineError for what is not a SELECT."""
    (result,) = exchange.results(1)
    (explained,) = json.loads(result.get_value(0, 0) or b"")
    root: Node | None = explained.get("Plan") if isinstance(explained, dict) else None
    if root is None or writes(root):
        raise not_one_select()
    return root


def _reference(facts: Facts, snapshot: str) -> DataReference:
    return DataReference(kind="snapshot", value=f"{snapshot}@{facts.origin}")


def _spill(facts: Facts | None, limits: Limits) -> str:
    if facts is None or facts.spill_capped:
        return f"{limits.spill_mb} MB per session"
    return "the server's: the login may not set it"
