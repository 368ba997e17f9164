"""A relation's name is taken apart at its dots, and quotes keep what they hold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metric_layer.relation import relation_parts

PARTS = st.lists(
    st.text(min_size=1, max_size=8).filter(lambda part: part.strip() == part), min_size=1, max_size=3
)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("orders", ("orders",)),
        ("main.orders", ("main", "orders")),
        (' main . "Order Lines" ', ("main", "Order Lines")),
        ('db."x.y"."z"', ("db", "x.y", "z")),
        ('"a""b"', ('a"b',)),
        ("a..b", ("a", "", "b")),
        ("a.", ("a", "")),
        ("", ("",)),
    ],
)
def test_a_name_is_split_at_its_dots(name: str, parts: tuple[str, ...]) -> None:
    assert relation_parts(name) == parts


@given(PARTS)
def test_every_quoted_name_comes_back_as_it_was(parts: list[str]) -> None:
    written = ".".join('"' + part.replace('"', '""') + '"' for part in parts)
    assert relation_parts(written) == tuple(parts)
