"""A URL from the settings -> the engine it names. A driver is imported only when its engine is opened."""

import importlib
import os
import re
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote

from gateway.engines.base import Engine, EngineError, Identity, Limits, RoleScope
from gateway.engines.bigquery_target import target_of as bigquery_target_of
from gateway.engines.catalogue import CatalogueTable
from gateway.engines.credentials import NO_LOGINS, FromEnvironment, Logins
from gateway.engines.sample import Sampler
from gateway.engines.snowflake_target import target_of as snowflake_target_of
from gateway.settings.file import DuckDBSettings, EngineSettings
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
_LOGIN = re.compile(r"(\w+://)([^/?#]*)@")


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
    logins: Logins = NO_LOGINS,
) -> Engine:
    """Return the engine of a file (`duckdb:///abs` works too) or of a database server, as WRITTEN shows.

    A file and the folder `extracts` are relative to `folder` or absolute. Nothing is opened yet. Raises
    EngineError, with what exists, for a url that names no engine, no file or no database, and for a driver
    that is not installed.
    """
    url = settings.url
    dialect, _ = dialect_of(url)
    if dialect in DRIVERS:
        _require(DRIVERS[dialect], extra=dialect)
        opener = getattr(importlib.import_module(f"gateway.engines.{dialect}"), f"open_{dialect}")
        server: Engine = opener(settings, limits, logins.members, folder, logins.exchanged)
        return server
    file = _file_of(url)
    driver = importlib.import_module("gateway.engines.duckdb")
    engine: Engine = driver.DuckDBEngine(
        folder / file,
        scopes,
        limits,
        temp_directory,
        settings=_placed(settings.duckdb, folder),
        extracts=folder / extracts,
        hash_sidecar=temp_directory / HASHES,
    )
    return engine


def describe_database(url: str, folder: Path) -> tuple[CatalogueTable, ...]:
    """Return the tables that a database's own catalogue tells of; a file is relative to `folder`.

    A cloud warehouse is read as the login and in the role of the url, which `pinned` takes off; what proves
    the login is in its variable of the environment. Raises EngineError for a database that cannot be read.
    """
    kept, who = pinned(url)
    dialect, _ = dialect_of(kept)
    found: tuple[CatalogueTable, ...]
    if dialect in DRIVERS:
        _require(DRIVERS[dialect], extra=dialect)
    reader = importlib.import_module(f"gateway.engines.{dialect}_catalogue")
    match dialect:
        case "duckdb":
            found = reader.describe_duckdb(folder / _file_of(url))
        case "postgres":
            found = reader.describe_postgres(url)
        case "snowflake":
            found = reader.describe_snowflake(
                snowflake_target_of(kept),
                _complete(who, "snowflake://LOGIN@ACCOUNT/DATABASE?warehouse=WAREHOUSE&role=ROLE", role=True),
                FromEnvironment(os.environ),
            )
        case "bigquery":
            found = reader.describe_bigquery(
                bigquery_target_of(kept),
                _complete(who, "bigquery://LOGIN@PROJECT/DATASET?location=LOCATION&principal=PRINCIPAL"),
                FromEnvironment(os.environ),
            )
    return found


def open_sampler(url: str, folder: Path, settings: DuckDBSettings, seconds: float) -> Sampler:
    """Return what samples a database under the login that its url names; a file is relative to `folder`.

    What proves the login is where `describe_database` looks for it. Raises EngineError.
    """
    kept, who = pinned(url)
    dialect, _ = dialect_of(kept)
    if dialect in DRIVERS:
        _require(DRIVERS[dialect], extra=dialect)
    module = importlib.import_module(f"gateway.engines.{dialect}_sample")
    found: Sampler
    match dialect:
        case "duckdb":
            paths = _placed(settings, folder).parquet
            parquet = {
                name: (each,) if isinstance(each, str) else tuple(each) for name, each in paths.items()
            }
            found = module.DuckDBSampler(folder / _file_of(url), parquet, seconds)
        case "postgres":
            found = module.PostgresSampler(url, seconds)
        case "snowflake":
            who = _complete(
                who, "snowflake://LOGIN@ACCOUNT/DATABASE?warehouse=WAREHOUSE&role=ROLE", role=True
            )
            found = module.SnowflakeSampler(
                snowflake_target_of(kept), who, FromEnvironment(os.environ), seconds
            )
        case "bigquery":
            who = _complete(who, "bigquery://LOGIN@PROJECT/DATASET?location=LOCATION&principal=PRINCIPAL")
            found = module.BigQuerySampler(
                bigquery_target_of(kept), who, FromEnvironment(os.environ), seconds
            )
    return found


def pinned(url: str) -> tuple[str, Identity]:
    """Return a server's url as a project keeps it, and whose login and which role were written in it.

    `snowflake://ANA@ACCOUNT/DATABASE?warehouse=W&role=ANALYST` is kept without ANA and without the role.
    """
    scheme, _, _ = url.partition(":")
    if DEFAULT_SCHEMAS.get(scheme, ("",))[0] not in DRIVERS:
        return url, Identity("", "")
    place, _, query = url.partition("?")
    login = _LOGIN.match(place)
    roles = [pair for pair in query.split("&") if pair.startswith("role=")]
    rest = "&".join(pair for pair in query.split("&") if pair and pair not in roles)
    user = unquote(login[2].partition(":")[0]) if login else ""
    role = unquote(roles[0].removeprefix("role=")) if roles else ""
    return _LOGIN.sub(r"\1", place) + (f"?{rest}" if rest else ""), Identity(user, role)


def _complete(who: Identity, written: str, *, role: bool = False) -> Identity:
    if not who.user or (role and not who.role):
        raise EngineError(
            "login_not_named",
            f"the url does not say {'whose login and role' if role else 'whose login'} reads the catalogue",
            next_step=f"Write {written}.",
        )
    return who


def _placed(settings: DuckDBSettings, folder: Path) -> DuckDBSettings:
    """Return the settings with the paths of Parquet files written out."""
    written = {
        name: tuple(
            str((folder / path).absolute()) for path in ((paths,) if isinstance(paths, str) else paths)
        )
        for name, paths in settings.parquet.items()
    }
    return settings.model_copy(update={"parquet": written})


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
