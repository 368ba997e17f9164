"""Parameters of a statement: bound in the tree, in every dialect, whatever the value looks like."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metric_layer.plan import Dialect
from metric_layer.sql.parameters import (
    Missing,
    NotBindable,
    Value,
    bound,
    parameters_in,
    parametrised,
    same_statement,
)

DIALECTS: tuple[Dialect, ...] = ("postgres", "duckdb", "snowflake", "bigquery")
SQL = (
    "SELECT a, COUNT(*) AS n FROM t WHERE d >= CAST('2026-07-01' AS DATE) AND s IN ('open', 'shut') "
    "AND k BETWEEN 3 AND 9 AND NOT (x <> 'open') GROUP BY a ORDER BY 2 DESC LIMIT 10"
)
VALUES: dict[str, Value] = {"since": "2026-07-01", "state": "open", "least": 3, "most": 10}
LIKE_NONE = "SELECT a FROM t WHERE s = '$state'"


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_statement_with_its_own_values_in_it_reads_as_it_did(dialect: Dialect) -> None:
    found = parametrised(SQL, dialect, VALUES)
    assert isinstance(found[0], str)
    text, taken = found
    assert set(taken) == set(VALUES)
    assert set(parameters_in(text, dialect)) == set(VALUES)
    assert "'open'" not in text
    assert same_statement(bound(text, dialect, VALUES), SQL, dialect)


@given(value=st.text(max_size=30).filter(lambda text: "\0" not in text), dialect=st.sampled_from(DIALECTS))
def test_no_value_is_more_than_one_literal(value: str, dialect: Dialect) -> None:
    try:
        text = bound(LIKE_NONE, dialect, {"state": value})
    except NotBindable:
        return  # what a dialect cannot write as one literal is refused
    found = parametrised(text, dialect, {"state": value})
    if value.startswith("$") and not isinstance(found[0], str):
        return  # the value is the name of a parameter itself
    assert same_statement(str(found[0]), LIKE_NONE, dialect)


@pytest.mark.parametrize("value", ["it's", "a\\' OR 1=1 --", "';DROP TABLE t;--", "/* x */", "\\", "é\u2028"])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_texts_that_look_like_sql_can_be_values(dialect: Dialect, value: str) -> None:
    text = bound(LIKE_NONE, dialect, {"state": value})
    assert not isinstance(parametrised(text, dialect, {"state": value})[0], Missing)


@given(number=st.integers(min_value=-(10**12), max_value=10**12), dialect=st.sampled_from(DIALECTS))
def test_a_whole_number_is_a_number(number: int, dialect: Dialect) -> None:
    text = bound("SELECT a FROM t WHERE k > '$least'", dialect, {"least": number})
    assert text.replace(" ", "").endswith(f"k>{number}")


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 'open' AS told FROM t",
        "SELECT a FROM t WHERE LOWER('open') = s",
        "SELECT a FROM t WHERE s = CAST('open' AS INT)",
        "SELECT a FROM t WHERE s LIKE 'open'",
        "SELECT CONCAT(s, 'open') AS c FROM t WHERE s = 'open'",
        "SELECT a FROM t WHERE s = 'a' || 'open'",
    ],
)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_value_stands_beside_a_comparison_and_nowhere_else(sql: str, dialect: Dialect) -> None:
    found = parametrised(sql, dialect, {"state": "open"})
    assert [each.why for each in found if isinstance(each, Missing)] == ["misplaced"]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_unit_of_a_function_is_no_value(dialect: Dialect) -> None:
    sql = "SELECT EXTRACT(MONTH FROM d) AS m, DATE_TRUNC('month', d) AS first FROM t"
    found = parametrised(sql, dialect, {"state": "month"})
    assert all(each.why == "misplaced" if isinstance(each, Missing) else True for each in found)
    assert found[1:] in ((), ((),))


def test_an_ordinal_is_no_value() -> None:
    found = parametrised("SELECT a, 2 AS two FROM t ORDER BY 2", "postgres", {"least": 2})
    assert {each.why for each in found if isinstance(each, Missing)} == {"misplaced"}


def test_a_text_that_would_be_a_parameter_is_told() -> None:
    found = parametrised("SELECT a FROM t WHERE s = '$other' AND r = 'open'", "postgres", {"state": "open"})
    assert [(each.name, each.why) for each in found if isinstance(each, Missing)] == [("other", "taken")]


@pytest.mark.parametrize(
    "sql", [LIKE_NONE, "SELECT '$state' AS told FROM t", "SELECT (", "SELECT 1; SELECT 2"]
)
def test_what_cannot_be_bound_is_refused(sql: str) -> None:
    values: dict[str, Value] = {} if sql == LIKE_NONE else {"state": "open"}
    with pytest.raises(NotBindable):
        bound(sql, "postgres", values)
