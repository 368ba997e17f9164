"""Plain values come back from their JSON as they were."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from traces.plain_json import plain_json

PLAIN = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text()),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner)),
    max_leaves=12,
)


@given(PLAIN)
def test_a_plain_value_comes_back(value: object) -> None:
    assert json.loads(plain_json(value)) == value


@pytest.mark.parametrize("value", ["half a pair: \ud83d", ["a", {"\udc00": [1]}]])
def test_a_text_without_utf_8_comes_back(value: object) -> None:
    assert json.loads(plain_json(value)) == value
