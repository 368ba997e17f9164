"""Whoever reads a log while it is written may get the later of two blocks of a write without the earlier.

The kernel copies page by page and locks no reader out. Each reader meets that at each of its looks: those
before it see nothing of the write, and those after it see all.
"""

import io
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

import pytest

from tests.traces.kinds import one_of_each
from tests.traces.samples import KEY, NOON, closed, opened
from tests.traces.signing import keeper, signing_store
from traces.chain import Damage, Verified, segments_in
from traces.checkpoint import read_checkpoint
from traces.outside import verify_outside
from traces.records import AnyRecord
from traces.retention import Wish
from traces.store.files import FileTraceStore
from traces.store.retiring import retirable
from traces.store.scan import Scan

NAME = "a.000000.jsonl"
EARLIER = 3
"""Lines that were there before the write that is met: the segment's own and those of one question."""


class Hole(NamedTuple):
    """Bytes of a file that a look finds as zeros, although later ones are there."""

    start: int
    end: int

    def over(self, data: bytes, at: int = 0) -> bytes:
        start, end = (min(max(edge - at, 0), len(data)) for edge in self)
        return data[:start] + bytes(end - start) + data[end:]


class HoledFile(io.RawIOBase):
    """A file whose bytes come with a hole until somebody goes back in it."""

    def __init__(self, real: BinaryIO, hole: Hole) -> None:
        self._real = real
        self._hole = hole
        self._read = False

    def seek(self, offset: int, whence: int = 0) -> int:
        if self._read:
            self._hole = Hole(0, 0)
        return self._real.seek(offset, whence)

    def read(self, size: int = -1) -> bytes:
        at, self._read = self._real.tell(), True
        return self._hole.over(self._real.read(size), at)

    def readline(self, size: int | None = -1, /) -> bytes:
        at = self._real.tell()
        rest = self._hole.over(self._real.read(), at)
        line = rest[: rest.find(b"\n") + 1] or rest
        self._real.seek(at + len(line))
        return line

    def fileno(self) -> int:
        return self._real.fileno()

    def close(self) -> None:
        self._real.close()
        super().close()


@contextmanager
def met(at_look: int, hole: Hole, begin: int) -> Iterator[list[int]]:
    """Let the look of that number at the segment meet its writer; yields the numbers of all looks."""
    looks: list[int] = []
    whole_open = Path.open

    def seen_by_next(path: Path) -> Hole:
        if path.name != NAME:
            return Hole(0, 0)
        looks.append(len(looks))
        if looks[-1] < at_look:
            return Hole(begin, sys.maxsize)
        return hole if looks[-1] == at_look else Hole(0, 0)

    def holed_open(path: Path, mode: str = "r", *rest: Any, **more: Any) -> Any:
        found = whole_open(path, mode, *rest, **more)
        return HoledFile(cast("BinaryIO", found), seen_by_next(path)) if mode == "rb" else found

    def holed_bytes(path: Path) -> bytes:
        with whole_open(path, "rb") as file:
            return seen_by_next(path).over(file.read())

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Path, "open", holed_open)
        patched.setattr(Path, "read_bytes", holed_bytes)
        yield looks


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    store = signing_store(tmp_path / "traces", segment_bytes=10_000_000)
    records: list[AnyRecord] = [opened("t1"), closed("t1"), *one_of_each("t2"), opened("t3")]
    for record in records:
        store.append(record, durable=False)
    store.close()
    for note in (tmp_path / "traces").glob("*.checkpoint"):
        note.unlink()
    return tmp_path / "traces"


def begin_of_write(folder: Path) -> int:
    return sum(map(len, (folder / NAME).read_bytes().splitlines(keepends=True)[:EARLIER]))


def holes_in(folder: Path) -> Iterator[Hole]:
    """Every hole that begins and ends at, shortly before or after the ends of the lines of the last write."""
    lines = (folder / NAME).read_bytes().splitlines(keepends=True)
    ends = [sum(map(len, lines[:number])) for number in range(EARLIER, len(lines))]
    starts = [at + by for at in ends for by in (-3, 0, 5) if at + by >= ends[0]]
    for number, start in enumerate(starts[:12]):
        yield from (Hole(start, end) for end in starts[number + 1 :: 4])


