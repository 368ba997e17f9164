"""What became of the data: the same, late rows, restated rows; by time travel, watermarks, or shape alone."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from gateway.engines.base import EngineError
from gateway.replay.rerun import Probe
from gateway.reply import ReplayCause
from metric_layer.compile import TRAVELLING
from traces.records import Close, DataReference, PeriodShape, Shape

Became = Literal["same", "late", "restated", "unknown", "cannot tell"]


@dataclass(frozen=True, slots=True)
class DataFinding:
    """What became of the data, in words; `causes` are what differs beside the data, or in its place."""

    became: Became
    words: str
    causes: tuple[ReplayCause, ...] = ()


def held_against(old: Close, new: Close, probe: Probe | None) -> DataFinding:
    """Say how the rows that a query gives now differ from those that it gave; `probe` may ask further.

    Both have a shape.
    """
    assert old.shape is not None and new.shape is not None, "both ran"
    if old.shape.key_id != new.shape.key_id:
        return _without_hash(old.shape, new.shape)
    if old.shape.keyed_hash == new.shape.keyed_hash:
        return DataFinding("same", "the rows are the same")
    if _same_content(old, new):
        return _of_the_engine(old, new)
    try:
        if probe and _travels(old, probe):
            return _travelled(old, new, probe)
        return _or_the_engine(_by_marks(old, new, probe), old, new, probe)
    except EngineError as fault:
        return _by_periods(old.shape.periods, new.shape.periods) or DataFinding(
            "unknown", f"shown by shape only: the database could not be asked further ({fault.code})"
        )


def _without_hash(old: Shape, new: Shape) -> DataFinding:
    words = "the hash of the rows was made under a key that is not in use any more"
    if (old.rows, old.columns) == (new.rows, new.columns):
        return DataFinding("cannot tell", words)
    return DataFinding("unknown", f"counts, ranges or totals differ; {words}")


def _same_content(old: Close, new: Close) -> bool:
    before, after = _data(old), _data(new)
    return before.kind == "content_hash" and before == after


def _of_the_engine(old: Close, new: Close) -> DataFinding:
    """The data is the same byte by byte, so the engine is another, or gives different rows each time."""
    moved = tuple(_moved(old, new))
    words = "nothing that was pinned changed, yet the rows differ"
    return DataFinding("same", words, moved or (ReplayCause(pin="nondeterministic", name=words),))


def _or_the_engine(found: DataFinding, old: Close, new: Close, probe: Probe | None) -> DataFinding:
    """Do not blame the data alone where the engine is another, too, and no count of rows is."""
    moved = tuple(_moved(old, new))
    if not moved or found.became not in ("restated", "unknown"):
        return found
    marks = {mark.name: mark.newest for mark in old.watermarks}
    counts = {mark.name: mark.rows for mark in probe.marks(marks)} if probe and marks else {}
    if any(counts.get(mark.name) != mark.rows for mark in old.watermarks):
        return found
    return DataFinding("unknown", "that gives other rows, or values were changed", moved)


def _travelled(old: Close, new: Close, probe: Probe) -> DataFinding:
    """Read the data of the recorded moment again; what it gives now tells history from change."""
    assert old.shape is not None and new.shape is not None, "both ran"
    moment = datetime.fromisoformat(_data(old).value)
    past = probe.at(moment)
    if past.keyed_hash != old.shape.keyed_hash:
        if moved := tuple(_moved(old, new)):
            return DataFinding("same", "the rows are others of the same data", moved)
        return DataFinding(
            "unknown", f"history was rewritten: read as of {_data(old).value}, the rows are others than then"
        )
    marks = probe.marks({}, moment)
    found = _by_marks(old.model_copy(update={"watermarks": marks}), new, probe)
    return DataFinding(
        found.became, f"{found.words} (the data of {_data(old).value} still gives the old rows)"
    )


def _by_marks(old: Close, new: Close, probe: Probe | None) -> DataFinding:
    """Tell late rows from restated ones by what the data up to the recorded watermarks gives now."""
    assert old.shape is not None and new.shape is not None, "both ran"
    by_periods = _by_periods(old.shape.periods, new.shape.periods)
    if by_periods is not None and by_periods.became != "unknown":
        return by_periods
    marks = {mark.name: mark.newest for mark in old.watermarks}
    cut = probe.up_to(marks) if probe and marks else None
    if probe is None or cut is None:
        return by_periods or DataFinding("unknown", "shown by shape only: no watermark was recorded")
    newest = ", ".join(f"{name} {value}" for name, value in marks.items())
    if cut.keyed_hash == old.shape.keyed_hash:
        return DataFinding("late", f"every row that changed the result is newer than {newest}")
    counts = {mark.name: mark.rows for mark in probe.marks(marks)}
    if not any(counts.get(mark.name, 0) > mark.rows for mark in old.watermarks):
        return DataFinding("restated", f"rows up to {newest} have other values, or are gone")
    if by_periods is not None:
        return DataFinding("late", f"rows came in the period of the newest ones ({newest})")
    if all(len(value) > len("2026-01-01") for value in marks.values()):
        return DataFinding("restated", f"rows came in before {newest}")
    return DataFinding("unknown", f"rows came on the last day, {newest}, or before it")


def _by_periods(old: Sequence[PeriodShape], new: Sequence[PeriodShape]) -> DataFinding | None:
    """Tell by the recorded hash of each period; None where a result is not over time."""
    told = [period.start for period in old if not period.empty]
    if not told or not new:
        return None
    last = told[-1]
    before, after = _hashes(old), _hashes(new)
    changed = sorted(start for start in {**before, **after} if before.get(start) != after.get(start))
    if not changed:
        return None
    if early := [start for start in changed if start < last]:
        many = f" and {len(early) - 1} more" if len(early) > 1 else ""
        return DataFinding("restated", f"the period {early[0]}{many} changed, before the newest one, {last}")
    if changed[0] > last:
        return DataFinding("late", f"only periods after {last} changed")
    return DataFinding("unknown", f"only the newest period then, {last}, and later ones changed")


def _hashes(periods: Sequence[PeriodShape]) -> Mapping[str, str]:
    return {period.start: period.keyed_hash for period in periods if not period.empty}


def _travels(old: Close, probe: Probe) -> bool:
    return _data(old).kind == "timestamp" and probe.engine.dialect in TRAVELLING


def _data(close: Close) -> DataReference:
    return close.pins.data if close.pins else DataReference(kind="none")


def _moved(old: Close, new: Close) -> Iterator[ReplayCause]:
    """Yield what stands between a text and its rows and is another than then, as far as it was recorded."""
    before, after = (_between(close) for close in (old, new))
    for pin, was in before.items():
        if was and was != after[pin]:
            name = "setting" if pin == "search_path" else "version"
            yield ReplayCause(pin=pin, name=name, old=was, new=after[pin])


def _between(close: Close) -> Mapping[str, str]:
    pins = close.pins
    assert pins is not None, "it ran"
    engine = f"{pins.engine} {pins.engine_version} {pins.mode}".strip()
    return {"engine": engine, "driver": pins.driver, "search_path": pins.search_path}
