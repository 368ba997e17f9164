"""Names and texts in BigQuery's SQL: nothing in them ends the quotes or begins a line."""

import pytest
import sqlglot
from hypothesis import example, given
from hypothesis import strategies as st
from sqlglot import exp

from gateway.engines.bigquery_names import member, part, text

HOSTILE = st.text(alphabet=st.sampled_from("ab'\"`\\\r\n;-* "), max_size=30)


def unescaped(quoted: str) -> str:
    """Read what stands between quotes as the service does: a backslash takes the next character with it."""
    quote, inside, found = quoted[0], iter(quoted[1:-1]), []
    for each in inside:
        assert each not in (quote, "\r", "\n"), "it would end here"
        if each == "\\":
            following = next(inside, "")
            assert following, "it would take the closing quote with it"
            each = {"n": "\n", "r": "\r"}.get(following, following)
        found.append(each)
    return "".join(found)


@pytest.mark.parametrize("write", [part, text, member])
@given(value=HOSTILE)
@example(value="x\\\r\nGRANT `roles/owner` ON SCHEMA y;")
def test_whatever_a_name_holds_it_is_read_back_as_it_was(write: object, value: str) -> None:
    assert callable(write)
    assert unescaped(write(value)) == value


@given(HOSTILE)
def test_a_parser_reads_one_literal_and_nothing_after_it(value: str) -> None:
    (statement,) = sqlglot.parse(f"SELECT {text(value)}", dialect="bigquery")
    assert isinstance(statement, exp.Select)
    (literal,) = statement.expressions
    assert isinstance(literal, exp.Literal) and literal.this == value
