"""A disk that fails at any call: nothing acknowledged is lost, and work goes on after."""

import errno
import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.traces.samples import KEY, closed, opened
from traces.chain import Verified
from traces.errors import TraceUnwritable
from traces.records import Close, Receipt
from traces.store.disk import Disk
from traces.store.files import FileTraceStore
from traces.store.limits import StoreLimits

SEGMENT_BYTES = 25_000


class FailingDisk(Disk):
    """Fails `times` calls from number `nth` on; a failing write leaves half of its bytes behind."""

    def __init__(self, nth: int, code: int, times: int = 1) -> None:
        self._failing = range(nth, nth + times)
        self._code = code
        self._calls = 0
        self.fired = False

    def _count(self) -> None:
        self._calls += 1
        if self._calls in self._failing:
            self.fired = True
            raise OSError(self._code, os.strerror(self._code))

    def create(self, path: Path) -> int:
        self._count()
        return super().create(path)

    def write(self, handle: int, data: bytes, offset: int) -> int:
        try:
            self._count()
        except OSError:
            super().write(handle, data[: len(data) // 2], offset)
            raise
        return super().write(handle, data, offset)

    def allocate(self, handle: int, offset: int, size: int) -> None:
        self._count()
        super().allocate(handle, offset, size)

    def blank(self, handle: int, offset: int, size: int) -> None:
        self._count()
        super().blank(handle, offset, size)

    def truncate(self, handle: int, size: int) -> None:
        self._count()
        super().truncate(handle, size)

    def sync(self, handle: int) -> None:
        self._count()
        super().sync(handle)

    def sync_folder(self, folder: Path) -> None:
        self._count()
        super().sync_folder(folder)


class FullDisk(Disk):
    """Has room for `room` bytes in each file; a write past it is cut short first, as the kernel does."""

    def __init__(self, room: int) -> None:
        self.room = room

    def write(self, handle: int, data: bytes, offset: int) -> int:
        fits = data[: max(0, self.room - offset)]
        if not fits:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(handle, fits, offset)

    def allocate(self, handle: int, offset: int, size: int) -> None:
        if offset + size > self.room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        super().allocate(handle, offset, size)


def ask(store: FileTraceStore, trace_id: str) -> Receipt | None:
    """Do what the pipeline does with a question; None when the trace refused it."""
    try:
        with store.reserve(12_000):
            store.append(opened(trace_id), durable=False)
            return store.append(closed(trace_id), durable=True)
    except TraceUnwritable as refused:
        assert refused.code.startswith("trace_")
        assert refused.next_step
        return None


def prove_whole(folder: Path, receipts: list[Receipt]) -> None:
    """Everything acknowledged is on disk, once, as it was acknowledged, and every log is whole."""
    reader = FileTraceStore(folder, KEY)
    for verdict in reader.verify(receipts):
        assert isinstance(verdict, Verified), verdict
    listed = [one.trace_id for one in reader.list(limit=500) if one.outcome == "answered"]
    assert len(listed) == len(set(listed))
    assert {receipt.trace_id for receipt in receipts} <= set(listed)


@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize("code", [errno.EIO, errno.ENOSPC])
def test_whichever_call_fails_nothing_acknowledged_is_lost_and_work_goes_on(
    tmp_path: Path, code: int, times: int
) -> None:
    for nth in range(1, 200):
        folder = tmp_path / str(nth)
        disk = FailingDisk(nth, code, times)
        store = FileTraceStore(
            folder, KEY, log_id="a", disk=disk, limits=StoreLimits(segment_bytes=SEGMENT_BYTES)
        )
        answers = [ask(store, f"t{number}") for number in range(6)]
        receipts = [receipt for receipt in answers if receipt]
        assert len(receipts) >= 6 - times
        prove_whole(folder, receipts)
        store.close()
        prove_whole(folder, receipts)
        later = FileTraceStore(folder, KEY, log_id="a")
        later.append(opened("later"), durable=True)
        receipts.append(later.append(closed("later"), durable=True))
        later.close()
        prove_whole(folder, receipts)
        if not disk.fired:
            return
    pytest.fail("the faults never ended")


@pytest.mark.parametrize("code", [errno.EIO, errno.ENOSPC])
def test_whichever_call_fails_during_recovery_the_next_try_recovers(tmp_path: Path, code: int) -> None:
    for nth in range(1, 50):
        folder = tmp_path / str(nth)
        store = FileTraceStore(folder, KEY, log_id="a")
        receipts = [store.append(opened("t1"), durable=True), store.append(closed("t1"), durable=True)]
        store.close()
        (path,) = folder.glob("*.jsonl")
        path.write_bytes(path.read_bytes() + b'{"h":"torn')
        disk = FailingDisk(nth, code)
        again = FileTraceStore(folder, KEY, log_id="a", disk=disk)
        receipts += [receipt for receipt in (ask(again, "t2"), ask(again, "t3")) if receipt]
        assert len(receipts) >= 3
        prove_whole(folder, receipts)
        again.close()
        prove_whole(folder, receipts)
        if not disk.fired:
            return
    pytest.fail("the faults never ended")


def test_a_failed_sync_is_never_tried_again_on_the_same_file(tmp_path: Path) -> None:
    failed: set[int] = set()
    inodes: list[int] = []

    class Watched(FailingDisk):
        def sync(self, handle: int) -> None:
            inodes.append(os.fstat(handle).st_ino)
            assert inodes[-1] not in failed
            try:
                super().sync(handle)
            except OSError:
                failed.add(inodes[-1])
                raise

    for nth in range(1, 40):
        folder = tmp_path / str(nth)
        store = FileTraceStore(folder, KEY, disk=Watched(nth, errno.EIO))
        receipts = [receipt for number in range(3) if (receipt := ask(store, f"t{number}"))]
        prove_whole(folder, receipts)
        failed.clear()
    assert len(inodes) > 40


def test_a_record_written_again_after_a_failed_sync_is_read_once(tmp_path: Path) -> None:
    for nth in range(1, 40):
        store = FileTraceStore(tmp_path / str(nth), KEY, disk=FailingDisk(nth, errno.EIO))
        receipt = ask(store, "t1")
        if receipt is None:
            continue
        kinds = [record.kind for record in store.records() if record.kind != "segment"]
        assert kinds == ["open", "close"]
        prove_whole(tmp_path / str(nth), [receipt])


def test_a_full_disk_refuses_before_the_question_and_recovers_when_space_returns(tmp_path: Path) -> None:
    disk = FullDisk(100_000)
    store = FileTraceStore(tmp_path, KEY, disk=disk)
    receipts: list[Receipt] = []
    for number in range(20):
        receipt = ask(store, f"t{number}")
        if receipt is None:
            break
        receipts.append(receipt)
    assert 5 <= len(receipts) < 20
    with pytest.raises(TraceUnwritable) as refused, store.reserve(12_000):
        pytest.fail("a question was let in")
    assert refused.value.code == "trace_disk_full"
    prove_whole(tmp_path, receipts)
    disk.room = 10_000_000
    again = ask(store, "again")
    assert again is not None
    prove_whole(tmp_path, [*receipts, again])
    store.close()


def test_a_close_that_was_reserved_for_is_written_on_a_disk_that_filled_up_meanwhile(tmp_path: Path) -> None:
    disk = FullDisk(10_000_000)
    store = FileTraceStore(tmp_path, KEY, disk=disk)
    store.append(opened("t1"), durable=True)
    with store.reserve(12_000):
        fill_up(store, tmp_path, disk)
        receipt = store.append(closed("t1"), durable=True)
    prove_whole(tmp_path, [receipt])


def test_every_close_that_was_reserved_for_is_written_however_many_wait(tmp_path: Path) -> None:
    disk = FullDisk(10_000_000)
    store = FileTraceStore(tmp_path, KEY, disk=disk)
    store.append(opened("first"), durable=True)
    questions = [f"t{number}" for number in range(20)]
    with ExitStack() as waiting:
        for number, trace_id in enumerate(questions):
            waiting.enter_context(store.reserve(12_000))
            store.append(opened(trace_id), durable=number % 2 == 0)
        fill_up(store, tmp_path, disk)
        receipts = [store.append(padded(trace_id), durable=True) for trace_id in questions]
        with pytest.raises(TraceUnwritable):
            store.append(opened("late"), durable=False)
    prove_whole(tmp_path, receipts)


def padded(trace_id: str) -> Close:
    """Return a close that needs most of what is set aside for it."""
    return closed(trace_id).model_copy(update={"notes": ("n" * 1_500,)})


def fill_up(store: FileTraceStore, folder: Path, disk: FullDisk) -> None:
    """Let the disk have no more room, and write records that nobody set room aside for until none fits."""
    (path,) = folder.glob("*.jsonl")
    disk.room = path.stat().st_size
    for size in (10_000, 0):
        with pytest.raises(TraceUnwritable):
            for number in range(300):
                other = opened(f"other{size}-{number}").model_copy(update={"client": "c" * size})
                store.append(other, durable=False)


@pytest.fixture
def small_tmpfs(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "small"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(command, check=False, capture_output=True).returncode != 0:
        pytest.skip("mounting a small file system needs root with the right to mount")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_real_full_file_system_loses_nothing(small_tmpfs: Path) -> None:
    store = FileTraceStore(small_tmpfs / "traces", KEY)
    receipts: list[Receipt] = []
    for number in range(60):
        receipt = ask(store, f"t{number}")
        if receipt is None:
            break
        receipts.append(receipt)
    assert 10 <= len(receipts) < 60
    prove_whole(small_tmpfs / "traces", receipts)
    store.close()
    prove_whole(small_tmpfs / "traces", receipts)


def test_a_stalled_disk_refuses_the_caller_in_time(tmp_path: Path) -> None:
    reader, writer = os.pipe()

    class Stalled(Disk):
        def sync(self, handle: int) -> None:
            os.read(reader, 1)

    store = FileTraceStore(tmp_path, KEY, disk=Stalled(), limits=StoreLimits(patience=0.05))
    with pytest.raises(TraceUnwritable) as refused:
        store.append(closed("t1"), durable=True)
    assert refused.value.code == "trace_slow_disk"
    os.write(writer, b"..........")
    store.close()
    os.close(reader)
    os.close(writer)
