"""Columns that PostgreSQL's own plan computes with, of real plans."""

from collections.abc import Iterator

import psycopg
import pytest

from gateway.engines.postgres_columns import columns_used
from tests.servers.postgres import Server

pytestmark = pytest.mark.engine("postgres")

TABLES = """
CREATE TABLE people (id int PRIMARY KEY, "Full Name" text, mail text, town text);
CREATE TABLE bills (id int, person int, amount numeric, day date) PARTITION BY RANGE (day);
CREATE TABLE bills_1 PARTITION OF bills FOR VALUES FROM ('2026-01-01') TO ('2026-02-01');
CREATE TABLE bills_2 PARTITION OF bills FOR VALUES FROM ('2026-02-01') TO ('2026-03-01');
CREATE VIEW towns AS SELECT id, town FROM people WHERE mail IS NOT NULL;
"""


@pytest.fixture(scope="module")
def tables(postgres_server: Server) -> Iterator[psycopg.Connection]:
    with (
        postgres_server.database() as name,
        psycopg.connect(postgres_server.dsn(database=name), autocommit=True) as connection,
    ):
        connection.execute(TABLES)
        yield connection


def used(tables: psycopg.Connection, sql: str) -> set[str]:
    """Return the columns in the plan of a statement."""
    row = tables.execute(f"EXPLAIN (FORMAT JSON, VERBOSE) {sql}".encode()).fetchone()
    assert row is not None
    return set(columns_used(row[0][0]["Plan"]))


@pytest.mark.parametrize(
    ("sql", "columns"),
    [
        ("SELECT town, count(*) FROM people GROUP BY town", {"people.town"}),
        ("SELECT count(*) FROM people WHERE mail = 'people.id'", {"people.mail"}),
        ('SELECT "Full Name" FROM people AS p ORDER BY p.town', {"people.Full Name", "people.town"}),
        ('SELECT max("Odd One"."Full Name") FROM people AS "Odd One"', {"people.Full Name"}),
        ("SELECT count(*) FROM people", set()),
        (
            """SELECT town COLLATE "C" FROM people ORDER BY lower(mail) COLLATE pg_catalog."C" """,
            {"people.town", "people.mail"},
        ),
        ("SELECT town = 'x' AND id > 2 IS TRUE, id::numeric(8, 2) FROM people", {"people.id", "people.town"}),
        (
            "SELECT a.town FROM people a JOIN people b ON a.id = b.id ORDER BY b.mail LIMIT 1",
            {"people.town", "people.id", "people.mail"},
        ),
        (
            "SELECT sum(id) OVER (PARTITION BY town ORDER BY mail) FROM people",
            {"people.town", "people.id", "people.mail"},
        ),
    ],
)
def test_the_columns_of_a_plan_are_those_of_the_statement(
    tables: psycopg.Connection, sql: str, columns: set[str]
) -> None:
    assert used(tables, sql) == {f"public.{column}" for column in columns}


def test_a_view_shows_what_it_stands_on(tables: psycopg.Connection) -> None:
    assert used(tables, "SELECT town, count(*) FROM towns GROUP BY town") == {
        "public.people.town",
        "public.people.mail",
    }


def test_a_statement_over_partitions_uses_no_more_than_all_columns_of_the_table(
    tables: psycopg.Connection,
) -> None:
    whole = used(tables, "SELECT id, person, amount, day FROM bills")
    part = used(
        tables,
        "SELECT p.town, sum(b.amount) FROM bills b JOIN people p ON p.id = b.person"
        " WHERE b.day >= '2026-01-15' GROUP BY p.town",
    )
    assert {name for name in part if ".bills" in name} <= whole
    assert {"public.bills_1.day", "public.bills_2.amount"} <= whole
