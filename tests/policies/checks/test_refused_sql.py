"""Attacks by family: each is refused by the check that names its rule, in every dialect that can write it."""

import pytest

from metric_layer.plan import Dialect
from tests.policies.checks.lending import DIALECTS, judged

DOUBLING = (
    "WITH a0 AS (SELECT 1 AS x UNION ALL SELECT 1), "
    + ", ".join(f"a{i} AS (SELECT x FROM a{i - 1} UNION ALL SELECT x FROM a{i - 1})" for i in range(1, 15))
    + " SELECT COUNT(*) AS n FROM a14"
)
EVERYWHERE = {
    "single_statement": ("SELECT 1; SELECT 2", "SELECT loan_id FROM lend.loans; DROP TABLE lend.loans"),
    "statement_type": (
        "DROP TABLE lend.loans",
        "UPDATE lend.loans SET fee = 0",
        "TRUNCATE TABLE lend.loans",
        "",
        "-- nothing",
    ),
    "explain_smuggle": ("EXPLAIN SELECT 1",),
    "data_modifying_cte": ("WITH a AS (SELECT 1 AS x) DELETE FROM lend.loans",),
    "row_lock": ("SELECT loan_id FROM lend.loans FOR UPDATE",),
    "syntax": ("SELECT FROM WHERE", "SELECT (1", "SELECT 'open"),
    "parse_differential": (
        "SELECT 1 {# hidden #}",
        "SELECT 1 /*! odd */",
        "SELECT 1 -- a\rUNION ALL SELECT 2",
        "SELECT\u00a01",
        "SELECT 1 AS \u0430",
        "SELECT '\x01'",
    ),
    "table_allowlist": (
        "SELECT pay FROM staff.wages",
        "SELECT a.n FROM (SELECT COUNT(*) AS n FROM lend.members_raw) a",
        "SELECT loan_id FROM lend.loans ORDER BY (SELECT MAX(pay) FROM staff.wages)",
        "SELECT loan_id FROM lend.loans WHERE loan_id IN (SELECT pay FROM staff.wages)",
        "WITH loans AS (SELECT pay FROM staff.wages) SELECT pay FROM loans",
        "WITH w AS (SELECT 1 AS a) SELECT a FROM w UNION ALL SELECT pay FROM staff.w",
        "SELECT x.a FROM (WITH wages AS (SELECT 1 AS a) SELECT a FROM wages) x UNION ALL "
        "SELECT pay FROM wages",
        "SELECT CASE WHEN EXISTS (SELECT 1 FROM staff.wages) THEN 1 ELSE 0 END AS x",
    ),
    "system_catalog": ("SELECT table_name FROM information_schema.tables",),
    "unknown_column": (
        "SELECT margin FROM lend.loans",
        "SELECT l.margin FROM lend.loans l",
        "SELECT z.fee FROM lend.loans l",
        "SELECT member_id FROM lend.loans JOIN lend.members ON loans.member_id = members.member_id",
        "SELECT l.fee FROM lend.loans l JOIN lend.items l ON TRUE",
        "SELECT state.part FROM lend.loans",
        "SELECT l.state.part FROM lend.loans l",
    ),
    "function_allowlist": (
        "SELECT our_udf(fee) FROM lend.loans",
        "SELECT lend.our_udf(fee) FROM lend.loans",
        "SELECT loan_id FROM lend.loans WHERE our_udf(1) = 1",
    ),
    "session_state": ("SELECT CURRENT_USER",),
    "resource_bomb": (
        "SELECT REPEAT('x', 1000000000)",
        "SELECT LPAD('x', 100000000, 'y')",
        "SELECT " + "(" * 200 + "1" + ")" * 200,
        DOUBLING,
        "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r "
        "CROSS JOIN (SELECT 1 AS x UNION ALL SELECT 2) t WHERE n < 30) SELECT COUNT(*) AS c FROM r",
        "WITH RECURSIVE r AS (SELECT 1 AS n, 'x' AS state UNION ALL SELECT r.n + 1, l.state FROM r "
        "JOIN lend.loans l ON l.state = r.state WHERE r.n < 30) SELECT COUNT(*) AS c FROM r",
        "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT q.n + 1 FROM (SELECT n FROM r) q "
        "JOIN (SELECT 1 AS x UNION ALL SELECT 1) t ON t.x <= q.n WHERE q.n < 30) SELECT COUNT(*) AS c FROM r",
    ),
    "pii_column": (
        "SELECT mail FROM lend.members",
        "SELECT COUNT(DISTINCT mobile) FROM lend.members",
        "SELECT branch FROM lend.members ORDER BY mail",
        "SELECT branch FROM lend.members WHERE mail = 'a'",
        "SELECT branch, COUNT(*) FROM lend.members GROUP BY branch, mail",
        "SELECT branch FROM lend.members GROUP BY branch HAVING MAX(mail) > 'a'",
        "SELECT x.y FROM (SELECT mail AS y FROM lend.members) x",
        "WITH a AS (SELECT mobile AS b FROM lend.members), c AS (SELECT b AS d FROM a) SELECT d FROM c",
        "WITH unused AS (SELECT mobile FROM lend.members) SELECT 1 AS one",
        "SELECT full_name FROM lend.members UNION ALL SELECT mail FROM lend.members",
        "SELECT branch AS mail FROM lend.members GROUP BY mail",
        "SELECT CASE WHEN mail LIKE 'a%' THEN 1 END AS a FROM lend.members",
        "SELECT LAG(mail) OVER (ORDER BY member_id) AS a FROM lend.members",
        "SELECT ROW_NUMBER() OVER (ORDER BY mail) AS a FROM lend.members",
        "SELECT loan_id FROM lend.loans l WHERE EXISTS (SELECT 1 FROM lend.members m WHERE m.mail = l.state)",
    ),
    "pii_star": (
        "SELECT * FROM lend.members",
        "SELECT m.* FROM lend.members m",
        "WITH a AS (SELECT * FROM lend.members) SELECT branch FROM a",
        "SELECT l.*, m.* FROM lend.loans l JOIN lend.members m ON l.member_id = m.member_id",
    ),
}
ONLY: dict[Dialect, dict[str, tuple[str, ...]]] = {
    "postgres": {
        "pii_whole_row": (
            "SELECT m FROM members m",
            "SELECT m::text FROM members m",
            "SELECT row_to_json(m) FROM members m",
            "SELECT (m).mail FROM members m",
            "SELECT (SELECT m) FROM members m",
        ),
        "unknown_column": (
            "SELECT m.row_to_json FROM members m",
            "SELECT ctid FROM loans",
            "SELECT user",
            "SELECT loans.user FROM loans",
        ),
        "table_allowlist": (
            "SELECT * FROM ONLY wages",
            "SELECT count(*) FROM (lend.loans l CROSS JOIN staff.wages w) AS j",
            "SELECT count(*) FROM ((SELECT 1 AS a) x CROSS JOIN staff.wages)",
            'SELECT 1 FROM "lend.loans"',
            'SELECT 1 FROM "Loans"',
            "SELECT l.loan_id FROM loans l, LATERAL (SELECT pay FROM staff.wages) q",
        ),
        "system_catalog": ("SELECT relname FROM pg_class", "SELECT * FROM pg_catalog.pg_tables"),
        "file_access": ("SELECT pg_read_file('x')", "SELECT * FROM pg_ls_dir('.')", "SELECT lo_import('x')"),
        "function_allowlist": (
            "SELECT pg_sleep(1)",
            "SELECT public.lower('x')",
            "SELECT query_to_xml('select 1', true, true, '')",
            "SELECT kept__pg_sleep(1)",
            "SELECT * FROM dblink('x', 'select 1') AS t(a int)",
            "SELECT nextval('s')",
        ),
        "session_state": ("SELECT session_user", "SELECT current_setting('x')", "SELECT version()"),
        "statement_type": (
            "SELECT loan_id FROM loans TABLESAMPLE SYSTEM (1)",
            "SELECT 'x'::regclass",
            "SELECT m.b FROM members AS m(a, b, c, d, e, f)",
            "TABLE loans",
            "VALUES (1)",
            "SHOW all",
        ),
        "select_into": ("SELECT loan_id INTO copied FROM loans",),
        "parse_differential": ("SELECT U&'\\0061'", "SELECT !!5", "FROM loans |> SELECT fee"),
        "data_modifying_cte": ("WITH w AS (DELETE FROM loans RETURNING loan_id) SELECT loan_id FROM w",),
        "resource_bomb": (
            "SELECT generate_series(1, 1000000000)",
            "SELECT count(*) FROM generate_series(1, 10000) a, generate_series(1, 10000) b",
            "SELECT count(*) FROM generate_series(1, (SELECT count(*) FROM loans))",
            "SELECT replace(repeat('x', 900), 'x', repeat('y', 900))",
            "SELECT 9.9::numeric ^ 100000",
            "SELECT exp(100000::numeric)",
            "WITH RECURSIVE n(i) AS (VALUES (1), (-1000000) UNION ALL SELECT i + 1 FROM n WHERE i < 9) "
            "SELECT sum(i) FROM n",
            "SELECT format('%900000000s', 'x')",
            "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT max(n) FROM r",
            "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 9 "
            "OR true) SELECT max(n) FROM r",
            "WITH RECURSIVE r(n, s) AS (SELECT 1, 'x' UNION ALL SELECT n + 1, s || s FROM "
            "r WHERE n < 50) SELECT s FROM r",
            "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT a.n + 1 FROM r a, r b "
            "WHERE a.n < 9) SELECT max(n) FROM r",
            "SELECT x" + "[1]" * 60 + " FROM loans",
        ),
        "pii_star": ("SELECT m.branch FROM members m NATURAL JOIN loans l",),
        "pii_column": (
            "SELECT branch FROM members LIMIT (SELECT length(max(mail)) FROM members)",
            "SELECT count(*) FILTER (WHERE mail IS NULL) FROM members",
            "SELECT mode() WITHIN GROUP (ORDER BY mail) FROM members",
            "SELECT DISTINCT ON (mail) branch FROM members",
            "SELECT full_name FROM members JOIN (SELECT badge::text AS mail FROM gate_log) g USING (mail)",
            "SELECT badge ->> 'a' FROM gate_log WHERE entered_at >= '2026-11-01'",
        ),
    },
    "duckdb": {
        "file_access": ("SELECT * FROM read_csv('x.csv')", "SELECT * FROM main.read_text('x')"),
        "table_allowlist": (
            "SELECT a FROM 'x.parquet'",
            'SELECT a FROM "x.csv"',
            "FROM staff.wages",
            "SELECT 1 FROM temp.loans",
        ),
        "function_allowlist": (
            "SELECT * FROM query('SELECT 1')",
            "SELECT * FROM duckdb_tables()",
            "SELECT l.fee.sum() FROM loans l",
            "SELECT a.b.our_udf(1)",
        ),
        "session_state": ("SELECT getenv('HOME')", "SELECT current_schema()"),
        "pii_column": (
            "SELECT mail.upper() FROM members",
            "SELECT m: mail FROM members",
            "SELECT [x FOR x IN [mail]] FROM members",
            "SELECT list_transform([mail], x -> x) FROM members",
            "SELECT list_transform(['a'], lambda m: m.mail) FROM members m",
            "SELECT m.mail.upper() FROM members m",
            'SELECT "MAIL" FROM members',
        ),
        "pii_star": (
            "FROM members",
            "SELECT COLUMNS('m.*') FROM members",
            "SELECT * EXCLUDE (mail) FROM members",
            "PIVOT members ON branch USING count(*)",
        ),
        "pii_whole_row": ("SELECT m['mail'] FROM members m", "SELECT members FROM members"),
        "statement_type": ("SELECT #3 FROM members", "ATTACH 'x.db'", "PRAGMA version"),
        "explain_smuggle": ("SUMMARIZE loans",),
        "time_travel": ("SELECT loan_id FROM loans AT (VERSION => 1)",),
        "resource_bomb": (
            "SELECT list_sum(range(300000000))",
            "SELECT repeat('x', 1000).repeat(1000).repeat(1000)",
            "SELECT state.replace('a', 'bb').repeat(900) FROM loans",
            "SELECT levenshtein(a.title, b.title) FROM items a JOIN items b ON a.item_id = b.item_id",
            "SELECT damerau_levenshtein(title, genre) FROM items",
            "SELECT jaro_winkler_similarity(title, genre) FROM items",
            "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r, unnest([1, 2]) t(x) "
            "WHERE n < 30) SELECT count(*) FROM r",
            "WITH RECURSIVE r AS (SELECT 1 AS n, 0 AS x UNION ALL SELECT n + 1, unnest([1, 2]) FROM r "
            "WHERE n < 30) SELECT count(*) FROM r",
            "SELECT unnest(range(100000)) FROM loans",
            "SELECT list_transform(range(1000), x -> range(1000))",
            "WITH g AS (SELECT x FROM range(1000) t(x)) SELECT count(*) FROM g a, g b",
            "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 9000) "
            "SELECT count(*) FROM r a, r b",
        ),
    },
    "snowflake": {
        "table_allowlist": (
            "SELECT 1 FROM OTHER.LEND.LOANS",
            "SELECT 1 FROM LIBRARY..LOANS",
            'SELECT 1 FROM "loans"',
            "SELECT * FROM @stage/x",
            "SELECT * FROM TABLE('STAFF.WAGES')",
            "SELECT * FROM (SELECT STATE, FEE FROM LOANS) PIVOT(SUM(FEE) FOR STATE IN "
            "(SELECT PAY FROM STAFF.WAGES))",
        ),
        "function_allowlist": ("SELECT SYSTEM$ALLOWLIST()", "SELECT AI_COMPLETE('m', STATE) FROM LOANS"),
        "time_travel": ("SELECT LOAN_ID FROM LOANS BEFORE(STATEMENT => 'x')",),
        "session_state": ("SELECT $3 FROM MEMBERS", "SELECT CURRENT_ROLE()"),
        "resource_bomb": ("SELECT SEQ4() FROM TABLE(GENERATOR(TIMELIMIT => 60))",),
        "pii_column": ("SELECT BADGE:a::STRING FROM GATE_LOG WHERE ENTERED_AT >= '2026-11-01'",),
        "pii_star": (
            "SELECT OBJECT_CONSTRUCT(*) FROM MEMBERS",
            "SELECT * ILIKE '%ail' FROM MEMBERS",
            "SELECT f.VALUE FROM MEMBERS, LATERAL FLATTEN(INPUT => OBJECT_CONSTRUCT(*)) f",
        ),
    },
    "bigquery": {
        "table_allowlist": (
            "SELECT 1 FROM `other`.lend.loans",
            "SELECT 1 FROM lend.`loans_*`",
            "FROM staff.wages |> SELECT pay",
            "FROM lend.loans |> SELECT loan_id |> UNION ALL (SELECT pay FROM staff.wages)",
        ),
        "function_allowlist": ("SELECT ML.GENERATE_TEXT('x')", "SELECT ERROR('x')"),
        "time_travel": ("SELECT loan_id FROM lend.loans FOR SYSTEM_TIME AS OF '2026-01-01'",),
        "pii_whole_row": (
            "SELECT TO_JSON_STRING(m) FROM lend.members m",
            "SELECT ANY_VALUE(m).mail FROM lend.members m",
        ),
        "pii_column": (
            "SELECT r'\\'', mail, r'\\'' FROM lend.members",
            "SELECT STRUCT(mail AS x) FROM lend.members",
        ),
        "resource_bomb": ("SELECT x FROM UNNEST(GENERATE_ARRAY(1, 1000000000)) AS x",),
    },
}
CASES = [
    *((dialect, check, sql) for check, texts in EVERYWHERE.items() for sql in texts for dialect in DIALECTS),
    *(
        (dialect, check, sql)
        for dialect, kinds in ONLY.items()
        for check, texts in kinds.items()
        for sql in texts
    ),
]


