"""A line is framed one way, and its hash is made by the rule that docs/traces.md tells."""

import hmac
from hashlib import sha256

import pytest

from tests.traces.samples import KEY, closed, opened
from traces.formats import encode
from traces.frame import GENESIS, follows, link, read_line, write_line
from traces.merkle import leaf_hash
from traces.records import AnyRecord


def by_hand(previous: str, said: bytes) -> str:
    return hmac.new(KEY.secret, previous.encode() + said, "sha256").hexdigest()


@pytest.mark.parametrize("record", [opened("t1"), closed("t1")], ids=lambda record: record.kind)
def test_a_record_is_linked_by_the_hash_of_its_bytes(record: AnyRecord) -> None:
    body = encode(record)
    assert link(GENESIS, body, KEY) == by_hand(GENESIS, sha256(b"\0" + body).digest())
    assert link(GENESIS, body, KEY, leaf_hash(body)) == link(GENESIS, body, KEY)


@pytest.mark.parametrize("version", [1, 2])
def test_a_record_of_an_older_format_is_linked_by_its_bytes(version: int) -> None:
    body = encode(opened("t1").model_copy(update={"v": version}))
    assert link(GENESIS, body, KEY) == by_hand(GENESIS, body)


@pytest.mark.parametrize(("was", "made"), [(3, 2), (2, 3), (3, 30), (1, 2)])
def test_a_record_that_is_passed_off_as_of_another_format_does_not_follow(was: int, made: int) -> None:
    body = encode(opened("t1").model_copy(update={"v": was}))
    raw = write_line(0, link(GENESIS, body, KEY), body)[:-1]
    assert follows(read_line(raw), 0, GENESIS, KEY)
    altered = raw.replace(b'"v":%d,' % was, b'"v":%d,' % made, 1)
    assert altered != raw and not follows(read_line(altered), 0, GENESIS, KEY)


def test_the_leaf_hash_of_a_record_does_not_follow_in_its_place() -> None:
    body = encode(opened("t1"))
    line = read_line(write_line(0, link(GENESIS, body, KEY), body)[:-1])
    assert follows(line, 0, GENESIS, KEY)
    assert line is not None and not follows(line._replace(body=leaf_hash(body)), 0, GENESIS, KEY)
