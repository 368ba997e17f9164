"""The place of a store -> its rows; the driver of a database is loaded only where there is one."""

import importlib
from pathlib import Path

from gateway.stores.rows import Place, Rows, StoreUnusable, Tables
from gateway.stores.sqlite_file import SqliteFile
from metric_layer.issues import Issue


def open_rows(place: Place, tables: Tables) -> Rows:
    """Open a file, or name a database that is opened at its first use. Raises StoreUnusable."""
    if isinstance(place, Path):
        return SqliteFile(place, tables.schema, version=tables.version, durability=tables.durability)
    try:
        module = importlib.import_module("gateway.stores.postgres")
    except ImportError as fault:
        raise StoreUnusable((_NO_DRIVER,)) from fault
    rows: Rows = module.PostgresRows(place, tables)
    return rows


_NO_DRIVER = Issue(
    code="store_driver_missing",
    message="the database driver psycopg cannot be imported",
    place="[state] url",
    next_step="Install the extra: pip install 'cellbound[postgres]'.",
)