@pytest.mark.parametrize(("dialect", "check", "sql"), CASES)
def test_an_attack_is_refused_by_the_check_of_its_rule(dialect: Dialect, check: str, sql: str) -> None:
    found = judged(sql, dialect)
    assert found.verdict == "hard"
    assert check in found.checks


@pytest.mark.parametrize(("dialect", "sql"), [(d, sql) for d, _, sql in CASES])
def test_no_text_is_left_to_run_where_it_could_not_be_read(dialect: Dialect, sql: str) -> None:
    reading = judged(sql, dialect).reading
    assert not (reading.sql and reading.faults)


@pytest.mark.parametrize(
    ("sql", "retry"),
    [
        ("SELECT our_udf(fee) FROM loans", True),
        ("SELECT margin FROM loans", True),
        ("SELECT (1", True),
        ("SELECT pay FROM staff.wages", False),
        ("SELECT mail FROM members", False),
        ("DELETE FROM loans", False),
        ("SELECT 1; SELECT 2", False),
        ("SELECT pg_read_file('x')", False),
        ("SELECT current_setting('x')", False),
        ("SELECT relname FROM pg_class", False),
    ],
)
def test_a_refusal_says_whether_a_new_query_may_be_tried(sql: str, retry: bool) -> None:
    hard = [d for d in judged(sql).decisions if d.verdict == "hard"]
    assert {d.retry for d in hard} == {retry}


