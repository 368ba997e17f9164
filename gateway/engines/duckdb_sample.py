"""Samples columns of a DuckDB file or of Parquet files, opened read-only in the process that asks."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import duckdb

from gateway.engines.duckdb_errors import as_open_error, missing_file
from gateway.engines.sample import SHOWN, hard_limit, unreadable

MEMORY = ":memory:"


class DuckDBSampler:
    """One connection with one thread and little memory. `parquet` names relations that are Parquet files."""

    def __init__(self, file: Path, parquet: Mapping[str, tuple[str, ...]], seconds: float) -> None:
        """Open the file. Raises EngineError for one that cannot be read."""
        self._parquet, self._seconds = parquet, seconds
        in_memory = file.name == MEMORY
        if not in_memory and not file.is_file():
            raise missing_file(file)
        try:
            self._database = duckdb.connect(
                MEMORY if in_memory else str(file),
                read_only=not in_memory,
                config={"threads": 1, "memory_limit": "512MB", "enable_external_access": bool(parquet)},
            )
        except duckdb.Error as error:
            raise as_open_error(error, file) from None

    def columns(self, relation: tuple[str, ...]) -> tuple[str, ...]:
        """Return the columns of a table, a view or of Parquet files."""
        with self._reading(relation) as (source, given):
            rows = self._database.execute(f"DESCRIBE SELECT * FROM {source}", given).fetchall()
        return tuple(str(row[0]) for row in rows)

    def values(self, relation: tuple[str, ...], column: str, rows: int) -> tuple[str, ...]:
        """Return the first values that are not NULL."""
        name = _quoted(column)
        with self._reading(relation) as (source, given):
            found = self._database.execute(
                f"SELECT left(CAST({name} AS VARCHAR), {SHOWN}) FROM {source}"
                f" WHERE {name} IS NOT NULL LIMIT {hard_limit(rows)}",
                given,
            ).fetchall()
        return tuple(str(value) for (value,) in found)

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    @contextmanager
    def _reading(self, relation: tuple[str, ...]) -> Iterator[tuple[str, list[list[str]]]]:
        """Yield what stands for a relation in SQL with its parameters, and stop what takes too long."""
        paths = self._parquet.get(".".join(relation)) or self._parquet.get(relation[-1])
        watch = threading.Timer(self._seconds, self._database.interrupt)
        watch.daemon = True
        watch.start()
        try:
            if paths:
                yield "read_parquet(?)", [list(paths)]
            else:
                yield ".".join(map(_quoted, relation)), []
        except duckdb.InterruptException:
            raise unreadable(f"it took longer than {self._seconds:g} s") from None
        except duckdb.Error as error:
            raise unreadable(type(error).__name__) from None
        finally:
            watch.cancel()


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
