"""Pipe operators are read where the tree means the same; a chain whose order the parser loses is refused."""

import pytest

from tests.policies.checks.lending import judged

FINE = (
    "FROM lend.loans |> WHERE state = 'late' |> ORDER BY fee |> SELECT loan_id, fee |> LIMIT 3",
    "FROM lend.loans |> EXTEND fee * 2 AS twice |> SELECT loan_id, twice",
    "FROM lend.loans |> EXTEND fee * 2 AS twice |> AGGREGATE SUM(twice) AS s GROUP BY state",
    "FROM lend.loans |> AS l |> SELECT l.fee",
    "FROM lend.loans |> LIMIT 5 |> SELECT fee",
    "FROM lend.loans |> SELECT state |> DISTINCT |> ORDER BY state",
    "FROM lend.loans |> SELECT state, fee |> PIVOT(SUM(fee) FOR state IN ('late'))",
    "FROM (SELECT state, COUNT(*) AS n FROM lend.loans GROUP BY state) |> WHERE n > 5",
    "WITH l AS (SELECT fee FROM lend.loans) FROM l |> WHERE fee > 1 |> AGGREGATE COUNT(*) AS n",
    "FROM lend.loans AS l |> LEFT JOIN lend.items AS i ON l.item_id = i.item_id |> WHERE i.genre = 'art' "
    "|> AGGREGATE COUNT(*) AS n",
)
STARRED = (
    "FROM lend.loans",
    "FROM lend.loans |> WHERE fee > 1",
    "FROM lend.loans |> EXTEND fee * 2 AS twice |> WHERE twice > 2",
    "FROM lend.loans |> AS l",
    "FROM lend.loans |> UNION ALL (FROM lend.loans)",
    "FROM lend.loans |> SELECT * |> WHERE fee > 1",
)
REORDERED = (
    "FROM lend.loans |> LIMIT 5 |> WHERE fee > 1 |> SELECT fee",
    "FROM lend.loans |> LIMIT 5 |> AGGREGATE COUNT(*) AS n",
    "FROM lend.loans |> LIMIT 5 |> SELECT SUM(fee) OVER () AS s",
    "FROM lend.loans |> SELECT state |> DISTINCT |> AGGREGATE COUNT(*) AS n",
    "FROM lend.loans |> SELECT state, fee |> WHERE state = 'late' |> PIVOT(SUM(fee) FOR state IN ('late'))",
    "FROM lend.loans AS l |> WHERE fee > 1 |> FULL JOIN lend.items AS i ON l.item_id = i.item_id "
    "|> WHERE i.genre = 'a' |> PIVOT(SUM(fee) FOR state IN ('late'))",
    "SELECT x.n FROM (FROM lend.loans |> LIMIT 5 |> AGGREGATE COUNT(*) AS n) AS x",
    "SELECT state, COUNT(*) AS n FROM lend.loans GROUP BY state |> WHERE n > 5",
)
DROPPED = (
    "FROM lend.loans |> SELECT DISTINCT state",
    "FROM lend.loans |> SELECT pay FROM staff.wages",
    "FROM lend.loans |> SELECT state WHERE fee > 1",
    "FROM lend.loans |> SELECT AS STRUCT state",
)


@pytest.mark.parametrize("sql", FINE)
def test_a_chain_of_pipe_operators_is_allowed(sql: str) -> None:
    found = judged(sql, "bigquery")
    assert (found.verdict, found.checks) == ("allow", frozenset())


@pytest.mark.parametrize("sql", STARRED)
def test_a_chain_that_ends_in_all_columns_of_a_table_is_a_star(sql: str) -> None:
    found = judged(sql, "bigquery")
    assert (found.verdict, found.checks) == ("soft", frozenset({"select_star"}))


@pytest.mark.parametrize("sql", [*REORDERED, *DROPPED])
def test_a_chain_that_the_parser_would_change_is_refused(sql: str) -> None:
    found = judged(sql, "bigquery")
    assert "parse_differential" in found.checks
    assert not found.reading.sql


@pytest.mark.parametrize(
    "sql",
    [
        "FROM lend.members |> EXTEND 1 AS one",
        "FROM lend.members |> EXTEND 1 AS one |> SELECT mail",
        "FROM lend.members |> AS m |> SELECT m.mail",
        "FROM lend.loans |> JOIN lend.members USING (member_id) |> SELECT mail",
    ],
)
def test_personal_data_is_found_behind_pipe_operators(sql: str) -> None:
    assert judged(sql, "bigquery").verdict == "hard"
