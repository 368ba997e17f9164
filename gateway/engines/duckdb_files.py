"""Makes a DuckDB database file out of SQL statements: the whole file, or none."""

import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import duckdb

from gateway.engines.base import EngineError
from gateway.engines.duckdb_storage import quote


def write_tables(
    path: Path, statements: Sequence[str], variables: Mapping[str, str | int] | None = None
) -> None:
    """Run the statements against a new database and put its file at `path`.

    Each text may hold several statements; they read a variable as `getvariable('name')`. The file is built
    under another name in the same folder and moved into place, so that a half-written one is never found; a
    file that was there is replaced. Raises EngineError `engine_not_written`.
    """
    building = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with duckdb.connect(str(building)) as database:
            database.execute("SET enable_progress_bar = false")
            for name, value in (variables or {}).items():
                database.execute(f"SET VARIABLE {quote(name)} = {_literal(value)}")
            for statement in statements:
                database.execute(statement)
        building.replace(path)
    except (duckdb.Error, OSError) as fault:
        raise EngineError(
            "engine_not_written",
            f"the database file {path.name} could not be made: {fault}",
            next_step="See that the folder can be written to and has room, then try again.",
        ) from fault
    finally:
        for leftover in (building, building.with_name(f"{building.name}.wal")):
            with suppress(OSError):
                leftover.unlink()


def _literal(value: str | int) -> str:
    return str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"
