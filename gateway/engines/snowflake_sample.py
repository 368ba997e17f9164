"""Samples columns of a Snowflake database, logged in as its own user and role."""

import time
from contextlib import ExitStack, closing

from gateway.engines.base import EngineError, Identity, Limits
from gateway.engines.credentials import Secrets
from gateway.engines.event_loop import EventLoop
from gateway.engines.flights import Flights
from gateway.engines.sample import SHOWN, hard_limit, unreadable
from gateway.engines.snowflake_names import literal, part
from gateway.engines.snowflake_session import LOGIN_SECONDS, Call, Session
from gateway.engines.snowflake_target import Target

MOST_BYTES = 1 << 26
_COLUMNS = """
SELECT COLUMN_NAME FROM {database}.INFORMATION_SCHEMA.COLUMNS
 WHERE UPPER(TABLE_SCHEMA) = UPPER({schema}) AND UPPER(TABLE_NAME) = UPPER({table}) ORDER BY ORDINAL_POSITION
"""


class SnowflakeSampler:
    """One session; a statement that takes longer than `seconds` is stopped."""

    def __init__(self, target: Target, who: Identity, secrets: Secrets, seconds: float) -> None:
        """Log in. Raises EngineError."""
        self._target, self._seconds = target, seconds
        self._limits = Limits(rows=0, bytes=MOST_BYTES, seconds=seconds, memory_mb=0, spill_mb=0)
        self._stack = ExitStack()
        self._loop = EventLoop()
        self._flight = self._stack.enter_context(Flights(1.0).flying("discovery"))
        self._session = self._stack.enter_context(closing(Session(target, self._loop, who, secrets)))
        try:
            until = time.monotonic() + LOGIN_SECONDS
            self._session.open(Call(self._loop, self._flight, self._limits, until))
        except BaseException:
            self._stack.close()
            raise

    def columns(self, relation: tuple[str, ...]) -> tuple[str, ...]:
        """Return the columns that the role may read."""
        schema = relation[-2] if len(relation) > 1 else self._target.schema
        return self._texts(
            _COLUMNS.format(
                database=part(self._target.database), schema=literal(schema), table=literal(relation[-1])
            ),
            0,
        )

    def values(self, relation: tuple[str, ...], column: str, rows: int) -> tuple[str, ...]:
        """Return the first values that are not NULL."""
        name, most = part(_folded(column)), hard_limit(rows)
        source = ".".join(part(_folded(each)) for each in relation)
        return self._texts(
            f"SELECT LEFT(CAST({name} AS VARCHAR), {SHOWN}) FROM {source}"
            f" WHERE {name} IS NOT NULL LIMIT {most}",
            most,
        )

    def close(self) -> None:
        """Log out."""
        self._stack.close()

    def _texts(self, statement: str, most: int) -> tuple[str, ...]:
        call = Call(self._loop, self._flight, self._limits, time.monotonic() + self._seconds)
        try:
            found = self._session.ask(call, statement, most).all()
        except EngineError as error:
            raise unreadable(error.code) from None
        return tuple(str(value) for (value, *_) in found)


def _folded(name: str) -> str:
    """Return a name as the database keeps it: one in small letters was written without quotes."""
    return name.upper() if name == name.lower() else name
