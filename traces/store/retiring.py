"""Deletes whole closed segments of a folder of logs, once it is on record that they go."""

from collections.abc import Sequence
from typing import NamedTuple

from traces.chain import SegmentFile, segments_in
from traces.custody_records import RetiredSegment
from traces.retention import Contents, Wish, contents_of, may_go
from traces.store.files import FileTraceStore


class Kept(NamedTuple):
    """A segment that is old enough and stays, and why."""

    segment: str
    why: str


class Retirable(NamedTuple):
    """Segments that may go, and those that are in the way of more."""

    segments: tuple[RetiredSegment, ...]
    kept: tuple[Kept, ...]


def retirable(store: FileTraceStore, wish: Wish) -> Retirable:
    """Return what may be deleted now. The newest segment of a log never is; raises TraceDamaged.

    A segment goes only with all before it, under a checkpoint at its end where the next one begins.
    """
    logs = segments_in(store.folder) if store.folder.is_dir() else {}
    read = {log: _read(segments) for log, segments in logs.items()}
    gone: list[RetiredSegment] = []
    kept: list[Kept] = []
    for log, contents in read.items():
        older, newest = contents[:-1], contents[-1:]
        others = [each for name, found in read.items() if name != log for each in found]
        stays = {trace for each in (*newest, *others) for trace in each.touched}
        starts = {each.begins for each in contents}
        vouched = {(one.size, one.head) for one in store.checkpoints_of(log)} & starts
        going, why = may_go(older, stays, vouched, wish)
        gone.extend(each.segment for each in going)
        if why:
            kept.append(Kept(older[len(going)].segment.segment, why))
    return Retirable(tuple(gone), tuple(kept))


def delete(store: FileTraceStore, segments: Sequence[RetiredSegment]) -> None:
    """Delete segments, oldest first, so that a crash leaves a log that begins later and has no hole."""
    for each in sorted(segments, key=lambda one: (one.log, one.number)):
        (store.folder / each.segment).unlink(missing_ok=True)
    store.forget()


def _read(segments: Sequence[SegmentFile]) -> list[Contents]:
    found = (contents_of(each.label, each.log, each.number, each.lines()[0]) for each in segments)
    return [contents for contents in found if contents is not None]
