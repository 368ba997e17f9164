"""The file that holds every key: readable by its owner only, changed under a lock, replaced in one step."""

import base64
import binascii
import fcntl
import os
import secrets
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationError

from metric_layer.record import Record
from traces.errors import KeysUnusable

KEY_BYTES = 32
FORMAT = 2
_OTHERS = 0o077

Encoded = Annotated[str, Field(pattern=r"^[A-Za-z0-9+/=]*$", repr=False)]


class SubjectEntry(Record):
    """A subject's key, encrypted under the master key, and the id that sealed texts carry."""

    id: str
    wrapped: Encoded


class RingEntry(Record):
    """A key for one purpose, encrypted under the root key, from when on (UTC) it was used."""

    id: str
    wrapped: Encoded
    since: datetime


class KeyFile(Record):
    """Everything in the file. `master` is empty where the master key comes from elsewhere.

    `wrapped_master` is what a key service made of it. `root`, from which the others come, is encrypted under
    the master key; empty, the master key is the root. `ring` holds the keys of a purpose, newest last.
    Format 1 had neither `wrapped_master`, `root`, `ring` nor `held`.
    """

    format: Annotated[int, Field(ge=1, le=FORMAT)] = FORMAT
    master: Encoded = ""
    wrapped_master: Annotated[str, Field(max_length=20_000, repr=False)] = ""
    master_id: str
    root: Encoded = ""
    ring: Mapping[str, tuple[RingEntry, ...]] = {}
    subjects: Mapping[str, tuple[SubjectEntry, ...]] = {}
    held: tuple[str, ...] = ()
    destroyed: tuple[str, ...] = ()


class KeyFileStore:
    """Reads and replaces the key file. Several processes may share one."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._whole = os.fspath(path)
        self._cached: tuple[tuple[int, int, int], KeyFile] | None = None

    def read(self) -> KeyFile:
        """Return the file as it is now; raises KeysUnusable: missing, malformed or open to others."""
        try:
            while True:
                mark, cached = self._mark(), self._cached
                if cached is not None and cached[0] == mark:
                    return cached[1]
                content = self._parse()
                if self._mark() == mark:
                    break
        except FileNotFoundError:
            raise KeysUnusable(
                "keys_missing",
                "there is no key file",
                place=str(self.path),
                next_step="restore it from its backup; new keys cannot open what older ones sealed",
            ) from None
        except OSError as error:
            raise _unreadable(self.path, error.strerror or "it cannot be read") from error
        if content is None:
            raise _unreadable(self.path, "it is not a key file of this format")
        self._cached = (mark, content)
        return content

    def _mark(self) -> tuple[int, int, int]:
        """Return what tells one content from the next; raises KeysUnusable when others may read the file."""
        state = os.stat(self._whole)  # noqa: PTH116  several times in every question: a Path costs more
        if state.st_mode & _OTHERS:
            raise KeysUnusable(
                "keys_open_to_others",
                f"the key file has mode {state.st_mode & 0o777:04o}: others could read it",
                place=str(self.path),
                next_step="set its mode to 0600, and treat its keys as known to others",
            )
        return (state.st_ino, state.st_mtime_ns, state.st_size)

    def _parse(self) -> KeyFile | None:
        try:
            return KeyFile.model_validate_json(self.path.read_bytes())
        except ValidationError:
            return None

    def create(self, fresh: Callable[[], KeyFile]) -> None:
        """Write a first file unless there is one already."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with self._locked():
                if not self.path.exists():
                    self._replace(fresh())
        except OSError as error:
            raise _unwritable(self.path, error) from error

    def change(self, edit: Callable[[KeyFile], KeyFile]) -> KeyFile:
        """Apply `edit` to the newest content and replace the file; the old content is overwritten."""
        try:
            with self._locked():
                changed = edit(self.read()).model_copy(update={"format": FORMAT})
                self._replace(changed)
        except OSError as error:
            raise _unwritable(self.path, error) from error
        return changed

    def _replace(self, content: KeyFile) -> None:
        folder = self.path.parent
        handle, temporary = tempfile.mkstemp(prefix=f".{self.path.name}.", dir=folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content.model_dump_json(indent=1).encode())
                file.flush()
                os.fsync(file.fileno())
            _blank(self.path, keep_until=Path(temporary))
            _sync_folder(folder)
        except OSError:
            Path(temporary).unlink(missing_ok=True)
            raise
        self._cached = None

    @contextmanager
    def _locked(self) -> Iterator[None]:
        handle = os.open(self.path.with_name(self.path.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)


def decode_key(text: str, place: str, size: int = KEY_BYTES) -> bytes:
    """Return the `size` bytes that `text` encodes in base64; raises KeysUnusable for anything else."""
    try:
        key = base64.b64decode(text, validate=True)
    except binascii.Error:
        key = b""
    if len(key) != size:
        raise KeysUnusable(
            "keys_malformed",
            f"a key must be {size} bytes in base64, this text is not",
            place=place,
            next_step=f"make one with: openssl rand -base64 {KEY_BYTES}",
        )
    return key


def encode_key(key: bytes) -> str:
    """Return a key as base64 text."""
    return base64.b64encode(key).decode()


def fresh_key() -> bytes:
    """Return 32 random bytes."""
    return secrets.token_bytes(KEY_BYTES)


def _blank(path: Path, keep_until: Path) -> None:
    """Put `keep_until` in the place of `path`, then write zeros over what `path` held."""
    old = os.open(path, os.O_WRONLY) if path.exists() else None
    keep_until.replace(path)
    if old is None:
        return
    try:
        os.pwrite(old, bytes(os.fstat(old).st_size), 0)
        os.fsync(old)
    finally:
        os.close(old)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _unreadable(path: Path, why: str) -> KeysUnusable:
    return KeysUnusable(
        "keys_unreadable",
        f"the key file cannot be used: {why}",
        place=str(path),
        next_step="restore it from its backup",
    )


def _unwritable(path: Path, error: OSError) -> KeysUnusable:
    return KeysUnusable(
        "keys_unwritable",
        f"the key file cannot be written: {error.strerror}",
        place=str(path),
        next_step="give this user the right to write there, and free some space",
    )
