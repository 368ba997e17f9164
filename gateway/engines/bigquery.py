"""BigQuery: every question runs as its asker, priced by a dry run and billed no further than a cap."""

import itertools
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path

from gateway.engines.base import (
    Capabilities,
    EngineError,
    Identity,
    Limits,
    Promise,
    RoleScope,
    Rows,
)
from gateway.engines.bigquery_plan import Priced, estimate, priced_of, whole_selects
from gateway.engines.bigquery_proof import Proof, find_relation_faults, inspect_asker, write_faults
from gateway.engines.bigquery_rows import read_rows
from gateway.engines.bigquery_session import Answer, Call, Session
from gateway.engines.bigquery_tables import DIALECT, KEEPS_HISTORY, Stored, Tables, look_at
from gateway.engines.bigquery_target import Target, target_of
from gateway.engines.bigquery_text import VIEWS, Text, require_same_tables, text_of
from gateway.engines.credentials import Secrets, secrets_of
from gateway.engines.driver import driver_of
from gateway.engines.each_member import Members, faults_as, faults_of_each, promises_of_each
from gateway.engines.flights import Flights
from gateway.engines.refusals import beside_too_large, data_changed, data_not_pinned
from gateway.engines.sessions import Sessions
from gateway.engines.turnstile import Turnstile
from gateway.remembered import OF_STATEMENTS, Remembered
from gateway.settings.file import EngineSettings
from metric_layer.plan import Dialect
from traces.records import DataReference, Estimate

STOP_EVERY = 0.05
PROOF_SECONDS = 300.0
MODES = {"oauth": "login", "impersonate": "impersonation"}
NOTES = (
    "rows and columns are held by the database: IAM, row access policies and policy tags of the asker",
    "nothing but IAM keeps a job from writing: only a text that a dry run calls one SELECT is run",
    "a result is written down whole before its first row is read: the LIMIT in a checked text is the row cap",
)


@dataclass(frozen=True, slots=True)
class Asking:
    """An open session in somebody's hand."""

    session: Session
    call: Call


