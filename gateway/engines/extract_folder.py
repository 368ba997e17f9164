"""The folder of the extracts: made private, written to whole or not at all, cleared of what extracts left."""

import fcntl
import os
import re
import secrets
import shutil
import struct
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from gateway.engines.base import EngineError

MAKING_SECONDS = 60.0
_MADE = re.compile(r"[0-9a-f]{32}\.duckdb")
_MAKING = re.compile(r"\.[0-9a-f]{32}\.duckdb\.[0-9a-f]{8}")
_WRITING = struct.pack("hhqqi0q", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)


def prepare(folder: Path, source: Path | None) -> None:
    """Make the folder, for this user alone. One in which other things lie too keeps its rights.

    Raises EngineError where the source file itself lies in it, and OSError.
    """
    if source is not None and source.resolve().parent == folder.resolve():
        raise EngineError(
            "extracts_beside_source",
            f"the folder [paths] extracts is the one in which {source.name} lies",
            next_step="Give the extracts a folder of their own.",
        )
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if all(_MADE.fullmatch(each.name) or _MAKING.fullmatch(each.name) for each in folder.iterdir()):
        folder.chmod(0o700)


@contextmanager
def workshop(file: Path) -> Iterator[Path]:
    """Yield the place in which a file is made: in a folder for this user alone that is gone afterwards."""
    folder = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    folder.mkdir(mode=0o700)
    try:
        with _opened(folder, os.O_RDONLY) as handle:
            # On a file system without locks nothing that was left half made is ever removed.
            with suppress(OSError):
                fcntl.flock(handle, fcntl.LOCK_EX)
            yield folder / "extract.duckdb"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def sync(path: Path) -> None:
    """Return once a file, or the names in a folder, would survive a power cut."""
    with _opened(path, os.O_RDONLY) as handle:
        os.fsync(handle)


def remove_unread(folder: Path, needed: Collection[Path]) -> None:
    """Remove what extracts left in a folder that is not needed, and that no program reads or makes."""
    for path in tuple(folder.iterdir()) if folder.is_dir() else ():
        with suppress(OSError):
            if _MADE.fullmatch(path.name) and path not in needed:
                with _opened(path, os.O_RDWR) as handle:
                    fcntl.fcntl(handle, fcntl.F_OFD_SETLK, _WRITING)
                    path.unlink()
            elif _MAKING.fullmatch(path.name) and time.time() - path.stat().st_mtime > MAKING_SECONDS:
                with _opened(path, os.O_RDONLY) as handle:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(path, ignore_errors=True)


@contextmanager
def _opened(path: Path, flags: int) -> Iterator[int]:
    handle = os.open(path, flags | os.O_CLOEXEC)
    try:
        yield handle
    finally:
        os.close(handle)
