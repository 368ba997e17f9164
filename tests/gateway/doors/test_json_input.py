"""JSON from outside is taken literally or not at all."""

import json
from contextlib import suppress
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.doors.json_input import BadInput, BadJson, read_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


@given(VALUES)
def test_what_json_wrote_reads_back_the_same(value: object) -> None:
    assert read_json(json.dumps(value)) == value


@given(st.decimals(allow_nan=False, allow_infinity=False, places=10))
def test_fractions_keep_every_digit(value: Decimal) -> None:
    assert read_json(format(value, "f")) == value


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"metrics": [}', "plan.json:1:14"),
        ('{\n "a": 1\n "b": 2}', "plan.json:3:2"),
        ('{"a": 1, "a": 2}', "'a' stands twice"),
        ('{"a": NaN}', "NaN is not a JSON number"),
        ("[" * 100_000, "Nested too deeply"),
        ("1" * 5_000, "too long"),
        ("1e99999999999999999999", "beyond what a decimal holds"),
        (b'{"a": "\xff"}', "Not UTF-8"),
        ("", "plan.json:1:1"),
    ],
    ids=["cut", "comma", "twice", "nan", "deep", "long", "huge", "bytes", "empty"],
)
def test_bad_json_is_refused_with_its_place(text: str | bytes, says: str) -> None:
    with pytest.raises(BadJson) as refused:
        read_json(text, "plan.json")
    issue = refused.value.issue
    assert says in f"{issue.place} {issue.message}"
    assert issue.place.startswith("plan.json")


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ('{"metrics": ["net", "a\\ud800"]}', "/metrics/1"),
        ('{"where": [{"values": {"\\udfff": 1}}]}', "/where/0/values"),
        ('"\\ude00\\ud83d"', ""),
        ('"\ud800"', ""),
    ],
    ids=["value", "key", "turned round", "unescaped"],
)
def test_half_a_character_is_refused_with_its_place(text: str, path: str) -> None:
    with pytest.raises(BadJson) as refused:
        read_json(text, "plan.json")
    issue = refused.value.issue
    assert (issue.place, issue.path) == ("plan.json", path)
    assert "half of a character" in issue.message and issue.model_dump_json()


def test_two_halves_that_belong_together_are_one_character() -> None:
    assert read_json('{"a": "\\ud83d\\ude00"}') == {"a": "\U0001f600"}


@given(st.binary(max_size=60))
def test_no_bytes_raise_anything_else(data: bytes) -> None:
    with suppress(BadInput):
        read_json(data)
