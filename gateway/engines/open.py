"""A URL from the settings -> the engine it names. A driver is imported only when its engine is opened."""

import importlib
from collections.abc import Mapping
from pathlib import Path

from gateway.engines.base import Engine, EngineError, Limits, RoleScope
from gateway.engines.bigquery_target import target_of as bigquery_target_of
from gateway.engines.catalogue import CatalogueTable
from gateway.engines.snowflake_target import target_of as snowflake_target_of
from gateway.settings import EngineSettings
from metric_layer.plan import Dialect

DEFAULT_SCHEMAS: Mapping[str, tuple[Dialect, str]] = {
    "duckdb": ("duckdb", "main"),
    "postgresql": ("postgres", "public"),
    "postgres": ("postgres", "public"),
    "snowflake": ("snowflake", "PUBLIC"),
    "bigquery": ("bigquery", ""),
}
DRIVERS: Mapping[Dialect, str] = {
    "postgres": "psycopg",
    "snowflake": "snowflake.connector",
    "bigquery": "google.cloud.bigquery",
}
WRITTEN = (
    "duckdb:FILE",
    "postgresql://HOST/DATABASE",
    "snowflake://ACCOUNT/DATABASE/SCHEMA?warehouse=WAREHOUSE",
    "bigquery://PROJECT/DATASET?location=LOCATION&principal={user}@DOMAIN",
)
HASHES = "content-hashes.json"
EXTRACTS = Path("var/extracts")


def dialect_of(url: str) -> tuple[Dialect, str]:
    """Return the SQL dialect of a url and the schema that a bare table name means. Raises EngineError."""
    scheme, colon, _ = url.partition(":")
    if colon and scheme in DEFAULT_SCHEMAS:
        dialect, schema = DEFAULT_SCHEMAS[scheme]
        if dialect == "snowflake":
            return dialect, snowflake_target_of(url).schema
        return dialect, bigquery_target_of(url).dataset if dialect == "bigquery" else schema
    raise EngineError(
        "unknown_engine",
        f"there is no engine {scheme!r}" if colon else f"{url!r} is not an engine's url",
        next_step=f"Write one of: {', '.join(WRITTEN)}.",
    )


def open_engine(
    settings: EngineSettings,
    scopes: Mapping[str, RoleScope],
    limits: Limits,
    *,
    folder: Path,
    temp_directory: Path,
    extracts: Path = EXTRACTS,
    members: Mapping[str, tuple[str, ...]] = {},
) -> Engine:
    """Return the engine of a file (`duckdb:///abs` works too) or of a database server, as WRITTEN shows.

    A file and the folder `extracts` are relative to `folder` or absolute. `members` are the configured users
    of each role. Nothing is opened yet. Raises EngineError, with what exists, for a url that names no engine,
    no file or no database, and for a driver that is not installed.
    """
    url = settings.url
    dialect, _ = dialect_of(url)
    if dialect in DRIVERS:
        _require(DRIVERS[dialect], extra=dialect)
        opener = getattr(importlib.import_module(f"gateway.engines.{dialect}"), f"open_{dialect}")
        server: Engine = opener(settings, limits, members, folder)
        return server
    file = _file_of(url)
    driver = importlib.import_module("gateway.engines.duckdb")
    engine: Engine = driver.DuckDBEngine(
        folder / file,
        scopes,
        limits,
        temp_directory,
        settings=settings.duckdb,
        extracts=folder / extracts,
        hash_sidecar=temp_directory / HASHES,
    )
    return engine


def describe_database(url: str, folder: Path) -> tuple[CatalogueTable, ...]:
    """Return the tables that a database's own catalogue tells of; a file is relative to `folder`.

    Raises EngineError for a database that cannot be reached, and for an engine whose catalogue is not read.
    """
    dialect, _ = dialect_of(url)
    found: tuple[CatalogueTable, ...]
    match dialect:
        case "duckdb":
            reader = importlib.import_module("gateway.engines.duckdb_catalogue")
            found = reader.describe_duckdb(folder / _file_of(url))
        case "postgres":
            _require(DRIVERS[dialect], extra=dialect)
            reader = importlib.import_module("gateway.engines.postgres_catalogue")
            found = reader.describe_postgres(url)
        case _:
            raise EngineError(
                "catalogue_not_read",
                f"the catalogue of {dialect} is not read",
                next_step="Make the project without --url and write metrics/ yourself, or import them.",
            )
    return found


def _file_of(url: str) -> str:
    file = url.partition(":")[2].removeprefix("//")
    if not file:
        raise EngineError(
            "no_database_file",
            f"{url!r} names no file",
            next_step="Write duckdb:data/NAME.duckdb in cellbound.toml.",
        )
    return file


def _require(driver: str, *, extra: str) -> None:
    """Import a driver, or say which extra brings it."""
    try:
        importlib.import_module(driver)
    except ImportError as fault:
        raise EngineError(
            "driver_missing",
            f"the database driver {driver} cannot be imported ({fault})",
            next_step=f"Install the extra: pip install 'cellbound[{extra}]'.",
        ) from fault
