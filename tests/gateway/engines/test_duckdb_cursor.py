"""The cursor of a session is kept while all goes well; what it has bound runs anew, and no limit stays."""

import time
from collections.abc import Iterator

import duckdb
import pyarrow as pa
import pytest

from gateway.engines.duckdb_cursor import BOUND, Cursors, Statement

ENDLESS = "SELECT count(*) FROM range(10000000) AS a, range(10000000) AS b WHERE a.range <> b.range"
LIMIT = "SELECT current_setting('max_execution_time')"


@pytest.fixture
def cursors() -> Iterator[Cursors]:
    """The cursors of an empty instance."""
    with duckdb.connect(":memory:") as connection:
        found = Cursors(connection)
        yield found
        found.close()


def _read(statement: Statement) -> list[tuple[object, ...]]:
    with statement.relation.to_arrow_reader() as reader:
        table: pa.Table = reader.read_all()
    return [tuple(row.values()) for row in table.to_pylist()]


def test_a_cursor_is_used_again_and_one_that_failed_is_not(cursors: Cursors) -> None:
    with cursors.lent(5) as first:
        assert _read(first.statement("SELECT 1 AS a")) == [(1,)]
    with cursors.lent(5) as again:
        assert again is first
        with pytest.raises(duckdb.Error):
            again.statement("SELECT nothing FROM nowhere")
        assert _read(again.statement("SELECT 1 AS a")) == [(1,)]
    with pytest.raises(duckdb.Error), cursors.lent(5) as failing:
        failing.statement("SELECT nothing FROM nowhere")
    with cursors.lent(5) as other:
        assert other is not first
        assert _read(other.statement("SELECT 1 AS a")) == [(1,)]


def test_what_was_read_in_part_does_not_stand_in_the_way(cursors: Cursors) -> None:
    with cursors.lent(5) as cursor:
        assert cursor.driver.execute("SELECT * FROM range(100000)").fetchone() == (0,)
    with (
        cursors.lent(5) as cursor,
        cursor.statement("FROM range(100000)").relation.to_arrow_reader(10) as part,
    ):
        assert part.read_next_batch().num_rows == 10
    with cursors.lent(5) as cursor:
        assert _read(cursor.statement("SELECT 2 AS a")) == [(2,)]


def test_a_bound_statement_runs_anew_each_time(cursors: Cursors) -> None:
    sql = "SELECT now() AS at, random() AS luck"
    told = set()
    for _ in range(3):
        with cursors.lent(5) as cursor:
            told.update(_read(cursor.statement(sql)))
    assert len({at for at, _ in told}) == len({luck for _, luck in told}) == 3


def test_names_and_types_are_those_of_the_statement(cursors: Cursors) -> None:
    with cursors.lent(5) as cursor:
        for _ in range(2):
            found = cursor.statement("SELECT 1::BIGINT AS a, 'x' AS b, 1.5::DECIMAL(9, 2) AS a")
            assert (found.names, found.types) == (("a", "b", "a"), ("BIGINT", "VARCHAR", "DECIMAL(9,2)"))


def test_more_statements_than_are_kept_are_all_right(cursors: Cursors) -> None:
    with cursors.lent(5) as cursor:
        for number in (*range(BOUND + 3), 0):
            assert _read(cursor.statement(f"SELECT {number} AS a")) == [(number,)]


def test_each_loan_has_its_own_time_limit(cursors: Cursors) -> None:
    for seconds in (5, 0.25, 5, 60):
        with cursors.lent(seconds) as cursor:
            ((limit,),) = _read(cursor.statement(LIMIT))
            assert int(str(limit)) == seconds * 1000
    with cursors.lent(60) as cursor:
        cursor.limit(0.05)
        started = time.monotonic()
        with pytest.raises(Exception, match="maximum execution time"):
            _read(cursor.statement(ENDLESS))
        assert time.monotonic() - started < 5


def test_who_borrows_meanwhile_gets_a_cursor_of_their_own(cursors: Cursors) -> None:
    with cursors.lent(5) as one, cursors.lent(5) as other:
        assert one is not other
        assert _read(one.statement("SELECT 1 AS a")) == _read(other.statement("SELECT 1 AS a"))


def test_a_closed_instance_is_gone_with_its_cursors(cursors: Cursors) -> None:
    with cursors.lent(5) as cursor:
        kept = cursor.driver
    cursors.close()
    with pytest.raises(duckdb.Error):
        kept.execute("SELECT 1")
