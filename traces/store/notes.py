"""Where checkpoints are kept: one note for each segment of a log, replaced only by one that is further on."""

import os
import secrets
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

from traces.errors import CheckpointUnusable
from traces.store.disk import Disk

SUFFIX = ".checkpoint"
LEFT_ASIDE_SECONDS = 3600


class NotePlace(Protocol):
    """A place that keeps signed notes under names of the form LOG.NNNNNN.checkpoint."""

    def put(self, name: str, note: str) -> None:
        """Keep a note durably, in the place of one of that name; raises CheckpointUnusable."""
        ...

    def get(self, name: str) -> str | None:
        """Return the note of that name; raises CheckpointUnusable."""
        ...

    def names(self, log: str = "") -> Sequence[str]:
        """Return the names of all notes, or of one log's, in order; raises CheckpointUnusable."""
        ...


def note_name(log: str, number: int) -> str:
    """Return the name of the note over the segment `number` of a log."""
    return f"{log}.{number:06d}{SUFFIX}"


def log_of(name: str) -> str:
    """Return the log that a note's name names."""
    return name.removesuffix(SUFFIX).rpartition(".")[0]


class FolderOfNotes:
    """Notes as files of a folder, made on first use."""

    def __init__(self, folder: Path, disk: Disk | None = None) -> None:
        self.folder = folder
        self._disk = disk or Disk()

    def put(self, name: str, note: str) -> None:
        """Write the note beside the old one, make it durable, and put it in its place."""
        aside = self.folder / f".{name}.{secrets.token_hex(4)}"
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._sweep(name)
            try:
                self._write(aside, note.encode())
                aside.replace(self.folder / name)
                self._disk.sync_folder(self.folder)
            finally:
                aside.unlink(missing_ok=True)
        except OSError as error:
            raise _unusable(error, self.folder, "written") from error

    def get(self, name: str) -> str | None:
        """Read the file."""
        try:
            return (self.folder / name).read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        except UnicodeDecodeError:
            return ""
        except OSError as error:
            raise _unusable(error, self.folder, "read") from error

    def names(self, log: str = "") -> Sequence[str]:
        """List the folder; one that is not there yet holds none."""
        try:
            return sorted(self._names(log))
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise _unusable(error, self.folder, "read") from error

    def _names(self, log: str) -> Iterator[str]:
        for each in os.scandir(self.folder):
            if (
                each.name.endswith(SUFFIX)
                and not each.name.startswith(".")
                and log in ("", log_of(each.name))
            ):
                yield each.name

    def _sweep(self, name: str) -> None:
        """Remove what a process left aside that was killed while it wrote this note, long ago."""
        for aside in self.folder.glob(f".{name}.*"):
            if time.time() - aside.stat().st_mtime > LEFT_ASIDE_SECONDS:
                aside.unlink(missing_ok=True)

    def _write(self, path: Path, data: bytes) -> None:
        handle = self._disk.create(path)
        try:
            done = 0
            while done < len(data):
                done += self._disk.write(handle, data[done:], done)
            self._disk.sync(handle)
        finally:
            os.close(handle)


def _unusable(error: OSError, place: Path, what: str) -> CheckpointUnusable:
    return CheckpointUnusable(
        "checkpoint_place_unusable",
        f"checkpoints cannot be {what} there ({error.strerror or error})",
        place=str(place),
        next_step="see that the folder under [traces] checkpoints is mounted, has room and is writable",
    )
