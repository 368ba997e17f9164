"""What the service says of the tables of a query: their rows, kind and last change; kept for a minute."""

import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from google.cloud.bigquery import Table

from gateway.engines.base import Identity
from gateway.engines.bigquery_session import Call, Session
from metric_layer.plan import Dialect

KEPT_SECONDS = 60.0
REMEMBERED = 4096
KEEPS_HISTORY = ("TABLE", "SNAPSHOT", "CLONE")
DIALECT: Dialect = "bigquery"


@dataclass(frozen=True, slots=True)
class Stored:
    """A table as the service describes it to an asker.

    `rows` is None where it has no count of its own. `changed` is by the service's clock, None where it does
    not tell every change. `parted` says that a filter can spare a part of it.
    """

    name: str
    kind: str
    rows: int | None
    changed: datetime | None
    parted: bool
    columns: tuple[tuple[str, str], ...]


def stored_of(name: str, table: Table) -> Stored:
    """Return a table's description. Rows that are still streamed in change a table without being told."""
    kept = table.table_type in KEEPS_HISTORY
    told = kept and table.streaming_buffer is None
    return Stored(
        name=name,
        kind=str(table.table_type),
        rows=table.num_rows if kept else None,
        changed=table.modified if told else None,
        parted=bool(table.time_partitioning or table.range_partitioning or table.clustering_fields),
        columns=tuple((field.name, field.field_type) for field in table.schema),
    )


class Tables:
    """What each asker was told of tables, kept a minute. Safe from any thread."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._lock = threading.Lock()
        self._kept: dict[tuple[Identity, str], tuple[float, Stored | None]] = {}
        self._whole: dict[tuple[Identity, str], tuple[float, int | None]] = {}

    def of(self, session: Session, call: Call, names: Iterable[str]) -> Mapping[str, Stored | None]:
        """Return the tables by their full names, None for one that the service tells nothing of."""
        found = {}
        for name in names:
            key = (session.who, name)
            with self._lock:
                since, stored = self._kept.get(key, (0.0, None))
            if time.monotonic() - since > KEPT_SECONDS:
                stored = look_at(session, call, name)
                self._keep(self._kept, key, stored)
            found[name] = stored
        return found

    def whole_of(self, session: Session, call: Call, select: str) -> int | None:
        """Return the bytes of a statement over a whole table, None where the service does not tell."""
        key = (session.who, select)
        with self._lock:
            since, size = self._whole.get(key, (0.0, None))
        if time.monotonic() - since > KEPT_SECONDS:
            size = session.price(call, select).total_bytes_processed
            self._keep(self._whole, key, size)
        return size

    def _keep(self, where: dict[Any, Any], key: tuple[Identity, str], found: object) -> None:
        with self._lock:
            if len(where) >= REMEMBERED:
                where.clear()
            where[key] = (time.monotonic(), found)


def look_at(session: Session, call: Call, name: str) -> Stored | None:
    """Return a table as it is now."""
    table = session.table(call, name)
    return None if table is None else stored_of(name, table)
