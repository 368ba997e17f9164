"""Walking the hash chain of one log over its bytes as written: whole, or the first bad record is named."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pydantic import ValidationError

from metric_layer.record import Record
from traces.checkpoint import Checkpoint
from traces.damage import SAID, DamageKind, classify
from traces.frame import GENESIS, ChainKey, Line, follows, link, read_line
from traces.log_records import SegmentStart
from traces.milestones import Milestones
from traces.questions import QuestionOrder, heading
from traces.records import Receipt

_NAME = re.compile(r"^(?P<log>[A-Za-z0-9_-]+)\.(?P<number>[0-9]{6,})\.jsonl$")


class Segment(Protocol):
    """A part of a log, wherever it is kept; log and number are those it is found under."""

    @property
    def log(self) -> str:
        """The id of the log."""
        ...

    @property
    def number(self) -> int:
        """Its number among the segments of the log."""
        ...

    @property
    def label(self) -> str:
        """What it is called in a verdict."""
        ...

    def first_line(self) -> bytes:
        """Return the line in which it says what it is."""
        ...

    def lines(self) -> tuple[list[bytes], bytes]:
        """Return the complete lines, and what follows the last of them."""
        ...


@dataclass(frozen=True, slots=True)
class SegmentFile:
    """A segment of a log on disk; log and number are those of its name."""

    path: Path
    log: str
    number: int

    @classmethod
    def of(cls, path: Path) -> "SegmentFile | None":
        """Return the segment a path names, or None for any other file."""
        name = _NAME.match(path.name)
        return cls(path, name["log"], int(name["number"])) if name else None

    @staticmethod
    def name(log: str, number: int) -> str:
        """Return the file name of a segment."""
        return f"{log}.{number:06d}.jsonl"

    @property
    def label(self) -> str:
        """The name of the file."""
        return self.path.name

    def start(self, key: ChainKey) -> SegmentStart | None:
        """Return the segment's own account of itself, or None when its first line is not intact."""
        return start_in(self.first_line(), key)

    def first_line(self) -> bytes:
        """Return the line in which it says what it is."""
        with self.path.open("rb") as file:
            return file.readline().rstrip(b"\n")

    def lines(self) -> tuple[list[bytes], bytes]:
        """Return the complete lines and what follows the last newline; zeros set aside are left out.

        Zeros before other bytes are looked at twice: a reader that meets a writer may get the later of two
        blocks of one write without the earlier, which is there by then.
        """
        hole, data = -1, self.path.read_bytes().rstrip(b"\0")
        while (found := data.find(b"\0")) > hole:
            hole, data = found, self.path.read_bytes().rstrip(b"\0")
        *lines, rest = data.split(b"\n")
        return lines, rest


def segments_in(folder: Path) -> dict[str, list[SegmentFile]]:
    """Return the segments of every log in a folder, in order; raises OSError when it cannot be read."""
    logs: dict[str, list[SegmentFile]] = {}
    found = (SegmentFile.of(path) for path in folder.iterdir())
    for segment in sorted((one for one in found if one), key=lambda one: (one.log, one.number)):
        logs.setdefault(segment.log, []).append(segment)
    return logs


class Verified(Record):
    """A log that is whole; `torn_bytes` of a record never finished, so never acknowledged, may follow.

    `records` counts those that are there and vouched for; `unvouched` more follow that only who has the key
    can tell from forged ones. `retired` more stood before them and are gone since, which a
    checkpoint vouches for; `checkpoints` is how many were met on the way.
    """

    log: str
    segments: int
    records: int
    head: str
    torn_bytes: int = 0
    retired: int = 0
    retired_head: str = ""
    checkpoints: int = 0
    unvouched: int = 0


class Damage(Record):
    """The first bad record of a log: its number, its segment and 1-based line, what happened to it."""

    log: str
    seq: int
    segment: str
    line: int
    kind: DamageKind
    message: str


