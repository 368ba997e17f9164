"""What a query reads, in bytes: of each column in use by its type, of the days that its filters leave."""

import duckdb
from sqlglot import exp

from tests.servers.bigquery_project import Project, quoted
from tests.servers.bigquery_rows import field_of
from tests.servers.bigquery_sql import Read

MEGABYTE = 1024**2
LEAST = 10 * MEGABYTE
SIZES = {
    "INTEGER": 8,
    "FLOAT": 8,
    "NUMERIC": 16,
    "BIGNUMERIC": 32,
    "BOOLEAN": 1,
    "DATE": 8,
    "DATETIME": 8,
    "TIMESTAMP": 8,
    "TIME": 8,
}
DAY = "date_trunc('day', {column})"
LEFT: dict[type[exp.Expr], str] = {
    exp.GTE: f"{DAY} + INTERVAL 1 DAY > {{value}}",
    exp.GT: f"{DAY} + INTERVAL 1 DAY > {{value}}",
    exp.LT: f"{DAY} < {{value}}",
    exp.LTE: f"{DAY} <= {{value}}",
    exp.EQ: f"{DAY} = date_trunc('day', {{value}})",
}


def bytes_read(project: Project, cursor: duckdb.DuckDBPyConnection, reads: tuple[Read, ...]) -> int:
    """Return the bytes that the references to tables read in all."""
    return sum(_bytes(project, cursor, read) for read in reads)


def bytes_billed(read: int, tables: int) -> int:
    """Return what is billed: whole megabytes, ten at least for each table."""
    return max(-(-read // MEGABYTE) * MEGABYTE, tables * LEAST)


def stored(project: Project, cursor: duckdb.DuckDBPyConnection, read: Read) -> tuple[int, int]:
    """Return rows and bytes of a whole table."""
    found = cursor.execute(f"SELECT count(*) FROM {quoted(read.place)}").fetchone()
    assert found is not None
    return int(found[0]), _bytes(project, cursor, read)


def _bytes(project: Project, cursor: duckdb.DuckDBPyConnection, read: Read) -> int:
    if not read.columns:
        return 0
    types = project.columns(read.name)
    sums = " + ".join(_size(name, types[name]) for name in sorted(read.columns))
    found = cursor.execute(f"SELECT {sums} FROM {quoted(read.place)}{_left(project, read)}").fetchone()
    return int(found[0] or 0) if found else 0


def _size(column: str, type_: str) -> str:
    name, kind = quoted((column,)), field_of(column, type_)["type"]
    if kind in SIZES:
        return f"count({name}) * {SIZES[kind]}"
    return f"coalesce(sum(2 + strlen(CAST({name} AS VARCHAR))), 0)"


def _left(project: Project, read: Read) -> str:
    """Return the condition for the days that the filters on the partition column leave."""
    column = project.partitioned.get(read.name)
    kept = [
        LEFT[type(part)].format(column=quoted((column,)), value=part.expression.sql("duckdb"))
        for part in read.compared
        if column is not None and isinstance(part.this, exp.Column) and part.this.name == column
    ]
    return f" WHERE {' AND '.join(kept)}" if kept else ""
