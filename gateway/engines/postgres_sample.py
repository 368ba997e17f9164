"""Samples columns of a PostgreSQL database in read-only transactions, under the login of its own url."""

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo
from psycopg.rows import tuple_row

from gateway.engines.postgres_errors import as_open_error
from gateway.engines.postgres_target import target_of
from gateway.engines.sample import SHOWN, hard_limit, unreadable

_COLUMNS = """
SELECT a.attname FROM pg_catalog.pg_attribute AS a
 WHERE a.attrelid = pg_catalog.to_regclass(%s) AND a.attnum > 0 AND NOT a.attisdropped
   AND pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'SELECT')
 ORDER BY a.attnum
"""


class PostgresSampler:
    """One connection; every statement is a transaction of its own that can write nothing and ends in time."""

    def __init__(self, url: str, seconds: float) -> None:
        """Connect. A password comes from where PostgreSQL's own programs find it. Raises EngineError."""
        target = target_of(url)
        parameters = {**target.parameters, **({"user": target.login} if target.login else {})}
        try:
            self._connection = psycopg.connect(
                make_conninfo(**parameters),
                options="-c default_transaction_read_only=on"
                f" -c statement_timeout={int(seconds * 1000)} -c row_security=on",
                connect_timeout=max(2, int(seconds)),
                application_name="cellbound discover",
                autocommit=True,
                row_factory=tuple_row,
            )
        except psycopg.OperationalError as error:
            raise as_open_error(error, target.login or "of the gateway") from None

    def columns(self, relation: tuple[str, ...]) -> tuple[str, ...]:
        """Return the columns that the login may read."""
        name = sql.Identifier(*relation).as_string(self._connection)
        return self._texts(sql.SQL(_COLUMNS), [name])

    def values(self, relation: tuple[str, ...], column: str, rows: int) -> tuple[str, ...]:
        """Return the first values that are not NULL."""
        statement = sql.SQL(
            "SELECT left({name}::text, {shown}) FROM {source} WHERE {name} IS NOT NULL LIMIT {rows}"
        )
        return self._texts(
            statement.format(
                name=sql.Identifier(column),
                shown=sql.Literal(SHOWN),
                source=sql.Identifier(*relation),
                rows=sql.Literal(hard_limit(rows)),
            ),
            [],
        )

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _texts(self, statement: sql.SQL | sql.Composed, given: list[str]) -> tuple[str, ...]:
        try:
            found = self._connection.execute(statement, given).fetchall()
        except psycopg.Error as error:
            code = error.sqlstate or type(error).__name__
            raise unreadable(code) from None
        return tuple(str(value) for (value,) in found)
