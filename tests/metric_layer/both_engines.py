"""The same tables and the same plan on DuckDB and on a real PostgreSQL: one answer, or the test fails."""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from decimal import Decimal

import duckdb
import psycopg

from metric_layer.compile import compile_plan
from metric_layer.definitions import ColumnType
from metric_layer.layer import Layer
from metric_layer.resolved import ResolvedPlan
from tests.metric_layer.trap_shop import resolved_of
from tests.servers.postgres import Server

MAX_ROWS = 1000

Rows = list[tuple[object, ...]]


@dataclass(frozen=True, slots=True)
class BothEngines:
    """One open connection to each engine; PostgreSQL looks for tables in a schema called as DuckDB's is."""

    duckdb: duckdb.DuckDBPyConnection
    postgres: psycopg.Connection[tuple[object, ...]]

    def execute(self, statements: str) -> None:
        """Run the same statements on both."""
        self.duckdb.execute(statements)
        self.postgres.execute(statements.encode())

    def insert(self, table: str, rows: Sequence[Sequence[object]]) -> None:
        """Insert the same rows on both."""
        if not rows:
            return
        marks = ", ".join(["%s"] * len(rows[0]))
        self.duckdb.executemany(f"INSERT INTO {table} VALUES ({marks.replace('%s', '?')})", rows)
        with self.postgres.cursor() as cursor:
            cursor.executemany(f"INSERT INTO {table} VALUES ({marks})".encode(), rows)

    def rows(self, raw: Mapping[str, object], layer: Layer, choices: Mapping[str, str] | None = None) -> Rows:
        """Resolve a plan, run it on both, and return the rows, which must be equal and in the same order."""
        resolved = resolved_of(raw, layer, choices=choices)
        left = self.duckdb.execute(sql_of(resolved, layer, "duckdb")).fetchall()
        names = [column[0] for column in self.duckdb.description or ()]
        text = sql_of(resolved, layer, "postgres")
        with self.postgres.cursor() as cursor:
            right = cursor.execute(text.encode()).fetchall()
            assert [column.name for column in cursor.description or ()] == names
        kinds = [output.type for output in resolved.outputs]
        assert len(left) == len(right), text
        for ours, theirs in zip(left, right, strict=True):
            cells = zip(ours, theirs, kinds, strict=True)
            assert all(same(*cell) for cell in cells), f"{ours} is not {theirs}: {text}"
        return left


@contextmanager
def both_engines(
    server: Server, *, options: str = "", session: str = "-c timezone=UTC"
) -> Iterator[BothEngines]:
    """Open both engines on empty databases; `options` are those of PostgreSQL's CREATE DATABASE."""
    with server.database(options) as name:
        dsn = server.dsn(database=name, options=f"-c search_path=main,public {session}")
        with closing(duckdb.connect()) as left, psycopg.connect(dsn, autocommit=True) as right:
            right.execute("CREATE SCHEMA main")
            yield BothEngines(left, right)


def sql_of(resolved: ResolvedPlan, layer: Layer, dialect: str) -> str:
    """Return a plan's SQL for one engine."""
    return compile_plan(resolved, layer, dialect, MAX_ROWS).sql(dialect=dialect)


def same(ours: object, theirs: object, kind: ColumnType) -> bool:
    """Whether two engines' cells hold one value of one type."""
    ours, theirs = whole(ours, kind), whole(theirs, kind)
    if isinstance(ours, float) and isinstance(theirs, float):
        return math.isclose(ours, theirs, rel_tol=1e-12)
    return type(ours) is type(theirs) and ours == theirs


def whole(value: object, kind: ColumnType) -> object:
    """Return a whole number as an int, whichever of its wide types an engine sent it in."""
    if kind == "integer" and isinstance(value, Decimal) and value == value.to_integral_value():
        return int(value)
    return value
