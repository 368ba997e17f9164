"""One open segment: bytes go to its end whole or not at all, into space set aside where needed."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Self

from traces.store.disk import Disk

CHUNK = 256 * 1024


class Segment:
    """A segment open for writing. `end` is where the next line goes; zeros after it are space set aside."""

    def __init__(self, disk: Disk, path: Path, handle: int, end: int) -> None:
        self.path = path
        self.end = end
        self.broken = False
        self._disk = disk
        self._handle = handle
        self._allocated = end
        self._blanked = end

    @classmethod
    def create(cls, disk: Disk, path: Path) -> Self:
        """Make a new, empty segment whose name is already durable."""
        segment = cls(disk, path, disk.create(path), 0)
        try:
            disk.sync_folder(path.parent)
        except OSError:
            segment.discard()
            raise
        return segment

    @classmethod
    def reopen(cls, disk: Disk, path: Path, end: int) -> Self:
        """Open an existing segment, cut everything after `end`, and make what is left durable."""
        handle = os.open(path, os.O_RDWR)
        try:
            disk.truncate(handle, end)
            disk.sync(handle)
        except OSError:
            os.close(handle)
            raise
        return cls(disk, path, handle, end)

    def write(self, data: bytes) -> None:
        """Append `data` whole; what a failed write left behind is taken back before OSError is raised.

        When even that fails, `broken` is set: the caller must leave this segment.
        """
        done = 0
        try:
            while done < len(data):
                done += self._disk.write(self._handle, data[done:] if done else data, self.end + done)
        except OSError:
            self._take_back(len(data))
            raise
        self.end += len(data)
        self._allocated = max(self._allocated, self.end)

    def ensure(self, room: int) -> None:
        """Have at least `room` bytes set aside after the end; raises OSError on a full disk."""
        missing = self.end + room - self._allocated
        if missing <= 0:
            return
        try:
            self._grow(max(missing, CHUNK))
        except OSError:
            self._grow(missing)

    def blank_ahead(self, size: int) -> None:
        """Write zeros over the next `size` bytes that are set aside, before less than half of that is left.

        They save work at each sync. Where they cannot be written, the lines that come there will say so.
        """
        upto = min(self.end + size, self._allocated)
        start = max(self.end, self._blanked)
        if upto - start > size // 2:
            with suppress(OSError):
                self._disk.blank(self._handle, start, upto - start)
            self._blanked = upto

    @property
    def spare(self) -> int:
        """How many bytes are set aside after the end."""
        return self._allocated - self.end

    def sync(self) -> None:
        """Make everything written so far durable; after an OSError this segment must not be synced again."""
        self._disk.sync(self._handle)

    def close(self) -> None:
        """Give unused space back and close; what could not be given back stays as zeros and harms nobody."""
        with suppress(OSError):
            self._disk.truncate(self._handle, self.end)
        self.abandon()

    def abandon(self) -> None:
        """Close without touching the content."""
        os.close(self._handle)

    def discard(self) -> None:
        """Close and remove a segment of which nothing was acknowledged."""
        with suppress(OSError):
            self._disk.truncate(self._handle, 0)
        self.abandon()
        with suppress(OSError):
            self.path.unlink()

    def _take_back(self, size: int) -> None:
        """Put zeros over a half-written line where space was set aside, and cut off what lies beyond it."""
        inside = min(size, self._allocated - self.end)
        try:
            if inside and self._disk.write(self._handle, bytes(inside), self.end) < inside:
                self.broken = True
            self._disk.truncate(self._handle, self._allocated)
        except OSError:
            self.broken = True

    def _grow(self, size: int) -> None:
        self._disk.allocate(self._handle, self._allocated, size)
        self._allocated += size
