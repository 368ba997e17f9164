"""The cursor of a session: kept from order to order, with its time limit and the statements it has bound."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import duckdb

BOUND = 64
"""How many bound statements are kept."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A SELECT that was bound. `relation` runs it anew each time it is read: only its names are kept."""

    relation: duckdb.DuckDBPyRelation
    names: tuple[str, ...]
    types: tuple[str, ...]


class Cursor:
    """A cursor of the driver whose every statement is stopped after the time that `limit` said last."""

    def __init__(self, driver: duckdb.DuckDBPyConnection) -> None:
        """Take over a cursor that nobody else uses."""
        self.driver = driver
        self._limit = 0
        self._bound: dict[str, Statement] = {}

    def limit(self, seconds: float) -> None:
        """Have every further statement stopped after `seconds`."""
        limit = max(1, int(seconds * 1000))
        if limit != self._limit:
            self.driver.execute(f"SET max_execution_time={limit}")
            self._limit = limit

    def statement(self, sql: str) -> Statement:
        """Return one SELECT bound. Raises duckdb.Error where it cannot be."""
        found = self._bound.get(sql)
        if found is None:
            found = bound(self.driver, sql)
            if len(self._bound) >= BOUND:
                self._bound.clear()
            self._bound[sql] = found
        return found


class Cursors:
    """Lends the cursors of one instance. Whoever borrows while another does gets a cursor of their own."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Open nothing yet."""
        self._connection = connection
        self._kept: Cursor | None = None

    @contextmanager
    def lent(self, seconds: float) -> Iterator[Cursor]:
        """Yield a cursor with that time limit. One that something went wrong on is not used again."""
        cursor, self._kept = self._kept, None
        if cursor is None:
            cursor = Cursor(self._connection.cursor())
            cursor.driver.execute("SET enable_progress_bar=false")
        whole = False
        try:
            cursor.limit(seconds)
            yield cursor
            cursor.driver.abort()
            whole = True
        finally:
            if whole and self._kept is None:
                self._kept = cursor
            else:
                cursor.driver.close()

    def close(self) -> None:
        """Close the cursor that is kept; an instance lives as long as one of its cursors does."""
        if self._kept is not None:
            self._kept.driver.close()
            self._kept = None


def bound(cursor: duckdb.DuckDBPyConnection, sql: str) -> Statement:
    """Bind one SELECT on a cursor; nothing of it is read. Raises duckdb.Error."""
    relation = cursor.sql(sql)
    described = relation.description
    return Statement(
        relation,
        names=tuple(str(column[0]) for column in described),
        types=tuple(str(column[1]).strip('"') for column in described),
    )
