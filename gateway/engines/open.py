"""A URL from the settings -> the engine it names. A driver is imported only when its engine is opened."""

import importlib
from collections.abc import Mapping
from pathlib import Path

from gateway.engines.base import Engine, EngineError, Limits, RoleScope
from metric_layer.plan import Dialect

DEFAULT_SCHEMAS: Mapping[str, tuple[Dialect, str]] = {"duckdb": ("duckdb", "main")}
HASHES = "content-hashes.json"


def dialect_of(url: str) -> tuple[Dialect, str]:
    """Return the SQL dialect of a url and the schema that a bare table name means. Raises EngineError."""
    scheme, colon, _ = url.partition(":")
    if colon and scheme in DEFAULT_SCHEMAS:
        return DEFAULT_SCHEMAS[scheme]
    raise EngineError(
        "unknown_engine",
        f"there is no engine {scheme!r}" if colon else f"{url!r} is not an engine's url",
        next_step=f"Write one of: {', '.join(f'{name}:FILE' for name in DEFAULT_SCHEMAS)}.",
    )


def open_engine(
    url: str, scopes: Mapping[str, RoleScope], limits: Limits, *, folder: Path, temp_directory: Path
) -> Engine:
    """Return the engine for `duckdb:FILE`, FILE relative to `folder` or absolute (`duckdb:///abs` works too).

    Nothing is opened yet. Raises EngineError, with what exists, for a url that names no engine or no file.
    """
    dialect, _ = dialect_of(url)
    file = url.partition(":")[2].removeprefix("//")
    if not file:
        raise EngineError(
            "no_database_file",
            f"{url!r} names no file",
            next_step="Write duckdb:data/NAME.duckdb in cellbound.toml.",
        )
    driver = importlib.import_module(f"gateway.engines.{dialect}")
    engine: Engine = driver.DuckDBEngine(
        folder / file, scopes, limits, temp_directory, hash_sidecar=temp_directory / HASHES
    )
    return engine
