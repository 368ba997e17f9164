"""The tables of the suite in a database: loaded anew before each case, read for the truth."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import duckdb
import psycopg

from tests.servers.postgres import Server, running

TABLES = Path(__file__).resolve().parent / "tables.sql"


class Tables(Protocol):
    """A database with the tables of the suite."""

    folder: Path

    @property
    def url(self) -> str:
        """Return the engine's address of the tables as they are now."""
        ...

    def reset(self, change: str) -> None:
        """Load the tables as they are published, then make a case's change."""
        ...

    def rows(self, sql: str) -> list[list[Any]]:
        """Read."""
        ...


class DuckTables:
    """The tables in a DuckDB file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._number = 0

    @property
    def _file(self) -> Path:
        return self.folder / f"traps{self._number}.duckdb"

    @property
    def url(self) -> str:
        """Return the engine's address of the file as it is now."""
        return f"duckdb:{self._file}"

    def reset(self, change: str) -> None:
        """Write another file: the gateway may still have the last one open."""
        self._number += 1
        with duckdb.connect(str(self._file)) as database:
            database.execute(TABLES.read_text())
            if change:
                database.execute(change)

    def rows(self, sql: str) -> list[list[Any]]:
        """Read the file of the moment."""
        with duckdb.connect(str(self._file), read_only=True) as database:
            return [list(row) for row in database.execute(sql).fetchall()]


@contextmanager
def on_duckdb(folder: Path) -> Iterator[Tables]:
    """Yield the tables on DuckDB."""
    yield DuckTables(folder)


class PostgresTables:
    """The tables in a database of a test server, owned by nobody who asks."""

    def __init__(self, folder: Path, server: Server, database: str) -> None:
        self.folder = folder
        self._server = server
        self._database = database

    @property
    def url(self) -> str:
        """Return the engine's address of the database; who asks logs in as themself."""
        return f"postgresql:///{self._database}?host={self._server.folder}&port={self._server.port}"

    def reset(self, change: str) -> None:
        """Load the schema anew and let the asker read it."""
        with psycopg.connect(self._server.dsn(database=self._database), autocommit=True) as connection:
            for statement in (
                "DROP SCHEMA IF EXISTS public CASCADE",
                "CREATE SCHEMA public",
                TABLES.read_text(),
                change,
                "GRANT USAGE ON SCHEMA public TO asker",
                "GRANT SELECT ON ALL TABLES IN SCHEMA public TO asker",
            ):
                if statement:
                    connection.execute(statement.encode())

    def rows(self, sql: str) -> list[list[Any]]:
        """Read as the superuser."""
        with psycopg.connect(self._server.dsn(database=self._database)) as connection:
            return [list(row) for row in connection.execute(sql.encode()).fetchall()]


@contextmanager
def on_postgres(folder: Path) -> Iterator[Tables]:
    """Yield the tables on a PostgreSQL of our own."""
    with running() as server:
        server.execute("CREATE ROLE asker LOGIN")
        with server.database() as database:
            yield PostgresTables(folder, server, database)