class BigQueryEngine:
    """One project, dataset and location, reached as the asker.

    Names mean the tables of that name, in the url's dataset where none is written.
    """

    dialect: Dialect = DIALECT

    def __init__(
        self, target: Target, secrets: Secrets, settings: EngineSettings, limits: Limits, members: Members
    ) -> None:
        """Connect to nothing yet. `members` are the configured users of each role of the policy."""
        self._target = target
        self._settings = settings
        self._limits = limits
        # A proof asks many small questions, and a row rule is proved over a whole table.
        self._proof_limits = replace(limits, seconds=max(limits.seconds, PROOF_SECONDS))
        self._members = members
        self._flights = Flights(STOP_EVERY)
        self._numbers = itertools.count()
        turnstile = Turnstile(settings.connections, settings.waiting, settings.wait_seconds)
        self._sessions = Sessions(lambda who: Session(target, who, secrets), turnstile, settings.connections)
        self._tables = Tables()
        self._planned = Remembered[tuple[Identity, str], Priced](OF_STATEMENTS)

    def explain(self, sql: str, who: Identity, limits: Limits, query_id: str = "") -> Estimate:
        """Return what a dry run says the statement would read. Nothing is executed.

        Raises EngineError when the statement is not one SELECT the asker may run, EngineTimeout when the
        service takes too long.
        """
        with self._asking(who, limits, query_id) as asking:
            priced, text = self._price(asking, sql)
            stored = self._stored(asking, priced.tables)
            whole = {
                name: self._tables.whole_of(asking.session, asking.call, select)
                for name, select in whole_selects(stored.values() if priced.bytes else (), text.columns)
            }
            return estimate(priced, stored, text.columns, whole)

    def run(self, sql: str, who: Identity, limits: Limits, query_id: str, *, beside: str = "") -> Rows:
        """Run one SELECT as the asker and stream rows up to the caps of `limits`, after the one `beside` it.

        Each job reads the data of one moment. That two of them read the same is looked at afterwards: no
        table may have changed since the first one was made. Raises EngineError, EngineTimeout, or
        EngineCancelled after `cancel(query_id)`.
        """
        statements = (beside, sql) if beside else (sql,)
        with self._asking(who, limits, query_id) as asking:
            priced = [self._planned_or_priced(asking, statement) for statement in statements]
            names = tuple(dict.fromkeys(name for each in priced for name in each.tables))
            started = time.monotonic()
            first = asking.session.ask(asking.call, statements[0], limits.rows + 1)
            ahead = read_rows(first, limits, started) if beside else None
            if ahead and ahead.truncated:
                raise beside_too_large()
            answer = asking.session.ask(asking.call, sql, limits.rows + 1) if beside else first
            rows = read_rows(answer, limits, started)
            if beside:
                _require_unchanged(asking, names, first)
            viewed = any(each.viewed for each in priced)
            data = self._reference(asking, names, None if viewed else answer.job.started)
            if ahead:
                # The service bills two jobs, so the question has read what both have read.
                actual = rows.actual.model_copy(update={"bytes": _sum(ahead.actual.bytes, rows.actual.bytes)})
                rows = replace(rows, beside=ahead.rows, actual=actual)
            return replace(rows, data=data, query_id=str(answer.job.job_id))

    def one_snapshot(self, query_id: str) -> AbstractContextManager[None]:
        """Do nothing: a dry run reads no rows, and the text that was checked names no moment."""
        return nullcontext()

    def cancel(self, query_id: str) -> None:
        """Stop the query with that id; if it has not begun yet, it will not begin."""
        self._flights.stop(query_id)

    def pin(self, seconds: float | None = None, query_id: str = "") -> DataReference:
        """Return the moment that it is now by the service's clock: FOR SYSTEM_TIME AS OF reads its data."""
        limits = self._limits if seconds is None else self._limits.leaving(seconds)
        for role, users in self._members.items():
            if users:
                with self._asking(Identity(users[0], role), limits, query_id) as asking:
                    return _stamped(asking.session.price(asking.call, "SELECT 1").created)
        return DataReference(kind="none")

    def capabilities(self) -> Capabilities:
        """Return what BigQuery promises here."""
        return Capabilities(
            engine="bigquery",
            version="v2",
            mode=MODES[self._target.authenticator],
            driver=driver_of("google-cloud-bigquery"),
            search_path=f"{self._target.project}.{self._target.dataset}",
            enforces_rows="row access policies, policy tags and IAM of the asker in the database",
            read_only=True,
            time_travel="FOR SYSTEM_TIME AS OF, for the days each dataset keeps its history",
            notes=NOTES,
            settings={
                "estimate": "of the moment it was asked for; the run reads a later one, and names it",
                "maximum_bytes_billed": str(self._target.most_billed),
                "job timeout": "per query",
                "label cellbound": "the trace id",
                "location": self._target.location,
                "connections": str(self._settings.connections),
            },
        )

    def probe(self, scope: RoleScope) -> tuple[str, ...]:
        """Prove, as each configured user of the role, that they cannot write and see the role's data only."""
        return faults_of_each(self._members, scope, self._faults)

    def inspect(self, scope: RoleScope) -> tuple[Promise, ...]:
        """Try every limit that has to hold for a role, as each of its users. Executes no write."""
        return promises_of_each(self._members, scope, self._promises)

    def close(self) -> None:
        """Stop what runs and close every session."""
        self._flights.stop_all()
        self._sessions.close()

    def _promises(self, user: str, scope: RoleScope) -> tuple[Promise, ...]:
        with self._asking(Identity(user, scope.role), self._proof_limits) as asking:
            return inspect_asker(self._proof(asking), user, scope)

    @contextmanager
    def _asking(self, who: Identity, limits: Limits, query_id: str = "") -> Iterator[Asking]:
        """Take a session of the asker and let it be stopped. Waiting for it is part of the time limit."""
        with (
            self._flights.flying(query_id or f"unnamed {next(self._numbers)}", limits.seconds) as flight,
            self._sessions.lent(who, flight) as session,
        ):
            yield Asking(session, Call(flight, limits, flight.deadline))

    def _planned_or_priced(self, asking: Asking, sql: str) -> Priced:
        """Return what is known of a statement that a dry run called one SELECT."""
        found = self._planned.found((asking.session.who, sql))
        return found or self._price(asking, sql)[0]

    def _price(self, asking: Asking, sql: str) -> tuple[Priced, Text]:
        """Price a statement, and see that the service reads the tables that our own reader finds in it."""
        priced = priced_of(asking.session.price(asking.call, sql), sql)
        stored = self._stored(asking, priced.tables)
        known = [table for table in stored.values() if table is not None]
        text = text_of(sql, known, self._target.project, self._target.dataset)
        beside = [name for name in text.tables if name not in stored]
        found = {**stored, **self._stored(asking, beside)}
        require_same_tables(text.tables, priced.tables, found)
        named = (found.get(name) for name in text.tables)
        priced = replace(priced, viewed=any(table is not None and table.kind in VIEWS for table in named))
        return self._planned.put((asking.session.who, sql), priced), text

    def _stored(self, asking: Asking, names: Iterable[str]) -> Mapping[str, Stored | None]:
        return self._tables.of(asking.session, asking.call, names)

    def _reference(self, asking: Asking, names: Iterable[str], at: datetime | None) -> DataReference:
        """Return the moment whose data a job read, where all of it can be read again."""
        stored = self._stored(asking, names)
        if all(table is not None and table.kind in KEEPS_HISTORY for table in stored.values()):
            return _stamped(at)
        return DataReference(kind="none")

    def _proof(self, asking: Asking) -> Proof:
        return Proof(asking.session, asking.call, self._target)

    def _faults(self, user: str, scope: RoleScope) -> Iterator[str]:
        with self._asking(Identity(user, scope.role), self._proof_limits) as asking:
            proof = self._proof(asking)
            yield from faults_as(
                user, scope, lambda: write_faults(proof, scope), partial(find_relation_faults, proof)
            )


