"""What every database refuses alike, in our own codes: no hidden name and no value of a row is in them."""

from gateway.engines.base import EngineCancelled, EngineError, EngineTimeout

NARROWER = "Ask a shorter window or fewer dimensions."
AGAIN = "Ask again."
DOCTOR = "Run `cellbound doctor`."


def refused() -> EngineError:
    """Return the error for something the asker has no right to in the database."""
    return EngineError(
        "statement_refused",
        "the database refuses what the statement does or reads",
        next_step="Only reading your role's relations and columns is possible here.",
    )


def bad_sql(said: str) -> EngineError:
    """Return the error for a text that the database cannot read; `said` are its words, cleaned."""
    return EngineError(
        "bad_sql",
        f"the database refuses the statement: {said}",
        next_step="Use only relations and columns that your role can see.",
    )


def bad_value() -> EngineError:
    """Return the error for a value of a row; the database's words may quote it and are dropped."""
    return EngineError(
        "data_error",
        "a value could not be converted or computed while the query ran",
        next_step="Ask a coarser unit or a shorter window, or tell the definition's owner to look at "
        "its casts and arithmetic.",
    )


def too_large(needs: str) -> EngineError:
    """Return the error for a query that `needs` more of something than it may have."""
    return EngineError(
        "query_too_large", f"the query needs more {needs} than one query may take", next_step=NARROWER
    )


def beside_too_large() -> EngineError:
    """Return the error for a statement beside a query whose rows meet a cap: it would count too few."""
    return EngineError(
        "query_too_large", "the statement beside the query gives too many rows", next_step=NARROWER
    )


def not_one_select() -> EngineError:
    """Return the error for a statement of another kind, or for several."""
    return EngineError(
        "not_one_select",
        "the statement is not exactly one SELECT",
        next_step="Send one SELECT that changes nothing, and no second statement beside it.",
    )


def failed(word: str) -> EngineError:
    """Return the error for a failure that is no other; `word` is the database's own code of it."""
    return EngineError(
        "database_failed", f"the database could not run the statement ({word})", next_step=DOCTOR
    )


def unavailable() -> EngineError:
    """Return the error for a database that ended the session, or takes no more for the moment."""
    return EngineError(
        "database_unavailable",
        "the database ended the session or takes no more",
        retryable=True,
        next_step=AGAIN,
    )


def unreachable() -> EngineError:
    """Return the error for a database that cannot be reached. Names no host."""
    return EngineError(
        "database_unreachable",
        "the database does not answer",
        retryable=True,
        next_step="Check the engine's url in cellbound.toml, the way there, and that the server runs.",
    )


def identity_refused(why: str) -> EngineError:
    """Return the error for a session that is not, or must not be, the asker's."""
    return EngineError(
        "identity_refused", f"the session is not, or must not be, the asker's: {why}", next_step=DOCTOR
    )


def stopped_elsewhere() -> EngineError:
    """Return the error for a query that somebody stopped in the database."""
    return EngineError(
        "query_stopped", "the query was stopped in the database", retryable=True, next_step=AGAIN
    )


def cancelled() -> EngineCancelled:
    """Return the error for a query that its caller stopped."""
    return EngineCancelled("query_cancelled", "the query was stopped", next_step=AGAIN)


def timed_out(seconds: float | None) -> EngineTimeout:
    """Return the error for a query that reached its time limit, or one that the database keeps of its own."""
    limit = "the database's own time limit" if seconds is None else f"its time limit of {seconds:g} s"
    return EngineTimeout(
        "query_timeout", f"the query was stopped at {limit}", retryable=True, next_step=NARROWER
    )


def data_changed() -> EngineError:
    """Return the error for data that became other while it was read."""
    return EngineError(
        "data_changed", "the data changed while the query ran", retryable=True, next_step=AGAIN
    )


def data_not_pinned() -> EngineError:
    """Return the error for two statements of which nobody can tell that they read the same data."""
    return EngineError(
        "data_not_pinned",
        "the database does not say whether the data changed between a query and the count of its joins",
        next_step="Attest the keys it joins on, or let the policy count never.",
    )
