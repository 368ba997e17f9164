"""Writes a file that only its owner may read: whole or not at all."""

import os
from pathlib import Path
from tempfile import NamedTemporaryFile


def write_private(path: Path, data: bytes) -> None:
    """Put `data` at `path` (mode 0600), over what was there; raises OSError and then leaves nothing new."""
    try:
        with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
            _fill(file.fileno(), data, Path(file.name), path)
    except OSError as fault:
        raise OSError(fault.errno, fault.strerror, str(path)) from fault


def _fill(handle: int, data: bytes, draft: Path, path: Path) -> None:
    try:
        with os.fdopen(os.dup(handle), "wb") as file:
            file.write(data)
        os.fsync(handle)
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise
