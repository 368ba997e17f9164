"""On real engines: the regenerated text returns the rows of the one sent, and reads the columns we say."""

import json
from collections.abc import Callable, Iterator
from functools import cache

import duckdb
import psycopg
import pytest
from hypothesis import HealthCheck, assume, given, settings

from metric_layer.plan import Dialect
from metric_layer.sql import Reader, Reading, ReadLimits
from tests.metric_layer.sql.lending_data import statements
from tests.metric_layer.sql.querying import queries
from tests.policies.checks.lending import TABLES, catalogue
from tests.policies.checks.test_allowed_sql import FINE, FINE_IN
from tests.servers.postgres import Server

Run = Callable[[str], list[str]]
LACKS = "lacks_{0}_{1}"
drawn = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])


@cache
def reader(dialect: Dialect) -> Reader:
    """Return a reader that cuts no result of these tests, and for whom no column is personal."""
    return Reader(catalogue(dialect, ""), ReadLimits(max_rows=1_000_000))


def read(sql: str, dialect: Dialect) -> Reading:
    return reader(dialect).read(sql)


@pytest.fixture(scope="module")
def duck() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        for statement in statements("duckdb"):
            connection.execute(statement)
        connection.execute("SET search_path = 'lend'")
        yield connection


@pytest.fixture(scope="module")
def postgres(postgres_server: Server) -> Iterator[psycopg.Connection]:
    """The library on PostgreSQL, with a role for each column that may read every other one."""
    with postgres_server.database() as name, psycopg.connect(postgres_server.dsn(database=name)) as found:
        for statement in statements("postgres"):
            found.execute(statement.encode())
        for table, column, others in columns():
            role = LACKS.format(table, column)
            found.execute(f"CREATE ROLE {role}; GRANT USAGE ON SCHEMA lend TO {role}".encode())
            for granted, names in others.items():
                found.execute(f"GRANT SELECT ({', '.join(names)}) ON lend.{granted} TO {role}".encode())
        found.execute(b"SET search_path = lend; SET statement_timeout = '20s'")
        found.commit()
        yield found
        found.rollback()
        for table, column, _ in columns():
            role = LACKS.format(table, column)
            found.execute(f"DROP OWNED BY {role}; DROP ROLE {role}".encode())
        found.commit()


def columns() -> Iterator[tuple[str, str, dict[str, list[str]]]]:
    """Yield each column with the columns that are left, by table, when it is taken away."""
    named = {name.split(".")[1]: [spec.split(":")[0] for spec in specs] for name, specs in TABLES.items()}
    for table, names in named.items():
        for column in names:
            yield table, column, {**named, table: [each for each in names if each != column]}


def columns_of(found: Reading) -> Iterator[tuple[str, str, dict[str, list[str]]]]:
    """Yield the columns of the tables that a text reads."""
    read_from = {table.name for table in found.tables}
    return (each for each in columns() if f"lend.{each[0]}" in read_from)


def on_duckdb(connection: duckdb.DuckDBPyConnection) -> Run:
    def run(sql: str) -> list[str]:
        try:
            return sorted(map(repr, connection.execute(sql).fetchall()))
        except duckdb.Error as error:
            return [type(error).__name__]

    return run


def on_postgres(connection: psycopg.Connection) -> Run:
    def run(sql: str) -> list[str]:
        try:
            with connection.transaction(force_rollback=True):
                return sorted(map(repr, connection.execute(sql.encode()).fetchall()))
        except psycopg.Error as error:
            return [type(error).__name__]

    return run


def assert_same_rows(sql: str, dialect: Dialect, run: Run) -> None:
    found = read(sql, dialect)
    assume(found.sql)
    assert run(found.sql) == run(sql)


@drawn
@given(queries())
def test_a_drawn_query_returns_the_same_rows_from_duckdb(duck: duckdb.DuckDBPyConnection, sql: str) -> None:
    assert_same_rows(sql, "duckdb", on_duckdb(duck))


@drawn
@given(queries())
def test_a_drawn_query_returns_the_same_rows_from_postgres(postgres: psycopg.Connection, sql: str) -> None:
    assert_same_rows(sql, "postgres", on_postgres(postgres))


