"""Where a log ends after its writer died: its longest valid chain, and what is torn after it."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from traces.chain import SegmentFile
from traces.frame import GENESIS, ChainKey, follows, read_line
from traces.log_records import SegmentStart


class Torn(NamedTuple):
    """Bytes of records that were never finished, and the segment they stood in."""

    segment: str
    data: bytes


class LogEnd(NamedTuple):
    """The end of a log; `path` is None when it has no segment yet, `day` is when its segment began."""

    path: Path | None
    number: int
    offset: int
    seq: int
    head: str
    day: int
    torn: tuple[Torn, ...]
    empty: tuple[Path, ...]


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
    return LogEnd(None, -1, 0, 0, GENESIS, 0, tuple(torn), tuple(empty))


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
    return LogEnd(segment.path, segment.number, offset, seq, head, day, torn, ())


def _start_of(lines: Sequence[bytes]) -> SegmentStart | None:
    first = read_line(lines[0]) if lines else None
    if first is None:
        return None
    try:
        return SegmentStart.model_validate_json(first.body)
    except ValidationError:
        return None
