"""A url from the settings -> the trace store it names; its driver is loaded only when it is one."""

import importlib
from collections.abc import Callable
from datetime import datetime

from traces.errors import TraceUnwritable
from traces.frame import ChainKey
from traces.store.base import TraceStore
from traces.store.keeper import CheckpointKeeper


def store_in_postgres(
    url: str, key: ChainKey, clock: Callable[[], datetime], keeper: CheckpointKeeper, retention: str = ""
) -> TraceStore:
    """Return the store in a PostgreSQL database; raises TraceUnwritable where the driver is not installed.

    `retention` is the url of the login that deletes old segments, where there is one.
    """
    try:
        module = importlib.import_module("traces.store.postgres")
    except ImportError as fault:
        raise TraceUnwritable(
            "trace_driver_missing",
            f"the database driver psycopg cannot be imported ({fault})",
            next_step="install the extra: pip install 'cellbound[postgres]'",
        ) from fault
    store: TraceStore = module.PostgresTraceStore(url, key, clock=clock, keeper=keeper, retention=retention)
    return store
