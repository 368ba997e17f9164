"""The regenerated text returns the rows of the submitted one, on a real database."""

from collections.abc import Iterator

import duckdb
import pytest

from tests.policies.checks.lending import judged
from tests.policies.checks.test_allowed_sql import FINE, FINE_IN

ROWS = """
CREATE SCHEMA lend;
CREATE TABLE lend.members AS SELECT i AS member_id, 'm' || i AS full_name, 'x' AS mail, 'y' AS mobile,
  CASE i % 3 WHEN 0 THEN 'north' WHEN 1 THEN 'south' END AS branch,
  DATE '2020-01-01' + CAST(i AS INTEGER) AS joined
  FROM range(20) t(i);
CREATE TABLE lend.items AS SELECT i AS item_id, 't' || i AS title, CASE WHEN i % 2 = 0
  THEN 'art' END AS genre,
  i * 1.5 AS price FROM range(7) t(i);
CREATE TABLE lend.loans AS SELECT i AS loan_id, i % 20 AS member_id, i % 7 AS item_id,
  DATE '2026-01-01' + CAST(i AS INTEGER) AS lent_on, CAST(i % 5 AS DECIMAL(8, 2)) AS fee,
  CASE WHEN i % 4 = 0 THEN 'late' ELSE 'fine' END AS state FROM range(60) t(i);
CREATE TABLE lend.fines AS SELECT i AS fine_id, i % 40 AS loan_id, i * 0.25 AS amount FROM range(90) t(i);
CREATE TABLE lend.gate_log AS SELECT i AS entry_id, i % 20 AS member_id,
  TIMESTAMP '2026-09-01 00:00:00' + to_hours(i * 20) AS entered_at,
  CASE WHEN i % 2 = 0 THEN 'a' ELSE 'b' END AS door,
  CAST('{}' AS JSON) AS badge FROM range(100) t(i);
SET search_path = 'lend';
"""
MORE = (
    "SELECT fee / 2, 7 // 2, 7 % 4, 2 ** 3, -fee FROM loans",
    "SELECT lent_on + INTERVAL 1 MONTH, date_trunc('week', lent_on), date_diff('day', "
    "lent_on, DATE '2026-12-31') FROM loans",
    "SELECT CAST(fee AS VARCHAR), fee::INTEGER, TRY_CAST(state AS INTEGER), state || '-' "
    "|| loan_id FROM loans",
    "SELECT branch, row_number() OVER (PARTITION BY branch ORDER BY member_id DESC) FROM "
    "members ORDER BY branch NULLS FIRST",
    "SELECT branch FROM members ORDER BY branch DESC NULLS LAST",
    "SELECT state LIKE 'l%', state ILIKE 'L_TE', regexp_matches(state, '^l'), state NOT IN "
    "('late') FROM loans",
    "SELECT l.state, f.amount FROM loans l FULL JOIN fines f ON f.loan_id = l.loan_id "
    "WHERE l.fee IS NULL OR f.amount > 3",
    "SELECT branch FROM members EXCEPT SELECT 'north' UNION ALL SELECT 'x' INTERSECT SELECT 'x'",
    "SELECT x.a, x.b FROM (VALUES (1, 'it''s'), (2, NULL)) x(a, b) WHERE x.b IS DISTINCT FROM NULL",
    "SELECT first(fee ORDER BY loan_id DESC), string_agg(DISTINCT state, ',' ORDER BY "
    "state), quantile_cont(fee, 0.5) FROM loans",
    "SELECT count(*) FILTER (WHERE fee > 1), sum(DISTINCT fee), bool_or(fee > 3), "
    "max_by(state, fee) FROM loans",
    "SELECT i.genre IS NULL AS unknown, count(*) FROM loans l JOIN items i USING (item_id) "
    "GROUP BY ALL ORDER BY ALL",
    "SELECT state, genre, grouping(state), count(*) FROM loans JOIN items USING (item_id) "
    "GROUP BY CUBE (state, genre)",
)


@pytest.fixture(scope="module")
def library() -> Iterator[duckdb.DuckDBPyConnection]:
    connection = duckdb.connect()
    connection.execute(ROWS)
    yield connection
    connection.close()


@pytest.mark.parametrize("sql", [*FINE, *FINE_IN["duckdb"], *MORE])
def test_the_regenerated_text_returns_the_same_rows(sql: str, library: duckdb.DuckDBPyConnection) -> None:
    found = judged(sql, "duckdb")
    assert found.verdict in ("allow", "soft")
    asked, run = (library.execute(text).fetchall() for text in (sql, found.reading.sql))
    assert sorted(map(repr, run)) == sorted(map(repr, asked))