def test_every_reason_is_given_at_once() -> None:
    found = judged("SELECT mail, margin, our_udf(1), (SELECT 1 FROM staff.wages) FROM members")
    assert {"pii_column", "unknown_column", "function_allowlist", "table_allowlist"} <= found.checks


def test_a_refusal_shows_the_place_in_the_submitted_text() -> None:
    sql = "SELECT branch /* mail */, mail FROM members"
    place = next(d.span for d in judged(sql).decisions if d.check == "pii_column" and d.verdict == "hard")
    assert place is not None
    assert (place[0], sql[slice(*place)]) == (26, "mail")


def test_near_names_are_those_the_role_may_see() -> None:
    found = judged("SELECT titel FROM lend.item")
    table = next(d for d in found.decisions if d.check == "table_allowlist" and d.verdict == "hard")
    assert table.candidates[0] == "lend.items"
    column = next(d for d in judged("SELECT titel FROM items").decisions if d.check == "unknown_column")
    assert column.candidates == ("title",)


def test_a_denied_column_is_no_near_name() -> None:
    for sql in ("SELECT mial FROM members", "SELECT mial FROM (SELECT branch FROM members) x, members m"):
        decision = next(d for d in judged(sql).decisions if d.check == "unknown_column")
        assert decision.verdict == "hard"
        assert not {"mail", "mobile"} & set(decision.candidates)
    shown = next(d for d in judged("SELECT mial FROM members", personal="mask").decisions if d.candidates)
    assert "mail" in shown.candidates