def verify(
    segments: Sequence[Segment],
    key: ChainKey,
    receipts: Sequence[Receipt] = (),
    order: QuestionOrder | None = None,
    checkpoints: Sequence[Checkpoint] = (),
) -> Verified | Damage:
    """Check one log, given all its segments in order, against itself, and receipts and checkpoints of it.

    `order` holds the questions of the logs that were checked before. Where the first segments are gone the
    log is followed from the checkpoint over them: whether they may be gone is for `verify_logs` to say.
    """
    key = key_of(segments[0], key)
    given: dict[int, set[str]] = {}
    for receipt in receipts:
        given.setdefault(receipt.seq, set()).add(receipt.hash)
    walk = _Walk(given, order or QuestionOrder(), key, _start_of_walk(segments[0], key, checkpoints))
    walk.milestones = Milestones(checkpoints, walk.since)
    for segment, limit in zip(segments, _limits(segments, key), strict=True):
        found = walk.through(segment, limit, is_last=segment is segments[-1])
        if found is not None:
            return found
    return walk.ending(segments)


def key_of(first: Segment, key: ChainKey) -> ChainKey:
    """Return the key that a log says it was linked with, where it is one of ours: a log has one."""
    claimed = claimed_start(read_line(first.first_line()))
    return (key.named(claimed.key_id) if claimed else None) or key


def _start_of_walk(first: Segment, key: ChainKey, checkpoints: Sequence[Checkpoint]) -> Checkpoint | None:
    """Return the checkpoint over all that stood before the first segment there is."""
    start = start_in(first.first_line(), key)
    if start is None or not start.first:
        return None
    return next((c for c in checkpoints if (c.size, c.head) == (start.first, start.previous)), None)


def _limits(segments: Sequence[Segment], key: ChainKey) -> list[int | None]:
    """Return for each segment the first record that a later segment wrote again after a failed sync."""
    limits: list[int | None] = []
    lowest: int | None = None
    for segment in reversed(segments):
        limits.append(lowest)
        start = start_in(segment.first_line(), key)
        if start is not None and start.after_failed_sync:
            lowest = start.first if lowest is None else min(lowest, start.first)
    return limits[::-1]


