"""Ordinary analytic SQL is not refused, and what is only doubtful is said with the check's name."""

import pytest

from metric_layer.plan import Dialect
from tests.policies.checks.lending import DIALECTS, judged

FINE = (
    "SELECT branch, COUNT(*) AS n FROM lend.members GROUP BY branch HAVING COUNT(*) > 3 "
    "ORDER BY n DESC LIMIT 5",
    "SELECT COUNT(*) AS drop_rate, SUM(fee) AS mail FROM lend.loans WHERE state IN ('delete', 'update; --')",
    "SELECT 'SELECT mail FROM members' AS a, '{{ x }}' AS b, '/* c */' AS d",
    "SELECT fee /* DELETE */ FROM lend.loans -- it's; {{ fine }}",
    "SELECT fee FROM lend.loans;",
    "SELECT CASE WHEN fee > 1 THEN 'a' ELSE 'b' END AS k, COUNT(*) AS n FROM lend.loans "
    "GROUP BY 1 ORDER BY 2",
    "WITH a AS (SELECT branch AS mail FROM lend.members) SELECT mail FROM a",
    "WITH a AS (SELECT 1 AS members_raw) SELECT members_raw FROM a",
    "SELECT * FROM (SELECT loan_id, fee FROM lend.loans) x WHERE fee > 2",
    "SELECT m.branch, SUM(l.fee) AS fees FROM lend.loans l JOIN lend.members m ON "
    "l.member_id = m.member_id GROUP BY 1",
    "SELECT COUNT(DISTINCT l.loan_id), SUM(f.amount) FROM lend.loans l JOIN lend.fines f "
    "ON f.loan_id = l.loan_id",
    "SELECT MAX(l.fee) FROM lend.loans l JOIN lend.fines f ON f.loan_id = l.loan_id",
    "SELECT l.state, COUNT(*) FROM lend.loans l, lend.fines f WHERE f.loan_id = l.loan_id GROUP BY l.state",
    "SELECT SUM(CASE WHEN i.genre = 'art' THEN l.fee ELSE 0 END) FROM lend.loans l JOIN "
    "lend.items i ON l.item_id = i.item_id",
    "WITH f AS (SELECT loan_id, SUM(amount) AS a FROM lend.fines GROUP BY loan_id) "
    "SELECT SUM(l.fee), SUM(f.a) FROM lend.loans l LEFT JOIN f ON f.loan_id = l.loan_id",
    "SELECT SUM(fee) FROM (SELECT l.loan_id, MAX(l.fee) AS fee FROM lend.loans l "
    "JOIN lend.fines f ON f.loan_id = l.loan_id GROUP BY l.loan_id) x",
    "SELECT SUM(l.fee) FROM lend.loans l WHERE EXISTS (SELECT 1 FROM lend.fines f WHERE "
    "f.loan_id = l.loan_id)",
    "SELECT l.loan_id FROM lend.loans l CROSS JOIN (SELECT AVG(fee) AS a FROM lend.loans) "
    "s WHERE l.fee > s.a",
    "SELECT l.loan_id, (SELECT SUM(f.amount) FROM lend.fines f WHERE f.loan_id = "
    "l.loan_id) AS a FROM lend.loans l",
    "SELECT loan_id, SUM(fee) OVER (PARTITION BY state ORDER BY lent_on) AS run FROM lend.loans",
    "SELECT state FROM lend.loans UNION ALL SELECT branch FROM lend.members",
    "SELECT door, COUNT(*) AS n FROM lend.gate_log WHERE entered_at >= TIMESTAMP "
    "'2026-10-01 00:00:00' GROUP BY door",
    "SELECT COUNT(*) FROM lend.gate_log WHERE entered_at BETWEEN TIMESTAMP '2020-01-01 00:00:00' "
    "AND TIMESTAMP '2020-02-01 00:00:00' AND (door = 'a' OR door = 'b')",
    "SELECT g.door FROM lend.gate_log g JOIN lend.members m ON g.member_id = m.member_id "
    "AND g.entered_at >= TIMESTAMP '2026-11-01 00:00:00'",
    "WITH first AS (SELECT member_id, MIN(lent_on) AS d FROM lend.loans GROUP BY member_id) "
    "SELECT f.d, COUNT(*) AS n FROM lend.loans l JOIN first f ON f.member_id = l.member_id GROUP BY f.d",
    "WITH u AS (SELECT member_id, 'loan' AS kind FROM lend.loans UNION ALL SELECT member_id, 'visit' "
    "FROM lend.gate_log WHERE entered_at >= TIMESTAMP '2026-11-01 00:00:00') "
    "SELECT m.branch, u.kind, COUNT(*) AS n FROM u JOIN lend.members m ON m.member_id = u.member_id "
    "GROUP BY m.branch, u.kind",
)
FINE_IN: dict[Dialect, tuple[str, ...]] = {
    "postgres": (
        "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY fee) FROM loans",
        "SELECT count(*) FILTER (WHERE state = 'late') FROM loans",
        "SELECT DISTINCT ON (branch) branch, member_id FROM members ORDER BY branch, joined DESC",
        "SELECT state, count(*) FROM loans GROUP BY GROUPING SETS ((state), ())",
        "SELECT l.loan_id, x.s FROM loans l LEFT JOIN LATERAL "
        "(SELECT sum(f.amount) AS s FROM fines f WHERE f.loan_id = l.loan_id) x ON true",
        "SELECT count(*) FROM loans JOIN fines USING (loan_id)",
        "SELECT d::date, count(l.loan_id) FROM generate_series(date '2026-01-01', date "
        "'2026-01-31', interval '1 day') d "
        "LEFT JOIN loans l ON l.lent_on = d::date GROUP BY 1",
        "WITH RECURSIVE r AS (SELECT 1 AS n, 7 AS loan_id UNION ALL SELECT r.n + 1, l.item_id FROM r "
        "JOIN lend.loans l ON l.loan_id = r.loan_id WHERE r.n < 30) SELECT COUNT(*) AS c FROM r",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12) SELECT i FROM n",
        "WITH RECURSIVE n AS (SELECT 10 AS i, 1 AS f UNION ALL SELECT i - 1, i * f FROM n WHERE i > 1) "
        "SELECT f FROM n",
        "WITH RECURSIVE d AS (SELECT date '2026-01-01' AS x UNION ALL SELECT x + 1 FROM d "
        "WHERE x < '2026-02-01') "
        "SELECT d.x, count(l.loan_id) FROM d LEFT JOIN loans l ON l.lent_on = d.x GROUP BY 1",
        "SELECT count(*) FROM gate_log WHERE entered_at >= now() - interval '30 days'",
        "SELECT row_to_json(x) FROM (SELECT branch, count(*) AS n FROM members GROUP BY 1) x",
        "SELECT x.user FROM (SELECT branch AS user FROM members) x",
        "SELECT E'tab\\t' AS a, $$dollar; 'quoted'$$ AS b",
        'SELECT count(*) AS "Größe" FROM loans',
        "WITH RECURSIVE n(i) AS (VALUES (1), (5) UNION ALL SELECT i + 1 FROM n WHERE i < 100) "
        "SELECT sum(i) FROM n",
        "SELECT title FROM items WHERE title !~ 'x' AND title !~~* 'y'",
        "SELECT date_part('month', lent_on) / 7 AS m, to_hex(255) AS h FROM loans",
        "(SELECT fee FROM loans ORDER BY loan_id LIMIT 3)",
    ),
    "duckdb": (
        "FROM loans SELECT state, count(*) AS n GROUP BY ALL ORDER BY ALL",
        "PIVOT (SELECT state, item_id, fee FROM loans) ON state USING sum(fee) GROUP BY item_id",
        "PIVOT (SELECT state, fee FROM loans) ON state USING sum(fee) AS s, count(*) AS n ORDER BY 1 LIMIT 3",
        "WITH p AS (SELECT state, item_id, fee FROM loans) PIVOT p ON state IN ('late') USING sum(fee)",
        "UNPIVOT (SELECT item_id, fee FROM loans) ON fee INTO NAME what VALUE much ORDER BY item_id",
        "SELECT list_transform([1, 2], lambda x: x + 1), {'a': 1}.a, [x FOR x IN [1]]",
        "SELECT state.upper() FROM loans QUALIFY row_number() OVER (PARTITION BY state ORDER BY fee) = 1",
        "SELECT list_transform([{'a': 1}], lambda x: x.a), list_filter(['a'], lambda mail: mail = 'a')",
        "SELECT l.state.upper(), s.a.b FROM loans l, (SELECT {'a': {'b': 1}} AS s) x",
        "SELECT sum(l.fee) FROM loans l SEMI JOIN fines f ON f.loan_id = l.loan_id",
        "SELECT count(*) FROM gate_log WHERE entered_at >= now() - INTERVAL 30 DAY",
        "SELECT approx_top_k(state, 1) AS k, reduce([1, 2], lambda a, b: a + b) AS s FROM loans",
    ),
    "snowflake": (
        "SELECT TOP 5 LOAN_ID FROM LOANS ORDER BY FEE DESC",
        "SELECT DATE_TRUNC('month', LENT_ON) AS M, SUM(FEE) // comment\nFROM LOANS GROUP BY M",
        "SELECT COUNT(*) FROM GATE_LOG WHERE ENTERED_AT >= DATEADD(day, -30, CURRENT_TIMESTAMP())",
        "SELECT STATE, LISTAGG(DISTINCT LOAN_ID, ',') FROM LIBRARY.LEND.LOANS GROUP BY STATE",
        "SELECT COUNT(*) FROM GATE_LOG WHERE ENTERED_AT > LAST_DAY(DATEADD(month, -1, CURRENT_DATE))",
    ),
    "bigquery": (
        "SELECT COUNTIF(state = 'late'), SAFE_DIVIDE(SUM(fee), COUNT(*)) FROM `library-prod.lend.loans`",
        "FROM lend.loans |> WHERE state = 'late' |> AGGREGATE COUNT(*) AS n GROUP BY item_id",
        "SELECT ARRAY_AGG(STRUCT(loan_id, fee) ORDER BY fee LIMIT 3) FROM lend.loans",
        "SELECT i.item_id, word, at FROM lend.items i, UNNEST(SPLIT(i.title, ' ')) AS word WITH OFFSET AS at",
        "SELECT word, offset FROM UNNEST(['a', 'b']) AS word WITH OFFSET",
        "SELECT COUNT(*) FROM lend.gate_log WHERE DATE(entered_at) >= "
        "DATE_SUB(CURRENT_DATE(), INTERVAL 7 DAY)",
    ),
}
DOUBTFUL = {
    "join_key": (
        "SELECT l.loan_id FROM lend.loans l JOIN lend.members m ON l.state = m.branch",
        "SELECT l.loan_id FROM lend.loans l, lend.members m WHERE l.loan_id = m.member_id",
        "SELECT l.loan_id FROM lend.loans l JOIN lend.members m ON l.member_id = m.member_id + 1",
        "SELECT l.loan_id FROM lend.loans l JOIN lend.members m ON l.member_id > m.member_id",
        "SELECT l.loan_id FROM lend.loans l WHERE EXISTS (SELECT 1 FROM lend.members m "
        "WHERE m.branch = l.state)",
        "WITH a AS (SELECT loan_id AS k FROM lend.loans), b AS (SELECT member_id AS k FROM lend.members) "
        "SELECT a.k FROM a JOIN b ON a.k = b.k",
        "SELECT a.loan_id FROM lend.loans a JOIN lend.loans b ON a.member_id = b.member_id",
        "WITH u AS (SELECT member_id AS k FROM lend.loans UNION ALL SELECT fine_id FROM lend.fines) "
        "SELECT COUNT(*) AS n FROM u JOIN lend.members m ON m.member_id = u.k",
        "SELECT a.n FROM (SELECT branch AS k, COUNT(*) AS n FROM lend.members GROUP BY branch) a "
        "JOIN lend.loans l ON l.state = a.k",
    ),
    "cross_join": (
        "SELECT l.loan_id FROM lend.loans l CROSS JOIN lend.items i",
        "SELECT l.loan_id FROM lend.loans l, lend.items i WHERE l.state = 'a' AND i.genre = 'b'",
        "SELECT l.loan_id FROM lend.loans l JOIN lend.items i ON 1 = 1",
        "SELECT l.loan_id FROM lend.loans l JOIN lend.items i ON l.item_id = i.item_id OR TRUE",
        "SELECT l.loan_id FROM lend.loans l CROSS JOIN (SELECT genre FROM lend.items LIMIT 50) i",
    ),
    "fan_out": (
        "SELECT SUM(l.fee) FROM lend.loans l JOIN lend.fines f ON f.loan_id = l.loan_id",
        "SELECT AVG(i.price) FROM lend.loans l JOIN lend.items i ON l.item_id = i.item_id",
        "SELECT COUNT(l.loan_id) FROM lend.loans l LEFT JOIN lend.fines f ON f.loan_id = l.loan_id",
        "SELECT SUM(f.amount + l.fee) FROM lend.loans l JOIN lend.fines f ON f.loan_id = l.loan_id",
        "SELECT SUM(COALESCE(l.fee, 0)) OVER (PARTITION BY l.state) FROM lend.loans l JOIN "
        "lend.fines f ON f.loan_id = l.loan_id",
        "WITH j AS (SELECT l.fee, f.amount FROM lend.loans l JOIN lend.fines f ON "
        "f.loan_id = l.loan_id) SELECT SUM(fee) FROM j",
        "SELECT m.branch, SUM(l.fee) FROM lend.members m JOIN lend.loans l ON l.member_id = m.member_id "
        "JOIN lend.gate_log g ON g.member_id = m.member_id AND g.entered_at >= TIMESTAMP "
        "'2026-11-01 00:00:00' GROUP BY 1",
    ),
    "date_filter": (
        "SELECT COUNT(*) FROM lend.gate_log",
        "SELECT COUNT(*) FROM lend.gate_log WHERE entered_at < TIMESTAMP '2026-11-01 00:00:00'",
        "SELECT COUNT(*) FROM lend.gate_log WHERE entered_at >= TIMESTAMP '2020-01-01 00:00:00'",
        "SELECT COUNT(*) FROM lend.gate_log WHERE entered_at >= TIMESTAMP '2026-11-01 "
        "00:00:00' OR door = 'a'",
        "SELECT COUNT(*) FROM lend.gate_log WHERE entered_at >= (SELECT MAX(lent_on) FROM lend.loans)",
        "SELECT door FROM lend.gate_log GROUP BY door HAVING MIN(entered_at) >= TIMESTAMP "
        "'2026-11-01 00:00:00'",
        "WITH g AS (SELECT door FROM lend.gate_log) SELECT door, COUNT(*) FROM g GROUP BY door",
        "SELECT (SELECT COUNT(*) FROM lend.members m WHERE m.member_id = g.member_id "
        "AND g.entered_at >= TIMESTAMP '2026-11-01 00:00:00') AS n FROM lend.gate_log g",
    ),
    "select_star": (
        "SELECT * FROM lend.loans",
        "SELECT x.fee FROM (SELECT * FROM lend.loans) x",
        "SELECT l.* FROM lend.loans l",
    ),
}


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("sql", FINE)
def test_an_ordinary_query_is_allowed(sql: str, dialect: Dialect) -> None:
    found = judged(sql, dialect)
    assert (found.verdict, found.checks) == ("allow", frozenset())


