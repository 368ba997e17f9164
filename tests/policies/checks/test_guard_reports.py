"""Faults that users of other SQL guards reported, and what happens here instead."""

import pytest

from tests.policies.checks.lending import judged

# BR-056: a comment in front led to a path that ran several statements and left the read-only transaction.


@pytest.mark.parametrize("mark", ["/* x */ ", "-- x\n", "  \n\t", "/* a */ /* b */ "])
@pytest.mark.parametrize(
    "sql",
    [
        "COMMIT; DROP TABLE lend.loans; --",
        "SELECT 1; SET TRANSACTION READ WRITE",
        "SELECT 1; ROLLBACK",
        "SELECT loan_id FROM lend.loans; /* y */ DELETE FROM lend.loans",
    ],
)
def test_a_comment_in_front_opens_no_way_for_a_second_statement(mark: str, sql: str) -> None:
    found = judged(mark + sql)
    assert found.verdict == "hard"
    assert "single_statement" in found.checks


@pytest.mark.parametrize("end", [";", " ; ", "; -- the end", ";\n/* the end */"])
def test_one_statement_may_end_in_a_semicolon_and_a_comment(end: str) -> None:
    assert judged(f"/* x */ SELECT loan_id FROM lend.loans{end}").verdict == "allow"


# BR-059: a function opened a second connection, in which the read-only transaction did not hold.


@pytest.mark.parametrize(
    "call",
    [
        "dblink_exec('dbname=app', 'DELETE FROM loans')",
        "query_to_xml('delete from loans', true, true, '')",
        "pg_catalog.query_to_xml('delete from loans', true, true, '')",
        "upper(dblink_exec('dbname=app', 'DELETE FROM loans'))",
        "(SELECT dblink_send_query('c', 'DELETE FROM loans'))",
    ],
)
def test_a_function_that_takes_a_statement_is_on_no_list(call: str) -> None:
    for sql in (f"SELECT {call} AS x", f"SELECT loan_id FROM lend.loans WHERE {call} IS NULL"):
        assert "function_allowlist" in judged(sql).checks


# BR-062: ordinary analytic SQL was refused, so that people turned the guard off.


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY fee) AS m FROM loans",
        "SELECT count(*) FILTER (WHERE state = 'late') AS late FROM loans",
        "SELECT sum(fee) OVER (ORDER BY lent_on ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) AS s FROM loans",
        "WITH RECURSIVE d(x) AS (SELECT date '2026-01-01' UNION ALL SELECT x + 1 FROM d "
        "WHERE x < '2026-01-31') SELECT x FROM d",
        "SELECT state, count(*) AS n FROM loans GROUP BY GROUPING SETS ((state), ())",
        "SELECT l.loan_id, f.s FROM loans l, LATERAL (SELECT sum(amount) AS s FROM fines WHERE "
        "fines.loan_id = l.loan_id) f",
        "SELECT state FROM loans UNION ALL SELECT branch FROM members",
        "SELECT count(*) AS n FROM loans JOIN fines USING (loan_id)",
    ],
)
def test_ordinary_analytic_sql_passes(sql: str) -> None:
    assert judged(sql).verdict == "allow"


# BR-065: writing a tree back as text changed what the query computes. That the rows are the same on real
# engines stands in tests/metric_layer/sql/test_differential.py; here, that a text which cannot be written
# with the same meaning is refused, and that the report holds both texts.


def test_the_text_sent_and_the_text_that_runs_are_both_kept() -> None:
    sql = "SELECT fee / 2 AS half FROM loans ORDER BY half NULLS FIRST"
    reading = judged(sql).reading
    assert reading.text == sql
    assert reading.sql and reading.sql != sql


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT json_extract(state, '$.*.a') AS x FROM loans",
        "SELECT !!5 AS x",
        "SELECT U&'\\0061' AS x",
        "FROM loans |> SELECT fee",
    ],
)
def test_a_text_that_would_not_mean_the_same_is_refused(sql: str) -> None:
    found = judged(sql)
    assert "parse_differential" in found.checks
    assert not found.reading.sql
