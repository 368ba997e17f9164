"""One connection to the trace database: opened with deadlines, shut when stuck, its faults told apart."""

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import errors

from traces.errors import TraceDamaged, TraceUnwritable

CONNECT_SECONDS = 5
_GUARD = (
    "SELECT current_setting('server_encoding'), "
    "  has_table_privilege('cellbound.records', 'UPDATE, DELETE, TRUNCATE') OR r.rolsuper, "
    "  pg_is_in_recovery() OR current_setting('transaction_read_only')::bool "
    "FROM pg_roles r WHERE r.rolname = current_user"
)

Connection = psycopg.Connection[tuple[Any, ...]]


class Fault(NamedTuple):
    """What an error of the database means for traces: a stable code, words, and what to do."""

    code: str
    message: str
    next_step: str


_GONE = Fault(
    "trace_database_away", "the trace database does not answer", "check that it runs and is reachable"
)
_FULL = Fault("trace_disk_full", "there is no room for the trace", "free some space in the trace database")
_NO_RIGHT = Fault(
    "trace_no_right",
    "this user may not use the tables of the trace database",
    "run what `cellbound setup sql --traces` prints, as an owner",
)
_NO_TABLE = Fault(
    "trace_no_table",
    "the trace database has not been set up",
    "run what `cellbound setup sql --traces` prints, as an owner",
)
_READ_ONLY = Fault(
    "trace_read_only",
    "the trace database takes no writes: it is a standby or read-only",
    "point [traces] store at the primary",
)
_TAKEN = Fault(
    "trace_log_taken",
    "another writer put a record where this log goes on",
    "check that each replica has its own gateway process; the next question begins a log of its own",
)
_OTHER = Fault("trace_database_error", "the trace database refused the trace", "look into its log")


def shown(url: str) -> str:
    """Return the address of a database without anything secret."""
    parts = urlsplit(url)
    host = parts.hostname or "local socket"
    return urlunsplit((parts.scheme, f"{host}:{parts.port}" if parts.port else host, parts.path, "", ""))


def meaning(error: psycopg.Error) -> Fault:
    """Return what an error of the driver or the server means."""
    match error:
        case errors.DiskFull() | errors.OutOfMemory() | errors.ConfigurationLimitExceeded():
            return _FULL
        case errors.InsufficientPrivilege():
            return _NO_RIGHT
        case errors.UndefinedTable() | errors.InvalidSchemaName() | errors.UndefinedColumn():
            return _NO_TABLE
        case errors.ReadOnlySqlTransaction():
            return _READ_ONLY
        case errors.UniqueViolation():
            return _TAKEN
        case psycopg.OperationalError() | psycopg.InterfaceError():
            return _GONE
    return _OTHER


def unwritable(error: psycopg.Error, place: str) -> TraceUnwritable:
    """Return the error for a record that the database did not take."""
    fault = meaning(error)
    return TraceUnwritable(
        fault.code, f"{fault.message}{_state(error)}", place=place, next_step=fault.next_step
    )


@contextmanager
def reading(place: str) -> Iterator[None]:
    """Turn what the driver raises into TraceDamaged."""
    try:
        yield
    except psycopg.Error as error:
        fault = meaning(error)
        raise TraceDamaged(
            fault.code, f"{fault.message}{_state(error)}", place=place, next_step=fault.next_step
        ) from None


def connect(url: str, seconds: float, application: str) -> Connection:
    """Open a connection in autocommit mode; no statement on it takes more than `seconds`.

    Raises psycopg.Error.
    """
    milliseconds = int(seconds * 1000)
    return psycopg.connect(
        url,
        connect_timeout=CONNECT_SECONDS,
        application_name=application,
        client_encoding="utf8",
        autocommit=True,
        options=f"-c statement_timeout={milliseconds} -c search_path=pg_catalog",
        tcp_user_timeout=milliseconds,
        keepalives_idle=5,
        keepalives_interval=2,
        keepalives_count=3,
    )


def require_writer(connection: Connection, place: str) -> None:
    """Raise TraceUnwritable unless this login may add records and change none, where records are taken."""
    found = connection.execute(_GUARD).fetchone()
    encoding, strong, read_only = found or ("", True, True)
    if read_only:
        raise TraceUnwritable(
            _READ_ONLY.code, _READ_ONLY.message, place=place, next_step=_READ_ONLY.next_step
        )
    if strong:
        raise TraceUnwritable(
            "trace_role_too_strong",
            "this login could change or delete traces",
            place=place,
            next_step="log in as the writer of `cellbound setup sql --traces`: it may insert and select only",
        )
    if encoding != "UTF8":
        raise TraceUnwritable(
            "trace_encoding",
            f"the trace database keeps text as {encoding}",
            place=place,
            next_step="create it with ENCODING 'UTF8', as `cellbound setup sql --traces` does",
        )


@contextmanager
def deadline(connection: Connection, seconds: float) -> Iterator[None]:
    """Shut the connection's socket where the block takes longer: a server that stalls raises then."""
    timer = threading.Timer(seconds, _shut, (connection.fileno(),))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _shut(descriptor: int) -> None:
    with suppress(OSError), socket.socket(fileno=os.dup(descriptor)) as held:
        held.shutdown(socket.SHUT_RDWR)


def _state(error: psycopg.Error) -> str:
    return f" ({error.sqlstate})" if error.sqlstate else ""
