"""A receipt can be had again later, and it is the one that was given."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.traces.samples import KEY, closed, opened
from traces.store.files import FileTraceStore


@pytest.fixture
def store(tmp_path: Path) -> Iterator[FileTraceStore]:
    found = FileTraceStore(tmp_path, KEY)
    yield found
    found.close()


def test_the_receipt_of_a_closed_question_is_the_one_its_caller_got(store: FileTraceStore) -> None:
    for trace_id in ("t1", "t2"):
        store.append(opened(trace_id), durable=False)
    given = store.append(closed("t1"), durable=True)
    assert store.receipt("t1") == given
    assert not [verdict for verdict in store.verify([given]) if hasattr(verdict, "message")]


def test_a_question_that_is_open_or_unknown_has_none(store: FileTraceStore) -> None:
    store.append(opened("t1"), durable=False)
    assert store.receipt("t1") is None
    assert store.receipt("no such trace") is None
