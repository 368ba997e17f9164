"""Reads the catalogue of a DuckDB file: tables, columns, keys and comments."""

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb

from gateway.engines.catalogue import CatalogueColumn, CatalogueTable, ForeignKey
from gateway.engines.duckdb_errors import as_open_error, missing_file
from metric_layer.definitions import ColumnType

TYPES: Mapping[str, ColumnType] = {
    **dict.fromkeys(("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"), "integer"),
    **dict.fromkeys(("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"), "integer"),
    **dict.fromkeys(("FLOAT", "DOUBLE"), "float"),
    **dict.fromkeys(("VARCHAR", "UUID", "ENUM"), "string"),
    **dict.fromkeys(("TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS"), "timestamp"),
    "DECIMAL": "decimal",
    "BOOLEAN": "boolean",
    "DATE": "date",
    "TIMESTAMP WITH TIME ZONE": "timestamptz",
}
_HERE = "database_name = current_database() AND NOT internal"
_TABLES = f"""
SELECT schema_name, table_name, coalesce(comment, '') FROM duckdb_tables() WHERE {_HERE} AND NOT temporary
UNION ALL
SELECT schema_name, view_name, coalesce(comment, '') FROM duckdb_views() WHERE {_HERE} AND NOT temporary
ORDER BY ALL
"""
_COLUMNS = f"""
SELECT schema_name, table_name, column_name, data_type, is_nullable, coalesce(comment, '')
FROM duckdb_columns() WHERE {_HERE} ORDER BY schema_name, table_name, column_index
"""
_KEYS = """
SELECT schema_name, table_name, constraint_type, constraint_column_names, referenced_table,
       referenced_column_names
FROM duckdb_constraints() WHERE database_name = current_database()
  AND constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY')
ORDER BY schema_name, table_name, constraint_index
"""

Rows = list[tuple[Any, ...]]


def describe_duckdb(file: Path) -> tuple[CatalogueTable, ...]:
    """Return every table and view of a file, opened read-only. Raises EngineError."""
    if not file.is_file():
        raise missing_file(file)
    try:
        with duckdb.connect(str(file), read_only=True) as database:
            tables, columns, keys = (
                database.execute(query).fetchall() for query in (_TABLES, _COLUMNS, _KEYS)
            )
    except duckdb.Error as error:
        raise as_open_error(error, file) from None
    return _assembled(tables, columns, keys)


def _assembled(tables: Rows, columns: Rows, keys: Rows) -> tuple[CatalogueTable, ...]:
    found: dict[tuple[str, str], list[CatalogueColumn]] = defaultdict(list)
    for schema, table, name, native, nullable, comment in columns:
        # DECIMAL(12,2), ENUM('a', 'b'): the word before the bracket; a list is no such type.
        word = "" if native.endswith("]") else native.partition("(")[0]
        found[schema, table].append(
            CatalogueColumn(name, TYPES.get(word), native.partition("(")[0], nullable, comment)
        )
    held: dict[tuple[str, str], dict[str, list[tuple[Any, ...]]]] = defaultdict(lambda: defaultdict(list))
    for schema, table, kind, own, far, theirs in keys:
        held[schema, table][kind].append((tuple(own), far, tuple(theirs or ())))
    return tuple(
        CatalogueTable(
            schema=schema,
            name=table,
            columns=tuple(found[schema, table]),
            primary_key=next((own for own, _, _ in held[schema, table]["PRIMARY KEY"]), ()),
            unique_keys=tuple(own for own, _, _ in held[schema, table]["UNIQUE"]),
            foreign_keys=tuple(
                ForeignKey(own, (schema, far), theirs)
                for own, far, theirs in held[schema, table]["FOREIGN KEY"]
            ),
            comment=comment,
        )
        for schema, table, comment in tables
    )