def open_bigquery(
    settings: EngineSettings,
    limits: Limits,
    members: Members,
    folder: Path,
    exchanged: Secrets | None = None,
) -> BigQueryEngine:
    """Return the engine that the settings name; a folder of credentials is relative to `folder`.

    Raises EngineError for a url that pins too little, and for a source of credentials that gives no secret.
    """
    target = target_of(settings.url)
    secrets = secrets_of(settings.credentials, folder, exchanged)
    if secrets is None or settings.mode != "login":
        raise EngineError(
            "credential_missing",
            "on BigQuery everybody asks as themself, with a token of their own or one that may act as them",
            next_step='Write credentials = "environment", "files:FOLDER" or "hook:MODULE:FUNCTION".',
        )
    return BigQueryEngine(target, secrets, settings, limits, members)


def _require_unchanged(asking: Asking, names: Iterable[str], first: Answer) -> None:
    """Refuse two statements of which the second may have read other data than the first."""
    begun = first.job.created
    for name in names:
        table = look_at(asking.session, asking.call, name)
        if table is None or table.changed is None or begun is None:
            raise data_not_pinned()
        if table.changed >= begun:
            raise data_changed()


def _sum(first: int | None, second: int | None) -> int | None:
    """Return the bytes of both, None where the service hides those of one."""
    return None if first is None or second is None else first + second


def _stamped(moment: datetime | None) -> DataReference:
    if moment is None:
        return DataReference(kind="none")
    return DataReference(kind="timestamp", value=moment.isoformat())
