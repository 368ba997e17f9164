"""What was added to a store since somebody looked last: its segments, each read from a known line on."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from traces.chain import Segment, claimed_start
from traces.frame import Line, read_line

Placed = tuple[int, Line]
"""A line and where it is: an offset in a file, a number in a database."""
SegmentT = TypeVar("SegmentT", bound=Segment)


@dataclass(frozen=True, slots=True)
class Source:
    """A segment to follow. `lines` yields the line at a place, and then every later one.

    `undone` is the first record that a later segment wrote again after a failed sync: from there on its own
    records do not count.
    """

    name: str
    undone: int | None
    lines: Callable[[int], Iterator[Placed]] = field(repr=False, compare=False)


class Followed(Protocol):
    """A store whose records can be read from where somebody stopped."""

    def following(self) -> AbstractContextManager[Sequence[Source]]:
        """Give every segment there is, log by log, as of one moment. Raises TraceDamaged."""
        ...


def sources_of(
    logs: Mapping[str, Sequence[SegmentT]], lines: Callable[[SegmentT, int], Iterator[Placed]]
) -> list[Source]:
    """Return the segments of all logs as sources; `lines` reads one of them from a place on."""
    found: list[Source] = []
    for segments in logs.values():
        found.extend(_of_one_log(segments, lines))
    return found


def _of_one_log(
    segments: Sequence[SegmentT], lines: Callable[[SegmentT, int], Iterator[Placed]]
) -> list[Source]:
    undone: int | None = None
    found: list[Source] = []
    for segment in reversed(segments):
        found.append(Source(segment.label, undone, _bound(lines, segment)))
        start = claimed_start(read_line(segment.first_line()))
        if start is not None and start.after_failed_sync:
            undone = start.first if undone is None else min(undone, start.first)
    return found[::-1]


def _bound(
    lines: Callable[[SegmentT, int], Iterator[Placed]], segment: SegmentT
) -> Callable[[int], Iterator[Placed]]:
    return lambda place: lines(segment, place)
