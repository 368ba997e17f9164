"""One connection of one login: how it is opened, and the guarded transaction that all it does runs in."""

import math
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg.adapt import AdaptersMap
from psycopg.conninfo import make_conninfo
from psycopg.pq import TransactionStatus
from psycopg.sql import Identifier, Literal
from psycopg.types.string import TextLoader

from gateway.engines.base import EngineError, Limits
from gateway.engines.postgres_credentials import Credentials
from gateway.engines.postgres_errors import DIVISION_BY_ZERO, NO_SUCH_ROLE, NOT_PERMITTED, as_open_error
from gateway.engines.postgres_target import Target
from gateway.engines.postgres_wire import Exchange, Stalled, StatementFailed
from gateway.engines.refusals import identity_refused, unavailable

OLDEST = 140_000
LOCK_MILLISECONDS = 5000
GRACE = 0.5
ROLLBACK_SECONDS = 1.0
CANCEL_SECONDS = 0.3
PATIENCE = 0.4
KEPT_SECONDS = 4.0
IDLE_MILLISECONDS = 5000
NAME_LENGTH = 63
NO_OTHER_SECRET = {"password": "", "passfile": f"{os.devnull}/none"}
"""Keeps the driver from passwords of the environment (the stores have theirs there) and of the home."""
AS_TEXT = ("json", "jsonb", "uuid", "time", "timetz", "inet", "cidr")

# What a role or a database may have set otherwise, and what RESET ALL goes back to: most of them decide what
# a text or a value means; by the interval the server notices within half a second that the gateway is gone.
PINNED: Mapping[str, str] = {
    "search_path": "public,pg_temp",
    "standard_conforming_strings": "on",
    "transform_null_equals": "off",
    "TimeZone": "UTC",
    "DateStyle": "ISO,MDY",
    "client_connection_check_interval": "500",
    "extra_float_digits": "1",
    "row_security": "on",
}
CLOSING: tuple[tuple[str, ...], ...] = (("ROLLBACK",), ("DISCARD ALL",))

_FACTS = """
SELECT system_identifier || '/' || timeline_id || '/' || d.oid,
       {spill},
       (SELECT pg_catalog.string_agg(t.oid || '=' || t.typname, ',') FROM pg_catalog.pg_type AS t
         WHERE t.typtype = 'e' OR t.typname = 'citext')
  FROM pg_catalog.pg_control_system(), pg_catalog.pg_control_checkpoint(), pg_catalog.pg_database AS d
 WHERE d.datname = pg_catalog.current_database()
"""
_SPILL = "pg_catalog.has_parameter_privilege('temp_file_limit', 'SET')"

