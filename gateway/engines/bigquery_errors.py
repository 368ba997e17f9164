"""What BigQuery refuses, said in our own codes: no hidden name and no value of a row in the message."""

import http
import re

from google.api_core.exceptions import GoogleAPICallError
from requests.exceptions import ConnectionError as ConnectionBroken

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
)

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
        return stopped_elsewhere()
    if reason in (*TOO_DEAR, *TOO_LARGE):
        return too_large("memory or bytes")
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
        return bad_sql(SUGGESTED.sub("", _said(error))) if priced else bad_value()
    return failed(reason)


def unauthorised() -> EngineError:
    """Return the error for a credential that the service does not take, or no longer."""
    return EngineError(
        "login_refused",
        "the database refuses the asker's credential: it has expired, or it is not one",
        next_step="Renew it where `credentials` under [engine] takes it from.",
    )


def unreadable() -> EngineError:
    """Return the error for a value that Python cannot hold."""
    return EngineError(
        "data_error",
        "a value is outside what a result can carry",
        next_step="Look at dates and casts in the definition.",
    )


def _said(error: GoogleAPICallError) -> str:
    """Return the service's own words; the driver's hold its address."""
    return " ".join(str(error.errors[0].get("message", "")).split()) if error.errors else ""
