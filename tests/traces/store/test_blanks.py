"""Zeros written ahead: never over a line, no more than a few megabytes, and nobody depends on them."""

import os
from pathlib import Path

import pytest

from tests.traces.samples import KEY, closed, opened
from traces.chain import Verified
from traces.store.disk import Disk
from traces.store.files import FileTraceStore
from traces.store.log import MOST_BLANKED

MEGABYTE = 1024 * 1024


class Watched(Disk):
    """Notes for each file where lines end, and which ranges zeros went over."""

    def __init__(self) -> None:
        self.lines_end: dict[int, int] = {}
        self.blanks: list[tuple[int, int]] = []

    def write(self, handle: int, data: bytes, offset: int) -> int:
        self.lines_end[handle] = max(self.lines_end.get(handle, 0), offset + len(data))
        return super().write(handle, data, offset)

    def blank(self, handle: int, offset: int, size: int) -> None:
        assert offset >= self.lines_end.get(handle, 0)
        assert offset + size <= os.fstat(handle).st_size, "inside what is set aside"
        assert offset + size <= self.lines_end.get(handle, 0) + MOST_BLANKED
        self.blanks.append((offset, offset + size))
        super().blank(handle, offset, size)


class Unblankable(Disk):
    """Takes lines and no zeros."""

    def blank(self, handle: int, offset: int, size: int) -> None:
        raise OSError("no zeros here")


def fill(store: FileTraceStore, megabytes: int) -> None:
    note = ("n" * (MEGABYTE // 4),)
    for number in range(4 * megabytes):
        with store.reserve(MEGABYTE):
            store.append(opened(f"t{number}"), durable=False)
            store.append(closed(f"t{number}").model_copy(update={"notes": note}), durable=True)


def test_zeros_go_over_what_is_set_aside_and_over_no_line(tmp_path: Path) -> None:
    disk = Watched()
    store = FileTraceStore(tmp_path, KEY, disk=disk)
    fill(store, 12)
    (verdict,) = store.verify()
    assert isinstance(verdict, Verified)
    assert verdict.records == 1 + 2 * 4 * 12
    assert disk.blanks == sorted(disk.blanks)
    assert all(end <= start for (_, end), (start, _) in zip(disk.blanks, disk.blanks[1:], strict=False))
    covered = sum(end - start for start, end in disk.blanks)
    assert covered > 10 * MEGABYTE, "nearly every line went over zeros"
    store.close()


def test_a_log_that_is_seldom_written_takes_little(tmp_path: Path) -> None:
    store = FileTraceStore(tmp_path, KEY)
    with store.reserve(1000):
        store.append(closed("t1"), durable=True)
    (path,) = tmp_path.glob("*.jsonl")
    assert path.stat().st_size < 2 * MEGABYTE
    store.close()
    assert b"\0" not in path.read_bytes()


@pytest.mark.parametrize("megabytes", [1, 3])
def test_where_zeros_cannot_be_written_the_lines_still_can(tmp_path: Path, megabytes: int) -> None:
    store = FileTraceStore(tmp_path, KEY, disk=Unblankable())
    fill(store, megabytes)
    (verdict,) = store.verify()
    assert isinstance(verdict, Verified)
    assert verdict.records == 1 + 8 * megabytes
    store.close()
