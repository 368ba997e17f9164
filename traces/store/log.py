"""The log of one process: numbers and chains records into segments, and leaves one the disk failed on."""

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from traces.chain import SegmentFile
from traces.errors import TraceUnwritable
from traces.formats import encode
from traces.frame import LINE_END, ChainKey, line_start, link
from traces.log_records import SegmentStart
from traces.merkle import leaf_hash
from traces.records import AnyRecord
from traces.store.disk import Disk
from traces.store.keeper import CheckpointKeeper, NoteWriter, Stand
from traces.store.lease import Lease
from traces.store.notes import FolderOfNotes
from traces.store.recovery import LogEnd
from traces.store.refusal import unwritable
from traces.store.room import Room
from traces.store.segment import Segment

LEAST_AHEAD, MOST_AHEAD = 512 * 1024, 4 * 1024 * 1024
"""Bytes that the writing thread keeps set aside beside those promised, so that a question seldom has to."""
MOST_BLANKED = 1024 * 1024
"""Bytes ahead of the lines that hold zeros: whoever waits for the log meanwhile waits for no more."""
LINE_OVERHEAD = 120
MOST_UNSYNCED = 4 * 1024 * 1024
"""Bytes; beyond that the writing thread syncs although nobody waits for it."""


@dataclass(slots=True)
class Entry:
    """A record on its way into the log; number and hash are final once it is durable.

    It comes as bytes, or as a `record` that has none yet. `leaf` is its hash in the tree, once that is known.
    """

    body: bytes
    durable: bool
    leaf: bytes = b""
    seq: int = -1
    hash: str = ""
    record: AnyRecord | None = None

    def encode(self) -> None:
        """Work out the bytes that are not there yet; raises PydanticSerializationError for what has none."""
        if self.record is not None:
            self.body = encode(self.record)
            self.leaf = leaf_hash(self.body)
            self.record = None


@dataclass(frozen=True, slots=True)
class LogRules:
    """What every log of a store has in common; `keeper` is None where no checkpoints are wanted."""

    key: ChainKey
    disk: Disk
    clock: Callable[[], datetime]
    max_bytes: int
    keeper: CheckpointKeeper | None = None


