"""Where a log ends after its writer died: its longest valid chain, and what is torn after it."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Self

from pydantic import ValidationError

from traces.chain import Segment, SegmentFile, start_in
from traces.checkpoint import Checkpoint
from traces.frame import GENESIS, ChainKey, follows, read_line
from traces.log_records import SegmentStart
from traces.merkle import MerkleTree, leaf_hash
from traces.store.keeper import Stand


class Torn(NamedTuple):
    """Bytes of records that were never finished, and the segment they stood in."""

    segment: str
    data: bytes


class LogEnd(NamedTuple):
    """The end of a log; `path` is None when it has no segment yet, `day` is when its segment began.

    `signed` is the size of the newest checkpoint over it.
    """

    path: Path | None
    number: int
    offset: int
    stand: Stand
    day: int
    torn: tuple[Torn, ...]
    empty: tuple[Path, ...]
    signed: int = 0

    @classmethod
    def empty_log(
        cls, tree: MerkleTree | None, torn: Sequence[Torn] = (), empty: Sequence[Path] = ()
    ) -> Self:
        """Return the end of a log without a record."""
        return cls(None, -1, 0, Stand(0, GENESIS, tree), 0, tuple(torn), tuple(empty))


def find_end(segments: Sequence[SegmentFile], key: ChainKey) -> LogEnd | None:
    """Find the end of a log, given its segments in order; None when it is damaged or of another key."""
    torn: list[Torn] = []
    empty: list[Path] = []
    for segment in reversed(segments):
        end = _end_of(segment, key)
        if end is None:
            return None
        torn.extend(end.torn)
        if end.offset:
            return end._replace(torn=tuple(torn), empty=tuple(empty))
        empty.append(segment.path)
    return LogEnd.empty_log(None, torn, empty)


def with_tree(
    end: LogEnd, segments: Sequence[Segment], checkpoints: Sequence[Checkpoint], key: ChainKey
) -> LogEnd | None:
    """Return the end with the tree over the whole log; None where the log is not what was signed."""
    newest = max(checkpoints, key=lambda one: one.size, default=None)
    size = newest.size if newest else 0
    if newest and (size > end.stand.seq or (size == end.stand.seq and newest.head != end.stand.head)):
        return None
    tree = newest.tree() if newest else MerkleTree()
    for raw in _lines_between(segments, size, end.stand.seq, key):
        line = read_line(raw)
        if line is None:
            return None
        tree.add(leaf_hash(line.body))
    if tree.size != end.stand.seq:
        return None
    return end._replace(stand=end.stand._replace(tree=tree), signed=size)


def _lines_between(segments: Sequence[Segment], first: int, end: int, key: ChainKey) -> Iterator[bytes]:
    """Yield the lines of the records from `first` to before `end`, each as it was written last."""
    starts = [(segment, start) for segment in segments if (start := start_in(segment.first_line(), key))]
    limits = [end]
    for _, start in reversed(starts[1:]):
        limits.append(min(limits[-1], start.first))
    for (segment, start), limit in zip(starts, reversed(limits), strict=True):
        if max(first, start.first) < limit:
            lines, _ = segment.lines()
            yield from lines[max(0, first - start.first) : limit - start.first]


def _end_of(segment: SegmentFile, key: ChainKey) -> LogEnd | None:
    lines, rest = segment.lines()
    start = _start_of(lines)
    seq, head, day = (start.first, start.previous, start.at.toordinal()) if start else (0, GENESIS, 0)
    offset = 0
    for at, raw in enumerate(lines):
        line = read_line(raw)
        if start is None or line is None or not follows(line, seq, head, key):
            if b"\0" not in raw and any(read_line(later) for later in lines[at:]):
                return None
            rest = b"\n".join([*lines[at:], rest])
            break
        seq, head, offset = seq + 1, line.hash, offset + len(raw) + 1
    torn = (Torn(segment.path.name, rest),) if rest else ()
    return LogEnd(segment.path, segment.number, offset, Stand(seq, head), day, torn, ())


def _start_of(lines: Sequence[bytes]) -> SegmentStart | None:
    first = read_line(lines[0]) if lines else None
    if first is None:
        return None
    try:
        return SegmentStart.model_validate_json(first.body)
    except ValidationError:
        return None
