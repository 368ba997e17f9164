"""A query read as of a moment: the clause stands at every table, and nowhere else."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
import sqlglot
from sqlglot import exp

from metric_layer.compile import as_of
from metric_layer.plan import Dialect

MOMENT = datetime(2026, 7, 1, 12, 30, 1, 250, tzinfo=UTC)
QUERY = (
    "WITH c AS (SELECT a.x AS x FROM a AS a) "
    "SELECT c.x AS x FROM c AS c LEFT JOIN b AS b ON b.x = c.x "
    "WHERE EXISTS(SELECT 1 FROM d AS d WHERE d.x = c.x) "
    "UNION ALL SELECT q.x AS x FROM (SELECT e.x AS x FROM e AS e) AS q"
)


def _clause(dialect: Dialect) -> str:
    return "when" if dialect == "snowflake" else "version"


@pytest.mark.parametrize("dialect", ["snowflake", "bigquery"])
def test_every_table_is_read_as_of_the_moment_and_no_name_of_the_query_is(dialect: Dialect) -> None:
    tree = sqlglot.parse_one(as_of(QUERY, MOMENT, dialect), read=dialect)
    clauses = {table.name: table.args.get(_clause(dialect)) for table in tree.find_all(exp.Table)}
    assert {name for name, clause in clauses.items() if clause} == {"a", "b", "d", "e"}
    assert clauses["c"] is None
    for table in list(tree.find_all(exp.Table)):
        table.set(_clause(dialect), None)
    assert tree == sqlglot.parse_one(QUERY, read=dialect), "nothing else changed"


@pytest.mark.parametrize("dialect", ["snowflake", "bigquery"])
def test_a_moment_is_written_in_utc_to_the_microsecond(dialect: Dialect) -> None:
    text = as_of("SELECT a.x AS x FROM a AS a", MOMENT.astimezone(timezone(timedelta(hours=5))), dialect)
    assert "'2026-07-01 12:30:01.000250+00:00'" in text
    naive = as_of("SELECT a.x AS x FROM a AS a", MOMENT.replace(tzinfo=None), dialect)
    assert naive == text


@pytest.mark.parametrize("dialect", ["duckdb", "postgres"])
def test_an_engine_without_history_is_refused(dialect: Dialect) -> None:
    with pytest.raises(ValueError, match="reads no data of an earlier moment"):
        as_of("SELECT 1", MOMENT, dialect)


def test_a_text_that_is_no_query_is_refused() -> None:
    with pytest.raises(TypeError):
        as_of("DELETE FROM a", MOMENT, "snowflake")