@pytest.mark.parametrize(
    ("condition", "bounded"),
    [
        ("date_trunc('century', entered_at) = '2000-01-01'", False),
        ("date_trunc('decade', entered_at) >= '2026-01-01'", False),
        ("date_trunc('year', entered_at) = '2026-01-01'", False),
        ("date_trunc('year', date_trunc('month', entered_at)) = '2026-01-01'", False),
        ("date_trunc('quarter', entered_at) BETWEEN '2026-04-01' AND '2026-05-01'", False),
        ("entered_at >= '2026-01-01' AND date_trunc('year', entered_at) <= '2026-02-01'", False),
        ("entered_at >= '2026-09-01' AND date_trunc('year', entered_at) < '2026-09-02'", False),
        ("date_trunc('month', entered_at) = '2026-09-01'", True),
        ("date_trunc('week', entered_at) = '2026-09-07'", True),
        ("entered_at >= '2026-06-01' AND date_trunc('month', entered_at) < '2026-08-01'", True),
    ],
)
def test_a_truncated_column_runs_to_the_end_of_its_unit(condition: str, bounded: bool) -> None:
    found = judged(f"SELECT door FROM gate_log WHERE {condition}")
    assert ("date_filter" not in found.checks) is bounded


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("duckdb", "SELECT regexp_replace(state, 'a', 'b', 'gx') AS x FROM loans"),
        ("duckdb", "SELECT SUM(instr(state, 'a', 2, 1)) AS x FROM loans"),
        ("postgres", "SELECT json_extract(state, '$.*.a') AS x FROM loans"),
    ],
)
def test_a_text_that_cannot_be_written_with_the_same_meaning_is_refused_without_a_word_on_the_console(
    dialect: Dialect, sql: str, caplog: pytest.LogCaptureFixture
) -> None:
    found = judged(sql, dialect)
    assert "parse_differential" in found.checks
    assert (found.reading.sql, caplog.records) == ("", [])
