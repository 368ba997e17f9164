"""Samples of allowed and stopped questions, drawn each day and kept in a folder for who may audit."""

import os
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import takewhile
from pathlib import Path
from sys import maxsize

from pydantic import ValidationError

from evals.samples import DayOfSamples, Drawn, draw_days
from gateway.asking import EVALUATION
from gateway.houses import Houses
from metric_layer.record import Record
from traces.records import Caller, Close, Open
from traces.store.base import TraceStore

DAYS = 7
"""How many days back are made up for when nobody served the project then, and shown."""

A_DAY = timedelta(days=1)
"""How long before the day of its close a question may have been opened."""

PRIVATE = 0o600


class DaySamples(Record):
    """What was drawn of one day's questions of a tenant."""

    day: date
    drawn: tuple[Drawn, ...]


class DailySamples:
    """The folder of samples: one file a day. Several processes may draw at once, and draw the same."""

    def __init__(self, houses: Houses, traces: TraceStore, folder: Path | None, each: int) -> None:
        self._houses = houses
        self._traces = traces
        self._folder = folder
        self._each = each
        self._looked: date | None = None

    def draw(self) -> tuple[date, ...]:
        """Draw what was not drawn yet of the days that are over, once a day; return the days that were.

        Raises TraceDamaged or OSError, and tries again the next day.
        """
        with self._houses.asking() as house:
            today = house.now().date()
        if self._folder is None or not self._each or self._looked == today:
            return ()
        self._looked = today
        missing = {day for day in _before(today) if not self._file(self._folder, day).exists()}
        found = draw_days(self._ended_since(min(missing)), missing, self._each) if missing else ()
        for sample in found:
            _write(self._file(self._folder, sample.day), sample.model_dump_json(indent=2))
        return tuple(sample.day for sample in found)

    def kept(self, caller: Caller) -> tuple[DaySamples, ...]:
        """Return the samples of the caller's tenant, the newest day first; none for who may not audit."""
        with self._houses.asking() as house:
            rights, today = house.rights(caller), house.now().date()
        if self._folder is None or "audit" not in rights:
            return ()
        read = (_read(self._file(self._folder, day)) for day in _before(today))
        return tuple(
            DaySamples(day=found.day, drawn=found.tenants[caller.tenant])
            for found in read
            if found is not None and caller.tenant in found.tenants
        )

    def _ended_since(self, first: date) -> Iterator[tuple[Open, Close]]:
        """Yield the questions that may have closed on a day or later; older ones stay sealed."""
        newest = self._traces.list(limit=maxsize)
        for summary in takewhile(lambda one: one.at.date() >= first - A_DAY, newest):
            trace = self._traces.read(summary.trace_id) if summary.outcome else None
            if trace is not None and trace.closed is not None and trace.opened.client != EVALUATION.name:
                yield trace.opened, trace.closed

    @staticmethod
    def _file(folder: Path, day: date) -> Path:
        return folder / f"{day.isoformat()}.json"


def _before(today: date) -> tuple[date, ...]:
    """Return the days that are over, the newest first."""
    return tuple(today - timedelta(days=back) for back in range(1, DAYS + 1))


def _read(file: Path) -> DayOfSamples | None:
    """Read a day's file; one that is not there, or that somebody else wrote, shows nothing."""
    try:
        return DayOfSamples.model_validate_json(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, ValidationError):
        return None


def _write(file: Path, text: str) -> None:
    """Put a file in its place whole; two who write it at once write the same."""
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE), "w") as opened:
            opened.write(f"{text}\n")
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)
