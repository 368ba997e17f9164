"""How much of a text is followed: what costs more than it can be worth is refused before it is resolved."""

import pytest

from tests.policies.checks.lending import judged

MANY = 400
FROM = "SELECT 1 AS one FROM "


def listed(item: str, count: int) -> str:
    return ", ".join(item.format(at) for at in range(count))


@pytest.mark.parametrize(
    "sql",
    [
        FROM + listed("loans AS l{}", MANY),
        FROM + listed("(VALUES (1)) AS v{}", MANY),
        FROM + listed("range(1) AS r{}", MANY),
        FROM + listed("(SELECT 1) AS s{}", MANY),
        FROM + "loans, " + listed("LATERAL (SELECT 1) AS s{}", MANY),
        "SELECT " + listed("(SELECT max(fee) FROM loans) AS m{}", MANY),
        FROM + "loans WHERE " + " AND ".join(["EXISTS (SELECT 1 FROM loans)"] * MANY),
    ],
)
def test_relations_are_counted_however_they_are_listed(sql: str) -> None:
    verdict = judged(sql, "duckdb")
    assert "resource_bomb" in verdict.checks
    assert any("more than 200 relations" in each.reason for each in verdict.decisions)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT fee FROM loans ORDER BY " + listed("fee", 9000),
        "SELECT DISTINCT ON (" + listed("fee", 9000) + ") fee FROM loans",
        "SELECT fee FROM loans WHERE (" + listed("fee", 6000) + ") = (" + listed("fee", 6000) + ")",
        "SELECT " + listed("fee AS fee_{}", 3500) + " FROM loans",
    ],
)
def test_names_are_counted_wherever_they_stand(sql: str) -> None:
    verdict = judged(sql, "duckdb")
    assert "resource_bomb" in verdict.checks
    assert any("more than 3000 times" in each.reason for each in verdict.decisions)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT fee FROM loans WHERE loan_id IN (" + listed("{}", 9000) + ")",
        "SELECT " + listed("fee AS fee_{}", 1000) + " FROM loans",
        "SELECT fee FROM loans WHERE " + " OR ".join(f"loan_id = {at}" for at in range(100)),
    ],
)
def test_long_lists_of_values_and_columns_are_read(sql: str) -> None:
    assert "resource_bomb" not in judged(sql, "duckdb").checks
