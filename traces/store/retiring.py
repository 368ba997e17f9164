"""Which whole closed segments of a store may be deleted, once it is on record that they go."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol, runtime_checkable

from traces.chain import Segment
from traces.checkpoint import Checkpoint
from traces.custody_records import RetiredSegment
from traces.retention import Contents, Wish, contents_of, may_go


@runtime_checkable
class RetiringStore(Protocol):
    """A store whose old segments can be deleted."""

    @property
    def deletes(self) -> bool:
        """Whether it has what deleting takes: a login that may, where it is a database."""
        ...

    def segments(self) -> AbstractContextManager[Mapping[str, Sequence[Segment]]]:
        """Give the segments of every log as of now; raises TraceDamaged."""
        ...

    def checkpoints_of(self, log: str) -> Sequence[Checkpoint]:
        """Return the checkpoints that our keys signed over a log; raises CheckpointUnusable."""
        ...

    def delete(self, segments: Sequence[RetiredSegment]) -> None:
        """Delete segments that a record names; raises TraceUnwritable."""
        ...


class Kept(NamedTuple):
    """A segment that is old enough and stays, and why."""

    segment: str
    why: str


class Retirable(NamedTuple):
    """Segments that may go, and those that are in the way of more."""

    segments: tuple[RetiredSegment, ...]
    kept: tuple[Kept, ...]


def retirable(store: RetiringStore, wish: Wish) -> Retirable:
    """Return what may be deleted now. The newest segment of a log never is; raises TraceDamaged.

    A segment goes only with all before it, under a checkpoint at its end where the next one begins.
    """
    with store.segments() as logs:
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


def _read(segments: Sequence[Segment]) -> list[Contents]:
    found = (contents_of(each.label, each.log, each.number, each.lines()[0]) for each in segments)
    return [contents for contents in found if contents is not None]
