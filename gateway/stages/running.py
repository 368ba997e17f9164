"""The run of a query, on data that its trace can name, with what the trace keeps of how it was run."""

import time

from gateway.engines.base import Identity, Limits, Rows
from gateway.engines.same_data import data_read
from gateway.record.journal import Journal
from traces.records import Query, Run, RunLimits


def pinned_run(journal: Journal, who: Identity, query: Query, beside: str, limits: Limits) -> Rows:
    """Run on the engine's own snapshot, or on data that is the same before and after.

    How it is run stands in the journal before it is: a run that fails had limits, too.
    """
    engine, until = journal.house.engine, time.monotonic() + limits.seconds
    journal.run = run = Run(
        limits=RunLimits(
            rows=limits.rows,
            bytes=limits.bytes,
            seconds=round(limits.seconds, 3),
            memory_mb=limits.memory_mb,
            spill_mb=limits.spill_mb,
        ),
        started=journal.house.now(),
        query_id=journal.trace_id,
    )
    rows = engine.run(query.sql, who, limits, journal.trace_id, beside=beside)
    served = {"query_id": rows.query_id or run.query_id, "backend": rows.backend}
    journal.run = run.model_copy(update=served)
    journal.data = data_read(engine, journal.data, rows, until, journal.trace_id)
    return rows
