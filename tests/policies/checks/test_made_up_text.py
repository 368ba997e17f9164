"""Text made from made-up text, over CTEs, aliases, lambdas and recursion: bounded as a whole, or refused."""

import pytest

from tests.policies.checks.lending import judged

LONG, LONGER = "repeat('x', 1000)", "repeat('y', 1000)"


def chained(length: int, first: str, step: str) -> str:
    steps = (f"a{i} AS (SELECT {step} AS x FROM a{i - 1})" for i in range(1, length))
    return f"WITH a0 AS ({first}), {', '.join(steps)} SELECT x FROM a{length - 1}"


@pytest.mark.parametrize(
    "sql",
    [
        chained(3, f"SELECT {LONG} AS x", f"replace(x, 'x', {LONGER})"),
        chained(30, "SELECT 'abcdefgh' AS x", "x || x"),
        chained(30, "SELECT 'abcdefgh' AS x", "concat(x, x)"),
        chained(30, "SELECT state AS x FROM loans", "replace(x, 'a', 'bb')"),
        "SELECT fee AS a0, " + ", ".join(f"a{i} + a{i} AS a{i + 1}" for i in range(18)) + " FROM loans",
        f"SELECT repeat(a.x, 1000) FROM (SELECT {LONG} AS x) a",
        f"SELECT {LONG} AS a, replace(a, 'x', {LONGER}) AS b",
        f"SELECT replace(u.x, 'x', {LONGER}) FROM unnest([{LONG}]) u(x)",
        f"SELECT replace((SELECT {LONG}), 'x', {LONGER})",
        f"SELECT replace(v.column1, 'x', {LONGER}) FROM (VALUES ({LONG})) v",
        f"SELECT list_transform([{LONG}], lambda x: replace(x, 'x', {LONGER}))",
        f"SELECT regexp_replace({LONG}, '.', {LONGER}, 'g')",
        "SELECT state.repeat(1000000000) FROM loans",
        "WITH RECURSIVE r AS (SELECT 1 AS n, 'x' AS t UNION ALL SELECT n + 1, repeat(t, 2) FROM r "
        "WHERE n < 40) SELECT t FROM r",
    ],
)
def test_what_is_made_from_made_up_values_is_bounded_as_a_whole(sql: str) -> None:
    assert "resource_bomb" in judged(sql, "duckdb").checks


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT replace(state, 'late', 'overdue') FROM loans",
        "WITH a AS (SELECT upper(state) || '-' || 'x' AS s FROM loans) SELECT replace(s, '-', ' / ') FROM a",
        "SELECT list_transform(string_split(state, ','), lambda x: replace(x, ' ', '')) FROM loans",
        "WITH a AS (SELECT string_agg(state, ', ') AS s FROM loans) SELECT replace(s, ',', ';') FROM a",
        "SELECT fee * 2 AS a, a + 1 AS b, a + b AS c, a + b + c AS d FROM loans",
        "SELECT " + " || ".join(["state"] * 300) + " AS x FROM loans",
        "SELECT levenshtein(state, 'late') FROM loans",
        "WITH RECURSIVE n(i, t) AS (SELECT 1, 'a' UNION ALL SELECT i + 1, t || 'b' FROM n WHERE i < 12) "
        "SELECT t FROM n",
    ],
)
def test_everyday_work_on_text_and_aliases_is_allowed(sql: str) -> None:
    assert judged(sql, "duckdb").verdict == "allow"
