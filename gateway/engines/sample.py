"""A small read of columns by who looks at data and asks no question: read-only, few rows per column."""

from typing import Protocol

from gateway.engines.base import EngineError

SHOWN = 500
"""Characters of a value that are read at most."""
MOST_ROWS = 1_000
"""The hard limit of rows that are read of a column, whatever the settings say."""


class Sampler(Protocol):
    """Reads the first values of columns under a login of its own. Raises EngineError, with no value in it."""

    def columns(self, relation: tuple[str, ...]) -> tuple[str, ...]:
        """Return the columns that a relation has in the database, as the login sees it."""
        ...

    def values(self, relation: tuple[str, ...], column: str, rows: int) -> tuple[str, ...]:
        """Return at most `rows` values of a column that are not NULL, as texts of up to SHOWN characters."""
        ...

    def close(self) -> None:
        """Give the connection back."""
        ...


def hard_limit(rows: int) -> int:
    """Return how many rows are read: what was asked for, within the hard limit."""
    return max(1, min(rows, MOST_ROWS))


def unreadable(why: str) -> EngineError:
    """Return the error for a column that cannot be sampled; the driver's own words may quote a value."""
    return EngineError(
        "sample_unreadable",
        f"the column cannot be sampled ({why})",
        next_step="Let the login of [discovery] read the table, or take the column out of the definitions.",
    )
