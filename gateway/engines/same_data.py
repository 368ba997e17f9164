"""What data a run read: as the engine says of that very run, else as it was before and after."""

import time

from gateway.engines.base import Engine, Rows
from gateway.engines.refusals import data_changed
from traces.records import DataReference


def data_read(
    engine: Engine, before: DataReference, rows: Rows, until: float | None = None, query_id: str = ""
) -> DataReference:
    """Return the data that a run read; `before` is what was decided upon when it was let run.

    Where the engine has to look once more, it has until `until` on the monotonic clock. A moment of a
    database that names moments may be a later one. Raises EngineError `data_changed` when the content is
    another, or when it cannot be told which of two was read.
    """
    seconds = None if until is None else until - time.monotonic()
    data = rows.data or engine.pin(seconds, query_id)
    if data != before and (rows.data is None or before.kind == "content_hash"):
        raise data_changed()
    return data
