"""SQL on the screen keeps its words."""

from hypothesis import given
from hypothesis import strategies as st

from gateway.doors.sql_shape import folded, in_lines

SQL = (
    'SELECT "p"."month" AS "month", MAX("p"."n") AS "n" FROM (SELECT "o"."m" AS "month", SUM("o"."x") AS "n" '
    'FROM "orders" AS "o" WHERE "o"."s" IN (\'a FROM b\') GROUP BY "o"."m") AS "p" '
    'GROUP BY "p"."month" LIMIT 3'
)


def words(text: str) -> list[str]:
    return text.replace("(", " ( ").replace(")", " ) ").split()


def test_each_clause_has_its_line_and_a_subquery_its_indent() -> None:
    assert [line.split()[0] for line in in_lines(SQL).splitlines()] == [
        "SELECT", "FROM", "SELECT", "FROM", "WHERE", "GROUP", ")", "GROUP", "LIMIT",
    ]  # fmt: skip
    assert [line.startswith("  ") for line in in_lines(SQL).splitlines()] == [
        False,
        False,
        *[True] * 4,
        *[False] * 3,
    ]


def test_only_white_space_changes() -> None:
    assert words(in_lines(SQL)) == words(SQL)


def test_a_clause_inside_a_text_breaks_no_line() -> None:
    assert "'a FROM b'" in in_lines(SQL)


@given(st.text(alphabet="()'\" \nSELECTFROMabc,.", max_size=60))
def test_no_text_is_too_strange(text: str) -> None:
    assert words(in_lines(text)) == words(text)


def test_the_shape_is_short_and_reads_without_quotes() -> None:
    assert all(len(line) <= 40 for line in folded(SQL, 40).splitlines())
    assert folded(SQL, 60).startswith("SELECT p.month AS month")
