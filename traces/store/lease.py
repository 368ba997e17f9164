"""Who writes which log: one writer each, held by a file lock that the kernel drops when its process dies."""

import fcntl
import os
import re
import secrets
import socket
from collections.abc import Iterator
from pathlib import Path


class Lease:
    """The right to write a log, until it is given back or the process ends."""

    def __init__(self, log: str, handle: int) -> None:
        self.log = log
        self._handle = handle

    @classmethod
    def take(cls, folder: Path, log: str) -> "Lease | None":
        """Take the right to write `log`; None while another writer has it."""
        handle = os.open(folder / f"{log}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            return None
        except OSError:
            os.close(handle)
            raise
        return cls(log, handle)

    def give_back(self) -> None:
        """Let another process continue this log."""
        os.close(self._handle)


def new_log_id() -> str:
    """Return an id no other log has: host, process, and a random part for this start."""
    return f"{_host()}-{os.getpid()}-{secrets.token_hex(4)}"


def logs_of_this_host(folder: Path) -> Iterator[str]:
    """Yield the logs that this host began: only for those a file lock surely tells who writes."""
    mine = _host()
    for path in sorted(folder.glob("*.lock")):
        if path.stem.rsplit("-", 2)[0] == mine:
            yield path.stem


def _host() -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", socket.gethostname()).strip("-")[:40] or "host"
