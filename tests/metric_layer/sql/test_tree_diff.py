"""Two queries are compared as trees, and their features are read without a schema."""

import pytest

from metric_layer.sql.features import SqlFilter, read_features
from metric_layer.sql.tree_diff import TreeDiff, laid_out, tree_diff

GOLD = "SELECT city, SUM(x) AS s FROM a JOIN b ON a.i = b.i WHERE d = 'q' GROUP BY city"


@pytest.mark.parametrize(
    "spelt", [GOLD.lower(), f"{GOLD} -- the same", GOLD.replace(" ", "\n  "), GOLD.replace("city", "City")]
)
def test_layout_case_and_comments_are_no_difference(spelt: str) -> None:
    assert tree_diff(GOLD, spelt, "duckdb") == TreeDiff()


def test_what_only_one_side_has_is_told_as_the_outermost_piece() -> None:
    found = tree_diff(GOLD, GOLD.replace(" WHERE d = 'q'", "").replace("SUM", "AVG"), "duckdb")
    assert found.only_gold == ("SUM(x) AS s", "WHERE d = 'q'")
    assert found.only_candidate == ("AVG(x) AS s",)


@pytest.mark.parametrize("text", ["", "SELECT FROM", "DROP TABLE a", "SELECT 1; SELECT 2"])
def test_a_text_that_is_no_query_is_not_compared_and_stays_as_it_is(text: str) -> None:
    assert not tree_diff(GOLD, text, "duckdb").read
    assert laid_out(text, "duckdb") == text
    assert read_features(text, "duckdb") is None


def test_a_query_is_laid_out_one_clause_a_line() -> None:
    assert "\nWHERE\n" in laid_out(GOLD, "duckdb")


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ("a = 1", SqlFilter(column="a", op="eq", values=("1",))),
        ("t.A IN ('X  y', 'Z')", SqlFilter(column="a", op="in", values=("x y", "z"))),
        ("a NOT IN (1, 2)", SqlFilter(column="a", op="not_in", values=("1", "2"))),
        ("a IS NULL", SqlFilter(column="a", op="is", values=("null",))),
        ("a NOT LIKE 'x%'", SqlFilter(column="a", op="not_like", values=("x%",))),
        ("a > -5", SqlFilter(column="a", op="gt", values=("-5",))),
    ],
)
def test_a_condition_on_one_column_is_taken_apart(condition: str, found: SqlFilter) -> None:
    features = read_features(f"SELECT b FROM t WHERE {condition}", "duckdb")
    assert features is not None and features.filters == (found,)


@pytest.mark.parametrize(
    "condition", ["lower(a) = 'x'", "a = 1 OR b = 2", "a < b", "a > (SELECT max(c) FROM u)"]
)
def test_any_other_condition_is_kept_whole(condition: str) -> None:
    features = read_features(f"SELECT b FROM t WHERE {condition}", "duckdb")
    assert features is not None
    assert [(each.column, each.op) for each in features.filters] == [("", "other")]
