"""The six things a trace store asks of a disk, in one place so that a test can make any of them fail."""

import os
from pathlib import Path

_ZEROS = bytes(256 * 1024)


class Disk:
    """The real disk. Every method raises OSError as the kernel reports it."""

    def create(self, path: Path) -> int:
        """Make a new file, readable by its owner only, and return its descriptor."""
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)

    def write(self, handle: int, data: bytes, offset: int) -> int:
        """Write at an offset; may write less than asked and returns how much it wrote."""
        return os.pwrite(handle, data, offset)

    def allocate(self, handle: int, offset: int, size: int) -> None:
        """Set space aside, filled with zeros, so that a later write cannot meet a full disk."""
        os.posix_fallocate(handle, offset, size)

    def blank(self, handle: int, offset: int, size: int) -> None:
        """Write zeros over space set aside: a sync of what comes there later has no blocks to note."""
        end = offset + size
        while offset < end:
            offset += os.pwrite(handle, _ZEROS[: end - offset], offset)

    def truncate(self, handle: int, size: int) -> None:
        """Cut a file to a size."""
        os.ftruncate(handle, size)

    def sync(self, handle: int) -> None:
        """Return once everything written to the file would survive a power cut."""
        os.fdatasync(handle)

    def sync_folder(self, folder: Path) -> None:
        """Return once the names in a folder would survive a power cut."""
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
