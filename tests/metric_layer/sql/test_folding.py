"""Where a session folds quoted names too, names that differ by capitals alone are one name to the reader."""

from dataclasses import replace

import pytest

from metric_layer.sql import Reader, ReadLimits
from metric_layer.sql.reading import Reading
from tests.policies.checks.lending import catalogue

SMALL = replace(catalogue("duckdb", "mask"), dialect="snowflake", folds=True)


def read(sql: str) -> Reading:
    """Read a text as a Snowflake session that folds quoted names reads it."""
    return Reader(SMALL, ReadLimits()).read(sql)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT fee FROM loans",
        "SELECT FEE FROM Lend.LOANS",
        'SELECT "fee" FROM "lend"."loans"',
        'SELECT "Fee" FROM "LEND"."Loans"',
        'SELECT "l"."FEE" FROM "loans" AS L',
    ],
)
def test_every_spelling_of_a_name_is_the_catalogue_name(sql: str) -> None:
    found = read(sql)
    assert not found.faults
    assert [table.name for table in found.tables] == ["lend.loans"]
    assert '"fee"' in found.sql and '"lend"."loans"' in found.sql


def test_a_name_that_no_catalogue_holds_is_written_one_way() -> None:
    found = read('SELECT fee AS "Total" FROM loans ORDER BY "total", TOTAL')
    assert not found.faults
    assert found.sql.count('"TOTAL"') == 3 and "Total" not in found.sql


def test_a_personal_column_is_not_hidden_behind_a_name_in_other_capitals() -> None:
    # the engine takes the inner "T" for both: what is shown is the e-mail address
    found = read(
        """WITH "t" AS (SELECT 'x' AS a)
        SELECT a FROM (WITH "T" AS (SELECT mail AS a FROM members) SELECT a FROM "t") AS q"""
    )
    assert not found.faults
    assert [output.lineage for output in found.outputs] == [(("lend.members", "mail"),)]


def test_an_unknown_column_stays_unknown_in_any_capitals() -> None:
    assert {fault.check for fault in read('SELECT "Nothing" FROM loans').faults} == {"unknown_column"}


def test_without_folding_a_quoted_name_counts_as_it_stands() -> None:
    strict = Reader(replace(SMALL, folds=False), ReadLimits())
    assert not strict.read('SELECT "fee" FROM "lend"."loans"').faults
    assert strict.read('SELECT "FEE" FROM "lend"."loans"').faults