class _Walk:
    """The state of one walk along a log: next number, chain hash so far, receipts still to meet.

    `_floor` is the first record of the newest segment so far: a disk had confirmed all that came before.
    `_undone` are questions whose opening a failed sync undid, until it is met again. `_unlawful` is the first
    record whose question could not have it; a break of the chain is told before it, for it says more.
    """

    def __init__(
        self, receipts: dict[int, set[str]], order: QuestionOrder, key: ChainKey, since: Checkpoint | None
    ) -> None:
        self.since = since
        self.milestones = Milestones((), since)
        self._seq = since.size if since else 0
        self._head = since.head if since else GENESIS
        self._number = -1
        self._records = 0
        self._before: str | None = None
        self._receipts = {seq: hashes for seq, hashes in receipts.items() if seq >= self._seq}
        self._order = order
        self._key = key
        self._floor = 0
        self._undone: dict[str, Damage] = {}
        self._unlawful: Damage | None = None
        self._torn = 0

    def through(self, segment: Segment, limit: int | None, *, is_last: bool) -> Damage | None:
        """Walk one segment; return the first damage in it."""
        lines, rest = segment.lines()
        self._before = None
        if lines and _other_key(lines[0], self._key):
            return self._damage(segment, 0, "other_key")
        if self._reaches_too_far(segment):
            return self._damage(segment, 0, "withdrawn")
        for at, raw in enumerate(lines):
            if limit is not None and self._seq >= limit:
                self._undo(segment, lines, at)
                self._number = segment.number
                return None
            found = self._step(segment, lines, at, raw)
            if found is not None:
                return found
        self._number = segment.number
        if limit is not None or not rest:
            return None
        if not is_last or follows(read_line(rest[:-1]), self._seq, self._head, self._key):
            return self._damage(segment, len(lines), "flipped")
        self._torn = len(rest)
        return None

    def _step(self, segment: Segment, lines: Sequence[bytes], at: int, raw: bytes) -> Damage | None:
        wrong = self._wrong_start(segment, raw) if at == 0 else None
        if wrong is not None:
            return self._damage(segment, 0, wrong)
        line = read_line(raw)
        if line is None or not follows(line, self._seq, self._head, self._key):
            kind, back = classify(lines, at, self._seq, self._head, self._before, self._key)
            return self._damage(segment, at - back, kind, self._seq - back)
        if self._receipts.pop(line.seq, {line.hash}) != {line.hash}:
            return self._damage(segment, at, "rewritten")
        if not self.milestones.passes(line.body, line.hash):
            return self._damage(segment, at, "rewritten")
        question = heading(line.body)
        if question is not None:
            if not self._order.allows(segment.log, question):
                self._unlawful = self._unlawful or self._damage(segment, at, "repeated")
            if question.kind == "open":
                self._undone.pop(question.trace_id, None)
        self._seq, self._before, self._head = self._seq + 1, self._head, line.hash
        self._records += 1
        return None

    def ending(self, segments: Sequence[Segment]) -> Verified | Damage:
        """Return the verdict once every segment was walked."""
        last = segments[-1]
        if self._unlawful:
            return self._unlawful
        if self._receipts or self.milestones.unmet:
            lines, _ = last.lines()
            return self._damage(last, len(lines), "cut_tail", min(self._receipts, default=self._seq))
        if self._undone:
            return next(iter(self._undone.values()))
        return Verified(
            log=last.log,
            segments=len(segments),
            records=self._records,
            head=self._head,
            torn_bytes=self._torn,
            retired=self.since.size if self.since else 0,
            retired_head=self.since.head if self.since else "",
            checkpoints=self.milestones.met,
        )

    def _reaches_too_far(self, segment: Segment) -> bool:
        """Say whether a segment claims to undo records from before the segment whose sync failed."""
        start = start_in(segment.first_line(), self._key)
        if start is None:
            return False
        too_far = start.after_failed_sync and start.first < self._floor
        self._floor = max(self._floor, start.first)
        return too_far

    def _undo(self, segment: Segment, lines: Sequence[bytes], first: int) -> None:
        """Note the questions opened from line `first` on: a later segment has to open them again."""
        for at, raw in enumerate(lines[first:], first):
            line = read_line(raw)
            question = heading(line.body) if line else None
            if line and question and question.kind == "open":
                self._undone[question.trace_id] = self._damage(segment, at, "withdrawn", line.seq)

    def _wrong_start(self, segment: Segment, raw: bytes) -> DamageKind | None:
        start = start_in(raw, self._key)
        if start is None:
            return None
        if (start.log, start.number) != (segment.log, segment.number):
            return "spliced"
        if start.first > self._seq:
            return "removed" if segment.number == self._number + 1 else "missing"
        return "spliced" if (start.first, start.previous) != (self._seq, self._head) else None

    def _damage(self, segment: Segment, at: int, kind: DamageKind, seq: int | None = None) -> Damage:
        return Damage(
            log=segment.log,
            seq=self._seq if seq is None else seq,
            segment=segment.label,
            line=at + 1,
            kind=kind,
            message=SAID[kind],
        )


def start_in(raw: bytes, key: ChainKey) -> SegmentStart | None:
    """Return what the first line of a segment says of it; None when the line is not intact."""
    line = read_line(raw)
    start = claimed_start(line)
    if line is None or start is None:
        return None
    return start if line.hash == link(start.previous, line.body, key) and line.seq == start.first else None


def _other_key(raw: bytes, key: ChainKey) -> bool:
    start = claimed_start(read_line(raw))
    return start is not None and start.key_id != key.id


def claimed_start(line: Line | None) -> SegmentStart | None:
    """Return what a line says of the segment it begins, whether or not it was linked with our key."""
    if line is None:
        return None
    try:
        return SegmentStart.model_validate_json(line.body)
    except ValidationError:
        return None
