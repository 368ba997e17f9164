"""What Snowflake refuses, said in our own codes: no hidden name and no value of a row in the message."""

from snowflake.connector.errors import Error

from gateway.engines.base import EngineCancelled, EngineError, EngineTimeout

NARROWER = "Ask a shorter window or fewer dimensions."
AGAIN = "Ask again."
DOCTOR = "Run `cellbound doctor`."
UNAVAILABLE = "the database ended the session or takes no more"

# Numbers of Snowflake's own, from its documentation and its drivers.
STOPPED = 604
TIMED_OUT = (630,)
NO_WAREHOUSE = (606, 607, 609)
QUOTA = (90073,)
EXPIRED = (390318, 390114, 390195)
NO_SESSION = (390104, 390111, 390112, 390114)
DENIED = "42501"
TOO_LARGE = ("53", "54")
OF_VALUES = ("20", "21", "22", "23")
OF_TEXT = ("42", "02", "0A", "3F")


class SessionEnded(EngineError):
    """The service has forgotten the session: nothing ran, and it may be tried in a new one."""


def number_of(error: Error) -> int:
    """Return Snowflake's number of an error, 0 for one of the driver."""
    return max(error.errno or 0, 0)


def as_query_error(error: Error) -> EngineError:
    """Return our error for a statement of a caller that the service refused.

    What is said of text quotes the text; what is said of values, privileges and limits may tell of hidden
    rows and names, so those words are dropped.
    """
    number, state = number_of(error), str(error.sqlstate or "")
    if number in NO_SESSION:
        return SessionEnded("database_unavailable", UNAVAILABLE, retryable=True, next_step=AGAIN)
    if number in TIMED_OUT:
        return timed_out(None)
    if number in (*NO_WAREHOUSE, *QUOTA):
        return _no_warehouse(number)
    if number == STOPPED:
        return EngineError(
            "query_stopped", "the query was stopped in the database", retryable=True, next_step=AGAIN
        )
    if not number or not state or state.startswith(("08", "57")):
        return unavailable()
    if state == DENIED:
        return refused()
    if state.startswith(TOO_LARGE):
        return EngineError(
            "query_too_large", "the query needs more than one query may take", next_step=NARROWER
        )
    if state.startswith(OF_TEXT):
        return EngineError(
            "bad_sql",
            f"the database refuses the statement: {_said(error)}",
            next_step="Use only relations and columns that your role can see.",
        )
    if state.startswith(OF_VALUES):
        return EngineError(
            "data_error",
            "a value could not be converted or computed while the query ran",
            next_step="Look at casts and arithmetic in the definition.",
        )
    return EngineError(
        "database_failed", f"the database could not run the statement ({number:06d})", next_step=DOCTOR
    )


def as_open_error(error: Error, user: str, role: str) -> EngineError:
    """Return our error for a session that could not be opened. Names no host."""
    number = number_of(error)
    if number in EXPIRED:
        return EngineError(
            "credential_expired",
            f"the credential of the login {user!r} has expired",
            retryable=True,
            next_step="Renew it where `credentials` under [engine] takes it from.",
        )
    if 390_000 <= number < 400_000:
        return EngineError(
            "login_refused",
            f"the database refuses the login {user!r} in the role {role!r}",
            next_step="Check the user, the role granted to them, and their credential.",
        )
    return EngineError(
        "database_unreachable",
        "the database does not answer",
        retryable=True,
        next_step="Check the engine's url in cellbound.toml and the way to the service.",
    )


def refused() -> EngineError:
    """Return the error for something the asker has no right to in the database."""
    return EngineError(
        "statement_refused",
        "the database refuses what the statement does or reads",
        next_step="Only reading your role's relations and columns is possible here.",
    )


def unavailable() -> EngineError:
    """Return the error for a service that ended the session or takes no more."""
    return EngineError("database_unavailable", UNAVAILABLE, retryable=True, next_step=AGAIN)


def identity_refused(why: str) -> EngineError:
    """Return the error for a session that is not, or must not be, the asker's."""
    return EngineError("identity_refused", why, next_step=DOCTOR)


def timed_out(seconds: float | None) -> EngineTimeout:
    """Return the error for a query that reached its time limit, or the warehouse's own."""
    limit = "its warehouse's time limit" if seconds is None else f"its time limit of {seconds:g} s"
    return EngineTimeout(
        "query_timeout", f"the query was stopped at {limit}", retryable=True, next_step=NARROWER
    )


def cancelled() -> EngineCancelled:
    """Return the error for a query that its caller stopped."""
    return EngineCancelled("query_cancelled", "the query was stopped", next_step=AGAIN)


def _no_warehouse(number: int) -> EngineError:
    if number in QUOTA:
        return EngineError(
            "warehouse_quota",
            "the warehouse has used up its quota",
            next_step="Wait for its resource monitor to begin anew, or ask its owner.",
        )
    return EngineError(
        "warehouse_unavailable",
        "the warehouse is suspended, or the role may not use it",
        retryable=True,
        next_step="Ask its owner to resume it or to grant its use to the role.",
    )


def _said(error: Error) -> str:
    """Return the service's words without the driver's own around them."""
    text = str(error.raw_msg or "")
    return " ".join(text.removeprefix("SQL compilation error:").split())
