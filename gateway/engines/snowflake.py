"""Snowflake: every question runs as its asker, in one role, priced before and capped by the service."""

import itertools
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import UTC
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
from gateway.engines.credentials import Secrets, secrets_of
from gateway.engines.driver import driver_of
from gateway.engines.each_member import Members, faults_as, faults_of_each, promises_of_each
from gateway.engines.event_loop import EventLoop
from gateway.engines.flights import Flights
from gateway.engines.refusals import beside_too_large, data_changed, data_not_pinned
from gateway.engines.sessions import Sessions
from gateway.engines.snowflake_moment import Moment, moment_of
from gateway.engines.snowflake_plan import estimate, operations_of, relations
from gateway.engines.snowflake_proof import find_relation_faults, held_rights, inspect_asker, write_faults
from gateway.engines.snowflake_rows import read_rows, scanned
from gateway.engines.snowflake_session import Answer, Call, Session
from gateway.engines.snowflake_sizes import Sizes
from gateway.engines.snowflake_target import Target, target_of
from gateway.engines.turnstile import Turnstile
from gateway.remembered import OF_STATEMENTS, Remembered
from gateway.settings.file import EngineSettings
from metric_layer.plan import Dialect
from traces.records import DataReference, Estimate

STOP_EVERY = 0.05
EXPLAIN = "EXPLAIN USING JSON "
NOT_ADMITTED = ("credential_missing", "credential_expired", "login_refused", "identity_refused")
NOTES = (
    "rows and columns are held by the database: grants, views and row access policies of the asker's role",
    "nothing but grants keeps a session from writing: Snowflake knows no read-only transaction",
    "a bill is bounded by the warehouse's resource monitor, not per query",
)

Planned = tuple[str, ...]
"""The relations that a statement reads."""


@dataclass(frozen=True, slots=True)
class Asking:
    """An open session in somebody's hand."""

    session: Session
    call: Call

    def answer(self, sql: str, rows: int = 0) -> Answer:
        """Run one statement within what is left of the time limit."""
        return self.session.ask(self.call, sql, rows)

    def alone(self, sql: str) -> Answer:
        """Run one statement of a proof, with the whole time limit for itself."""
        call = replace(self.call, deadline=time.monotonic() + self.call.limits.seconds)
        return self.session.ask(call, sql)


