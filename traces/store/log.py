"""The log of one process: numbers and chains records into segments, and leaves one the disk failed on."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from traces.chain import SegmentFile
from traces.frame import ChainKey, link, write_line
from traces.log_records import SegmentStart
from traces.store.disk import Disk
from traces.store.lease import Lease
from traces.store.recovery import LogEnd
from traces.store.refusal import unwritable
from traces.store.segment import Segment


@dataclass(slots=True)
class Entry:
    """A record on its way into the log; number and hash are final once it is durable."""

    body: bytes
    durable: bool
    seq: int = -1
    hash: str = ""


class ChainLog:
    """Appends to one log. One thread writes and syncs; any thread may reserve."""

    def __init__(
        self,
        folder: Path,
        lease: Lease,
        end: LogEnd,
        key: ChainKey,
        *,
        disk: Disk,
        clock: Callable[[], datetime],
        max_bytes: int,
    ) -> None:
        self.log = lease.log
        self._folder = folder
        self._lease = lease
        self._key = key
        self._disk = disk
        self._clock = clock
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._number = end.number
        self._seq, self._head, self._day = end.seq, end.head, end.day
        self._durable = (end.seq, end.head)
        self._unsynced: list[Entry] = []
        self.unsynced_bytes = 0
        self._reserved = 0
        self._segment: Segment | None = None
        if end.path is not None:
            self._segment = Segment.reopen(disk, end.path, end.offset)

    def write(self, entries: Sequence[Entry]) -> None:
        """Write entries in order; all are written or none, and then TraceUnwritable is raised."""
        with self._lock:
            size = sum(len(entry.body) + 120 for entry in entries)
            segment = self._place(size)
            if not all(entry.durable for entry in entries):
                self._ensure(segment, size + self._reserved)
            data, seq, head = _chain(entries, self._seq, self._head, self._key)
            try:
                segment.write(data)
            except OSError as error:
                if segment.broken:
                    self._leave(segment)
                raise unwritable(error, segment.path) from error
            self._seq, self._head = seq, head
            self._unsynced.extend(entries)
            self.unsynced_bytes += len(data)

    def sync(self) -> None:
        """Make everything written durable, in a new segment where the disk failed on this one."""
        segment = self._segment
        if segment is None or not self._unsynced:
            return
        try:
            segment.sync()
        except OSError:
            with self._lock:
                self._leave(segment)
                self._continue_elsewhere()
        else:
            self._confirm()

    def reserve(self, size: int) -> None:
        """Set `size` bytes aside for durable records; raises TraceUnwritable on a full disk."""
        with self._lock:
            self._ensure(self._current(), self._reserved + size)
            self._reserved += size

    def release(self, size: int) -> None:
        """Give reserved bytes back."""
        with self._lock:
            self._reserved -= size

    def close(self) -> None:
        """Sync what can be synced, close the segment and let another process continue the log."""
        try:
            self.sync()
        finally:
            with self._lock:
                if self._segment is not None:
                    self._segment.close()
                    self._segment = None
            self._lease.give_back()

    def _place(self, size: int) -> Segment:
        """Return the segment that takes the next `size` bytes. Only the writing thread may call this."""
        segment = self._current()
        if segment.end + size > self._max_bytes or self._clock().toordinal() != self._day:
            self._rotate(segment)
        return self._current()

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
        self._confirm()
        try:
            new = self._new_segment(self._durable, after_failed_sync=False)
        except OSError:
            return
        old.close()
        self._adopt(*new)

    def _continue_elsewhere(self) -> Segment:
        """Go on after the last confirmed record in a new segment and write the unconfirmed ones again."""
        try:
            segment, start = self._new_segment(self._durable, after_failed_sync=True)
            try:
                data, seq, head = _chain(self._unsynced, start.seq + 1, start.hash, self._key)
                segment.write(data)
                segment.sync()
            except OSError:
                segment.discard()
                raise
        except OSError as error:
            self._unsynced = [entry for entry in self._unsynced if not entry.durable]
            self.unsynced_bytes = sum(len(entry.body) for entry in self._unsynced)
            raise unwritable(error, self._folder) from error
        self._adopt(segment, start)
        self._seq, self._head = seq, head
        self._confirm()
        return segment

    def _new_segment(self, after: tuple[int, str], *, after_failed_sync: bool) -> tuple[Segment, Entry]:
        """Make a segment with its first line; a number is used once, so no reader takes it for another."""
        seq, head = after
        self._number += 1
        start = SegmentStart(
            at=self._clock(),
            log=self.log,
            number=self._number,
            first=seq,
            previous=head,
            key_id=self._key.id,
            after_failed_sync=after_failed_sync,
        )
        entry = Entry(start.model_dump_json(by_alias=True).encode(), durable=False)
        data, _, _ = _chain([entry], seq, head, self._key)
        segment = Segment.create(self._disk, self._folder / SegmentFile.name(self.log, self._number))
        try:
            segment.ensure(len(data) + self._reserved)
            segment.write(data)
        except OSError:
            segment.discard()
            raise
        return segment, entry

    def _adopt(self, segment: Segment, start: Entry) -> Segment:
        self._segment = segment
        self._day = self._clock().toordinal()
        self._seq, self._head = start.seq + 1, start.hash
        return segment

    def _ensure(self, segment: Segment, room: int) -> None:
        try:
            segment.ensure(room)
        except OSError as error:
            raise unwritable(error, segment.path) from error

    def _confirm(self) -> None:
        self._durable = (self._seq, self._head)
        self._unsynced.clear()
        self.unsynced_bytes = 0

    def _leave(self, segment: Segment) -> None:
        segment.abandon()
        self._segment = None


def _chain(entries: Sequence[Entry], seq: int, head: str, key: ChainKey) -> tuple[bytes, int, str]:
    """Number and hash entries in place; return their lines, the next number and the hash so far."""
    lines: list[bytes] = []
    for entry in entries:
        entry.seq, entry.hash = seq, link(head, entry.body, key)
        lines.append(write_line(seq, entry.hash, entry.body))
        seq, head = seq + 1, entry.hash
    return b"".join(lines), seq, head
