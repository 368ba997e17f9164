"""What BigQuery refuses, said in our own codes: no hidden name and no value of a row in the message."""

import http
import re

from google.api_core.exceptions import GoogleAPICallError
from requests.exceptions import ConnectionError as ConnectionBroken

from gateway.engines.base import EngineError, EngineTimeout

NARROWER = "Ask a shorter window or fewer dimensions."
AGAIN = "Ask again."
DOCTOR = "Run `cellbound doctor`."

# Reasons of BigQuery's own, from the page on its error messages.
TOO_DEAR = ("bytesBilledLimitExceeded",)
TOO_LARGE = ("resourcesExceeded", "responseTooLarge", "billingTierLimitExceeded")
QUOTA = ("quotaExceeded", "rateLimitExceeded", "jobRateLimitExceeded")
HIDDEN = ("accessDenied", "notFound", "forbidden")
OF_TEXT = ("invalidQuery", "invalid")
PASSING = ("backendError", "internalError", "jobBackendError", "jobInternalError", "tableUnavailable")
STOPPED = "stopped"
TIMED_OUT = "timeout"
SUGGESTED = re.compile(r"[;,.]?\s*did you mean [^?]*\?", re.IGNORECASE)


def reason_of(error: GoogleAPICallError) -> str:
    """Return the service's word for what is wrong, "" where it says none."""
    return str(error.errors[0].get("reason", "")) if error.errors else ""


def passes(error: Exception) -> bool:
    """Say whether an error of the service is one that may be gone in a moment."""
    if not isinstance(error, GoogleAPICallError):
        return isinstance(error, ConnectionBroken)
    # The driver makes a status of 500 of every reason that it does not know.
    reason = reason_of(error)
    return reason in PASSING if reason else (error.code or 0) >= 500


def as_query_error(error: GoogleAPICallError, *, priced: bool) -> EngineError:
    """Return our error for a statement that the service refused; `priced` says that a dry run refused it.

    A dry run judges the text alone, so its words quote the text. What is said of a run tells of values, and
    what is said of rights and bytes may tell of hidden rows and names: those words are dropped.
    """
    reason = reason_of(error)
    if reason == TIMED_OUT or (reason == STOPPED and "timed out" in _said(error).lower()):
        return timed_out(None)
    if passes(error):
        return unavailable()
    if error.code == http.HTTPStatus.UNAUTHORIZED:
        return unauthorised()
    if reason == STOPPED:
        return EngineError(
            "query_stopped", "the query was stopped in the database", retryable=True, next_step=AGAIN
        )
    if reason in (*TOO_DEAR, *TOO_LARGE):
        return EngineError(
            "query_too_large", "the query needs more than one query may take", next_step=NARROWER
        )
    if reason in QUOTA:
        return EngineError(
            "quota_exceeded",
            "the project or the asker has used up a quota of the service",
            retryable=reason != "quotaExceeded",
            next_step="Ask later, or ask the project's owner for more.",
        )
    if reason in HIDDEN:
        return refused()
    if reason in OF_TEXT:
        return _bad_sql(error) if priced else _bad_value()
    return EngineError(
        "database_failed", f"the database could not run the statement ({reason})", next_step=DOCTOR
    )


def refused() -> EngineError:
    """Return the error for something the asker has no right to in the database."""
    return EngineError(
        "statement_refused",
        "the database refuses what the statement does or reads",
        next_step="Only reading your role's relations and columns is possible here.",
    )


def unauthorised() -> EngineError:
    """Return the error for a credential that the service does not take, or no longer."""
    return EngineError(
        "login_refused",
        "the database refuses the asker's credential: it has expired, or it is not one",
        next_step="Renew it where `credentials` under [engine] takes it from.",
    )


def unavailable() -> EngineError:
    """Return the error for a service that fails for the moment."""
    return EngineError(
        "database_unavailable", "the database does not answer as it should", retryable=True, next_step=AGAIN
    )


def unreachable() -> EngineError:
    """Return the error for a service that cannot be reached. Names no host."""
    return EngineError(
        "database_unreachable",
        "the database does not answer",
        retryable=True,
        next_step="Check the engine's url in cellbound.toml and the way to the service.",
    )


def identity_refused(why: str) -> EngineError:
    """Return the error for a job that is not the asker's."""
    return EngineError("identity_refused", why, next_step=DOCTOR)


def not_one_select() -> EngineError:
    """Return the error for a statement of another kind."""
    return EngineError("not_one_select", "the statement is not exactly one SELECT")


def timed_out(seconds: float | None) -> EngineTimeout:
    """Return the error for a query that reached its time limit, or one that the service keeps."""
    limit = "the service's time limit" if seconds is None else f"its time limit of {seconds:g} s"
    return EngineTimeout(
        "query_timeout", f"the query was stopped at {limit}", retryable=True, next_step=NARROWER
    )


def unreadable() -> EngineError:
    """Return the error for a value that Python cannot hold."""
    return EngineError(
        "data_error",
        "a value is outside what a result can carry",
        next_step="Look at dates and casts in the definition.",
    )


def _bad_sql(error: GoogleAPICallError) -> EngineError:
    said = SUGGESTED.sub("", _said(error))
    return EngineError(
        "bad_sql",
        f"the database refuses the statement: {said}",
        next_step="Use only relations and columns that your role can see.",
    )


def _bad_value() -> EngineError:
    return EngineError(
        "data_error",
        "a value could not be converted or computed while the query ran",
        next_step="Look at casts and arithmetic in the definition.",
    )


def _said(error: GoogleAPICallError) -> str:
    """Return the service's own words; the driver's hold its address."""
    return " ".join(str(error.errors[0].get("message", "")).split()) if error.errors else ""