def stores(folder: Path) -> FileTraceStore:
    return FileTraceStore(folder, KEY, log_id="a", keeper=keeper())


def in_every_look(folder: Path, read: Callable[[], object], hole: Hole) -> Iterator[object]:
    """Yield what a reader gives when its first look meets the hole, its second, until it looks no more."""
    begin = begin_of_write(folder)
    for at_look in count():
        with met(at_look, hole, begin) as looks:
            found = read()
        if len(looks) <= at_look:
            return
        yield found


def test_verification_finds_no_damage(folder: Path) -> None:
    for hole in holes_in(folder):
        for found in in_every_look(folder, lambda: stores(folder).verify(), hole):
            assert isinstance(found, tuple) and len(found) == 1
            assert isinstance(found[0], Verified) and found[0].records >= EARLIER, hole


def test_verification_from_outside_finds_no_damage(folder: Path) -> None:
    (note,) = stores(folder).checkpoint()
    noted = [read_checkpoint(note, keeper().believed)]
    for hole in holes_in(folder):
        for found in in_every_look(folder, lambda: verify_outside(segments_in(folder), noted), hole):
            assert isinstance(found, tuple) and not [one for one in found if isinstance(one, Damage)]


def test_a_checkpoint_is_signed_over_what_is_there(folder: Path) -> None:
    believed, most = keeper().believed, len((folder / NAME).read_bytes().splitlines())

    def signs() -> Sequence[str]:
        for note in folder.glob("*.checkpoint"):
            note.unlink()
        return stores(folder).checkpoint()

    for hole in holes_in(folder):
        for notes in in_every_look(folder, signs, hole):
            assert isinstance(notes, tuple) and len(notes) == 1
            assert EARLIER <= read_checkpoint(notes[0], believed).size <= most
            assert not [one for one in stores(folder).verify() if isinstance(one, Damage)]


def test_every_record_is_read_as_it_is_up_to_what_has_not_come(folder: Path) -> None:
    whole = list(stores(folder).records())
    for hole in holes_in(folder):
        for found in in_every_look(folder, lambda: list(stores(folder).records()), hole):
            assert isinstance(found, list)
            assert found == whole[: len(found)] and len(found) >= EARLIER


def test_a_follower_gets_every_line_as_it_is_up_to_what_has_not_come(folder: Path) -> None:
    def follow() -> list[object]:
        with stores(folder).following() as sources:
            return [line for source in sources for line in source.lines(0)]

    whole = follow()
    for hole in holes_in(folder):
        for found in in_every_look(folder, follow, hole):
            assert isinstance(found, list)
            assert found == whole[: len(found)] and len(found) >= EARLIER


def test_what_was_not_there_yet_is_found_at_the_next_look(folder: Path) -> None:
    whole = {each: stores(folder).read(each) for each in ("t1", "t2", "t3")}
    receipt = stores(folder).receipt("t2")
    for hole in holes_in(folder):
        store = stores(folder)
        with met(0, hole, begin_of_write(folder)):
            assert store.read("t1") == whole["t1"]
        assert {each: store.read(each) for each in whole} == whole
        assert store.receipt("t2") == receipt is not None


def test_retention_reads_what_is_written_without_a_fault(folder: Path) -> None:
    wish = Wish(NOON + timedelta(days=900))
    whole = retirable(stores(folder), wish)
    for hole in holes_in(folder):
        for found in in_every_look(folder, lambda: retirable(stores(folder), wish), hole):
            assert found == whole


def test_zeros_that_stay_are_damage_and_hide_nothing_behind_them(folder: Path) -> None:
    data = (folder / NAME).read_bytes()
    lines = data.splitlines(keepends=True)
    start = begin_of_write(folder) + 100
    (folder / NAME).write_bytes(Hole(start, start + 40).over(data))
    (verdict,) = stores(folder).verify()
    assert isinstance(verdict, Damage) and verdict.line == EARLIER + 1
    assert len(list(Scan(folder).all_places())) == len(lines) - 1
