"""A shared lock on a database file: while it is held, no other program can open the file for writing."""

import errno
import fcntl
import os
import struct
from pathlib import Path

from gateway.engines.base import EngineError

_WHOLE_FILE = struct.pack("hhqqi0q", fcntl.F_RDLCK, os.SEEK_SET, 0, 0, 0)
_HELD_BY_A_WRITER = (errno.EAGAIN, errno.EACCES)


class SharedLock:
    """Held from its making until `close`.

    DuckDB locks what it attaches, but a process loses such a lock as soon as it closes any other handle on
    the same file, for example after hashing it. This one belongs to its own handle and stays. On a file
    system without locks it holds nothing.
    """

    def __init__(self, path: Path) -> None:
        """Take the lock. Raises EngineError `database_locked` while a writer has the file open."""
        try:
            self._handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError as error:
            raise EngineError(
                "database_unreadable",
                f"the database file {path.name} could not be opened ({error.strerror})",
                next_step="Check the file's permissions.",
            ) from None
        try:
            fcntl.fcntl(self._handle, fcntl.F_OFD_SETLK, _WHOLE_FILE)
        except OSError as error:
            if error.errno in _HELD_BY_A_WRITER:
                os.close(self._handle)
                raise locked(path) from None

    def close(self) -> None:
        """Give the lock back."""
        os.close(self._handle)


def locked(path: Path) -> EngineError:
    """Return the error for a file that somebody writes to."""
    return EngineError(
        "database_locked",
        f"the database file {path.name} is open for writing in another program",
        retryable=True,
        next_step="Close the program that writes to it, or give the gateway a copy.",
    )