# One row, or an error before anything else runs: who acts, who logged in, that nothing can be written, and
# that neither of them stands above the row policies or has lost the login. The snapshot is the transaction's;
# rights and memberships are those of the moment, what a role may by itself is read in the snapshot.
_GUARD = """
SELECT pg_catalog.pg_current_snapshot()::text, 1 / (
  current_user = {user} AND session_user = {login}
  AND pg_catalog.pg_has_role(session_user, current_user, 'MEMBER')
  AND pg_catalog.current_setting('transaction_read_only') = 'on'
  AND coalesce((
    SELECT pg_catalog.bool_and(
             NOT rolsuper AND NOT rolbypassrls
             AND (rolname <> session_user OR rolcanlogin)
             AND (rolname <> session_user OR coalesce(rolvaliduntil > pg_catalog.now(), true)))
      FROM pg_catalog.pg_roles WHERE rolname IN (current_user, session_user)), false)
)::integer
"""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a connection told when it was opened.

    `version` is the number of the server, `origin` names the cluster, its timeline and the database,
    `spill_capped` says whether the login may set the cap on temporary files, `texts` are types whose values
    are texts, by their number.
    """

    version: int
    origin: str
    spill_capped: bool
    texts: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Part:
    """Which part of a transaction statements are: its `first` opens it, its `last` ends it."""

    first: bool
    last: bool


WHOLE = Part(first=True, last=True)


@dataclass(frozen=True, slots=True)
class Session:
    """A connection of one login; `born` is on the monotonic clock."""

    connection: psycopg.Connection[Any]
    login: str
    facts: Facts
    born: float

    def prepare(
        self, user: str, limits: Limits, label: str, *statements: str, part: Part = WHOLE
    ) -> "Guarded":
        """Return statements in a read-only transaction as the user, of their own or a part of one.

        Nothing is sent yet. The last part ends with what takes back anything that a statement may have left
        in the session.
        """
        opening = self._opening(user, limits, label, part)
        deadline = time.monotonic() + limits.seconds + GRACE
        closing = CLOSING if part.last else ()
        exchange = Exchange(self.connection, deadline, (*opening, *statements), *closing)
        return Guarded(self, exchange, len(opening), part.last)

    def roll_back(self) -> None:
        """End a transaction that is open, and take back what it left; a session that cannot is closed."""
        if self.connection.closed or self.connection.pgconn.transaction_status == TransactionStatus.IDLE:
            return
        exchange = Exchange(self.connection, time.monotonic() + ROLLBACK_SECONDS, *CLOSING)
        with suppress(Stalled, psycopg.Error), exchange:
            pass
        if not exchange.clean:
            self.connection.close()

    def price_write(self, user: str, statement: str, seconds: float) -> str:
        """EXPLAIN a write as the user, in a transaction that may write; nothing is executed.

        Returns the SQLSTATE of what refused it, "" where nothing did. Raises Stalled.
        """
        opening = ["BEGIN READ WRITE", f"SET LOCAL statement_timeout = {max(1, int(seconds * 1000))}"]
        if user != self.login:
            opening.append(f"SET LOCAL ROLE {Identifier(user).as_string()}")
        deadline = time.monotonic() + seconds + GRACE
        with Exchange(self.connection, deadline, (*opening, f"EXPLAIN {statement}"), *CLOSING) as exchange:
            try:
                exchange.results(len(opening) + 1)
            except StatementFailed as failed:
                return failed.sqlstate
        return ""

    def interrupt(self) -> None:
        """Ask the server to stop what runs. Safe from any thread, never raises."""
        with suppress(psycopg.Error, OSError):
            self.connection.cancel_safe(timeout=CANCEL_SECONDS)

    def usable(self) -> bool:
        """Say whether the connection is open, as far as can be seen without asking the server."""
        wire = self.connection.pgconn
        if self.connection.closed:
            return False
        try:
            # A server that ends a session says so first: the end itself is seen behind its words only.
            for _ in range(2):
                wire.consume_input()
                if wire.is_busy():
                    return False
        except psycopg.OperationalError:
            return False
        return True

    def _opening(self, user: str, limits: Limits, label: str, part: Part) -> tuple[str, ...]:
        guard = _GUARD.format(user=Literal(user).as_string(), login=Literal(self.login).as_string())
        if not part.first:
            return (*self._times(limits), guard)
        name = Literal(f"cellbound {label}"[:NAME_LENGTH]).as_string()
        milliseconds = _milliseconds(limits)
        begin = [
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
            *self._times(limits),
            f"SET LOCAL lock_timeout = {max(1, min(milliseconds // 2, LOCK_MILLISECONDS))}",
            f"SET LOCAL work_mem = '{max(4, limits.memory_mb // 16)}MB'",
            f"SET LOCAL application_name = {name}",
        ]
        if not part.last:
            begin.append(f"SET LOCAL idle_in_transaction_session_timeout = {IDLE_MILLISECONDS}")
        if self.facts.spill_capped:
            begin.append(f"SET LOCAL temp_file_limit = '{limits.spill_mb}MB'")
        if user != self.login:
            begin.append(f"SET LOCAL ROLE {Identifier(user).as_string()}")
        return (*begin, guard)

    def _times(self, limits: Limits) -> Iterator[str]:
        """Yield what limits the time of a part; the clock of a transaction starts again only from 0."""
        milliseconds = _milliseconds(limits)
        yield f"SET LOCAL statement_timeout = {milliseconds}"
        if self.facts.version >= 170_000:
            yield "SET LOCAL transaction_timeout = 0"
            yield f"SET LOCAL transaction_timeout = {milliseconds + int(2000 * GRACE)}"


@dataclass(frozen=True, slots=True)
class Guarded:
    """A part of a guarded transaction: `opening` statements come before those of the caller."""

    session: Session
    exchange: Exchange
    opening: int
    last: bool

    @contextmanager
    def running(self) -> Iterator[str]:
        """Send everything in one go and yield the snapshot that all statements read.

        Leaving the block early stops what runs. A session that is not clean after the last part is closed;
        after another one its transaction stays open. Raises EngineError `identity_refused` before any of the
        caller's statements has run, StatementFailed and Stalled.
        """
        try:
            with self.exchange:
                snapshot = self._admitted()
                try:
                    yield snapshot
                except EngineError:
                    self.session.interrupt()
                    raise
        except psycopg.OperationalError:
            raise unavailable() from None
        finally:
            if self.last and not self.exchange.clean:
                self.session.connection.close()

    def interrupter(self) -> Callable[[], None]:
        """Return what stops it: the server is asked, and soon nobody waits for its answer any more."""
        asked: list[float] = []

        def interrupt() -> None:
            asked.append(time.monotonic())
            if asked[-1] - asked[0] > PATIENCE:
                self.exchange.give_up()
            else:
                self.session.interrupt()

        return interrupt

    def _admitted(self) -> str:
        """Read the opening's results; return the snapshot."""
        try:
            guard = self.exchange.results(self.opening)[-1]
        except StatementFailed as failed:
            if failed.sqlstate in (DIVISION_BY_ZERO, NOT_PERMITTED, NO_SUCH_ROLE):
                raise identity_refused(
                    "its login has ended, it may not act as the asker, or one of them stands above the row"
                    " policies"
                ) from None
            raise
        return (guard.get_value(0, 0) or b"").decode()


