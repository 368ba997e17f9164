"""One session of a user in one role: how it is opened and proved, and how a statement of it is run."""

import asyncio
import json
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from snowflake.connector.aio import SnowflakeConnection, connect
from snowflake.connector.errors import Error

from gateway.engines.base import EngineError, Identity, Limits
from gateway.engines.credentials import Secrets
from gateway.engines.event_loop import EventLoop, Overdue
from gateway.engines.flights import Flight
from gateway.engines.refusals import identity_refused, timed_out
from gateway.engines.snowflake_errors import SessionEnded, as_open_error, as_query_error
from gateway.engines.snowflake_target import Target

LOGIN_SECONDS = 15.0
CONNECT_SECONDS = 5
LOGOUT_SECONDS = 5
ATTEMPTS = 3
SLOWEST_RETRY_MS = 1000
TAG_LENGTH = 2000

# What a user or an account may have set otherwise: they decide what a name, a text or a value means.
PINNED: Mapping[str, Any] = {
    "QUOTED_IDENTIFIERS_IGNORE_CASE": True,
    "TIMEZONE": "UTC",
    "TIMESTAMP_TYPE_MAPPING": "TIMESTAMP_NTZ",
    "WEEK_START": 0,
    "WEEK_OF_YEAR_POLICY": 0,
    "TWO_DIGIT_CENTURY_START": 1970,
    "DATE_INPUT_FORMAT": "AUTO",
    "TIMESTAMP_INPUT_FORMAT": "AUTO",
    "BINARY_INPUT_FORMAT": "HEX",
    "CLIENT_TELEMETRY_ENABLED": False,
}
FACTS = (
    "SELECT CURRENT_USER(), CURRENT_ROLE(), CURRENT_SECONDARY_ROLES(),"
    " CURRENT_DATABASE(), CURRENT_SCHEMA(), CURRENT_WAREHOUSE(), CURRENT_VERSION()"
)


@dataclass(frozen=True, slots=True)
class Call:
    """One caller's way to the service: it can be stopped, and is over at `deadline` (monotonic)."""

    loop: EventLoop
    flight: Flight
    limits: Limits
    deadline: float

    @property
    def left(self) -> int:
        """Return the seconds that are left, whole ones as the service takes them."""
        return max(1, math.ceil(self.deadline - time.monotonic()))


class Answer:
    """The rows of a statement, fetched as they are asked for."""

    def __init__(self, session: "Session", cursor: Any, call: Call) -> None:
        self._session = session
        self._cursor = cursor
        self._call = call
        self.columns: tuple[Any, ...] = tuple(cursor.description or ())
        self.query_id = str(cursor.sfqid or "")

    def fetch(self, most: int) -> list[tuple[Any, ...]]:
        """Return the next rows; none when there are no more. Raises EngineError."""
        rows: list[tuple[Any, ...]] = self._session.waited(self._call, self._cursor.fetchmany(most))
        return rows

    def all(self) -> list[tuple[Any, ...]]:
        """Return every row of a statement of our own."""
        rows: list[tuple[Any, ...]] = self._session.waited(self._call, self._cursor.fetchall())
        return rows

    def named(self) -> list[dict[str, str]]:
        """Return every row of a SHOW command by the names of its columns."""
        names = [column.name.lower() for column in self.columns]
        return [dict(zip(names, map(str, row), strict=True)) for row in self.all()]


