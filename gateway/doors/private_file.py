"""Writes a file that only its owner may read: whole or not at all."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import NamedTemporaryFile


def write_private(path: Path, data: bytes) -> None:
    """Put `data` at `path` (mode 0600), over what was there; raises OSError and then leaves nothing new."""
    _write(path, (data,))


def write_private_lines(path: Path, lines: Iterable[str]) -> int:
    """Put lines at `path` as `write_private` does, one by one; return how many there were."""
    written = 0

    def counted() -> Iterator[bytes]:
        nonlocal written
        for line in lines:
            written += 1
            yield f"{line}\n".encode()

    _write(path, counted())
    return written


def _write(path: Path, parts: Iterable[bytes]) -> None:
    try:
        with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
            _fill(file.fileno(), parts, Path(file.name), path)
    except OSError as fault:
        raise OSError(fault.errno, fault.strerror, str(path)) from fault


def _fill(handle: int, parts: Iterable[bytes], draft: Path, path: Path) -> None:
    try:
        with os.fdopen(os.dup(handle), "wb") as file:
            file.writelines(parts)
        os.fsync(handle)
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