class ChainLog:
    """Appends to one log. One thread writes and syncs; any thread may reserve."""

    def __init__(self, folder: Path, lease: Lease, end: LogEnd, rules: LogRules) -> None:
        self.log = lease.log
        self._folder = folder
        self._lease = lease
        self._key = rules.key
        self._disk = rules.disk
        self._clock = rules.clock
        self._max_bytes = rules.max_bytes
        self._keeper = rules.keeper
        self._notes = (
            NoteWriter(rules.keeper, FolderOfNotes(folder, rules.disk), lease.log) if rules.keeper else None
        )
        self._lock = threading.Lock()
        self._number, self._day = end.number, end.day
        self._stand = self._durable = end.stand
        self._signed = end.signed
        self._unsynced: list[Entry] = []
        self.unsynced_bytes = 0
        self._room = Room()
        self._segment: Segment | None = None
        if end.path is not None:
            self._segment = Segment.reopen(rules.disk, end.path, end.offset)

    def write(self, entries: Sequence[Entry]) -> None:
        """Write entries in order; all are written or none, and then TraceUnwritable is raised."""
        size = _size_of(entries)
        with self._lock:
            segment = self._place(size)
            self._put(entries, size, segment)
            self._grow_ahead(segment)

    def write_at_once(self, entry: Entry) -> bool:
        """Write an entry that need not be durable, on any thread; raises TraceUnwritable.

        False where the writing thread has to do it, because a new segment or a sync is due.
        """
        size = _size_of((entry,))
        with self._lock:
            segment = self._segment
            if segment is None or self._is_over(segment, size) or self.unsynced_bytes >= MOST_UNSYNCED:
                return False
            self._put((entry,), size, segment)
            return True

    def sync(self) -> None:
        """Make everything written so far durable, in a new segment where the disk failed on this one."""
        with self._lock:
            segment, written = self._segment, self._written()
        if segment is None or not written.entries:
            return
        try:
            segment.sync()
        except OSError:
            with self._lock:
                self._leave(segment)
                self._continue_elsewhere()
        else:
            with self._lock:
                self._confirm(written)

    def reserve(self, size: int) -> None:
        """Set `size` bytes aside for durable records; raises TraceUnwritable on a full disk."""
        if self._room.promise(size):
            return
        with self._lock:
            segment = self._current()
            while not self._room.promise(size):
                self._set_aside(segment, size)

    def release(self, size: int) -> None:
        """Give reserved bytes back."""
        self._room.release(size)

    def close(self, patience: float = 10.0) -> None:
        """Sync what can be synced, sign where the log ends and let another process continue it.

        A second place for checkpoints that takes more than `patience` seconds gets the note at a later start.
        """
        try:
            self.sync()
        finally:
            with self._lock:
                if self._segment is not None:
                    self._segment.close()
                    self._segment = None
                self._sign()
            if self._notes is not None:
                self._notes.close(patience)
            self._lease.give_back()

    def _put(self, entries: Sequence[Entry], size: int, segment: Segment) -> None:
        was_promised = all(entry.durable for entry in entries)
        while not was_promised and not self._room.take(size):
            self._set_aside(segment, size)
        data, stand = chained(entries, self._stand, self._key)
        try:
            segment.write(data)
        except OSError as error:
            raise unwritable(error, segment.path) from error
        finally:
            self._room.measure(segment.spare)
        self._stand = stand
        self._unsynced.extend(entries)
        self.unsynced_bytes += len(data)

    def _place(self, size: int) -> Segment:
        """Return the segment that takes the next `size` bytes. Only the writing thread may call this."""
        if self._segment is not None and self._segment.broken:
            self._leave(self._segment)
        segment = self._current()
        if self._is_over(segment, size):
            self._rotate(segment)
        return self._current()

    def _is_over(self, segment: Segment, size: int) -> bool:
        """Say whether a segment takes no more: it is full, its day is over, or a write left it torn."""
        full = segment.broken or segment.end + size > self._max_bytes
        return full or self._clock().toordinal() != self._day

    def _current(self) -> Segment:
        """Return the open segment: the first one made now, or one that continues after a failure."""
        if self._segment is not None:
            return self._segment
        if self._number >= 0:
            return self._continue_elsewhere()
        try:
            return self._adopt(*self._new_segment(self._durable, after_failed_sync=False))
        except OSError as error:
            raise unwritable(error, self._folder) from error

    def _rotate(self, old: Segment) -> None:
        """Go on in a new segment; where none can be made, the old one goes on growing."""
        try:
            old.sync()
        except OSError:
            self._leave(old)
            return
        self._confirm(self._written())
        try:
            new = self._new_segment(self._durable, after_failed_sync=False)
        except OSError:
            return
        old.close()
        self._adopt(*new)

    def _continue_elsewhere(self) -> Segment:
        """Go on after the last confirmed record in a new segment and write the unconfirmed ones again."""
        try:
            segment, stand = self._new_segment(self._durable, after_failed_sync=True)
            try:
                data, stand = chained(self._unsynced, stand, self._key)
                segment.write(data)
                segment.sync()
            except OSError:
                segment.discard()
                raise
        except OSError as error:
            self._unsynced = [entry for entry in self._unsynced if not entry.durable]
            self.unsynced_bytes = sum(len(entry.body) for entry in self._unsynced)
            raise unwritable(error, self._folder) from error
        self._adopt(segment, stand)
        self._confirm(self._written())
        return segment

    def _new_segment(self, after: Stand, *, after_failed_sync: bool) -> tuple[Segment, Stand]:
        """Make a segment with its first line; a number is used once, so no reader takes it for another."""
        self._sign()
        self._room.shut()
        self._number += 1
        start = SegmentStart(
            at=self._clock(),
            log=self.log,
            number=self._number,
            first=after.seq,
            previous=after.head,
            key_id=self._key.id,
            after_failed_sync=after_failed_sync,
        )
        entry = Entry(start.model_dump_json(by_alias=True).encode(), durable=False)
        data, stand = chained([entry], after, self._key)
        segment = Segment.create(self._disk, self._folder / SegmentFile.name(self.log, self._number))
        try:
            segment.ensure(len(data) + self._room.promised)
            segment.write(data)
        except OSError:
            segment.discard()
            raise
        return segment, stand

    def _adopt(self, segment: Segment, stand: Stand) -> Segment:
        self._segment = segment
        self._room.measure(segment.spare)
        self._day = self._clock().toordinal()
        self._stand = stand
        return segment

    def _sign(self) -> None:
        """Have a checkpoint kept over what the disk confirmed, unless there is one: the open segment ends."""
        if self._keeper is None or self._notes is None or self._number < 0:
            return
        if self._durable.seq > self._signed:
            self._notes.write(*self._keeper.over(self.log, self._number, self._durable, self._key.id))
            self._signed = self._durable.seq

    def _set_aside(self, segment: Segment, size: int) -> None:
        """Have `size` bytes set aside beside those that are promised; raises TraceUnwritable."""
        try:
            segment.ensure(self._room.promised + size)
        except OSError as error:
            raise unwritable(error, segment.path) from error
        finally:
            self._room.measure(segment.spare)

    def _grow_ahead(self, segment: Segment) -> None:
        """Set space aside before a question has to wait for it; where that fails, the question is told.

        As much as the segment holds already: a log that is seldom written takes little.
        """
        ahead = min(max(segment.end, LEAST_AHEAD), MOST_AHEAD, self._max_bytes)
        if self._room.free < ahead:
            with suppress(TraceUnwritable):
                self._set_aside(segment, 2 * ahead)
        segment.blank_ahead(min(ahead, MOST_BLANKED))

    def _written(self) -> "_Written":
        return _Written(self._stand, len(self._unsynced), self.unsynced_bytes)

    def _confirm(self, written: "_Written") -> None:
        """Take what was written when a sync began as durable; records that came meanwhile stay unsynced."""
        self._durable = written.stand
        del self._unsynced[: written.entries]
        self.unsynced_bytes -= written.size

    def _leave(self, segment: Segment) -> None:
        segment.abandon()
        self._room.shut()
        self._segment = None


class _Written(NamedTuple):
    """What waits for a sync: where the log stands with it, how many entries and bytes it is."""

    stand: Stand
    entries: int
    size: int


def _size_of(entries: Sequence[Entry]) -> int:
    return sum([len(entry.body) for entry in entries]) + LINE_OVERHEAD * len(entries)


def chained(entries: Sequence[Entry], stand: Stand, key: ChainKey) -> tuple[bytes, Stand]:
    """Number and hash entries in place; return their lines, and where the log stands after them."""
    seq, head = stand.seq, stand.head
    tree = stand.tree.copy() if stand.tree else None
    parts: list[bytes] = []
    for entry in entries:
        leaf = entry.leaf or leaf_hash(entry.body)
        entry.seq, entry.hash = seq, link(head, entry.body, key, leaf)
        parts += line_start(seq, entry.hash), entry.body, LINE_END
        if tree is not None:
            tree.add(leaf)
        seq, head = seq + 1, entry.hash
    return b"".join(parts), Stand(seq, head, tree)
