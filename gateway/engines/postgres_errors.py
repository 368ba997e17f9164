"""What PostgreSQL refuses, said in our own codes: no hidden name and no value of a row in the message."""

import psycopg

from gateway.engines.base import EngineCancelled, EngineError, EngineTimeout
from gateway.engines.postgres_wire import StatementFailed

NARROWER = "Ask a shorter window or fewer dimensions."
AGAIN = "Ask again."
DOCTOR = "Run `cellbound doctor`."

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
WAIT = ("too many connections", "remaining connection slots", "starting up", "shutting down", "recovery")


def as_query_error(failed: StatementFailed) -> EngineError:
    """Return our error for a statement of a caller that the database refused.

    What is said of text quotes the text; what is said of values, privileges and limits may tell of hidden
    rows and names, so those words are dropped.
    """
    code = failed.sqlstate
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
        return EngineError(
            "query_too_large",
            "the query needs more memory, disk or nesting than one query may take",
            next_step=NARROWER,
        )
    if code.startswith((*GONE, NO_ROOM, CANCELLED)):
        return unavailable()
    if code.startswith(CONFLICT):
        return EngineError(
            "query_conflict",
            "the database gave the query up for another one",
            retryable=True,
            next_step=AGAIN,
        )
    if code.startswith(OF_TEXT):
        return EngineError(
            "bad_sql",
            f"the database refuses the statement: {failed.said}",
            next_step="Use only relations and columns that your role can see.",
        )
    if code.startswith(OF_VALUES):
        return EngineError(
            "data_error",
            "a value could not be converted or computed while the query ran",
            next_step="Look at casts and arithmetic in the definition.",
        )
    return EngineError(
        "database_failed", f"the database could not run the statement ({code})", next_step=DOCTOR
    )


def as_open_error(error: psycopg.OperationalError, login: str) -> EngineError:
    """Return our error for a connection that could not be opened. Names no host."""
    text = str(error)
    if "FATAL" not in text:
        return EngineError(
            "database_unreachable",
            "the database does not answer",
            retryable=True,
            next_step="Check the engine's url in cellbound.toml and that the server runs.",
        )
    if any(word in text for word in WAIT):
        return unavailable()
    return EngineError(
        "login_refused",
        f"the database refuses the login {login!r}",
        next_step="Check the role, its credential and the server's pg_hba.conf.",
    )


def refused() -> EngineError:
    """Return the error for something the asker has no right to in the database."""
    return EngineError(
        "statement_refused",
        "the database refuses what the statement does or reads",
        next_step="Only reading your role's relations and columns is possible here.",
    )


def unavailable() -> EngineError:
    """Return the error for a server that ended the session or takes no more."""
    return EngineError(
        "database_unavailable",
        "the database ended the session or takes no more",
        retryable=True,
        next_step=AGAIN,
    )


def identity_refused(why: str) -> EngineError:
    """Return the error for a session that is not, or must not be, the asker's."""
    return EngineError("identity_refused", why, next_step=DOCTOR)


def timed_out(seconds: float) -> EngineTimeout:
    """Return the error for a query that reached its time limit."""
    return EngineTimeout(
        "query_timeout",
        f"the query was stopped at its time limit of {seconds:g} s",
        retryable=True,
        next_step=NARROWER,
    )


def cancelled() -> EngineCancelled:
    """Return the error for a query that its caller stopped."""
    return EngineCancelled("query_cancelled", "the query was stopped", next_step=AGAIN)
