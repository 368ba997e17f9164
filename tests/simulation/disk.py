"""A disk that fills up, fails and dies at a drawn call; what was not synced may be lost."""

import errno
import os
import shutil
from pathlib import Path
from random import Random

from traces.store.disk import Disk


class SimulatedDisk(Disk):
    """Real files under a folder, and what of them would survive a power cut.

    `full` refuses new bytes, `failing` counts calls that are still to fail with EIO, and `dies_in` counts the
    calls until the machine stops: its files are then copied to `image` as they would be found.
    """

    def __init__(self, process: Path, image: Path, draw: Random) -> None:
        self.full = False
        self.failing = 0
        self.dies_in = 0
        self.dead = False
        self._refused = False
        self._process = process
        self._image = image
        self._draw = draw
        self._safe: dict[str, int] = {}
        self._unnamed: set[str] = set()

    @property
    def troubled(self) -> bool:
        """Say whether it is full, or has failed since it was last forgiven."""
        return self.full or self._refused

    def forgive(self) -> None:
        """Forget what it refused."""
        self._refused = False

    def die(self) -> None:
        """Stop the machine: keep an image of its files, and do nothing more."""
        if self.dead:
            return
        self.dead = True
        shutil.copytree(self._process, self._image)
        for name, safe in self._safe.items():
            file = self._image / Path(name).relative_to(self._process)
            if name in self._unnamed and self._draw.random() < 0.5:
                file.unlink(missing_ok=True)
            elif file.is_file():
                end = file.stat().st_size
                os.truncate(file, self._draw.randint(min(safe, end), end))

    def create(self, path: Path) -> int:
        self._turn()
        self._safe[str(path)] = 0
        self._unnamed.add(str(path))
        return super().create(path)

    def write(self, handle: int, data: bytes, offset: int) -> int:
        name = _name(handle)
        self._safe.setdefault(name, os.fstat(handle).st_size)
        self._turn()
        if self.full and offset + len(data) > os.fstat(handle).st_size:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(handle, data, offset)

    def allocate(self, handle: int, offset: int, size: int) -> None:
        self._turn()
        if self.full:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        super().allocate(handle, offset, size)

    def truncate(self, handle: int, size: int) -> None:
        self._turn()
        super().truncate(handle, size)

    def sync(self, handle: int) -> None:
        self._turn()
        self._safe[_name(handle)] = os.fstat(handle).st_size

    def sync_folder(self, folder: Path) -> None:
        self._turn()
        self._unnamed.clear()

    def _turn(self) -> None:
        if self.dies_in:
            self.dies_in -= 1
            if not self.dies_in:
                self.die()
        if self.dead or self.failing:
            self.failing = max(0, self.failing - 1)
            self._refused = True
            raise OSError(errno.EIO, os.strerror(errno.EIO))


def _name(handle: int) -> str:
    return str(Path(f"/proc/self/fd/{handle}").readlink())
