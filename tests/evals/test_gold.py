"""A gold query whose answer is chance is told before anybody is scored against it."""

from collections.abc import Callable

import duckdb
import pytest

from evals.gold import check_cut
from evals.tables import Execute, Failure, ResultTable, table_from_rows
from metric_layer.issues import Issue


def engine(nulls: str) -> Callable[[str], ResultTable | Failure]:
    connection = duckdb.connect()
    connection.execute(f"SET default_null_order = '{nulls}'")
    connection.execute(
        "CREATE TABLE tie AS FROM (VALUES ('a', 5), ('b', 5), ('c', NULL), ('d', 1)) t(name, s)"
    )

    def execute(sql: str) -> ResultTable | Failure:
        try:
            found = connection.execute(sql)
        except duckdb.Error as fault:
            return Failure(str(fault))
        return table_from_rows(found.fetchall(), len(found.description or ()))

    return execute


def checked(sql: str, execute: Execute) -> tuple[Issue, ...]:
    result = execute(sql)
    assert isinstance(result, ResultTable)
    return check_cut(sql, "duckdb", result, execute)


@pytest.mark.parametrize(
    ("sql", "codes"),
    [
        ("SELECT name FROM tie ORDER BY s DESC LIMIT 1", ["gold_cut_through_tie"]),
        ("SELECT name FROM tie ORDER BY s DESC, name LIMIT 1", []),
        ("SELECT name FROM tie ORDER BY s DESC LIMIT 2", []),
        ("SELECT name, s AS rank FROM tie ORDER BY rank DESC LIMIT 1", ["gold_cut_through_tie"]),
        ("SELECT s, COUNT(*) FROM tie GROUP BY s ORDER BY 2 DESC LIMIT 1", []),
        ("SELECT s, COUNT(*) FROM tie GROUP BY s ORDER BY COUNT(*) LIMIT 1", ["gold_cut_through_tie"]),
        ("SELECT name FROM tie LIMIT 1", ["gold_cut_without_order"]),
        ("SELECT name FROM tie LIMIT 9", []),
        ("SELECT name FROM tie ORDER BY s", []),
    ],
)
def test_a_cut_that_chance_decides_is_named(sql: str, codes: list[str]) -> None:
    found = checked(sql, engine("nulls_last"))
    assert [issue.code for issue in found] == codes
    assert all(issue.next_step for issue in found)


def test_a_null_that_sorts_first_is_named_where_the_engine_sorts_it_so() -> None:
    found = checked("SELECT name FROM tie ORDER BY s DESC LIMIT 1", engine("nulls_first"))
    assert [issue.code for issue in found] == ["gold_null_in_cut"]
