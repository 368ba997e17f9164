"""Samples columns of a BigQuery dataset as one login; what a statement may bill is the url's own limit."""

import time
from contextlib import ExitStack, closing

from gateway.engines.base import EngineError, Identity, Limits
from gateway.engines.bigquery_names import full_name, part
from gateway.engines.bigquery_session import Call, Session
from gateway.engines.bigquery_target import Target
from gateway.engines.credentials import Secrets
from gateway.engines.flights import Flights
from gateway.engines.sample import SHOWN, hard_limit, unreadable


class BigQuerySampler:
    """One session; a statement that takes longer than `seconds` is stopped."""

    def __init__(self, target: Target, who: Identity, secrets: Secrets, seconds: float) -> None:
        """Connect to nothing yet."""
        self._target, self._seconds = target, seconds
        self._limits = Limits(rows=0, bytes=0, seconds=seconds, memory_mb=0, spill_mb=0)
        self._stack = ExitStack()
        self._flight = self._stack.enter_context(Flights(1.0).flying("discovery"))
        self._session = self._stack.enter_context(closing(Session(target, who, secrets)))

    def columns(self, relation: tuple[str, ...]) -> tuple[str, ...]:
        """Return the columns that the login is told of. Nothing is billed."""
        table = self._session.table(self._call(), self._full(relation))
        if table is None:
            raise unreadable("not readable")
        return tuple(field.name for field in table.schema)

    def values(self, relation: tuple[str, ...], column: str, rows: int) -> tuple[str, ...]:
        """Return the first values that are not NULL; the column is billed as far as BigQuery reads it."""
        name, most = part(column), hard_limit(rows)
        source = ".".join(map(part, self._full(relation).split(".")))
        statement = (
            f"SELECT LEFT(CAST({name} AS STRING), {SHOWN}) AS shown FROM {source}"
            f" WHERE {name} IS NOT NULL LIMIT {most}"
        )
        try:
            found = self._session.ask(self._call(), statement, most).all()
        except EngineError as error:
            raise unreadable(error.code) from None
        return tuple(str(value) for (value,) in found)

    def close(self) -> None:
        """End the session."""
        self._stack.close()

    def _call(self) -> Call:
        return Call(self._flight, self._limits, time.monotonic() + self._seconds)

    def _full(self, relation: tuple[str, ...]) -> str:
        return full_name(".".join(relation), self._target.project, self._target.dataset)
