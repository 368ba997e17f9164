"""What the reader returns: the text that may run, lineage, joins, windows; and that no text breaks it."""

import time
from dataclasses import replace

import pytest

from metric_layer.plan import Dialect
from metric_layer.sql import Reader, Reading, ReadLimits, read
from tests.policies.checks.lending import DIALECTS, catalogue, judged


def reading(sql: str, dialect: Dialect = "duckdb") -> Reading:
    """Read one text over the lending library."""
    return read(sql, catalogue(dialect), ReadLimits(max_rows=500))


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("postgres", 'SELECT "l"."fee" AS "f" FROM "lend"."loans" AS "l" LIMIT 500'),
        ("duckdb", 'SELECT "l"."fee" AS "f" FROM "lend"."loans" AS "l" LIMIT 500'),
        ("snowflake", 'SELECT "L"."FEE" AS "F" FROM "LIBRARY"."LEND"."LOANS" AS "L" LIMIT 500'),
        ("bigquery", "SELECT `l`.`fee` AS `f` FROM `library-prod`.`lend`.`loans` AS `l` LIMIT 500"),
    ],
)
def test_the_text_that_runs_is_qualified_quoted_and_capped(dialect: Dialect, text: str) -> None:
    assert reading("select Fee as f /* x */ from lend.loans l -- y", dialect).sql == text


@pytest.mark.parametrize("dialect", DIALECTS)
def test_what_was_written_reads_back_as_itself(dialect: Dialect) -> None:
    once = reading("SELECT branch, COUNT(*) AS n FROM lend.members GROUP BY branch ORDER BY n DESC", dialect)
    assert reading(once.sql, dialect).sql == once.sql


def test_an_output_knows_its_base_columns() -> None:
    found = reading(
        "WITH a AS (SELECT loan_id AS k, fee * 2 AS double FROM loans) "
        "SELECT a.k, a.double + i.price AS total, 1 AS one FROM a, items i WHERE a.k = i.item_id"
    )
    assert {o.name: o.lineage for o in found.outputs} == {
        "k": (("lend.loans", "loan_id"),),
        "total": (("lend.items", "price"), ("lend.loans", "fee")),
        "one": (),
    }


@pytest.mark.parametrize(
    "join",
    [
        "loans l JOIN members m ON l.member_id = m.member_id",
        "loans l JOIN members m ON m.member_id = l.member_id AND l.state = 'a'",
        "loans l JOIN members m USING (member_id)",
        "loans l, members m WHERE l.member_id = m.member_id",
        "loans l CROSS JOIN members m WHERE l.member_id = m.member_id",
        "(SELECT member_id FROM loans) l JOIN (SELECT member_id FROM members) m ON l.member_id = m.member_id",
    ],
)
def test_a_declared_join_is_found_wherever_it_is_written(join: str) -> None:
    (link,) = reading(f"SELECT COUNT(*) AS n FROM {join}").joins
    assert (link.declared, link.cardinality) == (True, "many_to_one")


def test_the_clause_of_every_use_is_known() -> None:
    found = reading(
        "SELECT state, SUM(fee) AS s FROM loans WHERE item_id = 1 GROUP BY state HAVING "
        "MAX(loan_id) > 1 ORDER BY s"
    )
    assert {(c.column, c.clause) for c in found.columns} == {
        ("state", "select"),
        ("fee", "aggregate"),
        ("item_id", "where"),
        ("state", "group"),
        ("loan_id", "having"),
    }


def test_a_window_on_a_large_table_is_worked_out_against_the_clock() -> None:
    found = reading(
        "SELECT door FROM gate_log WHERE entered_at >= now() - INTERVAL 30 DAY AND entered_at < today()"
    )
    (table,) = found.tables
    assert table.lower is not None
    assert table.upper is not None
    assert (table.upper - table.lower).days == 30


@pytest.mark.parametrize(
    ("sql", "components"),
    [
        ("SELECT 1 AS a FROM loans l JOIN members m ON l.member_id = m.member_id", 1),
        ("SELECT 1 AS a FROM loans, items", 2),
        ("SELECT 1 AS a FROM loans, items, fines", 3),
    ],
)
def test_the_parts_that_nothing_ties_together_are_counted(sql: str, components: int) -> None:
    assert reading(sql).components == components