@pytest.mark.parametrize(("dialect", "sql"), [(d, sql) for d, texts in FINE_IN.items() for sql in texts])
def test_an_ordinary_query_of_one_dialect_is_allowed(dialect: Dialect, sql: str) -> None:
    found = judged(sql, dialect)
    assert (found.verdict, found.checks) == ("allow", frozenset())


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(("check", "sql"), [(c, sql) for c, texts in DOUBTFUL.items() for sql in texts])
def test_a_doubtful_query_is_flagged_by_its_check_and_no_harder(
    check: str, sql: str, dialect: Dialect
) -> None:
    found = judged(sql, dialect)
    assert found.verdict == "soft"
    assert check in found.checks


def test_an_undeclared_join_is_shown_the_declared_key() -> None:
    found = judged("SELECT l.loan_id FROM loans l JOIN members m ON l.loan_id = m.member_id")
    decision = next(d for d in found.decisions if d.check == "join_key")
    assert decision.candidates == ("lend.loans.member_id = lend.members.member_id",)


@pytest.mark.parametrize(
    ("asked", "kept"),
    [("", 500), (" LIMIT 7", 7), (" LIMIT 9999", 500), (" LIMIT ALL", 500), (" FETCH FIRST 3 ROWS ONLY", 3)],
)
def test_a_row_cap_is_added_or_clamped_and_never_an_offence(asked: str, kept: int) -> None:
    found = judged(f"SELECT fee FROM loans{asked}")
    assert (found.verdict, found.reading.limit) == ("allow", kept)
    assert str(kept) in found.reading.sql


@pytest.mark.parametrize(
    ("sql", "kept"),
    [
        ("(SELECT fee FROM loans LIMIT 3)", 3),
        ("((SELECT fee FROM loans))", 500),
        ("(SELECT fee FROM loans LIMIT 9999)", 500),
        ("(SELECT fee FROM loans) ORDER BY fee", 500),
        ("(SELECT fee FROM loans UNION ALL SELECT price FROM items)", 500),
    ],
)
def test_the_row_cap_of_a_bracket_stands_where_it_has_none_beside_it(sql: str, kept: int) -> None:
    found = judged(sql)
    assert (found.verdict, found.reading.limit) == ("allow", kept)
    assert found.reading.sql.count("LIMIT") == 1


def test_a_row_cap_that_is_no_number_is_refused() -> None:
    found = judged("SELECT fee FROM loans LIMIT (SELECT 3)")
    assert found.verdict == "hard"
    assert found.checks == {"row_limit"}
