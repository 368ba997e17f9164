"""Where each question's records lie: segments are read once, and then only what was added to them."""

import os
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, NamedTuple

from pydantic import ValidationError

from traces.chain import SegmentFile, segments_in
from traces.frame import Line, read_line
from traces.log_records import SegmentStart
from traces.questions import heading
from traces.store.summary import moment_of

_BLOCK = 256 * 1024
_SEGMENT = b'{"kind":"segment",'


class Place(NamedTuple):
    """Where one line lies, newline left out."""

    segment: SegmentFile
    offset: int
    size: int
    seq: int


@dataclass(slots=True)
class _Question:
    at: datetime
    places: list[Place]


class Scan:
    """A map from trace id to places, brought up to date on every look; it never locks out a writer."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._clear()

    def places(self, trace_id: str) -> tuple[Place, ...]:
        """Return where the records of a question lie, in the order of their logs."""
        with self._lock:
            self._refresh()
            found = self._questions.get(trace_id)
            return tuple(found.places) if found else ()

    def newest(self) -> list[tuple[datetime, str]]:
        """Return when each question came and its id, newest first."""
        with self._lock:
            self._refresh()
            return sorted(((question.at, key) for key, question in self._questions.items()), reverse=True)

    def all_places(self) -> Iterator[Place]:
        """Yield the place of every line that counts, log by log."""
        with self._lock:
            self._refresh()
            segments = {segment.path: segment for log in self._segments().values() for segment in log}
        for segment in segments.values():
            with suppress(FileNotFoundError), segment.path.open("rb") as file:
                for offset, size, line in _lines_from(file, 0):
                    if line is not None and not self._superseded(segment, line.seq):
                        yield Place(segment, offset, size, line.seq)

    def forget(self) -> None:
        """Read everything again at the next look: a segment was cut under us."""
        with self._lock:
            self._clear()

    def _clear(self) -> None:
        self._read_up_to: dict[Path, int] = {}
        self._questions: dict[str, _Question] = {}
        self._again_from: dict[str, list[tuple[int, int]]] = {}

    def _segments(self) -> dict[str, list[SegmentFile]]:
        return segments_in(self._folder) if self._folder.is_dir() else {}

    def _refresh(self) -> None:
        logs = self._segments()
        if self._read_up_to.keys() - {segment.path for segments in logs.values() for segment in segments}:
            self._clear()  # a segment was retired, or taken back: nothing of it is anywhere any more
        for segments in logs.values():
            for segment in segments:
                seen = self._read_up_to.get(segment.path, 0)
                with suppress(FileNotFoundError):  # a writer took back a segment it had just begun
                    if segment.path.stat().st_size > seen:
                        self._read_up_to[segment.path] = self._read(segment, seen)

    def _read(self, segment: SegmentFile, start: int) -> int:
        end = start
        with segment.path.open("rb") as file:
            for offset, size, line in _lines_from(file, start):
                if line is not None:
                    self._take(Place(segment, offset, size, line.seq), line)
                end = offset + size + 1
        return end

    def _take(self, place: Place, line: Line) -> None:
        if line.body.startswith(_SEGMENT):
            self._note_start(place.segment, line)
            return
        found = heading(line.body)
        if found is None or self._superseded(place.segment, place.seq):
            return
        question = self._questions.get(found.trace_id)
        if question is None:
            self._questions[found.trace_id] = _Question(moment_of(found.at.decode(errors="replace")), [place])
            return
        question.places.append(place)
        if found.kind == "open":
            question.at = moment_of(found.at.decode(errors="replace"))

    def _note_start(self, segment: SegmentFile, line: Line) -> None:
        """Drop what a segment wrote again after a failed sync from the segments before it."""
        try:
            start = SegmentStart.model_validate_json(line.body)
        except ValidationError:
            return
        if not start.after_failed_sync:
            return
        self._again_from.setdefault(segment.log, []).append((segment.number, start.first))
        for key, question in list(self._questions.items()):
            question.places = [p for p in question.places if not self._superseded(p.segment, p.seq)]
            if not question.places:
                del self._questions[key]

    def _superseded(self, segment: SegmentFile, seq: int) -> bool:
        starts = self._again_from.get(segment.log, ())
        return any(number > segment.number and seq >= first for number, first in starts)


def lines_of_file(segment: SegmentFile, start: int) -> Iterator[tuple[int, Line]]:
    """Yield (offset, line) for each complete line of a segment from an offset on; none where it is gone."""
    with suppress(FileNotFoundError), segment.path.open("rb") as file:
        for offset, _, line in _lines_from(file, start):
            if line is not None:
                yield offset, line


def _lines_from(file: BinaryIO, offset: int) -> Iterator[tuple[int, int, Line | None]]:
    """Yield offset, size and content of each complete line, up to the first that is unfinished or set aside.

    What is no line (None) was read twice: a reader that meets a writer may get the later of two blocks of
    one write, or of a cut, without the earlier, which is there by then. It finds zeros in its place, and no
    line has any.
    """
    file.seek(offset)
    rest = b""
    while block := file.read(_BLOCK):
        *lines, rest = (rest + block).split(b"\n")
        for raw in lines:
            if raw.startswith(b"\0"):
                return
            line = None if b"\0" in raw else read_line(raw)
            if line is None and os.pread(file.fileno(), len(raw), offset) != raw:
                yield from _lines_from(file, offset)
                return
            yield offset, len(raw), line
            offset += len(raw) + 1
        if rest.startswith(b"\0"):
            return
