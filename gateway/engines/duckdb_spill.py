"""Folders that workers spill to: held by a lock while their worker lives, removed when nobody holds them."""

import fcntl
import os
import shutil
from contextlib import suppress
from pathlib import Path

PREFIX = "duckdb-"


def hold(folder: Path) -> int:
    """Make the folder and lock it; closing the handle that is returned gives it free."""
    folder.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    fcntl.flock(handle, fcntl.LOCK_SH)
    return handle


def sweep(parent: Path) -> None:
    """Remove what workers of a gateway left that ended without cleaning up."""
    for folder in parent.glob(f"{PREFIX}*"):
        with suppress(OSError):
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(handle)
