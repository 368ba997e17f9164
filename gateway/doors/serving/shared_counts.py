"""Counters of processes that serve together: each leaves its own in a folder, and any of them tells all."""

import json
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

EVERY_SECONDS = 1.0


class SharedCounts:
    """A folder with one file per process. What one that ended had counted stays counted."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._own = folder / f"{os.getpid()}.json"
        self._lock = threading.Lock()

    @contextmanager
    def kept(self, dump: Callable[[], str]) -> Iterator[None]:
        """Write this process's counters every second while the block runs, and once more at its end."""
        ended = threading.Event()
        thread = threading.Thread(target=self._keep, args=(dump, ended), name="counts", daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    def told(self, dump: Callable[[], str]) -> Iterator[str]:
        """Yield what every process has written; of one that ended, nothing is inside any more.

        This one writes first, and only what is written is told: whoever answers next tells no less.
        """
        self._write(dump)
        for file in sorted(self._folder.glob("*.json")):
            with suppress(FileNotFoundError):
                found = json.loads(file.read_text(encoding="utf-8"))
                if not Path(f"/proc/{file.stem}").exists():
                    found.update(inside=0, alive=False)
                yield json.dumps(found)

    def _keep(self, dump: Callable[[], str], ended: threading.Event) -> None:
        over = False
        while not over:
            over = ended.wait(EVERY_SECONDS)
            self._write(dump)

    def _write(self, dump: Callable[[], str]) -> None:
        fresh = self._own.with_suffix(".new")
        with self._lock, suppress(OSError):
            fresh.write_text(dump(), encoding="utf-8")
            fresh.replace(self._own)