DEEP = {
    "brackets": "SELECT " + "(" * 5000 + "1" + ")" * 5000,
    "derived tables": "SELECT 1 FROM " + "(SELECT 1 FROM " * 2000 + "loans" + ") x" * 2000,
    "negations": "SELECT " + "NOT " * 12_000 + "TRUE",
    "signs": "SELECT " + "- " * 12_000 + "1",
    "subscripts": "SELECT fee" + "[1]" * 4000 + " FROM loans",
    "casts": "SELECT 1" + "::INT" * 4000,
    "cases": "SELECT " + "CASE WHEN TRUE THEN " * 2500 + "1" + " END" * 2500,
    "joins": "SELECT 1 FROM loans" + " JOIN loans" * 3000 + " ON TRUE" * 3000,
    "unions": "SELECT 1" + " UNION ALL SELECT 1" * 3000,
    "conditions": "SELECT 1 AS a WHERE " + "TRUE OR " * 8000 + "TRUE",
    "structs": "SELECT " + "{'a': " * 3000 + "1" + "}" * 3000,
    "lambdas": "SELECT list_filter([1], " + "x -> " * 8000 + "x)",
    "length": "SELECT '" + "x" * 70_000 + "'",
    "calls of types": "SELECT " + "DATE(" * 60 + "'2026-01-01'" + ")" * 60,
    "calls of two types": "SELECT " + "DECIMAL(ABS(" * 30 + "1" + "))" * 30,
    "typed arrays": "SELECT " + "ARRAY[" * 60 + "1" + "]" * 60,
}
AT_THE_LIMIT = {
    "arrays": "SELECT " + "[" * 90 + "1" + "]" * 90,
    "structs": "SELECT " + "{'a': " * 90 + "1" + "}" * 90,
    "calls": "SELECT " + "ABS(" * 90 + "1" + ")" * 90,
    "derived tables": "SELECT 1 AS a FROM " + "(SELECT 1 AS a FROM " * 90 + "loans" + ") x" * 90,
    "many calls of types": "SELECT "
    + ", ".join(f"DATE(DATE(lent_on)) AS d{i}" for i in range(500))
    + " FROM loans",
    "join trees": "SELECT 1 AS a FROM " + "(" * 90 + "loans" + ")" * 90,
    "a chain of pipes": "FROM lend.loans " + "|> SELECT fee " * 90,
}


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("kind", DEEP)
def test_a_text_made_to_overrun_the_parser_is_refused_before_it(kind: str, dialect: Dialect) -> None:
    found = judged(DEEP[kind], dialect)
    assert found.verdict == "hard"
    assert not found.reading.sql


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("kind", AT_THE_LIMIT)
def test_a_text_inside_the_limits_is_read_or_refused_soon(kind: str, dialect: Dialect) -> None:
    started = time.thread_time()
    found = judged(AT_THE_LIMIT[kind], dialect)
    assert time.thread_time() - started < 5
    assert found.verdict == "hard" or found.reading.sql


def test_a_long_list_of_values_is_not_deep() -> None:
    assert reading(
        "SELECT COUNT(*) AS n FROM loans WHERE loan_id IN (" + ", ".join(map(str, range(8000))) + ")"
    ).sql


def test_a_limit_of_the_policy_is_taken_from_the_limits() -> None:
    limits = replace(ReadLimits(), nesting=2)
    found = Reader(catalogue("duckdb"), limits).read("SELECT ((( 1 ))) AS a")
    assert [fault.code for fault in found.faults] == ["nested_too_deep"]


def test_a_role_that_may_not_see_a_table_is_told_nothing_of_it() -> None:
    full = catalogue("postgres")
    narrow = replace(full, tables=full.tables[1:2])
    seen, never = (
        read(f"SELECT 1 AS a FROM {name}", narrow, ReadLimits()) for name in ("members", "nowhere")
    )
    assert [(t.known, t.name) for t in (*seen.tables, *never.tables)] == [
        (False, "members"),
        (False, "nowhere"),
    ]
