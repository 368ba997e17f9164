"""SQL of other layers is taken apart without changing which rows it keeps."""

from collections.abc import Iterator

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlglot import exp

from metric_layer.compile.predicate import condition
from metric_layer.expression_apart import formula_text, qualified, rewritten, take_apart
from metric_layer.expression_foreign import (
    ForeignSql,
    columns_in,
    comparisons,
    equal_columns,
    plain_column,
    types_in,
)

ROWS = "(VALUES ('a', 1), ('b', 2), ('c', NULL), (NULL, 1), (NULL, NULL), ('it''s', -3)) AS t (x, y)"
TEXTS = st.sampled_from(["'a'", "'b'", "'it''s'", "'z'"])
NUMBERS = st.sampled_from(["1", "2", "-3", "1.5"])


def _atoms(column: str, values: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    several = st.lists(values, min_size=1, max_size=3).map(", ".join)
    return st.one_of(
        st.builds(
            lambda op, v: f"{column} {op} {v}",
            st.sampled_from(["=", "<>", "!=", "<", "<=", ">", ">="]),
            values,
        ),
        st.builds(lambda op, v: f"{v} {op} {column}", st.sampled_from(["=", "<", ">="]), values),
        several.map(lambda v: f"{column} IN ({v})"),
        several.map(lambda v: f"{column} NOT IN ({v})"),
        st.sampled_from([f"{column} IS NULL", f"{column} IS NOT NULL", f"NOT {column} IS NULL"]),
        st.builds(lambda a, b: f"{column} BETWEEN {a} AND {b}", values, values),
        st.builds(lambda a, b: f"({column} = {a} OR {column} IN ({b}))", values, values),
        values.map(lambda v: f"NOT {column} = {v}"),
    )


@pytest.fixture(scope="module")
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as opened:
        yield opened


@given(atoms=st.lists(_atoms("x", TEXTS) | _atoms("y", NUMBERS), min_size=1, max_size=4))
@settings(max_examples=200, deadline=None)
def test_a_filter_keeps_exactly_the_rows_that_its_sql_keeps(
    atoms: list[str], database: duckdb.DuckDBPyConnection
) -> None:
    where = " AND ".join(atoms)
    tests = [
        condition(exp.column(each.column.name), each.op, each.values, keep_missing=True)
        for each in comparisons(where)
    ]
    ours = " AND ".join(test.sql(dialect="duckdb") for test in tests)
    expected = database.execute(f"SELECT * FROM {ROWS} WHERE {where}").fetchall()
    assert database.execute(f"SELECT * FROM {ROWS} WHERE {ours}").fetchall() == expected


@pytest.mark.parametrize(
    "where",
    [
        "x = y",
        "x = 'a' OR y = 1",
        "x LIKE 'a'",
        "x = NULL",
        "x IN ('a', NULL)",
        "x IS NOT TRUE",
        "x + 1 = 2",
        "NOT x > 1",
    ],
)
def test_a_filter_that_says_more_is_refused(where: str) -> None:
    with pytest.raises(ForeignSql):
        comparisons(where)


def test_a_join_is_pairs_of_equal_columns_or_refused() -> None:
    [(left, right), _] = equal_columns("a.x = b.y AND (a.z = b.w)")
    assert (left.table, left.name, right.table, right.name) == ("a", "x", "b", "y")
    for other in ("a.x > b.y", "a.x = 1", "a.x = b.y OR a.z = b.w", "TRUE"):
        with pytest.raises(ForeignSql):
            equal_columns(other)


def test_columns_are_typed_by_what_is_done_with_them() -> None:
    sql = "CASE WHEN s = 'x' AND f AND n > 3 THEN v * 2 ELSE w END"
    types = {"s": "string", "f": "boolean", "n": "decimal", "v": "decimal", "w": "date"}
    assert types_in(sql, "date") == types


def test_a_plain_column_is_nothing_but_one() -> None:
    assert plain_column('"Net Amount"') == "Net Amount"
    assert plain_column("amount") == "amount"
    assert [plain_column(sql) for sql in ("o.amount", "amount + 1", "amount)", "'x'", "")] == [None] * 5


def test_arithmetic_keeps_its_brackets_and_loses_what_changes_nothing_here() -> None:
    assert formula_text("(a - b) / NULLIF(CAST(b AS FLOAT), 0) * -1.50", str.upper) == "(A - B) / B * -1.50"
    assert formula_text("a / NULLIF(b + c, 0)", str) == "a / (b + c)"
    for other in ("ROUND(a)", "a || b", "t.a + 1", "a > b", "'x'"):
        with pytest.raises(ForeignSql):
            formula_text(other, str)


def test_a_formula_counts_each_aggregate_once() -> None:
    found = take_apart("SUM(a) / (SUM(a) + COUNT(*))")
    assert (found.text, len(found.leaves), found.shape) == ("{0} / ({0} + {1})", 2, "arithmetic")
    assert take_apart("(SUM(a))").shape == "leaf"
    assert take_apart("SUM(a) / COUNT(b)").shape == "ratio"


def test_columns_are_renamed_and_qualified_without_touching_anything_else() -> None:
    assert rewritten("t.a + b", {"b": "x - y"}) == "a + (x - y)"
    assert qualified("a + \"b c\" + 'a'", "t", {}) == '"t"."a" + "t"."b c" + \'a\''
    assert [column.name for column in columns_in("a + a + b")] == ["a", "b"]


@pytest.mark.parametrize(
    "text", ["(" * 300, "NOT " * 400 + "x", "-" * 400 + "x", "x + " * 2000 + "x", "CASE " * 60, ";"]
)
def test_a_text_made_to_break_a_parser_is_refused(text: str) -> None:
    with pytest.raises(ForeignSql):
        comparisons(text)
