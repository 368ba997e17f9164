"""What data a run read: as the engine says of that very run, else as it was before and after."""

from gateway.engines.base import Engine, Rows
from gateway.engines.refusals import data_changed
from traces.records import DataReference


def data_read(engine: Engine, before: DataReference, rows: Rows) -> DataReference:
    """Return the data that a run read; `before` is what was decided upon when it was let run.

    A moment of a database that names moments may be a later one. Raises EngineError `data_changed` when the
    content is another, or when it cannot be told which of two was read.
    """
    data = rows.data or engine.pin()
    if data != before and (rows.data is None or before.kind == "content_hash"):
        raise data_changed()
    return data
