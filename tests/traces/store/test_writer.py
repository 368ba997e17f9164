"""Every caller that waits for the writing thread is told, also when others left before they were."""

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.traces.samples import closed
from traces.errors import TraceUnwritable
from traces.formats import encode
from traces.records import AnyRecord
from traces.store import log, writer
from traces.store.log import Entry
from traces.store.refusal import writer_gone
from traces.store.writer import TOLD_AT_ONCE, Job, Writer, settle

SECONDS = 20.0


def jobs(count: int) -> list[Job]:
    return [Job(Entry(b"{}", durable=True)) for _ in range(count)]


class NoDisk:
    """A log that keeps nothing."""

    unsynced_bytes = 0

    def write(self, entries: Sequence[Entry]) -> None:
        """Take entries."""

    def write_at_once(self, entry: Entry) -> bool:
        """Leave it to the writing thread."""
        return False

    def sync(self) -> None:
        """Be done."""


@pytest.mark.parametrize(
    ("long", "worked"),
    [(60.0, ["trace-writer"] * 3), (-1.0, ["trace-writer", "MainThread", "MainThread"])],
    ids=["syncs are quick", "syncs are long"],
)
def test_callers_work_out_their_bytes_themselves_once_syncs_are_long(
    monkeypatch: pytest.MonkeyPatch, long: float, worked: list[str]
) -> None:
    threads: list[str] = []

    def noted(record: AnyRecord) -> bytes:
        threads.append(threading.current_thread().name)
        return encode(record)

    monkeypatch.setattr(log, "encode", noted)
    monkeypatch.setattr(writer, "LONG_SYNC", long)
    one = Writer(NoDisk(), "nowhere", SECONDS)
    for _ in worked:
        assert one.append(Entry(b"", durable=True, record=closed("t1"))).body == encode(closed("t1"))
    one.close()
    assert threads == worked


def test_a_crowd_is_told_though_the_writing_thread_tells_only_its_first() -> None:
    crowd = jobs(200)
    with ThreadPoolExecutor(len(crowd)) as pool:
        waits = [pool.submit(job.wait, SECONDS) for job in crowd]
        settle(crowd)
        assert all(wait.result(timeout=SECONDS) for wait in waits)


def test_those_behind_callers_who_left_are_told_all_the_same() -> None:
    *left, last = jobs(TOLD_AT_ONCE + 3)
    assert not any(job.wait(0) for job in left)
    settle([*left, last])
    assert last.wait(0)


def test_a_caller_who_leaves_when_it_is_just_told_tells_the_next() -> None:
    first, *others = jobs(TOLD_AT_ONCE + 2)
    settle([first, *others])
    assert first.wait(0)
    assert not first.wait(0), "as one that ran out of time at that moment"
    assert all(job.wait(0) for job in reversed(others))


def test_who_was_told_once_hears_nothing_else() -> None:
    (job,) = jobs(1)
    settle([job])
    settle([job], writer_gone("here"))
    assert job.error is None
    assert job.wait(0)
    assert not job.wait(0)


def test_an_error_reaches_everyone_it_is_for() -> None:
    crowd = jobs(5)
    settle(crowd, writer_gone("here"))
    assert all(job.wait(0) and isinstance(job.error, TraceUnwritable) for job in crowd)


@pytest.mark.parametrize("count", [0, 1, TOLD_AT_ONCE])
def test_few_are_told_at_once(count: int) -> None:
    few = jobs(count)
    settle(few)
    assert all(job.wait(0) for job in few)
