"""What PostgreSQL refuses, said in our own codes: no hidden name and no value of a row in the message."""

import psycopg

from gateway.engines.base import EngineError
from gateway.engines.postgres_wire import StatementFailed
from gateway.engines.refusals import (
    bad_sql,
    bad_value,
    failed,
    refused,
    too_large,
    unavailable,
    unreachable,
)

# Codes and classes of SQLSTATE, as in appendix A of the PostgreSQL manual.
CANCELLED = "57014"
DIVISION_BY_ZERO = "22012"
READ_ONLY = "25006"
NOT_PERMITTED = "42501"
LOCKED = "55P03"
NO_SUCH_ROLE = "22023"
TIME_IS_UP = ("25P04",)
TOO_LARGE = ("53400", "53200", "53100", "54001", "54000", "54011", "54023")
NO_ROOM = "53300"
GONE = ("08", "57P")
OF_VALUES = ("20", "21", "22", "23", "2F", "38", "39", "P0")
OF_TEXT = ("42", "0A", "3F", "26", "34")
CONFLICT = "40"
OF_OUR_FILES = ("private key file", "certificate file")
OF_THE_SERVERS_CERTIFICATE = ("certificate verify failed", "does not match host name", "root certificate")
OF_OUR_CERTIFICATE = tuple(
    f"alert {what}" for what in ("unknown ca", "certificate", "bad certificate", "unsupported certificate")
)
NO_PASSWORD = "no password supplied"
WAIT = ("too many connections", "remaining connection slots", "starting up", "shutting down", "recovery")


def as_query_error(failure: StatementFailed) -> EngineError:
    """Return our error for a statement of a caller that the database refused.

    What is said of text quotes the text; what is said of values, privileges and limits may tell of hidden
    rows and names, so those words are dropped.
    """
    code = failure.sqlstate
    if code in (READ_ONLY, NOT_PERMITTED):
        return refused()
    if code == LOCKED:
        return EngineError(
            "relation_locked",
            "somebody holds a relation of the question locked",
            retryable=True,
            next_step="Ask again when the change to the table is done.",
        )
    if code in TOO_LARGE:
        return too_large("memory, disk or nesting")
    if code.startswith((*GONE, NO_ROOM, CANCELLED)):
        return unavailable()
    if code.startswith(CONFLICT):
        return EngineError(
            "query_conflict",
            "the database gave the query up for another one",
            retryable=True,
            next_step="Ask again.",
        )
    if code.startswith(OF_TEXT):
        return bad_sql(failure.said)
    if code.startswith(OF_VALUES):
        return bad_value()
    return failed(code)


def as_open_error(error: psycopg.OperationalError, login: str) -> EngineError:
    """Return our error for a connection that could not be opened. Names no host."""
    text = str(error)
    if "FATAL" not in text and NO_PASSWORD not in text:
        return _as_certificate_error(text, login) or unreachable()
    if any(word in text for word in WAIT):
        return unavailable()
    return EngineError(
        "login_refused",
        f"the database refuses the login {login!r}",
        next_step="Check the role, its credential, and pg_hba.conf and pg_ident.conf of the server.",
    )


def _as_certificate_error(text: str, login: str) -> EngineError | None:
    """Return our error for an encrypted connection that failed over a certificate. Names no file."""
    if any(word in text for word in OF_THE_SERVERS_CERTIFICATE):
        return EngineError(
            "server_not_proved",
            "the server's certificate does not prove that it is the server of the engine's url",
            next_step="Check host and sslrootcert of the url, and the certificate of the server.",
        )
    if any(word in text for word in OF_OUR_CERTIFICATE):
        return EngineError(
            "certificate_refused",
            f"the server takes no such certificate for the login {login!r}: it has expired, was called back,"
            " or another authority signed it",
            next_step="Renew it where `credentials` or the url under [engine] says it is; the server's"
            " ssl_ca_file names who signs.",
        )
    if any(word in text for word in OF_OUR_FILES):
        return EngineError(
            "certificate_unusable",
            f"certificate and key of the login {login!r} cannot be used: one of them is not there, is none,"
            " belongs to another one, or may be read by others",
            next_step="Check both where `credentials` or the url under [engine] says they are; the key has"
            " mode 600.",
        )
    return None