class SnowflakeEngine:
    """One account, database and warehouse, reached as the asker in the role of the policy's name.

    Names mean the relations of that name whatever their capitals, in the url's schema where none is written.
    """

    dialect: Dialect = "snowflake"

    def __init__(
        self, target: Target, secrets: Secrets, settings: EngineSettings, limits: Limits, members: Members
    ) -> None:
        """Connect to nothing yet. `members` are the configured users of each role of the policy."""
        self._target = target
        self._settings = settings
        self._limits = limits
        self._members = members
        self._version = ""
        self._last: Identity | None = None
        self._loop = EventLoop()
        self._flights = Flights(STOP_EVERY)
        self._numbers = itertools.count()
        turnstile = Turnstile(settings.connections, settings.waiting, settings.wait_seconds)
        make = partial(Session, target, self._loop, secrets=secrets)
        self._sessions = Sessions[Session](make, turnstile, settings.connections)
        self._sizes = Sizes()
        self._planned = Remembered[tuple[Identity, str], Planned](OF_STATEMENTS)

    def explain(self, sql: str, who: Identity, limits: Limits, query_id: str = "") -> Estimate:
        """Return what is left to read after pruning at compile time, an upper bound. Nothing is executed.

        Raises EngineError when the statement is not one SELECT the asker may run, EngineTimeout when
        compiling takes too long.
        """
        with self._asking(who, limits, query_id) as asking:
            operations = operations_of(_text(asking.answer(EXPLAIN + sql)))
            names = self._planned.put((who, sql), relations(operations))
            return estimate(operations, self._sizes.of(asking.answer, names, who.role))

    def run(self, sql: str, who: Identity, limits: Limits, query_id: str, *, beside: str = "") -> Rows:
        """Run one SELECT as the asker and stream rows up to the caps of `limits`, after the one `beside` it.

        The relations are looked at before and after: unchanged ones gave both statements the same data.
        Raises EngineError, EngineTimeout, or EngineCancelled after `cancel(query_id)`.
        """
        statements = (beside, sql) if beside else (sql,)
        with self._asking(who, limits, query_id) as asking:
            names = {name for statement in statements for name in self._plan(asking, who, statement)}
            before = moment_of(asking.answer, names)
            started = time.monotonic()
            answers = []
            ahead = None
            if beside:
                answers.append(asking.answer(beside, limits.rows + 1))
                ahead = read_rows(answers[0], limits, started)
            if ahead and ahead.truncated:
                raise beside_too_large()
            answers.append(asking.answer(sql, limits.rows + 1))
            rows = read_rows(answers[-1], limits, started)
            data = _reference(before, moment_of(asking.answer, names), pinned=bool(beside))
            read = scanned(asking.answer, (answer.query_id for answer in answers))
            actual = rows.actual.model_copy(update={"bytes": read})
            found = replace(rows, data=data, actual=actual, query_id=answers[-1].query_id)
            return replace(found, beside=ahead.rows if ahead else ())

    def one_snapshot(self, query_id: str) -> AbstractContextManager[None]:
        """Do nothing: EXPLAIN reads no rows, and the text that was checked names no moment."""
        return nullcontext()

    def cancel(self, query_id: str) -> None:
        """Stop the query with that id; if it has not begun yet, it will not begin."""
        self._flights.stop(query_id)

    def pin(self, seconds: float | None = None, query_id: str = "") -> DataReference:
        """Return the moment that it is now by the database's clock: AT(TIMESTAMP) reads the data of it.

        It is asked as whoever asked last, else as the first configured user whose credential is good.
        """
        refusal: EngineError | None = None
        limits = self._limits if seconds is None else self._limits.leaving(seconds)
        until = time.monotonic() + limits.seconds
        for who in self._anybody():
            try:
                with self._asking(who, limits.leaving(until - time.monotonic()), query_id) as asking:
                    return _stamped(moment_of(asking.answer, ()))
            except EngineError as error:
                if error.code not in NOT_ADMITTED:
                    raise
                refusal = error
        if refusal is not None:
            raise refusal
        return DataReference(kind="none")

    def capabilities(self) -> Capabilities:
        """Return what Snowflake promises here; its version is known once somebody has connected."""
        return Capabilities(
            engine="snowflake",
            version=self._version,
            mode="login",
            driver=driver_of("snowflake-connector-python"),
            search_path=f"{self._target.database}.{self._target.schema}",
            enforces_rows="row access policies and views of the asker's role in the database",
            read_only=True,
            time_travel="AT(TIMESTAMP), as long as each table keeps its history",
            notes=NOTES,
            settings={
                "estimate": "of the moment it was asked for; the run reads a later one, and names it",
                "STATEMENT_TIMEOUT_IN_SECONDS": "per query",
                "ROWS_PER_RESULTSET": "per query",
                "QUERY_TAG": "the trace id",
                "secondary roles": "off",
                "warehouse": self._target.warehouse,
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
        """Stop what runs, close every session and end the driver's thread."""
        self._flights.stop_all()
        self._sessions.close()
        self._loop.close()

    def _promises(self, user: str, scope: RoleScope) -> tuple[Promise, ...]:
        with self._asking(Identity(user, scope.role), self._limits) as asking:
            return inspect_asker(asking.alone, user, scope, self._target)

    @contextmanager
    def _asking(self, who: Identity, limits: Limits, query_id: str = "") -> Iterator[Asking]:
        """Open a session of the asker and let it be stopped. Waiting for one is part of the time limit."""
        with (
            self._flights.flying(query_id or f"unnamed {next(self._numbers)}", limits.seconds) as flight,
            self._sessions.lent(who, flight) as session,
        ):
            call = Call(self._loop, flight, limits, flight.deadline)
            session.open(call)
            self._version, self._last = session.version, who
            yield Asking(session, call)

    def _anybody(self) -> Iterator[Identity]:
        """Yield who asked last, then every configured user in each role."""
        users = (Identity(user, role) for role, users in self._members.items() for user in users)
        yield from dict.fromkeys((*((self._last,) if self._last else ()), *users))

    def _plan(self, asking: Asking, who: Identity, sql: str) -> Planned:
        """Return the relations of a statement that is known to be one SELECT."""
        found = self._planned.found((who, sql))
        if found is None:
            operations = operations_of(_text(asking.answer(EXPLAIN + sql)))
            found = self._planned.put((who, sql), relations(operations))
        return found

    def _faults(self, user: str, scope: RoleScope) -> Iterator[str]:
        with self._asking(Identity(user, scope.role), self._limits) as asking:
            yield from faults_as(
                user,
                scope,
                lambda: write_faults(tuple(held_rights(asking.alone, scope.role)), self._target.warehouse),
                partial(find_relation_faults, asking.alone),
            )


def open_snowflake(
    settings: EngineSettings,
    limits: Limits,
    members: Members,
    folder: Path,
    exchanged: Secrets | None = None,
) -> SnowflakeEngine:
    """Return the engine that the settings name; a folder of credentials is relative to `folder`.

    Raises EngineError for a url that pins too little, and for a source of credentials that gives no secret.
    """
    target = target_of(settings.url)
    secrets = secrets_of(settings.credentials, folder, exchanged)
    if secrets is None or settings.mode != "login":
        raise EngineError(
            "credential_missing",
            "on Snowflake everybody logs in as themself, with a token or a key of their own",
            next_step='Write credentials = "environment", "files:FOLDER" or "hook:MODULE:FUNCTION".',
        )
    return SnowflakeEngine(target, secrets, settings, limits, members)


def _text(answer: Answer) -> str:
    return str(answer.all()[0][0])


def _reference(before: Moment, after: Moment, *, pinned: bool) -> DataReference:
    """Return the moment whose data a run read; `pinned` runs have to have read one."""
    if before.changes is not None and before.changes == after.changes:
        return _stamped(before)
    if not pinned:
        return DataReference(kind="none")
    if before.changes is None or after.changes is None:
        raise data_not_pinned()
    raise data_changed()


def _stamped(moment: Moment) -> DataReference:
    return DataReference(kind="timestamp", value=moment.at.replace(tzinfo=UTC).isoformat())
