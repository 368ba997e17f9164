"""The content hash of a file, remembered while the file's size, time and inode stay the same."""

import hashlib
import json
import os
import threading
from contextlib import suppress
from pathlib import Path

from gateway.engines.base import EngineError
from gateway.engines.duckdb_errors import missing_file

CHUNK = 1 << 20
ATTEMPTS = 3

FileIdentity = tuple[tuple[int, int, int], ...]


def identity_of(path: Path) -> FileIdentity:
    """Return size, modification time (ns) and inode of the file, and of its write-ahead log if it has one."""
    found = []
    whole = os.fspath(path)
    for file in (whole, f"{whole}.wal"):
        try:
            status = os.stat(file)  # noqa: PTH116  twice in every question: a Path costs more than the call
        except FileNotFoundError:
            continue
        found.append((status.st_size, status.st_mtime_ns, status.st_ino))
    return tuple(found)


def is_file(path: Path | str) -> bool:
    """Say whether a file is there."""
    return os.path.isfile(path)  # noqa: PTH113  several times in every question, as above


class ContentHashes:
    """SHA-256 of database files.

    The first hash reads the whole file, a second or two per GB; later ones only look at its size and time.
    `sidecar` keeps the hashes between processes. One that cannot be read is made anew, and one that cannot be
    written only costs the next process a hash.
    """

    def __init__(self, sidecar: Path | None = None) -> None:
        """Read nothing yet."""
        self._sidecar = sidecar
        self._lock = threading.Lock()
        self._known: dict[str, tuple[FileIdentity, str]] = {}

    def of(self, path: Path) -> str:
        """Return the hex digest of the file's bytes, followed by its write-ahead log's where there is one.

        Raises EngineError when the file is missing or keeps changing while it is read.
        """
        key = str(path.absolute())
        with self._lock:
            for _ in range(ATTEMPTS):
                identity = identity_of(path)
                known = self._known.get(key) or self._load().get(key)
                if known and known[0] == identity:
                    self._known[key] = known
                    return known[1]
                digest = _digest(path)
                if identity_of(path) == identity:
                    self._known[key] = (identity, digest)
                    self._save(key, identity, digest)
                    return digest
        raise EngineError(
            "database_changing",
            f"{path.name} keeps changing while it is read",
            retryable=True,
            next_step="Give the gateway a copy that nobody writes to.",
        )

    def _load(self) -> dict[str, tuple[FileIdentity, str]]:
        if self._sidecar is None:
            return {}
        try:
            kept = json.loads(self._sidecar.read_bytes())
            return {
                str(key): (tuple((int(a), int(b), int(c)) for a, b, c in files), str(digest))
                for key, (files, digest) in kept.items()
            }
        except (OSError, ValueError, TypeError, AttributeError):
            return {}

    def _save(self, key: str, identity: FileIdentity, digest: str) -> None:
        if self._sidecar is None:
            return
        kept = {**self._load(), key: (identity, digest)}
        fresh = self._sidecar.with_name(f"{self._sidecar.name}.{os.getpid()}")
        with suppress(OSError):
            self._sidecar.parent.mkdir(parents=True, exist_ok=True)
            fresh.write_text(json.dumps(kept))
            fresh.replace(self._sidecar)


def _digest(path: Path) -> str:
    hasher = hashlib.sha256()
    for file in (path, path.with_name(path.name + ".wal")):
        try:
            stream = file.open("rb")
        except FileNotFoundError:
            if file is not path:
                continue
            raise missing_file(path) from None
        except OSError as error:
            raise EngineError(
                "database_unreadable",
                f"{file.name} could not be read ({error.strerror})",
                next_step="Let the user that runs cellbound read that file.",
            ) from None
        with stream:
            while chunk := stream.read(CHUNK):
                hasher.update(chunk)
    return hasher.hexdigest()