def connect(target: Target, login: str, credentials: Credentials, seconds: float) -> Session:
    """Open a connection of the login and learn its facts, with an equal part of the time for each host.

    The driver takes whole seconds, two at least, so that whoever asks has to watch the time as well. Raises
    EngineError when the server cannot be reached, refuses the login, or is too old.
    """
    until = time.monotonic() + seconds
    parameters = {**target.parameters, "user": login}
    options = " ".join(f"-c {name}={value}" for name, value in PINNED.items())
    try:
        connection = psycopg.connect(
            make_conninfo(**{**NO_OTHER_SECRET, **parameters, **credentials.of(login, parameters)}),
            options=options,
            client_encoding="utf8",
            application_name="cellbound",
            connect_timeout=math.ceil(seconds / target.hosts),
            autocommit=True,
            context=_adapters(),
        )
    except psycopg.OperationalError as error:
        raise as_open_error(error, login) from None
    try:
        return Session(connection, login, _facts(connection, until), time.monotonic())
    except (psycopg.OperationalError, StatementFailed, Stalled):
        connection.close()
        raise unavailable() from None
    except EngineError:
        connection.close()
        raise


def _milliseconds(limits: Limits) -> int:
    return max(1, int(limits.seconds * 1000))


def _facts(connection: psycopg.Connection[Any], until: float) -> Facts:
    version = connection.info.server_version
    if version < OLDEST:
        raise EngineError(
            "database_version",
            f"PostgreSQL {version // 10_000} is older than {OLDEST // 10_000}",
            next_step="Use a server of a supported version.",
        )
    query = _FACTS.format(spill=_SPILL if version >= 150_000 else "false")
    with Exchange(connection, until, (query,)) as exchange:
        (found,) = exchange.results(1)
    origin, spill, texts = ((found.get_value(0, at) or b"").decode() for at in range(3))
    named = (pair.partition("=") for pair in texts.split(",") if pair)
    return Facts(version, origin, spill == "t", {int(number): name for number, _, name in named})


def _adapters() -> AdaptersMap:
    """Return how values are read: what a result cannot carry as itself comes as the text the server wrote."""
    adapters = AdaptersMap(psycopg.adapters)
    for name in AS_TEXT:
        adapters.register_loader(name, TextLoader)
    return adapters
