"""What Snowflake refuses, said in our own codes: no hidden name and no value of a row in the message."""

from snowflake.connector.errors import Error

from gateway.engines.base import EngineError
from gateway.engines.refusals import (
    bad_sql,
    bad_value,
    failed,
    refused,
    stopped_elsewhere,
    timed_out,
    too_large,
    unavailable,
    unreachable,
)

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
        return SessionEnded(
            "database_unavailable", str(unavailable()), retryable=True, next_step="Ask again."
        )
    if number in TIMED_OUT:
        return timed_out(None)
    if number in (*NO_WAREHOUSE, *QUOTA):
        return _no_warehouse(number)
    if number == STOPPED:
        return stopped_elsewhere()
    if not number or not state or state.startswith(("08", "57")):
        return unavailable()
    if state == DENIED:
        return refused()
    if state.startswith(TOO_LARGE):
        return too_large("memory or time")
    if state.startswith(OF_TEXT):
        return bad_sql(_said(error))
    if state.startswith(OF_VALUES):
        return bad_value()
    return failed(f"{number:06d}")


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
    return unreachable()


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