@pytest.mark.parametrize("sql", [*FINE, *FINE_IN["postgres"]])
def test_an_allowed_query_returns_the_same_rows_from_postgres(postgres: psycopg.Connection, sql: str) -> None:
    found = read(sql, "postgres")
    run = on_postgres(postgres)
    assert found.sql and run(found.sql) == run(sql)


def plans(connection: psycopg.Connection, sql: str) -> bool:
    """Say whether PostgreSQL can plan a text: one that is ill-typed is refused whatever may be read."""
    try:
        with connection.transaction(force_rollback=True):
            connection.execute(f"EXPLAIN {sql}".encode())
    except psycopg.Error:
        return False
    return True


def refused_columns(connection: psycopg.Connection, found: Reading) -> set[tuple[str, str]]:
    """Return the columns of its tables without which PostgreSQL refuses even to plan a text."""
    refused = set()
    for table, column, _ in columns_of(found):
        try:
            with connection.transaction(force_rollback=True):
                connection.execute(f"SET LOCAL ROLE {LACKS.format(table, column)}".encode())
                connection.execute(f"EXPLAIN {found.sql}".encode())
        except psycopg.errors.InsufficientPrivilege:
            refused.add((f"lend.{table}", column))
    return refused


@drawn
@given(queries())
def test_postgres_demands_the_columns_that_we_say_are_read(postgres: psycopg.Connection, sql: str) -> None:
    found = read(sql, "postgres")
    assume(found.sql and plans(postgres, found.sql))
    assert refused_columns(postgres, found) == {(c.table, c.column) for c in found.columns}


@drawn
@given(queries())
def test_duckdb_cannot_bind_a_query_without_a_column_that_we_say_is_read(
    duck: duckdb.DuckDBPyConnection, sql: str
) -> None:
    found = read(sql, "duckdb")
    assume(found.sql and binds(duck, found.sql))
    named = {(c.table, c.column) for c in found.columns}
    for table, column, others in columns_of(found):
        written = f'"lend"."{table}"'
        narrow = f"(SELECT {', '.join(others[table])} FROM lend.{table})"
        bound = binds(duck, found.sql.replace(written, narrow))
        assert bound == ((f"lend.{table}", column) not in named), (table, column)


def binds(connection: duckdb.DuckDBPyConnection, sql: str) -> bool:
    """Say whether DuckDB can bind a text."""
    try:
        connection.execute(f"EXPLAIN {sql}")
    except duckdb.Error:
        return False
    return True


def serialised(connection: duckdb.DuckDBPyConnection, sql: str) -> tuple[int, set[str]]:
    """Return how many statements DuckDB's own parser sees in a text, and which tables they name."""
    row = connection.execute("SELECT json_serialize_sql(?)", [sql]).fetchone()
    assert row is not None
    tree = json.loads(row[0])
    assert not tree["error"], tree
    named, stack = set(), [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            if node.get("type") == "BASE_TABLE" and node["schema_name"]:
                named.add(f"{node['schema_name']}.{node['table_name']}")
            stack.extend(node.values())
        elif isinstance(node, list):
            stack.extend(node)
    return len(tree["statements"]), named


@pytest.mark.parametrize("sql", [sql for sql in (*FINE, *FINE_IN["duckdb"]) if "PIVOT" not in sql])
def test_duckdb_sees_the_one_statement_and_the_tables_that_we_see(
    duck: duckdb.DuckDBPyConnection, sql: str
) -> None:
    """A PIVOT is left out: DuckDB makes several statements of one that lists no values."""
    found = read(sql, "duckdb")
    assert serialised(duck, found.sql) == (1, {table.name for table in found.tables})


@drawn
@given(queries())
def test_duckdb_sees_the_tables_of_a_drawn_query(duck: duckdb.DuckDBPyConnection, sql: str) -> None:
    found = read(sql, "duckdb")
    assume(found.sql)
    assert serialised(duck, found.sql) == (1, {table.name for table in found.tables})
