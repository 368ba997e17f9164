"""What the stand-in tells of its tables: INFORMATION_SCHEMA and the keys that are declared."""

from collections.abc import Sequence
from typing import Any

import duckdb
import sqlglot
from sqlglot import exp

from tests.servers.snowflake_account import HISTORY, Account, Name

SCHEMA = "INFORMATION_SCHEMA"
_NATIVE = """
    CASE WHEN data_type IN ('TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'HUGEINT') THEN 'NUMBER'
         WHEN data_type LIKE 'DECIMAL%' THEN 'NUMBER'
         WHEN data_type IN ('DOUBLE', 'FLOAT') THEN 'FLOAT'
         WHEN data_type = 'VARCHAR' THEN 'TEXT'
         WHEN data_type = 'TIMESTAMP' THEN 'TIMESTAMP_NTZ'
         WHEN data_type LIKE '%TIME ZONE' THEN 'TIMESTAMP_TZ'
         WHEN data_type IN ('BOOLEAN', 'DATE') THEN data_type ELSE 'VARIANT' END"""
_VIEWS = {
    "TABLES": """SELECT schema_name AS "TABLE_SCHEMA", table_name AS "TABLE_NAME", comment AS "COMMENT"
                   FROM duckdb_tables() WHERE database_name = '{database}'""",
    "COLUMNS": f"""SELECT schema_name AS "TABLE_SCHEMA", table_name AS "TABLE_NAME",
                          column_name AS "COLUMN_NAME", column_index AS "ORDINAL_POSITION",
                          {_NATIVE} AS "DATA_TYPE", numeric_scale AS "NUMERIC_SCALE",
                          if(is_nullable, 'YES', 'NO') AS "IS_NULLABLE", comment AS "COMMENT"
                     FROM duckdb_columns() WHERE database_name = '{{database}}'""",
}
_KEYS = """
    SELECT schema_name, table_name, constraint_type, constraint_index, constraint_column_names,
           referenced_table, referenced_column_names
      FROM duckdb_constraints() WHERE database_name = ? ORDER BY ALL
"""
DECLARED = ("schema_name", "table_name", "column_name", "key_sequence", "constraint_name")
IMPORTED = (
    "pk_schema_name",
    "pk_table_name",
    "pk_column_name",
    "fk_schema_name",
    "fk_table_name",
    "fk_column_name",
    "key_sequence",
    "fk_name",
)


def view_of(account: Account, role: str, name: Name) -> exp.Query | None:
    """Return what a role sees of a view of INFORMATION_SCHEMA, as DuckDB runs it; None for another name."""
    if name[1] != SCHEMA or name[2] not in _VIEWS:
        return None
    seen = [other for other in account.versions if account.may(role, "SELECT", ".".join(other))]
    listed = ", ".join(f"('{schema}', '{table}')" for _, schema, table in seen) or "('', '')"
    text = _VIEWS[name[2]].format(database=name[0])
    found = sqlglot.parse_one(f"{text} AND (schema_name, table_name) IN ({listed})", read="duckdb")
    assert isinstance(found, exp.Query)
    return found


def keys_of(
    account: Account, role: str, cursor: duckdb.DuckDBPyConnection, kind: str, database: str
) -> tuple[Sequence[str], list[list[str | None]]]:
    """Return what SHOW PRIMARY, UNIQUE or IMPORTED KEYS lists for a role, and the names of its columns."""
    rows: list[list[str | None]] = []
    wanted = {"PRIMARY": "PRIMARY KEY", "UNIQUE": "UNIQUE", "IMPORTED": "FOREIGN KEY"}[kind]
    for schema, table, type_, number, own, far, theirs in _constraints(account, role, cursor, database):
        if type_ != wanted:
            continue
        called = f"SYS_CONSTRAINT_{schema}_{table}_{number}"
        for at, column in enumerate(own):
            sequence = str(at + 1)
            if kind == "IMPORTED":
                rows.append([schema, far, theirs[at], schema, table, column, sequence, called])
            else:
                rows.append([schema, table, column, sequence, called])
    return (IMPORTED if kind == "IMPORTED" else DECLARED), rows


def _constraints(
    account: Account, role: str, cursor: duckdb.DuckDBPyConnection, database: str
) -> list[tuple[Any, ...]]:
    return [
        row
        for row in cursor.execute(_KEYS, [database]).fetchall()
        if row[0] != HISTORY and account.may(role, "SELECT", f"{database}.{row[0]}.{row[1]}")
    ]