class Session:
    """A connection of one asker. `born` is on the monotonic clock; `version` is known once it is open.

    One at a time uses it. A statement that was left under way spoils it.
    """

    def __init__(self, target: Target, loop: EventLoop, who: Identity, secrets: Secrets) -> None:
        """Connect to nothing yet."""
        self._loop = loop
        self.who = who
        self.born = time.monotonic()
        self.version = ""
        self._target = target
        self._secrets = secrets
        self._connection: SnowflakeConnection | None = None
        self._proved = False
        self._spoiled = False

    def usable(self) -> bool:
        """Say whether the next asker of the same name and role may have it."""
        return self._proved and not self._spoiled

    def open(self, call: Call) -> None:
        """Log in, unless that has been done, and prove who acts and with what.

        Raises EngineError when the service cannot be reached, refuses the login or gives another session
        than the one that was asked for.
        """
        if self._proved:
            return
        call = replace(call, deadline=min(call.deadline, time.monotonic() + LOGIN_SECONDS))
        self._connection = self._logged_in(call)
        self._require_place(self._connection)
        self._require_facts(self._answered(call, FACTS, 1).all()[0])
        self._proved = True

    def ask(self, call: Call, sql: str, rows: int = 0) -> Answer:
        """Run one statement and return its rows, `rows` at most if not 0.

        A session that the service has forgotten in the meantime is opened again, once: nothing has run.
        Raises EngineError, EngineTimeout and EngineCancelled.
        """
        try:
            return self._answered(call, sql, rows)
        except SessionEnded:
            self.close()
        self.open(call)
        return self._answered(call, sql, rows)

    def waited(self, call: Call, work: Any) -> Any:
        """Return what the driver's work gives. Raises EngineError in our own words."""
        try:
            return call.loop.wait(work, call.flight, call.deadline)
        except Overdue:
            self._spoiled = True
            raise timed_out(call.limits.whole) from None
        except EngineError:
            self._spoiled = True
            raise
        except Error as error:
            self._spoiled = self._spoiled or not error.sqlstate
            raise as_query_error(error) from None
        except (ValueError, OverflowError):
            raise EngineError(
                "data_error",
                "a value is outside what a result can carry",
                next_step="Look at dates and casts in the definition.",
            ) from None

    def close(self) -> None:
        """Log out, which ends what still runs; nobody waits for it."""
        self._proved = False
        if self._connection is not None:
            self._loop.begin(_closed(self._connection))
            self._connection = None

    def _answered(self, call: Call, sql: str, rows: int) -> Answer:
        assert self._connection is not None
        cursor = self._connection.cursor()
        parameters = {
            "STATEMENT_TIMEOUT_IN_SECONDS": call.left,
            "STATEMENT_QUEUED_TIMEOUT_IN_SECONDS": call.left,
            "QUERY_TAG": f"cellbound {call.flight.query_id}"[:TAG_LENGTH],
            "MULTI_STATEMENT_COUNT": 1,
            **({"ROWS_PER_RESULTSET": rows} if rows else {}),
        }
        self.waited(call, cursor.execute(sql, _statement_params=parameters))
        return Answer(self, cursor, call)

    def _logged_in(self, call: Call) -> SnowflakeConnection:
        target, who = self._target, self.who
        work = _connected(
            self._proof,
            account=target.account,
            user=who.user,
            role=who.role,
            secondary_roles="NONE",
            database=target.database,
            schema=target.schema,
            warehouse=target.warehouse,
            session_parameters=dict(PINNED),
            application="cellbound",
            login_timeout=call.left,
            connect_timeout=CONNECT_SECONDS,
            request_timeout=CONNECT_SECONDS,
            retry_max_attempts=ATTEMPTS,
            retry_backoff_cap_ms=SLOWEST_RETRY_MS,
            client_store_temporary_credential=False,
            client_out_of_band_telemetry_enabled=False,
            enable_server_session_keep_alive_auto_detection=False,
            server_session_keep_alive=False,
            logout_total_timeout_seconds=LOGOUT_SECONDS,
            **target.address,
        )
        try:
            return call.loop.wait(work, call.flight, call.deadline)
        except Error as error:
            raise as_open_error(error, who.user, who.role) from None
        except Overdue:
            raise as_open_error(Error(), who.user, who.role) from None

    def _proof(self) -> dict[str, Any]:
        """Return what proves the asker; whoever keeps their secret may take a while to tell it."""
        secret = self._secrets.of(self.who.user, self._target.place())
        ways: dict[str, dict[str, Any]] = {
            "oauth": {"authenticator": "oauth", "token": secret},
            "pat": {"authenticator": "PROGRAMMATIC_ACCESS_TOKEN", "token": secret},
            "key_pair": {"authenticator": "SNOWFLAKE_JWT", "private_key": secret},
        }
        return ways[self._target.authenticator]

    def _require_place(self, made: SnowflakeConnection) -> None:
        """Refuse a connection that the connector did not make where the url points."""
        if not self._target.is_at(str(made.account), str(made.host)):
            raise EngineError(
                "target_refused",
                "the connector went to another account or host than those of the engine's url",
                next_step="Look for settings of Snowflake's own in the environment and the home folder.",
            )

    def _require_facts(self, facts: tuple[Any, ...]) -> None:
        """Refuse a session that is another's, has other rights, or was not given what the url pins."""
        user, role, secondary, *given, self.version = (str(fact or "") for fact in facts)
        target, who = self._target, self.who
        if (user.upper(), role.upper()) != (who.user.upper(), who.role.upper()) or _holds(secondary):
            raise identity_refused(
                f"the session is not that of {who.user!r} in the role {who.role!r} without secondary roles"
            )
        wanted = {"database": target.database, "schema": target.schema, "warehouse": target.warehouse}
        if missing := [k for (k, v), got in zip(wanted.items(), given, strict=True) if got.upper() != v]:
            raise EngineError(
                "target_refused",
                f"the role {who.role!r} did not get the {' and the '.join(missing)} of the engine's url",
                next_step="Grant their use to the role.",
            )


def _holds(secondary: str) -> bool:
    """Say whether secondary roles are in force, by what CURRENT_SECONDARY_ROLES says."""
    said = json.loads(secondary) if secondary else {}
    return bool(said.get("roles")) or said.get("value", "NONE") not in ("", "NONE")


async def _connected(proof: Callable[[], dict[str, Any]], **given: Any) -> SnowflakeConnection:
    """Log in; the secret is fetched beside the loop that every session shares."""
    connection: SnowflakeConnection = await connect(**given, **await asyncio.to_thread(proof))
    return connection


async def _closed(connection: SnowflakeConnection) -> None:
    try:
        await connection.close(retry=False)
    except Error:
        return
